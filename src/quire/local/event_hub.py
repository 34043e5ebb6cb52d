"""The hub: one listener a process on the event table, many who wait for what it hears."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, contextmanager
from functools import partial

from quire.domain.errors import QuireError
from quire.domain.events import Event
from quire.local.scope import SystemScope
from quire.local.timestamps import moment
from quire.ports.finish_anyway import finish_anyway
from quire.ports.store import Row, Tx

log = logging.getLogger("quire.events")

BATCH = 500
AGAIN = 0.5


class Hub:
    """Starts listening with its first waiter; a waiter reads rows itself, so none can be lost or held in memory."""

    def __init__(self, system: SystemScope) -> None:
        self._system = system
        self._waiters: set[asyncio.Event] = set()
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    async def last(self) -> int:
        """The newest event's number."""
        return await self._system.read(lambda tx: int(_first(tx.one("last_event"))["seq"]))

    async def after(self, seq: int) -> AsyncIterator[list[Event]]:
        """Everything that happened after `seq`, in order, until the library is closed."""
        with self.commits() as heard:
            while not self._closed:
                heard.clear()
                events = await self._system.read(partial(_events, after=seq))
                if events:
                    seq = events[-1].seq
                    yield events
                else:
                    await heard.wait()

    @contextmanager
    def commits(self) -> Iterator[asyncio.Event]:
        """An event that is set whenever someone may have committed; whoever waits for it clears it first."""
        heard = asyncio.Event()
        self._waiters.add(heard)
        self._listen()
        try:
            yield heard
        finally:
            self._waiters.discard(heard)

    async def readable(self, actor_id: str) -> set[str]:
        """The notebooks whose events an actor may hear of."""
        rows = await self._system.read(lambda tx: tx.all("readable_by", person_id=actor_id))
        return {row["notebook_id"] for row in rows}

    async def close(self) -> None:
        """Ends the listener and everyone who waits."""
        self._closed = True
        self._wake()
        if self._task and not self._task.done():
            self._task.cancel()
            await finish_anyway(_ended(self._task))

    def _listen(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._hear())

    async def _hear(self) -> None:
        while not self._closed:
            try:
                async with aclosing(self._system.changes()) as changes:  # type: ignore[type-var]
                    async for _ in changes:
                        self._wake()
            except QuireError as error:
                log.warning("events cannot be heard for now: %s", error.message)
                self._wake()
            await asyncio.sleep(AGAIN)

    def _wake(self) -> None:
        for wake in self._waiters:
            wake.set()


async def _ended(task: asyncio.Task[None]) -> None:
    await asyncio.wait({task})


def _events(tx: Tx, after: int) -> list[Event]:
    return [
        Event(
            seq=row["seq"],
            notebook_id=row["notebook_id"],
            kind=row["kind"],
            subject_id=row["subject_id"],
            at=moment(row["at"]),
        )
        for row in tx.all("events_after", after=after, limit=BATCH)
    ]


def _first(row: Row | None) -> Row:
    if row is None:
        raise RuntimeError("a query that always gives a row gave none")
    return row
