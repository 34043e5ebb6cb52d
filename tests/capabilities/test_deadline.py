"""A time limit whose timer is set only where the work waits."""

from __future__ import annotations

import asyncio

import pytest

from quire.api.deadline import by_deadline

pytestmark = pytest.mark.anyio

LONG_AGO = 0.0


async def test_work_that_does_not_wait_is_done_whatever_the_time() -> None:
    async def work() -> int:
        return 7

    assert await by_deadline(LONG_AGO, work()) == 7


async def test_work_that_waits_is_ended_and_may_tidy_up() -> None:
    tidied = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            tidied.append(True)

    with pytest.raises(TimeoutError):
        await by_deadline(LONG_AGO, work())
    assert tidied
    task = asyncio.current_task()
    assert task is not None
    assert not task.cancelling()


async def test_results_and_errors_of_work_that_waits_come_through() -> None:
    far = asyncio.get_running_loop().time() + 1_000

    async def work(error: Exception | None) -> int:
        await asyncio.sleep(0)
        try:
            await asyncio.wait_for(asyncio.Event().wait(), 0)
        except TimeoutError:
            if error is not None:
                raise error from None
        await asyncio.sleep(0)
        return 7

    assert await by_deadline(far, work(None)) == 7
    with pytest.raises(LookupError):
        await by_deadline(far, work(LookupError()))


async def test_a_caller_who_cancels_is_not_told_of_a_time_limit() -> None:
    begun = asyncio.Event()

    async def work() -> None:
        begun.set()
        await asyncio.Event().wait()

    async def call() -> None:
        await by_deadline(asyncio.get_running_loop().time() + 1_000, work())

    task = asyncio.create_task(call())
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_call_that_is_given_up_closes_its_work() -> None:
    closed = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            closed.append(True)

    async def call() -> None:
        await by_deadline(asyncio.get_running_loop().time() + 1_000, work())

    called = call()
    called.send(None)
    called.close()
    assert closed
