"""Sources: add, read, find in, rename, refresh, delete."""

from __future__ import annotations

import asyncio
import builtins
import json
import math
import re
import uuid
from collections.abc import Coroutine
from contextlib import suppress
from typing import Annotated, Any, Literal

from pydantic import Field

from quire.api.capability import capability, shorthand
from quire.domain.errors import Conflict, InvalidInput, NotFound, NotReady, QuireError, TimedOut, TooLarge
from quire.domain.files import Upload
from quire.domain.notebooks import NotebookId
from quire.domain.pages import Page
from quire.domain.passages import PassageHit
from quire.domain.sources import TEXT_LIMIT, Source, SourceGuide, SourceId, SourceText, SourceTitle
from quire.local.files import put_blob, use_blob
from quire.local.jobs import finish, go_on, queue
from quire.local.service import Service, moment
from quire.local.source_guides import kept_guide
from quire.local.source_jobs import embed_later
from quire.local.source_versions import drop_version, put_version
from quire.local.stored_passages import StoredPassages
from quire.ports.store import Row, Tx
from quire.text import SearchPorts, find_passages
from quire.text.indexing import Prepared, pasted

Limit = Annotated[int, Field(ge=1, le=1_000)]
FILE_LIMIT = 2 * 1024**3
FETCH_SECONDS = 20.0
# Whoever adds something waits until it is read, but for a little less than the call may take.
WAIT_SECONDS = 110.0
FILE_WAIT_SECONDS = 3_500.0
MARGIN = 3.0
UUID = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"


