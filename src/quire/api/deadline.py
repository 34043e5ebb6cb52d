"""A time limit that is cheap where the work does not wait."""

from __future__ import annotations

import asyncio
from types import TracebackType


class Deadline:
    """As `asyncio.timeout_at`, with a timer that is set only once the work waits: most calls end before."""

    def __init__(self, when: float) -> None:
        self._when = when
        self._timeout = asyncio.timeout(None)

    async def __aenter__(self) -> None:
        await self._timeout.__aenter__()
        self._setting = asyncio.get_running_loop().call_soon(self._timeout.reschedule, self._when)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._setting.cancel()
        await self._timeout.__aexit__(kind, error, traceback)
