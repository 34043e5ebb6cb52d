"""A client's connection, which is not held open for a request that never comes."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class Connection(H11Protocol):
    """Uvicorn's own waits for ever for the head of a request; this one closes after `head_seconds`.

    However few bytes come meanwhile, the time counts from the connection or the last answer on. Where there are more
    than `most` connections, the slowest of those that are still sending makes room for the next.
    """

    head_seconds = 30.0
    most = 900
    # So long nobody is called slow.
    grace = 1.0
    _waits_since: float | None = None
    _timer: asyncio.TimerHandle | None = None
    _since = 0.0
    _heard = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()
        self._watch()
        if len(self.connections) > self.most:
            self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._timer is not None:
            self._timer.cancel()

    def data_received(self, data: bytes) -> None:
        self._heard += len(data)
        super().data_received(data)

    def handle_events(self) -> None:
        super().handle_events()
        if self.conn.their_state is not h11.IDLE:
            self._waits_since = None
        elif self._waits_since is None:
            self._wait()

    def pace(self, now: float) -> float:
        """Bytes a second of a request that is not there yet; of none that is, nor of one that has only begun."""
        waits = self.conn.their_state in (h11.IDLE, h11.SEND_BODY) and now - self._since > self.grace
        return self._heard / (now - self._since) if waits and not self.transport.is_closing() else float("inf")

    def _make_room(self) -> None:
        now = self.loop.time()
        others = (one for one in self.connections if isinstance(one, Connection) and one is not self)
        slowest = min(others, key=lambda one: one.pace(now), default=None)
        if slowest is not None and slowest.pace(now) < float("inf"):
            slowest.transport.abort()

    def _wait(self) -> None:
        self._waits_since = self._since = self.loop.time()
        self._heard = 0

    def _watch(self) -> None:
        """One timer for a connection rather than for each of its requests: it looks again when one could be late."""
        now = self.loop.time()
        due = (now if self._waits_since is None else self._waits_since) + self.head_seconds
        if due > now:
            self._timer = self.loop.call_at(due, self._watch)
        else:
            self.timeout_keep_alive_handler()