class Sources(Service):
    noun = "source"
    toolset = "notebooks"

    @capability("list_sources", "read", of=("notebook", "notebook_id"), listed=True)
    async def list(self, notebook_id: NotebookId | None, limit: Limit = 200, cursor: str | None = None) -> Page[Source]:
        """List the sources of a notebook in the order they were added, with the state of each."""
        after = 0 if cursor is None else _number(cursor)

        def work(tx: Tx) -> Page[Source]:
            rows = tx.all("sources_of", notebook_id=self.notebook_id, after=after, limit=limit + 1)
            total = tx.one("count_sources", notebook_id=self.notebook_id)
            more = len(rows) > limit
            rows = rows[:limit]
            return Page(
                items=[source_of(row) for row in rows],
                total=total["total"] if total else 0,
                truncated=more,
                cursor=str(rows[-1]["seq"]) if more else None,
            )

        return await self.read(work)

    @capability("add_source", "write", of=("notebook", "notebook_id"), timeout=120, listed=True)
    async def add(
        self,
        notebook_id: NotebookId | None,
        source_type: Annotated[Literal["url", "text"], Field(description="What is added.")],
        url: Annotated[str, Field(max_length=8_000, description="The page's address, for `url`.")] | None = None,
        text: Annotated[str, Field(description="The text itself, for `text`; Markdown is welcome.")] | None = None,
        title: SourceTitle | None = None,
    ) -> Source:
        """Add a web page by its URL, or a text, to a notebook."""
        if source_type == "url":
            if url is None:
                raise InvalidInput("url: is required when source_type is 'url'.", field="url")
            return await self._add_url(url, title)
        if text is None:
            raise InvalidInput("text: is required when source_type is 'text'.", field="text")
        return await self._add_text(title, text)

    @shorthand
    async def add_url(self, notebook_id: str | None, url: str) -> Source:
        """Add a web page."""
        return await self.add(notebook_id, "url", url=url)

    @shorthand
    async def add_text(self, notebook_id: str | None, title: str, content: str) -> Source:
        """Add a text."""
        return await self.add(notebook_id, "text", text=content, title=title)

    @capability("upload_source", "write", of=("notebook", "notebook_id"), timeout=3600)
    async def add_file(
        self,
        notebook_id: NotebookId | None,
        file: Upload,
        title: SourceTitle | None = None,
        wait: bool = True,
        source_id: Annotated[str, Field(pattern=UUID, description="The id it gets, a UUID; a new one when left out.")]
        | None = None,
    ) -> Source:
        """Add a file: PDF, Office, OpenDocument, EPUB, web page, Markdown, mail, subtitles, image, sound and more."""
        await self.read(lambda tx: None)
        sha256, size = await put_blob(self.parts, file, FILE_LIMIT)
        if not size:
            raise InvalidInput("The file is empty.")
        return await self._add(title, file.name, "unknown", wait, blob=sha256, file_name=file.name, id=source_id)

    @capability("get_source", "read", of=("source", "source_id"))
    async def get(self, notebook_id: NotebookId | None, source_id: SourceId) -> Source:
        """Get one source and its state."""
        return await self.read(lambda tx: _one(tx, notebook_id, source_id))

    @capability("rename_source", "write", of=("source", "source_id"), idempotent=True)
    async def rename(self, notebook_id: NotebookId | None, source_id: SourceId, title: SourceTitle) -> Source:
        """Give a source another title."""
        title = title.strip()
        if not title:
            raise InvalidInput("title: must not be empty.", field="title")

        def work(tx: Tx) -> Source:
            _one(tx, notebook_id, source_id)
            tx.run("rename_source", id=source_id, title=title, at=self.now())
            self.event(tx, "source.updated", source_id)
            return _one(tx, notebook_id, source_id)

        return await self.write(work)

    @capability("delete_source", "destroy", of=("source", "source_id"), listed=True)
    async def delete(self, notebook_id: NotebookId | None, source_id: SourceId) -> Source:
        """Delete a source. Answers that cited it keep their excerpts."""

        def work(tx: Tx) -> Source:
            source = _one(tx, notebook_id, source_id)
            tx.run("touch_notebook", id=self.notebook_id, at=self.now())
            if source.version:
                drop_version(tx, self.parts.index, self.notebook_id, source_id, source.version)
            tx.run("release_blobs", kind="source", subject_id=source_id)
            tx.run("delete_source", id=source_id)
            tx.run("next_generation", notebook_id=self.notebook_id)
            self.event(tx, "source.deleted", source_id)
            return source

        return await self.write(work)

    @capability("get_source_text", "read", of=("source", "source_id"), listed=True, verb="text")
    async def get_fulltext(
        self,
        notebook_id: NotebookId | None,
        source_id: SourceId,
        start: Annotated[int, Field(ge=0)] = 0,
        limit: Annotated[int, Field(ge=1, le=1_000_000)] = 100_000,
        version: Annotated[int, Field(ge=1, description="An earlier version that an answer cites.")] | None = None,
    ) -> SourceText:
        """Read a source's text, or the part of it that begins at `start`."""

        def work(tx: Tx) -> SourceText:
            row = _text(tx, notebook_id, source_id, version)
            text = row["text"][start : start + limit]
            return SourceText(
                source_id=source_id,
                title=row["title"],
                version=row["version"],
                characters=len(row["text"]),
                start=start,
                end=start + len(text),
                text=text,
            )

        return await self.read(work)

    @capability("get_source_guide", "read", of=("source", "source_id"), verb="guide")
    async def get_guide(self, notebook_id: NotebookId | None, source_id: SourceId) -> SourceGuide:
        """What a source is about: a short summary in its own sentences, and keywords."""
        row = await self.read(lambda tx: _text(tx, notebook_id, source_id))
        guide = await kept_guide(self.parts, source_id, row["version"])
        if guide is None:
            raise NotFound("source", source_id)
        return guide.model_copy(update={"title": row["title"]})

    @capability("wait_for_source", "read", of=("source", "source_id"), timeout=3600, listed=True, verb="wait")
    async def wait(
        self,
        notebook_id: NotebookId | None,
        source_id: SourceId,
        seconds: Annotated[float, Field(gt=0, le=3_600, strict=False)] = 120.0,
    ) -> Source:
        """Wait until a source has been read, and say how it went."""
        job_id = await self.read(lambda tx: _row(tx, notebook_id, source_id)["job_id"])
        if job_id:
            try:
                async with asyncio.timeout(seconds):
                    await self._finished(job_id)
            except TimeoutError:
                go_on(self)
                raise TimedOut("The source is still being read.", hint="Wait again, or see list_jobs.") from None
        return await self.read(lambda tx: _one(tx, notebook_id, source_id))

    @capability("search_sources", "read", of=("notebook", "notebook_id"), listed=True)
    async def search(
        self,
        notebook_id: NotebookId | None,
        query: Annotated[str, Field(min_length=1, max_length=10_000)],
        source_ids: Annotated[builtins.list[str], Field(max_length=1_000, description="Only in these sources.")]
        | None = None,
        limit: Annotated[int, Field(ge=1, le=100)] = 10,
    ) -> Page[PassageHit]:
        """Find the passages of a notebook's sources that fit a query best, by words and by meaning."""
        if notebook_id is None:
            notebook_id = await self.read(lambda tx: self.notebook_id)
        parts = self.parts
        ports = SearchPorts(self.read, StoredPassages(), parts.index, parts.vectors, parts.embedder)
        found = await find_passages(ports, notebook_id, query, source_ids=source_ids, limit=limit)
        return Page(items=found.hits, total=len(found.hits))

    @capability("refresh_source", "write", of=("source", "source_id"), timeout=120)
    async def refresh(self, notebook_id: NotebookId | None, source_id: SourceId, wait: bool = True) -> Source:
        """Read a source's web page or file again. What did not change keeps its place in the index."""

        def work(tx: Tx) -> str:
            row = _row(tx, notebook_id, source_id)
            source = source_of(row)
            if row["url"] is None and row["blob"] is None:
                raise InvalidInput("A pasted text has nothing to be read again from.")
            if source.state == "processing":
                raise NotReady("The source is still being read.", hint="wait_for_source waits for it.")
            payload = {"source_id": source_id, "titled": True, "fetch": source.url is not None}
            job_id = queue(tx, self, "read_source", payload)
            tx.run("read_source_again", id=source_id, job_id=job_id, at=self.now())
            self.event(tx, "source.updated", source_id)
            return job_id

        return await self._reading(source_id, await self.write(work), wait)

    async def _add_text(self, title: str | None, text: str) -> Source:
        if len(text) > TEXT_LIMIT:
            raise TooLarge(f"text: is longer than {TEXT_LIMIT:,} characters.", field="text", limit=TEXT_LIMIT)
        if not text.strip():
            raise InvalidInput("text: must not be empty.", field="text")
        document = pasted(text)
        name = (title or "").strip() or document.title or _first_words(text)
        prepared = await asyncio.to_thread(Prepared, document, name)
        id = str(uuid.uuid4())

        def work(tx: Tx) -> str | None:
            at = self.now()
            self._insert(tx, id, name, "text")
            put_version(tx, self.parts.index, self.notebook_id, id, 1, prepared, at)
            tx.run("settle_source", id=id, version=1, title=name, kind="text", at=at)
            return embed_later(self, tx, id, self.notebook_id, prepared.language)

        job_id = await self.write(work)
        self.parts.workers.wake()
        if job_id is not None:
            await self._patiently(self._learned(job_id))
        return await self.read(lambda tx: _one(tx, None, id))

    async def _add_url(self, url: str, title: str | None) -> Source:
        """A page that answers in time is fetched in the call, so that a bad address is told at once."""
        url = url.strip()
        await self.read(lambda tx: None)
        blob = name = None
        try:
            async with asyncio.timeout(min(FETCH_SECONDS, self._left() / 2)):
                page = await self.parts.web.fetch(url)
                blob, _ = await put_blob(self.parts, page.file, FILE_LIMIT)
                name = page.file.name
        except TimeoutError:
            pass
        return await self._add(title, url, "url", True, url=url, blob=blob, file_name=name)

    async def _add(
        self,
        title: str | None,
        name: str,
        kind: str,
        wait: bool,
        *,
        url: str | None = None,
        blob: str | None = None,
        file_name: str | None = None,
        id: str | None = None,
    ) -> Source:
        """A source that a job reads; both are written in one step, so none is left without the other."""
        given, id = id, id or str(uuid.uuid4())
        titled = bool(title and title.strip())

        def work(tx: Tx) -> str:
            if given is not None and tx.one("source_by_id", id=given) is not None:
                raise Conflict("There is a source of this id already.")
            job_id = queue(tx, self, "read_source", {"source_id": id, "titled": titled, "fetch": blob is None})
            shown = title.strip() if title and titled else name
            self._insert(tx, id, shown, kind, url=url, blob=blob, file_name=file_name, job_id=job_id)
            return job_id

        seconds = FILE_WAIT_SECONDS if url is None else WAIT_SECONDS
        return await self._reading(id, await self.write(work), wait, seconds)

    def _insert(self, tx: Tx, id: str, title: str, kind: str, **more: str | None) -> None:
        values = dict.fromkeys(("url", "blob", "file_name", "job_id")) | more
        at = self.now()
        tx.run(
            "insert_source",
            id=id,
            notebook_id=self.notebook_id,
            title=title[:1_000],
            kind=kind,
            state="processing",
            at=at,
            **values,
        )
        tx.run("touch_notebook", id=self.notebook_id, at=at)
        if values["blob"]:
            use_blob(tx, values["blob"], "source", id)
        self.event(tx, "source.created", id)

    async def _reading(self, source_id: str, job_id: str, wait: bool, seconds: float = WAIT_SECONDS) -> Source:
        self.parts.workers.wake()
        if wait:
            await self._patiently(self._finished(job_id), seconds)
        return await self.read(lambda tx: _one(tx, None, source_id))

    async def _patiently(self, waiting: Coroutine[Any, Any, None], seconds: float = WAIT_SECONDS) -> None:
        """Waits for nearly as long as the call may take; what is left over goes on after it, in this process."""
        left = self._left()
        try:
            async with asyncio.timeout(min(seconds, left - min(MARGIN, left / 5))):
                await waiting
        except TimeoutError:
            go_on(self)

    def _left(self) -> float:
        """Seconds that the caller gives this call."""
        if self.context.deadline is None:
            return math.inf
        return self.context.deadline - asyncio.get_running_loop().time()

    async def _finished(self, job_id: str) -> None:
        """A source that cannot be read is not an error of the call: its state says so."""
        with suppress(QuireError):
            job = await finish(self, job_id, ours=False)
            if embedding := (job.result or {}).get("embedding"):
                await self._learned(embedding)

    async def _learned(self, job_id: str) -> None:
        """Where no worker runs in this process, vectors are made before the call ends."""
        if not self.parts.workers.serving:
            with suppress(QuireError):
                await finish(self, job_id, ours=False)


