"""Following what happens to notes, as it happens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from quire.api.library import Library
from quire.domain.errors import NotFound
from quire.domain.files import Upload
from quire.domain.notes import NoteChange, Watched
from quire.entry.bootstrap import build
from quire.entry.settings import Settings, load

pytestmark = pytest.mark.anyio


async def seen(stream: AsyncIterator[Any]) -> list[Any]:
    return [event async for event in stream]


async def test_what_happened_is_told_in_order(library: Library) -> None:
    note = await library.notes.create(title="a")
    await library.notes.update(None, note.id, content="b")
    await library.notes.delete(None, note.id)
    other = await library.notes.create(title="c")
    *changes, end = await seen(library.notes.watch(after=0, limit=4))
    assert [(change.change, change.note_id) for change in changes] == [
        ("created", note.id),
        ("updated", note.id),
        ("deleted", note.id),
        ("created", other.id),
    ]
    assert changes[-1].note == other
    assert [change.note for change in changes[:3]] == [None] * 3
    assert end == Watched(after=changes[-1].seq, changes=4)


async def test_a_watch_goes_on_where_another_ended(library: Library) -> None:
    for number in range(5):
        await library.notes.create(title=str(number))
    *first, end = await seen(library.notes.watch(after=0, limit=2))
    *rest, _ = await seen(library.notes.watch(after=end.after, limit=3))
    assert [change.note.title for change in [*first, *rest]] == ["0", "1", "2", "3", "4"]


async def test_a_watch_without_a_beginning_sees_only_what_is_new(library: Library) -> None:
    await library.notes.create(title="old")
    async with aclosing(library.notes.watch(limit=1)) as stream:
        first = asyncio.ensure_future(anext(stream))
        while not first.done():
            await library.notes.create(title="new")
        change = await first
    assert isinstance(change, NoteChange)
    assert change.note is not None
    assert change.note.title == "new"


async def test_every_change_reaches_every_watcher_as_it_happens(library: Library) -> None:
    watchers = [asyncio.create_task(seen(library.notes.watch(after=0, limit=30))) for _ in range(4)]
    notes = await asyncio.gather(*[library.notes.create(title=str(number)) for number in range(30)])
    for watcher in watchers:
        *changes, _ = await watcher
        assert {change.note_id for change in changes} == {note.id for note in notes}
        assert [change.seq for change in changes] == sorted({change.seq for change in changes})


async def test_more_events_than_a_batch_are_all_told(library: Library) -> None:
    await library.notes.import_(None, Upload.of("# a\n" * 700))
    *changes, _ = await seen(library.notes.watch(after=0, limit=700))
    assert len({change.note_id for change in changes}) == 700


async def test_a_watch_stays_in_its_notebook(library: Library) -> None:
    other = await library.notebooks.create("Other")
    await library.notes.create(other.id, "there")
    await library.notes.create(None, "here")
    change, _ = await seen(library.notes.watch(after=0, limit=1))
    assert change.note.title == "here"


async def test_a_write_whose_caller_was_cancelled_is_told_all_the_same(library: Library) -> None:
    await library.notes.list()
    watcher = asyncio.create_task(seen(library.notes.watch(after=0, limit=1)))
    made = 0
    while not made:
        call = asyncio.create_task(library.notes.create(title="a"))
        for _ in range(3):
            await asyncio.sleep(0)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        made = (await library.notes.list()).total
    change, _ = await asyncio.wait_for(watcher, 30)
    assert change.note.title == "a"


async def test_a_watch_ends_after_its_time(library: Library) -> None:
    await library.notes.create(title="a")
    events = await seen(library.notes.watch(seconds=0.05))
    assert [type(event) for event in events] == [Watched]


async def test_a_closed_library_ends_its_watchers(settings: Settings) -> None:
    library = build(settings)
    stream = library.notes.watch(after=0)
    note = await library.notes.create(title="a")
    first = await anext(stream)
    rest = asyncio.create_task(seen(stream))
    await asyncio.sleep(0)
    await library.close()
    assert first.note_id == note.id
    assert await asyncio.wait_for(rest, 30) == [Watched(after=first.seq, changes=1)]


async def test_a_watch_of_no_notebook_is_not_found(library: Library) -> None:
    with pytest.raises(NotFound):
        await seen(library.notes.watch("nothing"))


@pytest.fixture
async def pair(shared_store: str, tmp_path: Path) -> AsyncIterator[tuple[Library, Library]]:
    settings = load({"home": tmp_path / "home", "store": shared_store}, {})
    async with build(settings) as one, build(settings) as two:
        yield one, two


async def test_changes_from_elsewhere_are_seen(pair: tuple[Library, Library]) -> None:
    here, there = pair
    watcher = asyncio.create_task(seen(here.notes.watch(after=0, limit=20)))
    for number in range(20):
        await there.notes.create(title=str(number))
    *changes, _ = await asyncio.wait_for(watcher, 60)
    assert [change.note.title for change in changes] == [str(number) for number in range(20)]


async def test_a_change_between_the_first_look_and_the_listening_is_not_lost(pair: tuple[Library, Library]) -> None:
    """Only the other one writes, once, at every moment of the watcher's start."""
    here, there = pair
    await here.notes.list()
    await there.notes.list()
    for delay in range(12):
        here.engine.events.__init__(here.engine.system)  # type: ignore[misc]
        after = await here.engine.events.last()
        watcher = asyncio.create_task(seen(here.notes.watch(after=after, limit=1)))
        for _ in range(delay):
            await asyncio.sleep(0.0005)
        note = await there.notes.create(title="once")
        change, _ = await asyncio.wait_for(watcher, 30)
        assert change.note_id == note.id
        await here.engine.events.close()
