"""What is swept, and what is kept."""

from __future__ import annotations

import asyncio

import pytest
from trials import Trials, until

from quire.adapters.memory import FixedClock
from quire.api.library import Library
from quire.domain.errors import NotFound
from quire.domain.files import Upload
from quire.entry.bootstrap import build
from quire.entry.settings import load
from quire.local.blob_sweeper import KEPT_UNUSED
from quire.local.engine import KEPT_EVENTS

pytestmark = pytest.mark.anyio

DAY = 24 * 3600


async def held(library: Library, sha256: str) -> bool:
    try:
        return b"".join([chunk async for chunk in library.engine.parts.blobs.get(sha256)]) != b""
    except NotFound:
        return False


async def test_a_file_that_no_row_needs_is_swept_after_a_day(timed: Library, clock: FixedClock) -> None:
    sha256, size = await timed.engine.files.put(Upload.of(b"bytes"), 100)
    assert size == 5
    clock.move(seconds=DAY - 1)
    assert await timed.engine.blob_sweeper.sweep() == 0
    assert await held(timed, sha256)
    clock.move(seconds=2)
    assert await timed.engine.blob_sweeper.sweep() == 1
    assert not await held(timed, sha256)
    assert await timed.engine.blob_sweeper.sweep() == 0


async def test_a_file_that_was_put_again_is_young_again(timed: Library, clock: FixedClock) -> None:
    sha256, _ = await timed.engine.files.put(Upload.of(b"bytes"), 100)
    clock.move(seconds=DAY + 1)
    await timed.engine.files.put(Upload.of(b"bytes"), 100)
    assert await timed.engine.blob_sweeper.sweep() == 0
    assert await held(timed, sha256)


async def test_a_jobs_files_are_kept_while_it_waits_and_a_day_after_its_end(timed: Library, clock: FixedClock) -> None:
    job = await timed.notes.import_(None, Upload.of("# a\n"), wait=False)
    clock.move(seconds=30 * DAY)
    assert await timed.engine.blob_sweeper.sweep() == 0
    assert (await timed.jobs.wait(job.id)).state == "done"
    export = await timed.notes.export()
    assert export.file is not None
    clock.move(seconds=DAY - 1)
    assert await timed.engine.blob_sweeper.sweep() == 0
    assert await export.file.read() == await (await timed.jobs.file(export.id)).read()
    clock.move(seconds=2)
    assert await timed.engine.blob_sweeper.sweep() == 2
    with pytest.raises(NotFound):
        await export.file.read()


async def test_the_files_of_a_deleted_notebook_are_swept(timed: Library, clock: FixedClock) -> None:
    notebook = await timed.notebooks.create("Short-lived")
    await timed.notes.import_(notebook.id, Upload.of("# a\n"), wait=False)
    await timed.notebooks.delete(notebook.id)
    clock.move(seconds=DAY + 1)
    assert await timed.engine.blob_sweeper.sweep() == 1


async def test_more_files_than_a_batch_are_swept(clock: FixedClock) -> None:
    async with build(load({"store": "memory"}, {}), clock) as library:
        for number in range(205):
            await library.engine.files.put(Upload.of(str(number)), 100)
        clock.move(seconds=DAY - 1)
        # A batch that may not go yet must not be looked at again without end.
        async with asyncio.timeout(30):
            assert await library.engine.blob_sweeper.sweep() == 0
        clock.move(seconds=2)
        assert await library.engine.blob_sweeper.sweep() == 205


async def test_bytes_that_are_put_while_they_are_swept_are_kept(timed: Library, clock: FixedClock) -> None:
    """Whoever comes first: once `put_blob` has returned, the bytes are there."""
    for _ in range(20):
        sha256, _ = await timed.engine.files.put(Upload.of(b"bytes"), 100)
        clock.move(seconds=DAY + 1)
        await asyncio.gather(timed.engine.blob_sweeper.sweep(), timed.engine.files.put(Upload.of(b"bytes"), 100))
        assert await held(timed, sha256)


async def test_events_are_kept_for_a_week_and_the_last_for_ever(trials: Trials, clock: FixedClock) -> None:
    for number in range(3):
        await trials.notes.create(title=str(number))
    last = await trials.engine.events.last()
    clock.move(seconds=KEPT_EVENTS / 1e6 + 1)
    trials.serve(0)
    await until(lambda: only(trials, last))
    assert await trials.engine.events.last() == last
    note = await trials.notes.create(title="new")
    *changes, _ = [event async for event in trials.notes.watch(after=last, limit=1)]
    assert [change.note_id for change in changes] == [note.id]


async def only(trials: Trials, seq: int) -> bool:
    rows = await trials.engine.system.read(lambda tx: tx.all("events_after", after=0, limit=10))
    return [row["seq"] for row in rows] == [seq]


def test_a_day_is_a_day() -> None:
    assert KEPT_UNUSED == DAY * 1_000_000