def source_of(row: Row) -> Source:
    state, error = row["state"], row["error"]
    if state == "processing" and row["job_state"] in ("failed", "cancelled"):
        state = "failed"
        error = json.loads(row["job_error"])["message"] if row["job_error"] else "Reading it was cancelled."
    return Source(
        id=row["id"],
        notebook_id=row["notebook_id"],
        title=row["title"],
        kind=row["kind"],
        url=row["url"],
        file_name=row["file_name"],
        state=state,
        error=error,
        version=row["version"],
        characters=row["characters"] or 0,
        passages=row["passages"] or 0,
        language=row["language"],
        warnings=json.loads(row["warnings"]) if row["warnings"] else [],
        created_at=moment(row["created_at"]),
        updated_at=moment(row["updated_at"]),
    )


def _one(tx: Tx, notebook_id: str | None, source_id: str) -> Source:
    return source_of(_row(tx, notebook_id, source_id))


def _row(tx: Tx, notebook_id: str | None, source_id: str) -> Row:
    row = tx.one("source_by_id", id=source_id)
    if row is None or (notebook_id is not None and row["notebook_id"] != notebook_id):
        raise NotFound("source", source_id)
    return row


def _text(tx: Tx, notebook_id: str | None, source_id: str, version: int | None = None) -> Row:
    source = _one(tx, notebook_id, source_id)
    row = tx.one("version_text", id=source_id, version=version or source.version)
    if row is None:
        if version is not None:
            raise NotFound("version", str(version))
        if source.state == "failed":
            raise InvalidInput(f"The source could not be read: {source.error}")
        raise NotReady("The source is still being read.", hint="wait_for_source waits for it.")
    return row


def _first_words(text: str) -> str:
    line = text.strip().splitlines()[0].lstrip("# ").strip()
    return line if len(line) <= 80 else line[:77].rsplit(" ", 1)[0] + "..."


def _number(cursor: str) -> int:
    if not re.fullmatch(r"[0-9]{1,15}", cursor):
        raise InvalidInput("cursor: is not one that this list gave out.", field="cursor")
    return int(cursor)
