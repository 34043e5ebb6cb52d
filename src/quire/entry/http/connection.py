"""A client's connection, which is not held open for a request that never comes."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class Connection(H11Protocol):
    """Uvicorn's own waits for ever for the head of a request; this one closes after `head_seconds`.

    However few bytes come meanwhile, the time counts from the connection or the last answer on.
    """

    head_seconds = 30.0
    _waits_since: float | None = None
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._waits_since = self.loop.time()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._timer is not None:
            self._timer.cancel()

    def handle_events(self) -> None:
        super().handle_events()
        if self.conn.their_state is not h11.IDLE:
            self._waits_since = None
        elif self._waits_since is None:
            self._waits_since = self.loop.time()

    def _watch(self) -> None:
        """One timer for a connection rather than for each of its requests: it looks again when one could be late."""
        now = self.loop.time()
        due = (now if self._waits_since is None else self._waits_since) + self.head_seconds
        if due > now:
            self._timer = self.loop.call_at(due, self._watch)
        else:
            self.timeout_keep_alive_handler()
