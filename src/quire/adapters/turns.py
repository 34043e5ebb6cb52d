"""Whose turn it is where callers and workers meet: a caller's first."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Generic, TypeVar

from quire.ports.background import in_background

Item = TypeVar("Item")

# After so many callers in a row one of the others has its turn, so that nobody waits for ever.
IN_A_ROW = 8


class Line(Generic[Item]):
    """Two queues: what is put in the background comes when nothing else waits, or after several others."""

    def __init__(self) -> None:
        self._first: deque[Item] = deque()
        self._later: deque[Item] = deque()
        self._passed = 0

    def put(self, item: Item, *, later: bool) -> None:
        (self._later if later else self._first).append(item)

    def get(self) -> Item | None:
        """The next, or None; several threads may ask at once."""
        while self._first or self._later:
            try:
                if self._first and (self._passed < IN_A_ROW or not self._later):
                    item = self._first.popleft()
                    self._passed = self._passed + 1 if self._later else 0
                else:
                    item = self._later.popleft()
                    self._passed = 0
            except IndexError:  # Another thread was quicker.
                continue
            return item
        return None


class Turns:
    """At most `places` at once, on one event loop. Whoever leaves while waiting takes no place."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._line: Line[asyncio.Future[None]] = Line()

    @asynccontextmanager
    async def taken(self) -> AsyncIterator[None]:
        if self._free:
            self._free -= 1
        else:
            called = asyncio.get_running_loop().create_future()
            self._line.put(called, later=in_background())
            try:
                await called
            except asyncio.CancelledError:
                if called.done() and not called.cancelled():
                    self._leave()
                raise
        try:
            yield
        finally:
            self._leave()

    def _leave(self) -> None:
        while (called := self._line.get()) is not None:
            if not called.done():
                called.set_result(None)
                return
        self._free += 1


class GiveWay:
    """For threads: work in the background begins while no caller's is in hand, or after `patience` seconds."""

    def __init__(self, patience: float = 1.0) -> None:
        self._patience = patience
        self._changed = threading.Condition()
        self._callers = 0

    @contextmanager
    def for_a_caller(self) -> Iterator[None]:
        with self._changed:
            self._callers += 1
        try:
            yield
        finally:
            with self._changed:
                self._callers -= 1
                self._changed.notify_all()

    def let_callers_pass(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: not self._callers, self._patience)
