"""Sources: add, read, find in, rename, refresh, delete."""

from __future__ import annotations

import asyncio
import builtins
import uuid
from collections import Counter
from pathlib import Path

from quire import text as text_engine
from quire.domain.across import LibraryHits
from quire.domain.errors import Conflict, InvalidInput, NotFound, TimedOut, TooLarge
from quire.domain.files import Download, Upload
from quire.domain.jobs import Job
from quire.domain.pages import Page, page, position
from quire.domain.passages import PassageHit
from quire.domain.sources import (
    FILE_LIMIT,
    TEXT_LIMIT,
    AddedSource,
    CopiedSource,
    Freshness,
    RefreshedSource,
    Source,
    SourceGuide,
    SourceText,
)
from quire.local.across import found_across
from quire.local.appended_text import append_text
from quire.local.files import Files, use
from quire.local.freshness import SourceFreshness
from quire.local.job_queue import JobQueue
from quire.local.label_rows import with_labelled
from quire.local.pasted_text import prepared_text
from quire.local.removal import Removal
from quire.local.scope import Scope
from quire.local.search import Search
from quire.local.source_guides import kept_guide
from quire.local.source_identity import retitle, same_address, same_source
from quire.local.source_jobs import SourceReading, keep_media_type, keep_origin
from quire.local.source_rows import hold_source, one_source, original_of, source_of, source_row, source_text
from quire.local.source_titles import index_title
from quire.local.source_vectors import SourceVectors
from quire.local.source_versions import put_version
from quire.local.source_waiting import FILE_WAIT_SECONDS, WAIT_SECONDS, SourceWaiting, seconds_left
from quire.local.transfer.source_copies import SourceCopies
from quire.ports.documents import UNKNOWN, Validators
from quire.ports.finders import Finders
from quire.ports.search import Index
from quire.ports.store import Row, Tx

FETCH_SECONDS = 20.0
FETCHES_EACH = 8


