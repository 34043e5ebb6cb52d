"""Opening and closing a library, also in the middle of work."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import threading
from typing import Any

import pytest

from quire.domain.errors import QuireError
from quire.domain.files import Upload
from quire.entry.bootstrap import build
from quire.entry.settings import Settings

MANY = "# note\n\ntext\n\n" * 250


# Names of hosts are looked up by threads that all libraries of a process share.
OWN = ("quire-read", "quire-write", "quire-postgres", "quire-words", "quire-embed")


def threads() -> set[threading.Thread]:
    return set(threading.enumerate())


def run(main: Any) -> None:
    """Runs a coroutine in a loop of its own, and sees to it that no thread outlives that."""
    before = threads()
    asyncio.run(main)
    gc.collect()
    assert threads() - before == set()


def test_a_library_can_be_closed_twice_and_from_two_sides(settings: Settings) -> None:
    # An embedder of an earlier test in this process may still have its threads.
    others = threads()

    async def main() -> None:
        library = build(settings)
        await library.notes.create(title="a")
        await asyncio.gather(library.close(), library.close())
        await library.close()
        assert [thread.name for thread in threads() - others if thread.name.startswith(OWN)] == []

    run(main())


def test_a_library_that_was_never_used_can_be_closed(settings: Settings) -> None:
    run(build(settings).close())


def test_a_closed_library_says_so(settings: Settings) -> None:
    async def main() -> None:
        library = build(settings)
        await library.notes.create(title="a")
        await library.close()
        for call in (
            library.notes.list(),
            library.notes.create(title="b"),
            library.notes.export(),
            library.jobs.list(),
        ):
            with pytest.raises(QuireError, match=r"This library is closed\."):
                await call

    run(main())


def test_what_was_begun_before_closing_is_finished(settings: Settings) -> None:
    async def main() -> None:
        library = build(settings)
        await library.notes.list()
        calls = [asyncio.create_task(library.notes.create(title=str(n))) for n in range(20)]
        await asyncio.sleep(0)
        await library.close()
        notes = await asyncio.gather(*calls)
        assert {note.title for note in notes} == {str(n) for n in range(20)}

    run(main())


@pytest.mark.parametrize("served", [False, True])
@pytest.mark.parametrize("moment", [0, 1, 4, *(pytest.param(other, marks=pytest.mark.long) for other in (2, 3, 5))])
def test_closing_right_after_cancelled_work_leaves_nothing_behind(
    settings: Settings, moment: int, served: bool
) -> None:
    async def main() -> None:
        library = build(settings)
        if served:
            library.engine.serve(2)
        await library.notes.create(title="a")
        work: list[Any] = [
            library.notes.import_(None, Upload.of(MANY)),
            library.notes.export(),
            library.notes.create(title="b"),
            library.notes.list(),
            anext(library.notes.watch()),
        ]
        tasks = [asyncio.ensure_future(one) for one in work]
        for _ in range(moment):
            await asyncio.sleep(0.003)
        for task in tasks:
            task.cancel()
        if moment % 2:
            await asyncio.gather(*tasks, return_exceptions=True)
        await library.close()
        await asyncio.gather(*tasks, return_exceptions=True)

    run(main())


def test_a_close_that_is_cancelled_closes_all_the_same(settings: Settings) -> None:
    async def main() -> None:
        library = build(settings)
        library.engine.serve(2)
        await library.notes.create(title="a")
        for _ in range(3):
            closing = asyncio.create_task(library.close())
            await asyncio.sleep(0)
            closing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await closing
        assert [thread.name for thread in threads() if thread.name.startswith(OWN)] == []

    run(main())


def test_a_loop_that_ends_without_closing_hangs_nothing(settings: Settings) -> None:
    library = build(settings)

    async def begin() -> None:
        await library.notes.create(title="a")
        asyncio.get_running_loop().create_task(library.notes.import_(None, Upload.of(MANY)))
        await asyncio.sleep(0.01)

    asyncio.run(begin())
    run(library.close())


def test_closing_while_jobs_run_leaves_them_for_the_next(settings: Settings) -> None:
    if settings.store == "memory":
        return  # What was in memory is gone with it.

    async def main() -> None:
        library = build(settings)
        library.engine.serve(2)
        files = [MANY.replace("note", f"note {number}") for number in range(3)]
        jobs = [await library.notes.import_(None, Upload.of(file), wait=False) for file in files]
        await asyncio.sleep(0.02)
        await library.close()
        async with build(settings) as again:
            for job in jobs:
                assert (await again.jobs.get(job.id)).state in ("queued", "done")
                ended = await again.jobs.wait(job.id)
                assert (ended.state, ended.done, ended.attempts) == ("done", 250, 1)
            assert (await again.notes.list()).total == 750

    run(main())
