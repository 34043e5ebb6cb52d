"""The making of artifacts: a job with a place after each step, so that it goes on where it was left."""

from __future__ import annotations

import asyncio
import json
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from quire import text as text_engine
from quire.domain.artifacts import ArtifactKind
from quire.domain.documents import Mark
from quire.domain.errors import Conflict, NotFound, QuireError, Unsupported
from quire.domain.files import Upload
from quire.local.artifact_grounds import all_grounds
from quire.local.artifact_rows import artifact_row
from quire.local.event_hub import Hub
from quire.local.files import Files, use
from quire.local.job_run import Finished, Run, Stopped
from quire.local.scope import Scope
from quire.local.search import Search
from quire.local.workers import job
from quire.ports.artifact_files import ArtifactFiles, FormatFacts
from quire.ports.store import Row, Tx

if TYPE_CHECKING:
    from quire.studio.evidence import Evidence, Hit
    from quire.studio.kind import Brief, Kind
    from quire.text.makers import ModelMaker

FILE_LIMIT = 2 * 1024**3
# The steps, as shares of a hundred: what is gathered, outlined and written; the rest is the files'.
GATHERED, OUTLINED, WRITTEN, WHOLE = 10, 25, 50, 100
WAIT_SECONDS, LOOK_AGAIN = 60.0, 1.0
REPORT_EVERY = 0.3
FOUND = 12
ABOUT = 0.4
ATTEMPTS = 3
MADE = "made "
EDIT_FAILED = "The last edit could not be made into files, and is not part of it: {}"

# Its format, the hash of its bytes, and how many there are.
MadeFile = tuple[str, str, int]


