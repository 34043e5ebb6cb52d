"""The hub: one listener a process on the event table, many who wait for what it hears."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, suppress
from functools import partial

from quire.domain.events import Event
from quire.services.ports import Row, Store, Tx
from quire.services.service import moment

BATCH = 500


class Hub:
    """Starts listening with its first waiter; a waiter reads rows itself, so none can be lost or held in memory."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiters: set[asyncio.Event] = set()
        self._task: asyncio.Task[None] | None = None

    async def last(self) -> int:
        """The newest event's number."""
        return await self._store.read(lambda tx: int(_first(tx.one("last_event"))["seq"]))

    async def after(self, seq: int, ready: Callable[[], None] | None = None) -> AsyncIterator[list[Event]]:
        """Everything that happened after `seq`, in order, without end."""
        wake = asyncio.Event()
        self._waiters.add(wake)
        self._listen()
        if ready:
            ready()
        try:
            while True:
                events = await self._store.read(partial(_events, after=seq))
                if events:
                    seq = events[-1].seq
                    yield events
                    continue
                await wake.wait()
                wake.clear()
        finally:
            self._waiters.discard(wake)

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def _listen(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._hear())

    async def _hear(self) -> None:
        async with aclosing(self._store.changes()) as changes:  # type: ignore[type-var]
            async for _ in changes:
                for wake in self._waiters:
                    wake.set()


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
