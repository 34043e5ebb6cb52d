"""What is long is gone for everybody as soon as it is deleted, and is taken away in steps."""

from __future__ import annotations

from typing import Any

import pytest
from test_sources_in_steps import found, hidden, long_text

from quire.adapters.memory import FixedClock
from quire.api.library import Library
from quire.domain.errors import NotFound, Upstream
from quire.domain.files import Upload
from quire.local.source_versions import STEP
from variants import with_parts

pytestmark = pytest.mark.anyio


class TiredIndex:
    """Notes how many passages each transaction takes away, and breaks off so many times first."""

    def __init__(self, index: Any, times: int) -> None:
        self._index = index
        self.times = times
        self.removed: list[int] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._index, name)

    def remove(self, tx: Any, notebook_id: str, seqs: Any) -> None:
        if self.times:
            self.times -= 1
            raise Upstream("The index is tired.")
        self.removed.append(len(seqs))
        self._index.remove(tx, notebook_id, seqs)

    def drop(self, tx: Any, notebook_id: str) -> None:
        known = tx.one("generation_of", notebook_id=notebook_id)
        self.removed.append(known["passages"] if known else 0)
        self._index.drop(tx, notebook_id)


def a_long_file() -> Upload:
    return Upload.of(long_text("walrus"), "long.md")


async def test_a_long_source_is_gone_at_once_and_taken_away_in_steps(timed: Library, clock: FixedClock) -> None:
    index = TiredIndex(timed.engine.parts.index, times=1)
    library = with_parts(timed, index=index)
    source = await library.sources.add_file(None, a_long_file())
    assert source.passages > STEP
    await library.sources.refresh(None, source.id, wait=False)
    await library.sources.delete(None, source.id)
    assert not index.times

    system = library.engine.system
    assert await hidden(library)
    assert await found(library, "walrus") == 0
    assert not await library.sources.list(None)
    assert (await library.notebooks.list()).items[0].source_count == 0
    for gone in (library.sources.get, library.sources.get_fulltext, library.sources.delete, library.sources.refresh):
        with pytest.raises(NotFound):
            await gone(None, source.id)
    assert len(await library.notebooks.list()) == 1

    again = await library.sources.add_file(None, a_long_file())
    assert again.added
    assert again.id != source.id
    assert await found(library, "walrus") == 100
    clock.move(seconds=10)
    # What was still to be read of it, and its taking away.
    assert await library.engine.workers.take()
    assert await library.engine.workers.take()
    assert not await hidden(library)
    assert not await system.read(lambda tx: tx.all("some_passages_of_source", source_id=source.id, limit=1))
    assert await system.read(lambda tx: tx.one("source_by_id", id=source.id)) is None
    assert (sum(index.removed), max(index.removed)) == (source.passages, STEP)
    assert (await found(library, "walrus"), await found(library, "walrus3")) == (100, 1)
    assert [one.id for one in await library.sources.list(None)] == [again.id]


async def test_a_notebook_with_much_in_it_goes_the_same_way(timed: Library, clock: FixedClock) -> None:
    index = TiredIndex(timed.engine.parts.index, times=3)
    library = with_parts(timed, index=index)
    notebook = await library.notebooks.create("Sea")
    source = await library.sources.add_file(notebook.id, a_long_file())
    note = await library.notes.create(notebook.id, "Tusks", "They are long.")
    await library.notebooks.delete(notebook.id)

    for gone in (library.notebooks.get(notebook.id), library.notes.get(None, note.id)):
        with pytest.raises(NotFound):
            await gone
    assert notebook.id not in [one.id for one in await library.notebooks.list()]
    assert not await library.jobs.list()

    for _ in range(2):
        clock.move(seconds=10)
        assert await library.engine.workers.take()
    assert not index.times
    clock.move(seconds=10)
    assert not await library.engine.workers.take()
    await library.engine.removal.begin_again()
    assert await library.engine.workers.take()
    system = library.engine.system
    assert await system.read(lambda tx: tx.one("notebook_number", notebook_id=notebook.id)) is None
    assert await system.read(lambda tx: tx.one("source_by_id", id=source.id)) is None
    assert (sum(index.removed), max(index.removed)) == (source.passages, STEP)
    assert not await library.engine.workers.take()
