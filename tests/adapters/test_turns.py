"""Callers go before workers, and nobody waits for ever."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import Any

import pytest

from quire.adapters.embedders import MiniLm
from quire.adapters.model_files import ModelFolder
from quire.adapters.threads import Threads
from quire.adapters.turns import IN_A_ROW, GiveWay, Line, Turns
from quire.ports.background import in_background, work_in_background

pytestmark = pytest.mark.anyio


def beside(work: Callable[[], Any]) -> Any:
    """Runs something as a worker does."""

    def run() -> Any:
        work_in_background()
        return work()

    return copy_context().run(run)


def test_in_a_line_callers_come_first_and_after_several_one_of_the_others() -> None:
    line: Line[str] = Line()
    for number in range(2):
        line.put(f"worker {number}", later=True)
    for number in range(IN_A_ROW + 1):
        line.put(f"caller {number}", later=False)
    order = [line.get() for _ in range(IN_A_ROW + 3)]
    callers = [f"caller {number}" for number in range(IN_A_ROW + 1)]
    assert order == [*callers[:-1], "worker 0", callers[-1], "worker 1"]
    assert line.get() is None


async def test_a_transaction_of_a_caller_overtakes_those_of_workers() -> None:
    threads = Threads(1, "order")
    go_on = threading.Event()
    done: list[str] = []
    first = asyncio.ensure_future(threads.run(lambda: go_on.wait(30)))

    async def write(name: str) -> None:
        if name.startswith("worker"):
            work_in_background()
        await threads.run(lambda: done.append(name))

    calls = [asyncio.create_task(write(name)) for name in ("worker 1", "worker 2", "caller")]
    await asyncio.sleep(0)
    go_on.set()
    await asyncio.gather(first, *calls)
    assert done == ["caller", "worker 1", "worker 2"]
    assert not in_background()
    await threads.close(lambda: None)


async def test_what_workers_have_ordered_is_done_before_the_threads_end() -> None:
    threads = Threads(1, "end")
    go_on = threading.Event()
    done: list[str] = []
    calls = [asyncio.ensure_future(threads.run(lambda: go_on.wait(30)))]

    async def later() -> None:
        work_in_background()
        await threads.run(lambda: done.append("worker"))

    calls += [asyncio.create_task(later())]
    calls += [asyncio.ensure_future(threads.run(lambda: done.append("caller"))) for _ in range(IN_A_ROW + 1)]
    await asyncio.sleep(0)
    closing = asyncio.ensure_future(threads.close(lambda: done.append("last")))
    await asyncio.sleep(0)
    go_on.set()
    await asyncio.gather(closing, *calls)
    assert (len(done), done[-1]) == (IN_A_ROW + 3, "last")


async def test_a_place_goes_to_a_caller_first_and_never_to_one_who_has_left() -> None:
    turns = Turns(1)
    order: list[str] = []

    async def enter(name: str) -> None:
        if name == "worker":
            work_in_background()
        async with turns.taken():
            order.append(name)

    async with turns.taken():
        tasks = {name: asyncio.create_task(enter(name)) for name in ("worker", "leaver", "caller")}
        await asyncio.sleep(0)
        tasks["leaver"].cancel()
        await asyncio.sleep(0)
    await asyncio.gather(*tasks.values(), return_exceptions=True)
    assert order == ["caller", "worker"]
    async with asyncio.timeout(30), turns.taken():
        pass


async def test_a_place_that_was_given_to_one_who_leaves_at_that_moment_is_not_lost() -> None:
    turns = Turns(1)

    async def enter() -> None:
        async with turns.taken():
            pass

    async with turns.taken():
        leaver = asyncio.create_task(enter())
        await asyncio.sleep(0)
    leaver.cancel()
    await asyncio.gather(leaver, return_exceptions=True)
    async with asyncio.timeout(30), turns.taken():
        pass


def test_work_beside_begins_when_no_callers_is_in_hand() -> None:
    order = GiveWay(patience=30)
    done: list[str] = []

    def later() -> None:
        order.let_callers_pass()
        done.append("worker")

    with order.for_a_caller():
        thread = threading.Thread(target=later)
        thread.start()
        done.append("caller")
    thread.join(30)
    assert done == ["caller", "worker"]
    impatient = GiveWay(patience=0)
    with impatient.for_a_caller():
        impatient.let_callers_pass()


@pytest.mark.skipif(not ModelFolder().runs("minilm"), reason="the model minilm is not here")
async def test_a_question_is_embedded_while_a_worker_holds_every_place_of_its_own() -> None:
    """The worker's batches are held in the middle; with one lock for all, the question would wait for them."""
    embedder = MiniLm(ModelFolder())
    words, session = embedder._network()
    held, go_on = threading.Semaphore(0), threading.Event()

    class Held:
        def run(self, *arguments: Any) -> Any:
            if threading.current_thread().name.startswith("quire-embed-later"):
                held.release()
                assert go_on.wait(60)
            return session.run(*arguments)

    embedder._network.value = words, Held()
    working = asyncio.create_task(asyncio.to_thread(beside, lambda: embedder.embed(["moon " * 300] * 4)))
    try:
        for _ in range(2):
            assert await asyncio.to_thread(held.acquire, timeout=60)
        async with asyncio.timeout(60):
            assert (await asyncio.to_thread(embedder.embed, ["tides"], "query")).shape == (1, 384)
        assert not working.done()
    finally:
        go_on.set()
    assert (await working).shape == (4, 384)
