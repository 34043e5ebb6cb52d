"""Whether a notebook's sources can be asked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from quire.domain.errors import Conflict, NotFound, QuireError, TimedOut
from quire.local.event_hub import Hub
from quire.local.job_queue import LOOK_AGAIN, JobQueue
from quire.local.scope import Scope
from quire.local.workers import READING
from quire.ports.store import Row, Tx

READING_SECONDS = 60.0
NAMED = 3


@dataclass(frozen=True)
class Readiness:
    """Which of the sources were not read in time, and what to say where nothing is found in the others."""

    notebook_id: str
    warnings: tuple[str, ...]
    nothing_found: QuireError | None


class SourcesAwaited:
    """Waits for sources that are still being read, within reason."""

    def __init__(self, hub: Hub, jobs: JobQueue) -> None:
        self._hub = hub
        self._jobs = jobs

    async def ready(self, scope: Scope, source_ids: Sequence[str] | None) -> Readiness:
        """How it stands once nothing is being read, or the time for that is over.

        Works on what waits to be read where no worker runs in this process.
        """

        def sources_of(tx: Tx) -> dict[str, Row]:
            return {row["id"]: row for row in tx.all("source_states", notebook_id=scope.notebook_id)}

        until = _until(scope)
        with self._hub.commits() as heard:
            while True:
                heard.clear()
                sources = await scope.read(sources_of)
                if not sources:
                    raise Conflict("The notebook has no sources.", hint="Add a source first.", reason="no_sources")
                for id in source_ids or ():
                    if id not in sources:
                        raise NotFound("source", id)
                wanted = [sources[id] for id in source_ids or sources]
                unread = [one["title"] for one in wanted if one["state"] == "processing"]
                if not unread or asyncio.get_running_loop().time() > until:
                    nothing_found = _nothing_found({one["state"] for one in wanted})
                    return Readiness(scope.notebook_id, _warnings(unread), nothing_found)
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


def _warnings(unread: list[str]) -> tuple[str, ...]:
    if not unread:
        return ()
    more = f" and {len(unread) - NAMED} more" if len(unread) > NAMED else ""
    return (f"Not read yet, and not part of this answer: {', '.join(unread[:NAMED])}{more}.",)


def _nothing_found(states: set[str]) -> QuireError | None:
    if "ready" in states:
        return None
    if "processing" in states:
        return TimedOut("The sources are still being read.", hint="wait_for_source waits for one.")
    return Conflict("None of the sources could be read.", hint="list_sources tells why.", reason="no_sources")