class LocalSources:
    def __init__(
        self,
        files: Files,
        jobs: JobQueue,
        reading: SourceReading,
        vectors: SourceVectors,
        index: Index,
        search: Search,
        removal: Removal,
        freshness: SourceFreshness,
        copies: SourceCopies,
        finders: Finders,
    ) -> None:
        self._files, self._jobs, self._reading = files, jobs, reading
        self._vectors, self._index, self._search = vectors, index, search
        self._removal, self._copies, self._finders = removal, copies, finders
        self._freshness, self._waiting = freshness, SourceWaiting(jobs)
        self._fetching: Counter[str] = Counter()

    async def list(self, scope: Scope, limit: int, cursor: str | None) -> Page[Source]:
        def work(tx: Tx) -> Page[Source]:
            where = {"notebook_id": scope.notebook_id}
            rows = tx.all("sources_of", after=position(cursor, 0), limit=limit + 1, **where)
            return page(rows, limit, tx.count("count_sources", **where), source_of)

        return await scope.read(work)

    async def add(
        self,
        scope: Scope,
        source_type: str,
        url: str | None,
        text: str | None,
        title: str | None,
        wait: bool,
        whole: bool,
    ) -> AddedSource:
        if source_type == "url":
            if url is None:
                raise InvalidInput("url: is required when source_type is 'url'.", field="url")
            return await self._add_url(scope, url, title, wait, whole)
        if text is None:
            raise InvalidInput("text: is required when source_type is 'text'.", field="text")
        return await self._add_text(scope, title, text)

    async def copy(self, scope: Scope, source_ids: builtins.list[str], into: str, wait: bool) -> Page[CopiedSource]:
        copies = await self._copies.copy(scope, source_ids, into)
        for _, _, job_id in copies if wait else ():
            await self._waiting.patiently(scope, self._waiting.finished(scope, job_id))
        return await self._copies.told(scope, copies)

    async def append_text(self, scope: Scope, source_id: str, text: str) -> Source:
        await append_text(scope, self._index, self._vectors, source_id, text)
        self._jobs.workers.wake()
        return await scope.read(lambda tx: one_source(tx, source_id))

    async def add_file(
        self, scope: Scope, file: Upload, title: str | None, wait: bool, source_id: str | None, whole: bool
    ) -> AddedSource:
        await scope.check()
        sha256, size = await self._files.put(file, FILE_LIMIT)
        if not size:
            raise InvalidInput("The file is empty.")
        return await self._add(
            scope,
            title,
            file.name,
            "unknown",
            wait,
            blob=sha256,
            file_name=file.name,
            id=source_id,
            media_type=file.media_type,
            whole=whole,
            path=file.origin if scope.context.local else None,
        )

    async def add_drive(self, scope: Scope, file: str, title: str | None, wait: bool) -> AddedSource:
        await scope.check()
        return await self.add_file(scope, await self._finders.file(file), title, wait, None, False)

    async def add_book(self, scope: Scope, url: str, title: str) -> Source:
        """A book by its address; its text is what the book has at each reading."""
        return await self._add(scope, title, title, "book", True, url=url)

    async def get(self, scope: Scope, source_id: str) -> Source:
        return await scope.look_up(lambda tx: one_source(tx, source_id))

    async def rename(self, scope: Scope, source_id: str, title: str) -> Source:
        title = title.strip()
        if not title:
            raise InvalidInput("title: must not be empty.", field="title")

        def work(tx: Tx) -> tuple[str, Source]:
            old = one_source(tx, source_id).title
            retitle(tx, scope, source_id, title)
            return old, one_source(tx, source_id)

        old, source = await scope.write(work)
        if old != source.title:
            await index_title(scope, self._index, source_id)
        return source

    async def delete(self, scope: Scope, source_id: str) -> Source:
        def work(tx: Tx) -> tuple[Source, str | None]:
            source = one_source(tx, source_id)
            tx.run("touch_notebook", id=scope.notebook_id, at=scope.now())
            hold_source(tx, scope.notebook_id, source_id)
            job_id = self._removal.source(tx, scope.notebook_id, scope.actor_id, source_id)
            scope.event(tx, "source.deleted", source_id)
            return source, job_id

        source, job_id = await scope.write(work)
        await self._removal.go_on(job_id)
        return source

    async def get_fulltext(
        self, scope: Scope, source_id: str, start: int, limit: int, version: int | None
    ) -> SourceText:
        def work(tx: Tx) -> SourceText:
            row = source_text(tx, source_id, version)
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

        return await scope.read(work)

    async def download(self, scope: Scope, source_id: str) -> Download:
        facts = await scope.read(lambda tx: original_of(tx, source_id))
        return self._files.download(facts, scope.context, source=source_id)

    async def get_guide(self, scope: Scope, source_id: str) -> SourceGuide:
        row = await scope.read(lambda tx: source_text(tx, source_id))
        guide = await kept_guide(scope, source_id, row["version"])
        if guide is None:
            raise NotFound("source", source_id)
        return guide.model_copy(update={"title": row["title"]})

    async def wait(self, scope: Scope, source_id: str, seconds: float) -> Source:
        job_id = await scope.read(lambda tx: source_row(tx, source_id)["job_id"])
        if job_id:
            try:
                async with asyncio.timeout(seconds):
                    await self._waiting.finished(scope, job_id)
            except TimeoutError:
                self._jobs.go_on()
                raise TimedOut("The source is still being read.", hint="Wait again, or see list_jobs.") from None
        return await scope.read(lambda tx: one_source(tx, source_id))

    async def search(
        self,
        scope: Scope,
        query: str,
        source_ids: builtins.list[str] | None,
        limit: int,
        label_ids: builtins.list[str] | None,
    ) -> Page[PassageHit]:
        notebook_id = await scope.check()
        source_ids = await with_labelled(scope, source_ids, label_ids)
        await self._vectors.ready_for(scope, notebook_id, query)
        found = await text_engine.find_passages(
            self._search(scope), notebook_id, query, source_ids=source_ids, limit=limit
        )
        return Page(items=found.hits, total=len(found.hits))

    async def search_across(
        self, scope: Scope, query: str, notebook_ids: builtins.list[str] | None, limit: int
    ) -> LibraryHits:
        return await found_across(self._search, scope, query, notebook_ids, limit)

    async def refresh(self, scope: Scope, source_id: str, wait: bool, whole: bool | None) -> RefreshedSource:
        return await self._freshness.refresh(scope, source_id, wait, whole)

    async def check_freshness(self, scope: Scope, source_id: str) -> Freshness:
        return await self._freshness.check(scope, source_id)

    async def refresh_stale(self, scope: Scope, only_check: bool, wait: bool) -> Job:
        return await self._freshness.refresh_stale(scope, only_check, wait)

    def _still_read(self, scope: Scope, tx: Tx, row: Row, whole: bool) -> str | None:
        """The job of a source that is not ready; one that failed, or is now wanted whole, gets another."""
        state = source_of(row).state
        if state != "processing" and (state == "failed" or whole > row["whole"]):
            url = row["url"] if row["blob"] is None and row["kind"] != "book" else None
            return self._freshness.read_again(scope, tx, row, url=url, whole=whole or None)
        return row["job_id"] if state == "processing" else None

    async def _add_text(self, scope: Scope, title: str | None, text: str) -> AddedSource:
        if len(text) > TEXT_LIMIT:
            raise TooLarge(f"text: is longer than {TEXT_LIMIT:,} characters.", field="text", limit=TEXT_LIMIT)
        if not text.strip():
            raise InvalidInput("text: must not be empty.", field="text")
        prepared, given = await asyncio.to_thread(prepared_text, title, text)
        name = prepared.title
        id = str(uuid.uuid4())

        def work(tx: Tx) -> tuple[str, str | None]:
            tx.one("lock_notebook", id=scope.notebook_id)
            if there := same_source(tx, scope, given, pasted=True):
                retitle(tx, scope, there, title)
                return there, None
            at = scope.now()
            self._insert(scope, tx, id, name, "text", given=given)
            put_version(tx, self._index, scope.notebook_id, id, 1, prepared, at)
            tx.run("settle_source", id=id, version=1, title=name, kind="text", at=at)
            return id, self._vectors.embed_later(tx, scope.notebook_id, scope.actor_id, id, prepared.language)

        source_id, job_id = await scope.write(work)
        self._jobs.workers.wake()
        if job_id is not None:
            await self._waiting.patiently(scope, self._waiting.learned(scope, job_id))
        return await self._given(scope, source_id, added=source_id == id)

    async def _given(self, scope: Scope, source_id: str, *, added: bool) -> AddedSource:
        source = await scope.read(lambda tx: one_source(tx, source_id))
        return AddedSource(**dict(source), added=added)

    async def _add_url(self, scope: Scope, url: str, title: str | None, wait: bool, whole: bool) -> AddedSource:
        """A page that answers in time is fetched in the call: of a bad address, or a kind that cannot be read, nothing
        is kept.

        Of one person only a few at a time: the others are fetched by their jobs.
        """
        url = url.strip()
        await scope.check()
        blob = name = media_type = None
        validators = UNKNOWN
        if wait and self._fetching[scope.actor_id] < FETCHES_EACH:
            self._fetching[scope.actor_id] += 1
            try:
                async with asyncio.timeout(min(FETCH_SECONDS, seconds_left(scope) / 2)):
                    fetched = await self._reading.fetch(url)
                    blob, _ = await self._files.put(fetched.file, FILE_LIMIT)
                    name, media_type, validators = fetched.file.name, fetched.media_type, fetched.validators
            except TimeoutError:
                pass
            finally:
                self._fetching -= Counter([scope.actor_id])
        return await self._add(
            scope,
            title,
            url,
            "url",
            wait,
            url=url,
            blob=blob,
            file_name=name,
            media_type=media_type,
            whole=whole,
            validators=validators,
        )

    async def _add(
        self,
        scope: Scope,
        title: str | None,
        name: str,
        kind: str,
        wait: bool,
        *,
        url: str | None = None,
        blob: str | None = None,
        file_name: str | None = None,
        media_type: str | None = None,
        id: str | None = None,
        whole: bool = False,
        path: Path | None = None,
        validators: Validators = UNKNOWN,
    ) -> AddedSource:
        """A source that a job reads; both are written in one step, so none is left without the other.

        The same bytes are the source that is there, which is read again where that failed, and so is the same address
        while nobody has fetched it; but whoever names the id looks for it afterwards, and gets one of that id.
        """
        wanted, id = id, id or str(uuid.uuid4())
        titled = bool(title and title.strip())

        def work(tx: Tx) -> tuple[str, str | None, bool]:
            tx.one("lock_notebook", id=scope.notebook_id)
            there = wanted if wanted else same_source(tx, scope, blob, url)
            if blob is None and kind == "url":
                there = same_address(tx, scope, url)
            row = tx.one("source_by_id", id=there) if there else None
            if row is not None:
                if wanted and (row["notebook_id"], row["given"]) != (scope.notebook_id, blob):
                    raise Conflict("There is a source of this id already.")
                retitle(tx, scope, row["id"], title)
                return row["id"], self._still_read(scope, tx, row, whole), False
            from_url = url if blob is None and kind != "book" else None
            job_id = self._reading.read_later(tx, scope.notebook_id, scope.actor_id, id, titled=titled, url=from_url)
            shown = title.strip() if title and titled else name
            given = {"url": url, "blob": blob, "file_name": file_name, "job_id": job_id}
            self._insert(scope, tx, id, shown, kind, whole=whole, **given)
            keep_media_type(tx, id, media_type)
            keep_origin(tx, id, validators, path)
            return id, job_id, True

        seconds = FILE_WAIT_SECONDS if url is None else WAIT_SECONDS
        source_id, job_id, added = await scope.write(work)
        if job_id is not None:
            await self._waiting.wait(scope, source_id, job_id, wait, seconds)
        return await self._given(scope, source_id, added=added)

    def _insert(
        self, scope: Scope, tx: Tx, id: str, title: str, kind: str, whole: bool = False, **more: str | None
    ) -> None:
        values = dict.fromkeys(("url", "blob", "file_name", "job_id")) | {"given": more.get("blob")} | more
        at = scope.now()
        tx.run(
            "insert_source",
            id=id,
            notebook_id=scope.notebook_id,
            title=title[:1_000],
            kind=kind,
            state="processing",
            whole=int(whole),
            at=at,
            **values,
        )
        tx.run("touch_notebook", id=scope.notebook_id, at=at)
        if values["blob"]:
            use(tx, values["blob"], "source", id)
        scope.event(tx, "source.created", id)
