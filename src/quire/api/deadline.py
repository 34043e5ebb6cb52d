"""A time limit that is cheap where the work does not wait."""

from __future__ import annotations

import asyncio
from types import TracebackType


class Deadline:
    """As `asyncio.timeout_at`, with a timer that is set only once the work waits: most calls end before."""

    def __init__(self, when: float) -> None:
        self._when = when
        self._passed = False

    def __enter__(self) -> None:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a deadline is for the work of a task")
        self._task = task
        self._cancelled_before = task.cancelling()
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.Handle = self._loop.call_soon(self._wait)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._timer.cancel()
        if self._passed and self._task.uncancel() <= self._cancelled_before and kind is asyncio.CancelledError:
            raise TimeoutError from error

    def _wait(self) -> None:
        self._timer = self._loop.call_at(self._when, self._pass)

    def _pass(self) -> None:
        self._passed = True
        self._task.cancel()
