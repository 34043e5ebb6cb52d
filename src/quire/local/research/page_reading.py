"""Reading pages that were found, through the safe fetcher and the readers, into a run's own notebook."""

from __future__ import annotations

import asyncio
import uuid
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakValueDictionary

from quire import text as text_engine
from quire.domain.documents import Document
from quire.domain.errors import QuireError
from quire.domain.files import Upload
from quire.domain.headings import says_nothing
from quire.domain.web_addresses import canonical
from quire.local.job_run import Run
from quire.local.source_versions import put_version
from quire.ports.documents import Reader
from quire.ports.finders import Finders
from quire.ports.search import Index
from quire.ports.store import Row, Tx

if TYPE_CHECKING:
    from quire.text.indexing import Prepared

PAGE_SECONDS = 30.0
LEAST_SECONDS = 2.0
# So many pages of one host are fetched at once, by all runs of this process.
OF_A_HOST = 2
# Of a longer text the beginning is read.
LONGEST = 200_000
NO_TEXT = "There is no readable text in it."


class ReadOutcome(NamedTuple):
    """What came of a page: its text, cut and ready to be found in, or why there is none."""

    prepared: Prepared | None = None
    kind: str = "url"
    reason: str | None = None


class PageReading:
    def __init__(self, finders: Finders, reader: Reader, index: Index) -> None:
        self._finders = finders
        self._reader = reader
        self._index = index
        self._hosts: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def read(self, page: Row, seconds: float) -> ReadOutcome:
        """Never raises for what a page does: one that cannot be read is passed over, and says why."""
        try:
            async with asyncio.timeout(max(LEAST_SECONDS, min(PAGE_SECONDS, seconds))):
                file, media_type = await self._opened(page)
                document, kind = await self._reader.read(file, media_type=media_type)
        except QuireError as error:
            return ReadOutcome(reason=error.message.removeprefix("url: "))
        except TimeoutError:
            return ReadOutcome(reason="It took too long.")
        prepared = await asyncio.to_thread(_prepared, page, document)
        return ReadOutcome(prepared, kind) if prepared.passages else ReadOutcome(reason=NO_TEXT)

    async def _opened(self, page: Row) -> tuple[Upload, str | None]:
        if page["file"] is not None:
            return await self._finders.file(page["file"]), None
        host = canonical(page["url"]).partition("/")[0]
        places = self._hosts.setdefault(host, asyncio.Semaphore(OF_A_HOST))
        async with places:
            fetched = await self._finders.page(page["url"], self._reader.unreadable)
        return fetched.file, fetched.media_type

    def put(self, tx: Tx, run: Run, reading: str, research: Row, page: Row, outcome: ReadOutcome) -> bool:
        """Keeps what was read. False where there is nothing, or where another page has the same text."""
        where = {"research_id": research["id"], "number": page["number"]}
        prepared = outcome.prepared
        if prepared is None:
            tx.run(
                "settle_research_page",
                state="failed",
                source_id=None,
                title=page["title"],
                reason=outcome.reason,
                **where,
            )
            return False
        if tx.one("same_text_read", notebook_id=reading, hash=prepared.hash) is not None:
            tx.run("settle_research_page", state="same", source_id=None, title=page["title"], reason=None, **where)
            return False
        id, at = str(uuid.uuid4()), run.now()
        tx.run(
            "insert_source",
            id=id,
            notebook_id=reading,
            title=prepared.title,
            kind=outcome.kind,
            url=page["url"],
            blob=None,
            given=None,
            file_name=page["file"],
            job_id=None,
            whole=0,
            state="processing",
            at=at,
        )
        put_version(tx, self._index, reading, id, 1, prepared, at)
        tx.run("settle_source", id=id, version=1, title=prepared.title, kind=outcome.kind, at=at)
        state = "read" if text_engine.is_about(research["query"], prepared) else "beside"
        tx.run("settle_research_page", state=state, source_id=id, title=prepared.title, reason=None, **where)
        return True


def _prepared(page: Row, document: Document) -> Prepared:
    if len(document.text) > LONGEST:
        marks = [mark for mark in document.marks if mark.offset < LONGEST]
        document = document.model_copy(update={"text": document.text[:LONGEST], "marks": marks})
    title = page["title"] or document.title or page["url"]
    if says_nothing(title) and document.title:
        title = document.title
    return text_engine.Prepared(document, title[:300])
