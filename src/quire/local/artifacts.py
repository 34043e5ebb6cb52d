"""Artifacts: made by a job, kept with their outline, content and files."""

from __future__ import annotations

import asyncio
import builtins
import json
import re
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from pydantic import ValidationError

from quire.api.engine import Subject
from quire.domain.artifacts import (
    NAMES,
    TITLE_LIMIT,
    UNLINKED,
    Artifact,
    ArtifactContent,
    ArtifactKind,
    ArtifactLink,
    OfferedKind,
    SuggestedReport,
)
from quire.domain.errors import Conflict, InvalidInput, NotFound, NotReady, QuireError, TimedOut, Unsupported
from quire.domain.files import Download
from quire.domain.labels import given_name
from quire.domain.pages import Page, page, position
from quire.domain.sharing import Role
from quire.local.artifact_edits import checked_again, edited_content, retitled
from quire.local.artifact_grounds import texts_cited
from quire.local.artifact_making import ArtifactMaking, extras_hint, of_an_edit
from quire.local.artifact_rows import artifact_of, artifact_row, one_artifact
from quire.local.check_role import check_role
from quire.local.files import Files, use
from quire.local.job_queue import JobQueue
from quire.local.label_rows import with_labelled
from quire.local.person_settings import language_for
from quire.local.scope import Scope
from quire.local.slide_revision import revised_content
from quire.local.timestamps import moment
from quire.ports.artifact_files import ArtifactFiles, FormatFacts
from quire.ports.store import Row, Tx

NOT_IN_A_FILE_NAME = re.compile(r"[^\w .,()&+-]+")
LONGEST_FILE_NAME = 80
DAY = 24 * 3600
UNCHECKED = "Some of what was edited is not borne out by the passages it names."


