"""Artifacts, as they are moved: what they say, and their files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from quire.domain.errors import InvalidInput
from quire.domain.notebook_file.artifact_rows import ArtifactFileRow, ArtifactRow, CitedVersion
from quire.local.artifact_grounds import all_grounds, marked, statements, texts_cited
from quire.local.files import use
from quire.local.transfer.part import Into, Part, Step, Whose, one_step, paged
from quire.ports.store import Tx

UNMADE = "It was still being made when its notebook was exported."
UNGROUNDED = (
    "Some of what it says does not stand in the sources it came with, so its files were left out;"
    " edit_artifact makes them of what is right."
)
PLAIN = ("id", "kind", "title", "instructions", "language", "maker", "error", "created_at", "updated_at")


def _artifacts(tx: Tx, whose: Whose) -> Iterator[ArtifactRow]:
    for row in paged(tx, "artifacts_to_move", notebook_id=whose.notebook_id):
        read: dict[str, Any] = {name: json.loads(row[name]) for name in ("options", "made_of", "warnings")}
        for name in ("source_ids", "outline", "content"):
            read[name] = json.loads(row[name]) if row[name] else None
        # One that is being made begins anew elsewhere; one that is being edited goes as it was before.
        files = tx.all("artifact_files_to_move", id=row["id"])
        state: Any = "ready" if row["state"] == "making" and files else row["state"]
        yield ArtifactRow(
            **{name: row[name] for name in PLAIN},
            **read,
            titled=bool(row["titled"]),
            draft=bool(row["draft"]),
            state=state,
            files=[
                ArtifactFileRow(**{name: file[name] for name in ("format", "place", "media_type", "sha256")})
                for file in files
            ],
            versions=[
                CitedVersion(source_id=one["source_id"], version=one["version"])
                for one in tx.all("artifact_versions_to_move", id=row["id"])
            ],
        )


def _put_artifact(row: ArtifactRow, into: Into) -> list[Step]:
    def work(tx: Tx) -> None:
        content, good = _held_against_sources(tx, row, into.notebook_id)
        unmade, written = row.state == "making", {"content": content, "warnings": json.dumps(row.warnings)}
        if not good:
            written["warnings"] = json.dumps(list(dict.fromkeys([*row.warnings, UNGROUNDED])))
        for name in ("options", "made_of"):
            written[name] = json.dumps(getattr(row, name))
        for name in ("source_ids", "outline"):
            value = getattr(row, name)
            written[name] = None if value is None else json.dumps(value)
        tx.run(
            "insert_moved_artifact",
            notebook_id=into.notebook_id,
            person_id=into.person_id,
            titled=int(row.titled),
            draft=int(row.draft or not good),
            state="failed" if unmade else row.state if good else "draft",
            **{name: getattr(row, name) for name in PLAIN if name != "error"},
            error=UNMADE if unmade else row.error,
            **written,
        )
        for file in row.files if good else ():
            size = tx.one("blob_size", sha256=file.sha256)
            tx.run("put_artifact_file", id=row.id, size=size["size"] if size else 0, **file.model_dump())
            use(tx, file.sha256, "artifact", row.id)
        for one in row.versions:
            tx.run("keep_artifact_version", id=row.id, source_id=one.source_id, version=one.version)

    return one_step(work, 1 + len(row.files) + len(row.versions))


def _held_against_sources(tx: Tx, row: ArtifactRow, notebook_id: str) -> tuple[str | None, bool]:
    """The content as JSON; and whether all that it cites stands in the sources that came with it, and bears it out."""
    from quire.studio.kinds import kind_of
    from quire.studio.support import in_place, supported

    if row.content is None:
        return None, True
    made = kind_of(row.kind).content_type.model_validate(row.content)
    texts = texts_cited(tx, notebook_id, made)
    verdicts = [not one.verified or supported(one, texts) for one in statements(made)]
    if all(verdicts) and all(in_place(one, texts) for one in all_grounds(made)):
        return json.dumps(row.content), True
    verdicts = [one.verified and good for one, good in zip(statements(made), verdicts, strict=True)]
    return json.dumps(marked(made, verdicts)), False


def _sound(row: ArtifactRow) -> None:
    """What is shown, edited and made into files has the form of its kind."""
    from quire.domain.artifact_options import OPTIONS
    from quire.studio.kinds import kind_of

    kind = kind_of(row.kind)
    try:
        OPTIONS[row.kind].model_validate_json(json.dumps(row.options))
        if row.content is not None:
            kind.content_type.model_validate_json(json.dumps(row.content))
        if row.outline is not None:
            kind.outline_type.model_validate_json(json.dumps(row.outline))
    except (ValidationError, RecursionError, ValueError):
        raise InvalidInput("an artifact is not of the form of its kind") from None


ARTIFACTS = Part(
    "artifacts", ArtifactRow, _artifacts, _put_artifact, listed=("Studio", lambda row: (row.title, None)), sound=_sound
)
