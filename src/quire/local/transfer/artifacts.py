"""Artifacts, as they are moved: what they say, and their files byte for byte."""

from __future__ import annotations

import json
from collections.abc import Iterator

from quire.domain.notebook_file.rows import ArtifactFileRow, ArtifactRow
from quire.local.files import use
from quire.local.transfer.part import Into, Part, Step, Whose, one_step, paged
from quire.ports.store import Tx

COLUMNS = ("id", "kind", "title", "instructions", "language", "maker", "error", "created_at", "updated_at")
LISTS = ("options", "made_of", "warnings", "outline", "content")


def _artifacts(tx: Tx, whose: Whose) -> Iterator[ArtifactRow]:
    """Those that have come to an end; what is still being made is made anew by whoever wants it."""
    for row in paged(tx, "artifacts_to_move", notebook_id=whose.notebook_id):
        files = [
            ArtifactFileRow(format=file["format"], media_type=file["media_type"], sha256=file["sha256"])
            for file in tx.all("artifact_files", id=row["id"])
        ]
        told = {name: json.loads(row[name]) if row[name] else None for name in LISTS}
        columns = {name: row[name] for name in COLUMNS}
        facts = columns | told | {"titled": bool(row["titled"]), "state": row["state"], "files": files}
        yield ArtifactRow.model_validate(facts)


def _put_artifact(row: ArtifactRow, into: Into) -> list[Step]:
    def work(tx: Tx) -> None:
        told = {name: getattr(row, name) for name in LISTS}
        kept = {name: None if value is None else json.dumps(value) for name, value in told.items()}
        tx.run(
            "insert_moved_artifact",
            notebook_id=into.notebook_id,
            person_id=into.person_id,
            titled=int(row.titled),
            state=row.state,
            **{name: getattr(row, name) for name in COLUMNS},
            **kept,
        )
        for place, file in enumerate(row.files):
            size = tx.one("blob_size", sha256=file.sha256)
            tx.run(
                "put_artifact_file",
                id=row.id,
                format=file.format,
                place=place,
                media_type=file.media_type,
                sha256=file.sha256,
                size=size["size"] if size else 0,
            )
            use(tx, file.sha256, "artifact", row.id)

    return one_step(work, 1 + len(row.files))


ARTIFACTS = Part(
    "artifacts", ArtifactRow, _artifacts, _put_artifact, listed=("Artifacts", lambda row: (row.title, None))
)
