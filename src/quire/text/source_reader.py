"""Source reader: what may be read beyond the passages that were found, from the thread that writes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from quire.domain.documents import Document, Mark
from quire.domain.passages import Passage, PassageHit
from quire.ports.store import Tx
from quire.text.search import FoundPassages, SearchPorts, find_in, frequencies_in

Result = TypeVar("Result")

SOURCES = 500
# A read that takes longer is given up with the answer.
SECONDS = 60.0


@dataclass(frozen=True)
class SourceReader:
    """Reads the sources that a question is put to. Its methods wait for the event loop: never call them on it.

    What was read for the answer is kept with it: forms and suggestions look at the same texts.
    """

    ports: SearchPorts
    notebook_ids: Sequence[str]
    source_ids: Sequence[str] | None
    loop: asyncio.AbstractEventLoop
    _known: dict[tuple[Any, ...], Any] = field(default_factory=dict)

    def titles(self) -> dict[str, str]:
        """The titles of all these sources by id, in the order they were added."""
        found = self._once(("titles",), self._titles)
        return {id: title for id, title in found.items() if self.source_ids is None or id in self.source_ids}

    def _titles(self, tx: Tx) -> dict[str, str]:
        known: dict[str, str] = {}
        for id in self.notebook_ids:
            if len(known) < SOURCES:
                known |= self.ports.passages.titles(tx, id, limit=SOURCES - len(known))
        return known

    def openings(self, source_ids: Sequence[str], each: int) -> list[Passage]:
        """The first few passages of each source."""
        return self._read(lambda tx: self.ports.passages.first_of(tx, source_ids, each=each))

    def search(self, query: str, limit: int, source_ids: Sequence[str] | None = None) -> list[PassageHit]:
        """The passages that fit best, best first, of these sources or of those named among them."""
        among = self.source_ids if source_ids is None else source_ids

        async def found() -> FoundPassages:
            return await find_in(self.ports, self.notebook_ids, query, source_ids=among, limit=limit)

        return asyncio.run_coroutine_threadsafe(found(), self.loop).result(SECONDS).hits

    def frequencies(self, words: Sequence[str]) -> tuple[dict[str, int], int]:
        """In how many passages of the notebook each word stands, and how many there are."""
        return self._read(lambda tx: frequencies_in(tx, self.ports.index, self.notebook_ids, words))

    def around(self, passage: Passage, before: int, after: int) -> Passage:
        """A passage with so many characters more of its source; what was there before its version went is gone."""

        def work(tx: Tx) -> tuple[str | None, list[Mark]]:
            passages, source, version = self.ports.passages, passage.source_id, passage.version
            return passages.text(tx, source, version), passages.marks(tx, source, version)

        text, marks = self._once(("text", passage.source_id, passage.version), work)
        if text is None:
            return passage
        start, end = max(0, passage.start - before), min(len(text), passage.end + after)
        place = Document(text="", marks=marks).place(start) if marks else passage.place
        return passage.model_copy(update={"start": start, "end": end, "text": text[start:end], "place": place})

    def marks(self, passage: Passage) -> list[Mark]:
        """Where pages, headings and the like begin in the text of a passage's source."""
        return self._once(
            ("marks", passage.source_id, passage.version),
            lambda tx: self.ports.passages.marks(tx, passage.source_id, passage.version),
        )

    def _once(self, key: tuple[Any, ...], work: Callable[[Tx], Result]) -> Result:
        if key not in self._known:
            self._known[key] = self._read(work)
        found: Result = self._known[key]
        return found

    def _read(self, work: Callable[[Tx], Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(self._reading(work), self.loop).result(SECONDS)

    async def _reading(self, work: Callable[[Tx], Result]) -> Result:
        return await self.ports.read(work)
