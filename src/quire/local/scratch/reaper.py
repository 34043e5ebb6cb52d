"""Ends the kernels of notebooks that nobody uses any more, in whatever process has them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from quire.domain.errors import QuireError
from quire.ports.finish_anyway import finish_anyway

log = logging.getLogger("quire.scratch")

LOOK_EVERY = 60.0


class KernelReaper:
    """Sweeps from the first kernel of this process to the last, whether or not it has workers."""

    def __init__(
        self, sweep: Callable[[], Awaitable[object]], alive: Callable[[], set[str]], every: float = LOOK_EVERY
    ) -> None:
        self.every = every
        self._sweep = sweep
        self._alive = alive
        self._task: asyncio.Task[None] | None = None

    def watch(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._reap())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await finish_anyway(_ended(self._task))

    async def _reap(self) -> None:
        while True:
            await asyncio.sleep(self.every)
            try:
                await self._sweep()
            except QuireError as error:
                log.warning("sweeping scratch notebooks was put off: %s", error.message)
            if not self._alive():
                return


async def _ended(task: asyncio.Task[None]) -> None:
    await asyncio.wait({task})
