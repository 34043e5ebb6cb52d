"""A time limit that is cheap where the work does not wait."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Generator
from types import TracebackType, coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


@coroutine
def by_deadline(when: float, work: Awaitable[Result]) -> Generator[Any, Any, Result]:
    """As `asyncio.timeout_at` around the work, with a timer that is set only once it waits: most calls end before."""
    steps = work.__await__()
    try:
        awaited = steps.send(None)
    except StopIteration as ended:
        result: Result = ended.value
        return result
    with _Timer(when):
        while True:
            error = None
            try:
                yield awaited
            except GeneratorExit:
                steps.close()
                raise
            except BaseException as thrown:
                error = thrown
            try:
                awaited = steps.send(None) if error is None else steps.throw(error)
            except StopIteration as ended:
                result = ended.value
                return result


class _Timer:
    def __init__(self, when: float) -> None:
        self._when = when
        self._passed = False

    def __enter__(self) -> None:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a deadline is for the work of a task")
        self._task = task
        self._cancelled_before = task.cancelling()
        self._handle = asyncio.get_running_loop().call_at(self._when, self._pass)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._handle.cancel()
        if self._passed and self._task.uncancel() <= self._cancelled_before and kind is asyncio.CancelledError:
            raise TimeoutError from error

    def _pass(self) -> None:
        self._passed = True
        self._task.cancel()
