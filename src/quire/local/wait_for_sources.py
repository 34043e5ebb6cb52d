"""Whether a notebook's sources can be asked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from quire.domain.errors import Conflict, NotFound, QuireError, TimedOut
from quire.local.event_hub import Hub
from quire.local.job_queue import LOOK_AGAIN, JobQueue
from quire.local.scope import Scope
from quire.local.workers import READING
from quire.ports.store import Tx

READING_SECONDS = 60.0


class SourcesAwaited:
    """Waits for sources that are still being read, within reason."""

    def __init__(self, hub: Hub, jobs: JobQueue) -> None:
        self._hub = hub
        self._jobs = jobs

    async def ready(self, scope: Scope, source_ids: Sequence[str] | None) -> tuple[str, QuireError | None]:
        """The notebook's id, and what to say where nothing is found and not one of the sources can be asked.

        Works on what waits to be read where no worker runs in this process.
        """

        def states_of(tx: Tx) -> dict[str, str]:
            return {row["id"]: row["state"] for row in tx.all("source_states", notebook_id=scope.notebook_id)}

        until = _until(scope)
        with self._hub.commits() as heard:
            while True:
                heard.clear()
                states = await scope.read(states_of)
                if not states:
                    raise Conflict("The notebook has no sources.", hint="Add a source first.", reason="no_sources")
                for id in source_ids or ():
                    if id not in states:
                        raise NotFound("source", id)
                wanted = {states[id] for id in source_ids} if source_ids else set(states.values())
                if "processing" not in wanted or asyncio.get_running_loop().time() > until:
                    return scope.notebook_id, _unread(wanted)
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(until):
                        if self._jobs.workers.serving or not await self._jobs.workers.take(lane=READING):
                            # What another process reads may be up for the taking again without anyone telling.
                            await asyncio.wait_for(heard.wait(), LOOK_AGAIN)


def _until(scope: Scope) -> float:
    """Most of the time that the call has, so that some is left for the answer."""
    now = asyncio.get_running_loop().time()
    if scope.context.deadline is None:
        return now + READING_SECONDS
    return now + min(READING_SECONDS, (scope.context.deadline - now) * 2 / 3)


def _unread(states: set[str]) -> QuireError | None:
    if "ready" in states:
        return None
    if "processing" in states:
        return TimedOut("The sources are still being read.", hint="wait_for_source waits for one.")
    return Conflict("None of the sources could be read.", hint="list_sources tells why.", reason="no_sources")
