"""The long work on sources: fetching and reading them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from quire import text as text_engine
from quire.domain.documents import Document
from quire.domain.errors import InvalidInput, NotFound, QuireError
from quire.domain.files import Upload
from quire.domain.headings import first_words, says_nothing
from quire.domain.source_kinds import kind_of
from quire.domain.sources import FILE_LIMIT
from quire.local.files import Files, use
from quire.local.job_queue import JobQueue
from quire.local.job_run import FETCH, WORK, Finished, MovedOn, Run, Stopped
from quire.local.scope import SystemScope
from quire.local.source_rows import hold_source, source_row
from quire.local.source_vectors import SourceVectors
from quire.local.source_versions import STEP, publish, put_in_steps, put_version, take_away_hidden
from quire.local.workers import job, sweep
from quire.ports.documents import UNKNOWN, FetchedPage, Reader, ReadingProgress, Validators, WebPages
from quire.ports.search import Index
from quire.ports.store import Row, Tx

REPORT_EVERY = 0.3
MEDIA_TYPE = re.compile(r"[A-Za-z0-9!#$&^_.+-]{1,100}/[A-Za-z0-9!#$&^_.+-]{1,100}")

BookText = Callable[[Run, Row], Awaitable[Document]]


class SourceReading:
    """Jobs that read sources. `book_text` gives the text of a book, which has no file of its own."""

    def __init__(
        self,
        system: SystemScope,
        files: Files,
        jobs: JobQueue,
        web: WebPages,
        reader: Reader,
        index: Index,
        vectors: SourceVectors,
    ) -> None:
        self._system = system
        self._files = files
        self._jobs = jobs
        self._web = web
        self._reader = reader
        self._index = index
        self._vectors = vectors
        self.book_text: BookText | None = None

    @job("read_source")
    async def run_read(self, run: Run) -> Finished:
        """Fetches where asked; then, when a worker is free, reads in a child process and makes the text searchable."""
        source_id = run.payload["source_id"]
        try:
            row = await self._source(run, source_id)
            if run.turn == FETCH:
                await run.advance(0, None, "fetching", None)
                if await self._fetch(run, row):
                    raise MovedOn(WORK)
                return Finished({"source_id": source_id, "passages": row["passages"], "changed": False})
            await run.advance(0, None, "reading", None)
            async with pages_reported(run) as progress:
                document, read_as = await self._document(run, row, progress)
            kind = kind_of(read_as, row["url"])
            named = run.payload["titled"] or row["title"] not in (row["file_name"], row["url"])
            title = row["title"] if named else document.title or row["title"]
            if not named and says_nothing(title):
                title = first_words(document.text)
            prepared = await asyncio.to_thread(text_engine.Prepared, document, title[:1_000])
            if not prepared.passages:
                raise InvalidInput("There is no readable text in it.")
        except QuireError as error:
            if error.retriable and run.attempts < 3:
                raise
            await self.failed(run, source_id, error)
            raise
        return await self.settled(run, row, prepared, kind)

    async def settled(self, run: Run, row: Row, prepared: text_engine.Prepared, kind: str) -> Finished:
        """Makes a text searchable, and the one in force of its source, which was `row` before."""
        source_id = row["id"]
        in_steps = row["hash"] != prepared.hash and len(prepared.passages) > STEP
        if in_steps:
            await put_in_steps(run, self._index, source_id, row["version"] + 1, prepared)
        embedding = None

        def work(tx: Tx) -> None:
            nonlocal embedding
            hold_source(tx, run.notebook_id, source_id)
            current = source_row(tx, source_id)
            at = run.now()
            # Whoever renamed it meanwhile knows better.
            title = prepared.title if current["title"] == row["title"] else current["title"]
            if current["hash"] != prepared.hash:
                version = current["version"] + 1
                put = publish if in_steps else put_version
                put(tx, self._index, run.notebook_id, source_id, version, prepared, at)
            else:
                version = current["version"]
            tx.run("settle_source", id=source_id, version=version, title=title, kind=kind, at=at)
            embedding = self._vectors.embed_later(tx, run.notebook_id, run.person_id, source_id, prepared.language)
            run.event(tx, "source.updated", source_id)

        await run.advance(1, 1, "reading", "read", work)
        self._jobs.workers.wake()
        await take_away_hidden(run.write, self._index, source_id)
        told = {"passages": len(prepared.passages), "changed": row["hash"] != prepared.hash}
        return Finished({"source_id": source_id, **told, "embedding": embedding})

    @sweep
    async def take_away_left_overs(self) -> None:
        """Versions that nobody reads in any more, since their job was cancelled or has failed."""
        for row in await self._system.read(lambda tx: tx.all("left_over_versions")):
            await take_away_hidden(self._system.write, self._index, row["source_id"])

    async def _source(self, run: Run, source_id: str) -> Row:
        row = await run.read(lambda tx: tx.one("source_by_id", id=source_id))
        if row is None or row["notebook_id"] != run.notebook_id:
            raise NotFound("source", source_id)
        return row

    async def fetch(self, url: str) -> FetchedPage:
        """A page of a kind that can be read."""
        return await self._web.fetch(url, self._reader.unreadable)

    async def fetch_changed(self, row: Row) -> FetchedPage | None:
        """The page of a source, or None where its server says that it is the one that was read."""
        known = Validators(row["etag"], row["last_modified"]) if row["blob"] and row["version"] else UNKNOWN
        return await self._web.fetch_changed(row["url"], known, self._reader.unreadable)

    async def same_text(self, row: Row, text: str, file: Upload, media_type: str | None) -> bool:
        """Whether a file reads as the text that a source has, though its bytes are others."""
        media_type = media_type or row["media_type"]
        document, _ = await self._reader.read(file, whole=bool(row["whole"]), media_type=media_type)
        return document.text == text

    async def _fetch(self, run: Run, row: Row) -> bool:
        """Whether there is something to read; else the source is as it was."""
        page = await (self.fetch(row["url"]) if run.payload.get("anew") else self.fetch_changed(row))
        if page is None:
            await run.write(partial(self._unchanged, run, row))
            return False
        blob, _ = await self._files.put(page.file, FILE_LIMIT)

        def work(tx: Tx) -> None:
            hold_source(tx, run.notebook_id, row["id"])
            tx.run("set_source_file", id=row["id"], blob=blob, file_name=page.file.name)
            keep_media_type(tx, row["id"], page.media_type)
            tx.run("release_blobs", kind="source", subject_id=row["id"])
            use(tx, blob, "source", row["id"])
            keep_origin(tx, row["id"], page.validators)

        await run.write(work)
        return True

    def _unchanged(self, run: Run, row: Row, tx: Tx) -> None:
        hold_source(tx, run.notebook_id, row["id"])
        current = source_row(tx, row["id"])
        named = {"title": current["title"], "kind": current["kind"], "version": current["version"]}
        tx.run("settle_source", id=row["id"], at=run.now(), **named)
        run.event(tx, "source.updated", row["id"])

    async def _document(self, run: Run, row: Row, progress: ReadingProgress) -> tuple[Document, str]:
        if row["kind"] == "book" and self.book_text is not None:
            return await self.book_text(run, row), "book"
        file = await self._files.upload(row["blob"], row["file_name"] or "source")
        return await self._reader.read(file, whole=bool(row["whole"]), media_type=row["media_type"], progress=progress)

    async def failed(self, run: Run, source_id: str, error: QuireError) -> None:
        """Has a source say why it could not be read."""

        def work(tx: Tx) -> None:
            hold_source(tx, run.notebook_id, source_id)
            tx.run("set_source_state", id=source_id, state="failed", error=error.message, at=run.now())
            run.event(tx, "source.updated", source_id)

        with suppress(NotFound):
            await run.write(work)

    def read_later(
        self,
        tx: Tx,
        notebook_id: str,
        person_id: str,
        source_id: str,
        *,
        titled: bool,
        url: str | None,
        anew: bool = False,
    ) -> str:
        """Queues the reading of a source, from the file that is kept or, where a URL is given, from there.

        With `anew` it is read although its server may say that it has not changed.
        """
        payload = {"source_id": source_id, "titled": titled, "anew": anew}
        turn, host = (WORK, None) if url is None else (FETCH, _host(url))
        return self._jobs.add(tx, notebook_id, person_id, "read_source", payload, turn=turn, host=host)


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc.lower()
    except ValueError:
        return url


def keep_media_type(tx: Tx, source_id: str, media_type: str | None) -> None:
    """Keeps what the sender of a source's file calls it, if that is a media type at all."""
    found = MEDIA_TYPE.match((media_type or "").strip())
    tx.run("set_source_media_type", id=source_id, media_type=found[0].lower() if found else None)


def keep_origin(tx: Tx, source_id: str, validators: Validators = UNKNOWN, path: Path | None = None) -> None:
    """Keeps by what one can tell later whether a source has changed."""
    known = {"etag": validators.etag, "last_modified": validators.last_modified}
    tx.run("set_source_origin", id=source_id, path=None if path is None else str(path), **known)


@asynccontextmanager
async def pages_reported(run: Run) -> AsyncIterator[ReadingProgress]:
    """Makes what a reader has done the progress of its job, a few times a second."""
    loop = asyncio.get_running_loop()
    reporting: asyncio.Task[None] | None = None
    next_at = 0.0

    async def report(done: int, total: int | None) -> None:
        # Whether the job is still ours is seen by its heart-beat, and by the step that the reading ends with.
        with suppress(QuireError, Stopped):
            await run.advance(done, total, "reading", None)

    def progress(done: int, total: int | None) -> None:
        nonlocal reporting, next_at
        if loop.time() >= next_at and (reporting is None or reporting.done()):
            next_at = loop.time() + REPORT_EVERY
            reporting = asyncio.create_task(report(done, total))

    try:
        yield progress
    finally:
        if reporting is not None:
            await asyncio.wait({reporting})
