"""A run that is told to stop: why, and by when it must have."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from quire.ports.cells import Ending

OBEY_SECONDS = 4.0


class Stopping:
    def __init__(self) -> None:
        self.why: Ending | None = None
        self._by: float | None = None
        self._waiting: asyncio.Timeout | None = None

    @property
    def begun(self) -> bool:
        return self._by is not None

    def begin(self, why: Ending | None) -> None:
        """From now on whoever waits does so for a few seconds more at most."""
        self.why = self.why or why
        if self._by is None:
            self._by = asyncio.get_running_loop().time() + OBEY_SECONDS
            if self._waiting is not None:
                self._waiting.reschedule(self._by)

    @asynccontextmanager
    async def patience(self, until: float) -> AsyncIterator[None]:
        """Raises TimeoutError when it is too late."""
        async with asyncio.timeout_at(until if self._by is None else self._by) as self._waiting:
            try:
                yield
            finally:
                self._waiting = None
