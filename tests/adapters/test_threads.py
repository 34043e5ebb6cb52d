"""The threads below the stores."""

from __future__ import annotations

import asyncio
import gc
import threading
import time

import pytest

from quire.adapters.threads import Threads
from quire.domain.errors import QuireError

pytestmark = pytest.mark.anyio


def named(name: str) -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith(name)]


async def test_threads_are_started_as_they_are_needed() -> None:
    threads = Threads(3, "few")
    assert named("few") == []
    for _ in range(5):
        await threads.run(threading.current_thread)
    assert len(named("few")) == 1
    barrier = threading.Barrier(3)
    await asyncio.gather(*[threads.run(lambda: barrier.wait(30)) for _ in range(3)])
    await asyncio.gather(*[threads.run(int) for _ in range(20)])
    assert len(named("few")) == 3
    await threads.close(lambda: None)
    assert named("few") == []


async def test_one_thread_works_in_the_order_of_the_calls() -> None:
    threads = Threads(1, "one")
    done: list[int] = []
    await asyncio.gather(*[threads.run(lambda n=n: done.append(n)) for n in range(50)])
    assert done == list(range(50))
    await threads.close(lambda: None)


async def test_closing_finishes_what_was_taken_and_does_the_last_thing_last() -> None:
    threads = Threads(4, "close")
    done: list[str] = []
    go_on = threading.Event()

    def slow() -> None:
        go_on.wait(30)
        done.append("slow")

    calls = [asyncio.ensure_future(threads.run(slow)) for _ in range(7)]
    await asyncio.sleep(0)
    closing = asyncio.ensure_future(threads.close(lambda: done.append("last")))
    await asyncio.sleep(0)
    with pytest.raises(QuireError, match="closed"):
        await threads.run(int)
    go_on.set()
    await closing
    await asyncio.gather(*calls)
    assert done == ["slow"] * 7 + ["last"]
    assert named("close") == []


async def test_errors_come_back_as_they_were() -> None:
    threads = Threads(1, "error")
    for error in (KeyError("a"), asyncio.CancelledError("b"), SystemExit(3)):

        def work(error: BaseException = error) -> None:
            raise error

        with pytest.raises(type(error)):
            await threads.run(work)
    assert await threads.run(lambda: "alive") == "alive"
    await threads.close(lambda: None)


async def test_results_are_not_kept_alive() -> None:
    class Big:
        pass

    threads = Threads(1, "memory")
    await threads.run(Big)
    await threads.run(int)
    gc.collect()
    assert [one for one in gc.get_objects() if type(one) is Big] == []
    await threads.close(lambda: None)


def test_threads_that_nobody_holds_end_by_themselves() -> None:
    async def main() -> None:
        await Threads(2, "forgotten").run(int)

    asyncio.run(main())
    gc.collect()
    give_up = time.monotonic() + 30
    while named("forgotten"):
        assert time.monotonic() < give_up
        time.sleep(0.01)


def test_work_outlives_the_loop_that_asked_for_it() -> None:
    threads = Threads(1, "outlive")
    begun, go_on, done = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        go_on.wait(30)
        done.set()

    async def main() -> None:
        call = asyncio.ensure_future(threads.run(work))
        while not begun.is_set():
            await asyncio.sleep(0.001)
        call.cancel()

    asyncio.run(main())
    go_on.set()
    assert done.wait(30)
    asyncio.run(threads.close(lambda: None))
    assert named("outlive") == []
