"""Sources on the move: as the file or the address that they were made of, else by their text."""

from __future__ import annotations

import hashlib
import time
from typing import Any

from quire.api.library import Library
from quire.domain.errors import InvalidInput, NotAllowed, NotFound, NotReady, TimedOut, Unsupported, WireDrift
from quire.domain.files import Download, Upload
from quire.domain.sources import TEXT_LIMIT, Source
from quire.domain.transfers import Moved, MovedAs, Pages
from quire.entry.transfer.contents import every, text_of
from quire.entry.transfer.steps import Facts, Steps

NO_ORIGINAL = "The file that it was made of cannot be had; its text came over."
NOT_READ = "The other library could not read {what}; its text came over."
STILL_READ = "It is still being read there."
UNTITLED = "Untitled"


class SourceTransfer:
    """`pages` says how web pages go first; what cannot be read on the other side goes by its text."""

    def __init__(self, origin: Library, target: Library, steps: Steps, pages: Pages) -> None:
        self._origin = origin
        self._target = target
        self._steps = steps
        self._pages = pages

    def planned(self, source: Source) -> Moved:
        """What would be tried first."""
        how: MovedAs = "text"
        lost = ""
        if source.url and self._pages == "address":
            how = "address"
        elif source.file_name:
            how = "file"
        elif source.kind != "text":
            lost = "By its text, where the file that it was made of cannot be had."
        if source.state == "failed" and how == "text":
            how, lost = "nothing", f"It could not be read: {source.error}"
        return Moved(kind="source", id=source.id, title=source.title, moved_as=how, lost=lost)

    async def move(self, notebook_id: str, source: Source) -> None:
        """Begins a source there; `settle` sees whether it could be read."""
        key = f"source/{source.id}"
        known = self._steps.ledger.ids("source")

        async def make() -> Facts:
            return await self._joined(notebook_id, source.title, known, await self._added(notebook_id, source))

        async def find() -> Facts | None:
            """One that was not read when its maker was stopped may lack its bytes, so it is made again."""
            names = {source.title, source.url, source.file_name}
            async for one in every(self._target.sources.list, notebook_id):
                if one.id in known or not ({one.title, one.url, one.file_name} - {None}) & names:
                    continue
                if one.state != "ready":
                    await self._target.sources.delete(notebook_id, one.id)
                    return None
                if one.title != source.title and source.title.strip():
                    await self._target.sources.rename(notebook_id, one.id, source.title)
                return {"id": one.id, "how": self.planned(source).moved_as, "lost": ""}
            return None

        await self._steps.once(key, make, find)

    async def settle(self, notebook_id: str, source: Source, end: float) -> Moved:
        """How a source came over, once it has been read there; what could not be goes by its text after all."""
        key = f"source/{source.id}"
        facts = self._steps.ledger.done[key]
        if facts["how"] in ("address", "file") and not facts.get("settled"):
            facts = await self._read(notebook_id, source, facts, end)
        told = {"moved_as": facts["how"], "new_id": facts["id"], "lost": facts["lost"]}
        return self.planned(source).model_copy(update=told)

    async def _read(self, notebook_id: str, source: Source, facts: Facts, end: float) -> Facts:
        key = f"source/{source.id}"
        try:
            seconds = max(1.0, min(3_600.0, end - time.monotonic()))
            read = await self._target.sources.wait(notebook_id, facts["id"], seconds=seconds)
        except TimedOut:
            return facts | {"lost": STILL_READ}
        except NotFound:
            return facts | {"lost": "It has been deleted there."}
        if read.state == "ready" or source.state == "failed":
            settled = facts | {"settled": True, "lost": facts["lost"] or read.error or ""}
        else:
            what = "the page" if facts["how"] == "address" else "the file"
            self._steps.ledger.drop(key)
            self._steps.ledger.begin(key)
            await self._target.sources.delete(notebook_id, facts["id"])
            known = self._steps.ledger.ids("source")
            settled = await self._as_text(notebook_id, source, NOT_READ.format(what=what))
            settled = await self._joined(notebook_id, source.title, known, settled)
        self._steps.ledger.end(key, **settled)
        return settled

    async def _added(self, notebook_id: str, source: Source) -> Facts:
        title = source.title.strip() or UNTITLED
        if source.url and self._pages == "address":
            try:
                made = await self._target.sources.add(notebook_id, "url", url=source.url, title=title, wait=False)
                return {"id": made.id, "how": "address", "lost": ""}
            except (InvalidInput, Unsupported):
                return await self._as_text(notebook_id, source, NOT_READ.format(what="the page"))
        if source.url and source.state == "ready":
            return await self._as_text(notebook_id, source, "")
        try:
            file = await self._origin.sources.download(source.notebook_id, source.id)
        except (NotFound, NotAllowed, NotReady, Unsupported, WireDrift):
            pasted = source.kind == "text" and not source.file_name
            return await self._as_text(notebook_id, source, "" if pasted else NO_ORIGINAL)
        made = await self._target.sources.add_file(notebook_id, as_upload(file), title=title, wait=False)
        return {"id": made.id, "how": "file", "lost": ""}

    async def _as_text(self, notebook_id: str, source: Source, lost: str) -> Facts:
        if source.state == "failed":
            raise InvalidInput(f"It could not be read: {source.error}")
        text = await text_of(self._origin, source)
        title = source.title.strip() or UNTITLED
        if len(text) > TEXT_LIMIT:
            name = f"{hashlib.sha256(source.id.encode()).hexdigest()[:12]}.md"
            made: Any = await self._target.sources.add_file(notebook_id, Upload.of(text, name), title=title, wait=False)
        else:
            made = await self._target.sources.add(notebook_id, "text", text=text, title=title, wait=False)
        return {"id": made.id, "how": "text", "lost": lost}

    async def _joined(self, notebook_id: str, title: str, known: set[str], facts: Facts) -> Facts:
        """Where the notebook takes the same bytes once only, the first keeps its title."""
        if facts["id"] not in known:
            return facts | {"title": title}
        before = next(one for one in self._steps.ledger.done.values() if one.get("id") == facts["id"])
        if before.get("title"):
            await self._target.sources.rename(notebook_id, facts["id"], before["title"])
        return facts | {"lost": "It is the same as another source, and there once."}


def as_upload(file: Download) -> Upload:
    """A file that came out of one library on its way into another, with its own kind of name."""
    return Upload(file.name, lambda: file.chunks(), file.size, file.media_type)
