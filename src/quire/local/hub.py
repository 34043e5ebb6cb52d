"""The hub: one listener a process on the event table, many who wait for what it hears."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import aclosing
from functools import partial

from quire.domain.errors import QuireError
from quire.domain.events import Event
from quire.local.finish_anyway import sheltered
from quire.local.service import moment
from quire.ports.store import Row, Store, Tx

log = logging.getLogger("quire.events")

BATCH = 500
AGAIN = 0.5


class Hub:
    """Starts listening with its first waiter; a waiter reads rows itself, so none can be lost or held in memory."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiters: set[asyncio.Event] = set()
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    async def last(self) -> int:
        """The newest event's number."""
        return await self._store.read(lambda tx: int(_first(tx.one("last_event"))["seq"]))

    async def after(self, seq: int) -> AsyncIterator[list[Event]]:
        """Everything that happened after `seq`, in order, until the library is closed."""
        wake = asyncio.Event()
        self._waiters.add(wake)
        self._listen()
        try:
            while not self._closed:
                wake.clear()
                events = await self._store.read(partial(_events, after=seq))
                if events:
                    seq = events[-1].seq
                    yield events
                else:
                    await wake.wait()
        finally:
            self._waiters.discard(wake)

    async def close(self) -> None:
        """Ends the listener and everyone who waits."""
        self._closed = True
        self._wake()
        if self._task:
            self._task.cancel()
            await sheltered(_ended(self._task))

    def _listen(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._hear())

    async def _hear(self) -> None:
        while not self._closed:
            try:
                async with aclosing(self._store.changes()) as changes:  # type: ignore[type-var]
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
