"""Waiting for a source that is being read."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from quire.domain.errors import QuireError
from quire.domain.sources import Source
from quire.local.job_queue import JobQueue
from quire.local.scope import Scope
from quire.local.source_rows import one_source

# Whoever adds something waits until it is read, but for a little less than the call may take.
WAIT_SECONDS = 110.0
FILE_WAIT_SECONDS = 3_500.0
MARGIN = 3.0


class SourceWaiting:
    def __init__(self, jobs: JobQueue) -> None:
        self._jobs = jobs

    async def wait(
        self, scope: Scope, source_id: str, job_id: str, wait: bool, seconds: float = WAIT_SECONDS
    ) -> Source:
        self._jobs.workers.wake()
        if wait:
            await self.patiently(scope, self.finished(scope, job_id), seconds)
        return await scope.read(lambda tx: one_source(tx, source_id))

    async def patiently(self, scope: Scope, waiting: Coroutine[Any, Any, None], seconds: float = WAIT_SECONDS) -> None:
        """Waits for nearly as long as the call may take; what is left over goes on after it, in this process."""
        left = seconds_left(scope)
        try:
            async with asyncio.timeout(min(seconds, left - min(MARGIN, left / 3))):
                await waiting
        except TimeoutError:
            self._jobs.go_on()

    async def finished(self, scope: Scope, job_id: str) -> None:
        """A source that cannot be read is not an error of the call: its state says so."""
        with suppress(QuireError):
            job = await self._jobs.finish(scope, job_id, ours=False)
            if embedding := (job.result or {}).get("embedding"):
                await self.learned(scope, embedding)

    async def learned(self, scope: Scope, job_id: str) -> None:
        """Where nobody makes vectors in this process beside the calls, they are made before the call ends."""
        if not (self._jobs.workers.serving or self._jobs.workers.lingering):
            with suppress(QuireError):
                await self._jobs.finish(scope, job_id, ours=False)


def seconds_left(scope: Scope) -> float:
    """Seconds that the caller gives this call."""
    if scope.context.deadline is None:
        return math.inf
    return scope.context.deadline - asyncio.get_running_loop().time()
