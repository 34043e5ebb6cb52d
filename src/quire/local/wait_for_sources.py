"""Whether a notebook's sources can be asked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from quire.domain.errors import Conflict, NotFound, QuireError, TimedOut
from quire.local.service import Service

READING_SECONDS = 60.0
POLL = 0.05


async def ready(service: Service, source_ids: Sequence[str] | None) -> tuple[str, QuireError | None]:
    """Waits for sources that are still being read, within reason; works on them where no worker runs in this process.

    Gives the notebook's id, and what to say where nothing is found and not one of the sources can be asked.
    """
    until = _until(service)
    while True:
        notebook_id, states = await service.read(
            lambda tx: (
                service.notebook_id,
                {row["id"]: row["state"] for row in tx.all("source_states", notebook_id=service.notebook_id)},
            )
        )
        if not states:
            raise Conflict("The notebook has no sources.", hint="Add a source first.", reason="no_sources")
        for id in source_ids or ():
            if id not in states:
                raise NotFound("source", id)
        wanted = {states[id] for id in source_ids} if source_ids else set(states.values())
        if "processing" not in wanted or asyncio.get_running_loop().time() > until:
            return notebook_id, _unread(wanted)
        if not service.parts.workers.serving:
            await _work(service, until)
        await asyncio.sleep(POLL)


def _until(service: Service) -> float:
    """Most of the time that the call has, so that some is left for the answer."""
    now = asyncio.get_running_loop().time()
    if service.context.deadline is None:
        return now + READING_SECONDS
    return now + min(READING_SECONDS, (service.context.deadline - now) * 2 / 3)


async def _work(service: Service, until: float) -> None:
    from quire.api.library import Library

    with suppress(TimeoutError):
        async with asyncio.timeout_at(until):
            await service.parts.workers.take(Library(service.parts, service.context))


def _unread(states: set[str]) -> QuireError | None:
    if "ready" in states:
        return None
    if "processing" in states:
        return TimedOut("The sources are still being read.", hint="wait_for_source waits for one.")
    return Conflict("None of the sources could be read.", hint="list_sources tells why.", reason="no_sources")