class ArtifactMaking:
    """`quota` is how many bytes of files a person's artifacts may have."""

    def __init__(
        self,
        files: Files,
        hub: Hub,
        search: Search,
        model_maker: ModelMaker | None,
        makers: ArtifactFiles,
        quota: int,
    ) -> None:
        self._files = files
        self._hub = hub
        self._search = search
        self.model = model_maker.model if model_maker else None
        self._makers = makers
        self._quota = quota

    @job("make_artifact")
    async def run_make(self, run: Run) -> Finished:
        id: str = run.payload["artifact_id"]
        try:
            return await self._made(run, id)
        except QuireError as error:
            if error.retriable and run.attempts < ATTEMPTS:
                raise
            await self._failed(run, id, error)
            raise

    def check_quota(self, tx: Tx, person_id: str) -> None:
        if tx.count("bytes_of_artifacts", person_id=person_id) >= self._quota:
            raise Conflict(
                f"The files of your artifacts have reached {self._quota / 1e9:,.1f} GB.",
                hint="Delete some, or raise the setting `artifact_quota`.",
                reason="quota",
            )

    async def _made(self, run: Run, id: str) -> Finished:
        from quire.studio.kinds import kind_of

        row = await run.read(lambda tx: artifact_row(tx, id))
        name: ArtifactKind = row["kind"]
        kind = kind_of(name)
        if row["outline"] is None and row["content"] is None:
            await self._outlined(run, row, kind)
            row = await run.read(lambda tx: artifact_row(tx, id))
        brief = await self._brief(run, row, kind)
        if row["content"] is None:
            await self._written(run, row, kind, brief)
            row = await run.read(lambda tx: artifact_row(tx, id))
        edited: dict[str, Any] | None = run.payload.get("content")
        if edited is None:
            content = kind.content_type.model_validate_json(row["content"])
        else:
            content = kind.content_type.model_validate(edited)
        if row["draft"]:
            await run.advance(1, 1, "written", "draft", lambda tx: self._settle(tx, run, id, "draft"))
            return Finished({"artifact_id": id})
        files, missing = await self._rendered(run, row, content)

        def settle(tx: Tx) -> None:
            told = json.loads(artifact_row(tx, id)["warnings"])
            if edited is not None:
                told = run.payload["warnings"]
                now = {"content": json.dumps(edited), "warnings": "[]"}
                tx.run("edit_artifact_content", id=id, at=run.now(), title=run.payload.get("title", ""), **now)
            tx.run("set_artifact_warnings", id=id, warnings=json.dumps(list(dict.fromkeys([*told, *missing]))))
            self._replace_files(tx, row, files)
            tx.run("forget_artifact_versions", id=id)
            for source_id, version in {(one.source_id, one.version) for one in all_grounds(content)}:
                tx.run("keep_artifact_version", id=id, source_id=source_id, version=version)
            self._settle(tx, run, id, "ready")

        await run.advance(WHOLE, WHOLE, "ready", "checked", settle)
        return Finished({"artifact_id": id})

    def _settle(self, tx: Tx, run: Run, id: str, state: str, error: str | None = None) -> None:
        artifact_row(tx, id)
        tx.run("settle_artifact", id=id, state=state, error=error, at=run.now())
        run.event(tx, "artifact.updated", id)

    async def _failed(self, run: Run, id: str, error: QuireError) -> None:
        """One that has files keeps them, and what they say: only the edit has failed."""
        told = " ".join(filter(None, (error.message, error.hint)))

        def work(tx: Tx) -> None:
            row = artifact_row(tx, id)
            if row["formats"] == "[]":
                self._settle(tx, run, id, "failed", told)
                return
            warnings = [*json.loads(row["warnings"]), EDIT_FAILED.format(told)]
            tx.run("set_artifact_warnings", id=id, warnings=json.dumps(list(dict.fromkeys(warnings))))
            self._settle(tx, run, id, "ready")

        with suppress(NotFound):
            await run.write(work)

    async def _brief(self, run: Run, row: Row, kind: Kind) -> Brief:
        from quire.domain.artifact_options import OPTIONS
        from quire.studio.kind import Brief

        notebook = await run.read(lambda tx: tx.one("notebook_title", id=run.notebook_id))
        return Brief(
            options=OPTIONS[row["kind"]].model_validate_json(row["options"]),
            instructions=row["instructions"],
            language=row["language"] or "en",
            title=row["title"] if row["titled"] else "",
            notebook_title=notebook["title"] if notebook else "",
            chosen_sources=row["source_ids"] is not None,
        )

    async def _outlined(self, run: Run, row: Row, kind: Kind) -> None:
        await run.advance(0, WHOLE, "reading the sources", None)
        unread = await self._sources_read(run, row)
        wanted = json.loads(row["source_ids"]) if row["source_ids"] else None
        evidence = await self.evidence(run, run.notebook_id, wanted, row["instructions"])
        await run.advance(GATHERED, WHOLE, "outlining", None)
        if not row["language"]:
            await run.write(lambda tx: tx.run("set_artifact_language", id=row["id"], language=evidence.language))
            row = await run.read(lambda tx: artifact_row(tx, row["id"]))
        brief = await self._brief(run, row, kind)
        outline = await asyncio.to_thread(kind.outline, evidence, brief)
        made_of = [source.id for source in evidence.sources]
        warnings = [f"Not read in time, and not part of it: {', '.join(unread)}."] if unread else []

        def work(tx: Tx) -> None:
            told = {"made_of": json.dumps(made_of), "warnings": json.dumps(warnings)}
            tx.run("set_artifact_outline", id=row["id"], outline=outline.model_dump_json(), at=run.now(), **told)

        await run.advance(OUTLINED, WHOLE, "writing", "outlined", work)

    async def _sources_read(self, run: Run, row: Row) -> list[str]:
        """Waits for sources that are being read, within reason; the titles of those that are not."""
        wanted = set(json.loads(row["source_ids"])) if row["source_ids"] else None
        end = asyncio.get_running_loop().time() + WAIT_SECONDS
        with self._hub.commits() as heard:
            while True:
                heard.clear()
                rows = await run.read(lambda tx: tx.all("source_states", notebook_id=run.notebook_id))
                unread = [
                    one["title"]
                    for one in rows
                    if one["state"] == "processing" and (wanted is None or one["id"] in wanted)
                ]
                if not unread or asyncio.get_running_loop().time() > end:
                    return unread
                with suppress(TimeoutError):
                    await asyncio.wait_for(heard.wait(), LOOK_AGAIN)

    async def evidence(
        self, reader: Run | Scope, notebook_id: str, wanted: list[str] | None, instructions: str
    ) -> Evidence:
        """All that the sources say, as far as they have been read; what fits the instructions is marked."""
        from quire.studio.evidence import gathered
        from quire.studio.source_text import SourceText

        found = await reader.read(lambda tx: tx.all("sources_to_tell", notebook_id=notebook_id))
        sources = []
        for one in found:
            if wanted is not None and one["id"] not in wanted:
                continue
            text = await reader.read(lambda tx, one=one: tx.one("version_text", id=one["id"], version=one["version"]))  # type: ignore[misc]
            if text is not None:
                marks = tuple(Mark(**mark) for mark in json.loads(text["marks"]))
                facts = (text["id"], text["title"], text["version"], text["kind"], text["language"], text["text"])
                sources.append(SourceText(*facts, marks))
        if not sources:
            raise Conflict("There are no sources that could be read.", hint="Add a source first.", reason="no_sources")
        focus = await self._focus(reader, notebook_id, instructions, [source.id for source in sources])
        return await asyncio.to_thread(gathered, sources, focus)

    async def _focus(
        self, reader: Run | Scope, notebook_id: str, instructions: str, source_ids: list[str]
    ) -> list[Hit]:
        """The passages that the instructions are about; none where they are about the form, or about everything.

        They are about a passage that has a good share of their words.
        """
        from quire.studio.evidence import Hit
        from quire.text.words import query_tokens, tokens

        if not instructions.strip():
            return []
        query = instructions[:2_000]
        found = await text_engine.find_passages(
            self._search(reader), notebook_id, query, source_ids=source_ids, limit=FOUND
        )
        hits = []
        for hit in found.hits:
            passage = hit.passage
            words = set(query_tokens(query, [passage.language]))
            share = len(words & set(tokens(passage.text, passage.language))) / (len(words) or 1)
            if share >= ABOUT:
                hits.append(Hit(passage.source_id, passage.start, passage.end, share))
        return hits

    async def _written(self, run: Run, row: Row, kind: Kind, brief: Brief) -> None:
        from quire.studio.titles import told_apart, with_title
        from quire.studio.writer import Writer

        outline = kind.outline_type.model_validate_json(row["outline"])
        content = await asyncio.to_thread(kind.content, outline, brief)
        maker, warnings = "extractive", json.loads(row["warnings"])
        if self.model is not None:
            try:
                content = await kind.written(outline, content, brief, Writer(self.model))
                maker = "model"
            except QuireError as error:
                why = " ".join(filter(None, (error.message, error.hint)))
                warnings.append(f"{why} It is in the sources' own sentences instead.")
        if remark := getattr(content, "remark", ""):
            warnings.append(remark)

        def work(tx: Tx) -> None:
            now = artifact_row(tx, row["id"])
            if now["titled"]:
                title: str = now["title"]
                made = with_title(content, title)
            else:
                others = {one["title"] for one in tx.all("artifact_titles", notebook_id=run.notebook_id, but=row["id"])}
                title = told_apart(kind.title(content) or row["title"], others)
                made = content.model_copy(update={"title": title})
            told = {"maker": maker, "warnings": json.dumps(warnings), "title": title}
            tx.run("set_artifact_content", id=row["id"], content=made.model_dump_json(), at=run.now(), **told)
            run.event(tx, "artifact.updated", row["id"])

        await run.advance(WRITTEN, WHOLE, "making files", "written", work)

    async def _rendered(self, run: Run, row: Row, content: BaseModel) -> tuple[list[MadeFile], list[str]]:
        """Makes each file and opens it again; what could not be made for want of an extra is told."""
        formats = self._makers.formats(row["kind"])
        there = [one for one in formats if not one.missing]
        if not there:
            raise Unsupported("None of its files can be made here.", hint=extras_hint(formats))
        now = [one for one in there if not one.when_asked]
        place = run.place or ""
        made: list[MadeFile] = json.loads(place.removeprefix(MADE)) if place.startswith(MADE) else []
        for number, facts in enumerate(now[len(made) :], start=len(made)):
            share = (WHOLE - WRITTEN) // len(now)
            begin = WRITTEN + number * share
            sha256, size = await self.file(row["kind"], facts, content, run=run, begin=begin, share=share)
            made.append((facts.name, sha256, size))

            def work(tx: Tx, sha256: str = sha256) -> None:
                use(tx, sha256, "artifact", row["id"])

            await run.advance(begin + share, WHOLE, f"made {facts.name}", MADE + json.dumps(made), work)
        missing = [one for one in formats if one.missing]
        told = await asyncio.to_thread(self._makers.remarks, row["kind"], content)
        if missing:
            told.append(f"There is no {', no '.join(one.name for one in missing)}: {extras_hint(missing)}")
        return made, told

    def _replace_files(self, tx: Tx, row: Row, files: Sequence[MadeFile]) -> None:
        """Those that were there before go together with what they said."""
        tx.run("delete_artifact_files", id=row["id"])
        tx.run("release_blobs", kind="artifact", subject_id=row["id"])
        formats = {facts.name: (place, facts) for place, facts in enumerate(self._makers.formats(row["kind"]))}
        for name, sha256, size in files:
            place, facts = formats[name]
            self.keep(tx, row["id"], row["person_id"], place, facts, sha256, size)

    def keep(self, tx: Tx, id: str, person_id: str, place: int, facts: FormatFacts, sha256: str, size: int) -> None:
        row = artifact_row(tx, id)
        self.check_quota(tx, person_id)
        tx.run(
            "put_artifact_file",
            id=row["id"],
            format=facts.name,
            place=place,
            media_type=facts.media_type,
            sha256=sha256,
            size=size,
        )
        use(tx, sha256, "artifact", id)

    async def file(
        self, kind: str, facts: FormatFacts, content: BaseModel, run: Run | None = None, begin: int = 0, share: int = 0
    ) -> tuple[str, int]:
        """Makes one file and stores its bytes; with a run, its progress is told and heeded."""
        stopped = threading.Event()
        loop = asyncio.get_running_loop()
        next_at = 0.0

        async def report(part: float) -> None:
            assert run is not None
            with suppress(QuireError, Stopped):
                await run.advance(begin + int(part * share), WHOLE, f"making {facts.name}", run.place)

        def progress(part: float) -> None:
            nonlocal next_at
            if stopped.is_set():
                raise Stopped
            if run is not None and loop.time() >= next_at:
                next_at = loop.time() + REPORT_EVERY
                asyncio.run_coroutine_threadsafe(report(part), loop)

        with tempfile.TemporaryDirectory(prefix="quire-artifact-") as folder:
            path = Path(folder) / f"artifact.{facts.name}"
            try:
                await asyncio.to_thread(self._makers.make, kind, facts.name, content, path, progress)
                return await self._files.put(Upload.of(path), FILE_LIMIT)
            finally:
                stopped.set()


def of_an_edit(warning: str) -> bool:
    """Whether it says that an edit failed, which the next one makes good."""
    return warning.startswith(EDIT_FAILED.partition("{}")[0])


def extras_hint(formats: Sequence[FormatFacts]) -> str | None:
    """What to install for these formats, where anything is missing."""
    missing = dict.fromkeys(extra for one in formats for extra in one.missing.split())
    return f"quire extras add {' '.join(missing)}" if missing else None
