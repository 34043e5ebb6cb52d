"""A long text comes into the index in steps, and is found as a whole or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from pages import serving_pages
from quire.adapters.memory import FixedClock
from quire.adapters.web import Web
from quire.api.library import Library
from quire.domain.errors import Upstream
from quire.domain.files import Upload
from quire.local.source_versions import STEP
from variants import with_parts

pytestmark = pytest.mark.anyio

PARAGRAPHS = STEP + STEP // 2


def long_text(word: str, paragraphs: int = PARAGRAPHS) -> str:
    """As many passages as paragraphs: each is long, and has a word of its own."""
    filling = "The tide comes in and goes out again, and nobody asks it why it does so. " * 12
    return "\n\n".join(f"## Part {number}\n\n{word}{number} {word}. {filling}" for number in range(paragraphs))


class FailingIndex:
    """An index that breaks off once, at its second addition."""

    def __init__(self, index: Any) -> None:
        self._index = index
        self.added: list[int] = []
        self.broken = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._index, name)

    def add(self, tx: Any, notebook_id: str, rows: Any) -> None:
        if len(self.added) == 1 and not self.broken:
            self.broken = True
            raise Upstream("The index is tired.")
        self.added.append(len(rows))
        self._index.add(tx, notebook_id, rows)


async def found(library: Library, query: str) -> int:
    return len(await library.sources.search(None, query, limit=100))


async def hidden(library: Library) -> bool:
    return await library.engine.system.read(lambda tx: tx.one("any_hidden_version")) is not None


async def test_an_attempt_that_broke_off_shows_nothing_and_the_next_goes_on_from_there(
    timed: Library, clock: FixedClock
) -> None:
    index = FailingIndex(timed.engine.parts.index)
    library = with_parts(timed, index=index)
    source = await library.sources.add_file(None, Upload.of(long_text("walrus"), "long.md"), wait=False)
    await library.engine.workers.take()
    assert index.broken
    assert (await library.sources.get(None, source.id)).state == "processing"
    assert await hidden(library)
    assert (await found(library, "walrus"), await found(library, "walrus3")) == (0, 0)
    clock.move(seconds=10)
    assert await library.engine.workers.take()
    read = await library.sources.get(None, source.id)
    assert read.state == "ready"
    assert sum(index.added) == read.passages
    assert max(index.added) <= STEP
    assert await found(library, "walrus") == 100
    assert await found(library, "walrus3") > 0
    assert not await hidden(library)


async def test_a_long_text_that_changes_is_found_as_it_is_now(library: Library) -> None:
    library = with_parts(library, web=Web(("127.0.0.1/32",)))
    with serving_pages() as pages:
        url = pages.put("/long", long_text("walrus"), "text/plain; charset=utf-8")
        source = await library.sources.add_url(None, url)
        assert await found(library, "walrus") == 100
        pages.put("/long", long_text("narwhal"), "text/plain; charset=utf-8")
        again = await library.sources.refresh(None, source.id)
        assert (again.state, again.version) == ("ready", 2)
        assert (await found(library, "walrus"), await found(library, "narwhal")) == (0, 100)
        pages.put("/long", "Only a little is left of the dugong.", "text/plain; charset=utf-8")
        await library.sources.refresh(None, source.id)
        assert (await found(library, "narwhal"), await found(library, "dugong")) == (0, 1)
    assert not await hidden(library)
    rows = await library.engine.system.read(lambda tx: tx.all("versions_with_passages", source_id=source.id))
    assert [row["version"] for row in rows] == [3]


async def test_what_a_cancelled_reading_has_left_is_taken_away(timed: Library) -> None:
    library = with_parts(timed, index=FailingIndex(timed.engine.parts.index))
    source = await library.sources.add_file(None, Upload.of(long_text("walrus"), "long.md"), wait=False)
    await library.engine.workers.take()
    (job,) = await library.jobs.list()
    await library.jobs.cancel(job.id)
    assert await hidden(library)
    await library.engine.reading.take_away_left_overs()
    assert not await hidden(library)
    deleted = await library.sources.delete(None, source.id)
    assert deleted.id == source.id


async def test_a_source_that_is_deleted_in_the_middle_leaves_nothing(timed: Library) -> None:
    library = with_parts(timed, index=FailingIndex(timed.engine.parts.index))
    source = await library.sources.add_file(None, Upload.of(long_text("walrus"), "long.md"), wait=False)
    await library.engine.workers.take()
    await library.sources.delete(None, source.id)
    assert await found(library, "walrus") == 0
    assert not await hidden(library)
