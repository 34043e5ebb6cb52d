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
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._unwatch()

    def handle_events(self) -> None:
        super().handle_events()
        if self.conn.their_state is not h11.IDLE:
            self._unwatch()
        elif self._deadline is None:
            self._watch()

    def _watch(self) -> None:
        self._deadline = self.loop.call_later(self.head_seconds, self.timeout_keep_alive_handler)

    def _unwatch(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