class LocalArtifacts:
    def __init__(self, jobs: JobQueue, files: Files, making: ArtifactMaking, makers: ArtifactFiles) -> None:
        self._jobs = jobs
        self._files = files
        self._making = making
        self._makers = makers

    async def list(self, scope: Scope, kind: ArtifactKind | None, limit: int, cursor: str | None) -> Page[Artifact]:
        def work(tx: Tx) -> Page[Artifact]:
            where = {"notebook_id": scope.notebook_id, "kind": kind or ""}
            rows = tx.all("artifacts_of", before=position(cursor), limit=limit + 1, **where)
            return page(rows, limit, tx.count("count_artifacts", **where), self._shown)

        return await scope.read(work)

    async def get(self, scope: Scope, artifact_id: str) -> Artifact:
        return await scope.look_up(lambda tx: self._shown(artifact_row(tx, artifact_id)))

    async def generate(
        self,
        scope: Scope,
        kind: ArtifactKind,
        instructions: str | None,
        format: str | None,
        length: str | None,
        quantity: str | None,
        difficulty: str | None,
        orientation: str | None,
        detail: str | None,
        style: str | None,
        language: str | None,
        source_ids: builtins.list[str] | None,
        label_ids: builtins.list[str] | None,
        title: str | None,
        draft: bool,
        wait: bool,
    ) -> Artifact:
        await scope.check()
        chosen = {
            "format": format,
            "length": length,
            "quantity": quantity,
            "difficulty": difficulty,
            "orientation": orientation,
            "detail": detail,
            "style": style,
        }
        options = _options(kind, {name: value for name, value in chosen.items() if value is not None})
        self._can_be_made(kind)
        wanted = await with_labelled(scope, source_ids, label_ids)
        id = str(uuid.uuid4())
        name = " ".join((title or "").split())

        def work(tx: Tx) -> str:
            self._making.check_quota(tx, scope.actor_id)
            self._check_sources(tx, scope.notebook_id, wanted)
            tx.run(
                "insert_artifact",
                id=id,
                notebook_id=scope.notebook_id,
                person_id=scope.actor_id,
                kind=kind,
                title=name or NAMES[kind],
                titled=int(bool(name)),
                draft=int(draft),
                options=json.dumps(options),
                instructions=(instructions or "").strip(),
                language=(language or language_for(tx, scope.actor_id) or "").strip(),
                source_ids=None if wanted is None else json.dumps(wanted),
                at=scope.now(),
            )
            scope.event(tx, "artifact.created", id)
            return self._queue(tx, scope, id, draft=draft)

        return await self._begun(scope, id, await scope.write(work), wait)

    async def wait_for_completion(self, scope: Scope, artifact_id: str, seconds: float) -> Artifact:
        artifact = await self.get(scope, artifact_id)
        if artifact.ended or artifact.job_id is None:
            return artifact
        try:
            async with asyncio.timeout(seconds):
                await self._jobs.finish(scope, artifact.job_id, ours=False)
        except TimeoutError:
            raise TimedOut("The artifact is still being made.", hint="get_artifact tells how far it is.") from None
        except QuireError:
            pass
        return await self.get(scope, artifact_id)

    async def download(self, scope: Scope, artifact_id: str, format: str | None) -> Download:
        file, about = await self._file(scope, artifact_id, format)
        return self._files.download(file, scope.context, **about)

    async def get_content(self, scope: Scope, artifact_id: str) -> ArtifactContent:
        row = await scope.read(lambda tx: artifact_row(tx, artifact_id))
        if row["content"] is None:
            raise NotReady("The artifact has not been written yet.")
        outline = json.loads(row["outline"]) if row["outline"] else None
        return ArtifactContent(
            artifact_id=artifact_id, kind=row["kind"], content=json.loads(row["content"]), outline=outline
        )

    async def edit(self, scope: Scope, artifact_id: str, content: str, wait: bool) -> Artifact:
        from quire.studio.kinds import kind_of

        row = await scope.read(lambda tx: artifact_row(tx, artifact_id))
        _settled(row)
        before: Any = kind_of(row["kind"]).content_type.model_validate_json(row["content"])
        made = edited_content(content, before)
        texts = await scope.read(lambda tx: texts_cited(tx, scope.notebook_id, made))
        checked, good = await asyncio.to_thread(checked_again, made, before, texts)
        told = [one for one in json.loads(row["warnings"]) if one != UNCHECKED and not of_an_edit(one)]
        warnings = told + ([] if good else [UNCHECKED])
        # Where the edit has left the title as it was, so does the list.
        title = " ".join(made.title.split())[:TITLE_LIMIT] if made.title != before.title else ""

        def work(tx: Tx) -> str:
            row = artifact_row(tx, artifact_id)
            _settled(row)
            scope.event(tx, "artifact.updated", artifact_id)
            if artifact_of(row).formats:
                # What it says and its files stay as they were until the new files are whole.
                edited = {"content": checked, "warnings": warnings, "title": title}
                return self._queue(tx, scope, artifact_id, edited=edited)
            told = {"content": json.dumps(checked), "warnings": json.dumps(warnings)}
            tx.run("edit_artifact_content", id=artifact_id, at=scope.now(), title=title, **told)
            return self._queue(tx, scope, artifact_id)

        return await self._begun(scope, artifact_id, await scope.write(work), wait)

    async def revise_slide(self, scope: Scope, artifact_id: str, slide_index: int, prompt: str, wait: bool) -> Artifact:
        row = await scope.read(lambda tx: artifact_row(tx, artifact_id))
        _settled(row)
        content = await revised_content(row, slide_index, prompt, self._making.model)
        return await self.edit(scope, artifact_id, content, wait)

    async def rename(self, scope: Scope, artifact_id: str, title: str) -> Artifact:
        name = given_name(title)

        def work(tx: Tx) -> Artifact:
            row = artifact_row(tx, artifact_id)
            content = None if row["content"] is None else retitled(row["kind"], row["content"], name)
            tx.run("rename_artifact", id=artifact_id, title=name, content=content, at=scope.now())
            scope.event(tx, "artifact.updated", artifact_id)
            return self._shown(artifact_row(tx, artifact_id))

        return await scope.write(work)

    async def retry_failed(self, scope: Scope, artifact_id: str, wait: bool) -> Artifact:
        def work(tx: Tx) -> str:
            if one_artifact(tx, artifact_id).state != "failed":
                raise Conflict("Only an artifact that has failed can be made again.")
            tx.run("forget_artifact_making", id=artifact_id)
            self._release(tx, artifact_id)
            scope.event(tx, "artifact.updated", artifact_id)
            return self._queue(tx, scope, artifact_id)

        return await self._begun(scope, artifact_id, await scope.write(work), wait)

    async def copy(self, scope: Scope, artifact_id: str) -> Artifact:
        id = str(uuid.uuid4())

        def work(tx: Tx) -> Artifact:
            check_role(tx, scope.actor_id, Subject("artifact", artifact_id), Role.VIEWER)
            if one_artifact(tx, artifact_id).state != "ready":
                raise NotReady("The artifact is not ready.")
            self._making.check_quota(tx, scope.actor_id)
            where = {"notebook_id": scope.notebook_id, "person_id": scope.actor_id}
            tx.run("copy_artifact", id=artifact_id, new_id=id, at=scope.now(), **where)
            tx.run("copy_artifact_files", id=artifact_id, new_id=id)
            for file in tx.all("artifact_files", id=id):
                use(tx, file["sha256"], "artifact", id)
            scope.event(tx, "artifact.created", id)
            return self._shown(artifact_row(tx, id))

        return await scope.write(work)

    async def share(self, scope: Scope, artifact_id: str, format: str | None, days: int) -> ArtifactLink:
        row = await scope.read(lambda tx: artifact_row(tx, artifact_id))
        if row["kind"] in UNLINKED:
            raise Unsupported("Mind maps cannot be shared by a link.", hint="download_artifact gets a file to send.")
        file, about = await self._file(scope, artifact_id, format)
        url = self._files.link(file, days * DAY, scope.context, **about)
        expires = moment(scope.now()) + timedelta(days=days)
        return ArtifactLink(artifact_id=artifact_id, format=about["format"], url=url, expires_at=expires)

    async def delete(self, scope: Scope, artifact_id: str) -> Artifact:
        cancelled: builtins.list[str] = []

        def work(tx: Tx) -> Artifact:
            artifact = self._shown(artifact_row(tx, artifact_id))
            if artifact.job_id and not artifact.ended:
                self._jobs.cancel(tx, artifact.job_id)
                cancelled.append(artifact.job_id)
            tx.run("release_blobs", kind="artifact", subject_id=artifact_id)
            tx.run("delete_artifact", id=artifact_id)
            scope.event(tx, "artifact.deleted", artifact_id)
            return artifact

        artifact = await scope.write(work)
        for id in cancelled:
            self._jobs.workers.interrupt(id)
        return artifact

    async def suggest_reports(self, scope: Scope) -> Page[SuggestedReport]:
        from quire.studio.suggested_reports import suggested_reports

        await scope.check()
        evidence = await self._making.evidence(scope, scope.notebook_id, None, "")
        found = await asyncio.to_thread(suggested_reports, evidence)
        return Page(items=found, total=len(found))

    async def kinds(self, scope: Scope) -> builtins.list[OfferedKind]:
        from quire.studio.kinds import KINDS

        return [OfferedKind(kind=kind, hint=self._lacking(kind)) for kind in KINDS]

    def _shown(self, row: Row) -> Artifact:
        """What can be made when it is asked for is among the formats."""
        artifact = artifact_of(row)
        if artifact.state != "ready":
            return artifact
        made = set(artifact.formats)
        formats = [
            one.name
            for one in self._makers.formats(row["kind"])
            if one.name in made or (one.when_asked and not one.missing)
        ]
        return artifact.model_copy(update={"formats": formats or artifact.formats})

    def _can_be_made(self, kind: ArtifactKind) -> None:
        if hint := self._lacking(kind):
            raise Unsupported(f"Artifacts of the kind '{kind}' cannot be made here.", hint=hint)

    def _lacking(self, kind: ArtifactKind) -> str | None:
        """What to install before any of its files can be made."""
        formats = self._makers.formats(kind)
        return extras_hint(formats) if all(one.missing for one in formats) else None

    def _check_sources(self, tx: Tx, notebook_id: str, wanted: builtins.list[str] | None) -> None:
        states = {row["id"]: row["state"] for row in tx.all("source_states", notebook_id=notebook_id)}
        if not states:
            raise Conflict("The notebook has no sources.", hint="Add a source first.", reason="no_sources")
        for id in wanted or ():
            if id not in states:
                raise NotFound("source", id)

    def _queue(
        self, tx: Tx, scope: Scope, id: str, *, draft: bool = False, edited: dict[str, Any] | None = None
    ) -> str:
        payload = {"artifact_id": id, **(edited or {})}
        job_id = self._jobs.add(tx, scope.notebook_id, scope.actor_id, "make_artifact", payload)
        tx.run("set_artifact_job", id=id, job_id=job_id, draft=int(draft), at=scope.now())
        return job_id

    def _release(self, tx: Tx, id: str) -> None:
        tx.run("delete_artifact_files", id=id)
        tx.run("release_blobs", kind="artifact", subject_id=id)

    async def _begun(self, scope: Scope, id: str, job_id: str, wait: bool) -> Artifact:
        self._jobs.workers.wake()
        if wait:
            await self._jobs.finish(scope, job_id, ours=True)
        return await scope.read(lambda tx: self._shown(artifact_row(tx, id)))

    async def _file(self, scope: Scope, artifact_id: str, format: str | None) -> tuple[dict[str, Any], dict[str, str]]:
        """The facts of a file, which is made where that has waited for someone to ask; and what it belongs to."""
        row = await scope.read(lambda tx: artifact_row(tx, artifact_id))
        artifact = self._shown(row)
        if artifact.state != "ready":
            raise NotReady("The artifact is not ready.", hint="get_artifact tells how far it is.")
        name = (format or artifact.formats[0]).lower().removeprefix(".")
        if name not in artifact.formats:
            raise InvalidInput(f"format: it comes as {', '.join(artifact.formats)}.", field="format")
        file = await scope.read(lambda tx: tx.one("artifact_file", id=artifact_id, format=name))
        if file is None:
            file = await self._made_now(scope, row, name)
        title = NOT_IN_A_FILE_NAME.sub(" ", row["title"])[:LONGEST_FILE_NAME].strip(" .") or row["kind"]
        facts = {"media_type": file["media_type"], "size": file["size"], "sha256": file["sha256"]}
        return {"name": f"{' '.join(title.split())}.{name}", **facts}, {"artifact": artifact_id, "format": name}

    async def _made_now(self, scope: Scope, row: Row, name: str) -> Row:
        from quire.studio.kinds import kind_of

        formats = self._makers.formats(row["kind"])
        facts: FormatFacts = next(one for one in formats if one.name == name)
        content = kind_of(row["kind"]).content_type.model_validate_json(row["content"])
        sha256, size = await self._making.file(row["kind"], facts, content)
        keep: Callable[[Tx], None] = lambda tx: self._making.keep(  # noqa: E731
            tx, row["id"], row["person_id"], formats.index(facts), facts, sha256, size
        )
        # Whoever may read may have it made; what is kept is only what the artifact says already.
        await self._files.write(keep)
        file = await scope.read(lambda tx: tx.one("artifact_file", id=row["id"], format=name))
        if file is None:
            raise NotFound("artifact", row["id"])
        return file


def _options(kind: ArtifactKind, chosen: dict[str, Any]) -> dict[str, Any]:
    """What was chosen, as the kind's own model says it may be."""
    from quire.domain.artifact_options import OPTIONS

    model = OPTIONS[kind]
    for name in chosen:
        if name not in model.model_fields:
            known = ", ".join(model.model_fields) or "none"
            raise InvalidInput(f"{name}: this kind has no such option; it has: {known}.", field=name)
    try:
        return model.model_validate(chosen).model_dump(mode="json")
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        name = str(first["loc"][0]) if first["loc"] else "options"
        raise InvalidInput(f"{name}: {first['msg']}.", field=name) from None


def _settled(row: Row) -> None:
    if artifact_of(row).state not in ("ready", "draft", "failed") or row["content"] is None:
        raise NotReady("The artifact is still being made.")
