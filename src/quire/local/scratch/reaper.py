"""Ends the kernels of notebooks that nobody uses any more, in whatever process has them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from quire.domain.errors import QuireError
from quire.local.finish_anyway import sheltered

log = logging.getLogger("quire.scratch")

LOOK_EVERY = 60.0


class Reaper:
    """Begins with the first kernel, ends with the last."""

    def __init__(self, every: float = LOOK_EVERY) -> None:
        self._every = every
        self._task: asyncio.Task[None] | None = None

    def watch(self, sweep: Callable[[], Awaitable[object]], alive: Callable[[], set[str]]) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._reap(sweep, alive))

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await sheltered(_ended(self._task))

    async def _reap(self, sweep: Callable[[], Awaitable[object]], alive: Callable[[], set[str]]) -> None:
        while True:
            await asyncio.sleep(self._every)
            try:
                await sweep()
            except QuireError as error:
                log.warning("sweeping scratch notebooks was put off: %s", error.message)
            if not alive():
                return


async def _ended(task: asyncio.Task[None]) -> None:
    await asyncio.wait({task})
