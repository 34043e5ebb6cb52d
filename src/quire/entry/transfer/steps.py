"""Steps of a move: each done once, however often the move is stopped and begun again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from quire.domain.errors import LimitReached, NotSignedIn, QuireError, TimedOut, Upstream, WireDrift
from quire.domain.transfers import Moved
from quire.entry.transfer.ledger import Ledger

# What a process that was killed had sent may be done a moment after its successor looks.
LOOK_AGAIN = 2.0
IN_A_ROW = 3

Facts = dict[str, Any]
Make = Callable[[], Awaitable[Facts]]
Find = Callable[[], Awaitable[Facts | None]]
Sleep = Callable[[float], Awaitable[None]]


class Steps:
    """`failed` tells of a step that came to nothing; what may pass is tried by the next run."""

    def __init__(self, ledger: Ledger, sleep: Sleep = asyncio.sleep) -> None:
        self.ledger = ledger
        self._sleep = sleep
        self._failing = 0

    async def once(self, key: str, make: Make, find: Find, **facts: Any) -> Facts:
        """What a step came to, now or in a run before: `id` and whatever else is to be remembered.

        `find` looks for what a step has made whose end nobody saw.
        """
        if key in self.ledger.done:
            return self.ledger.done[key]
        found = await self._found(find) if key in self.ledger.begun else None
        if found is None:
            self.ledger.begin(key, **facts)
            found = await self._made(key, make, find)
        self.ledger.end(key, **found)
        self._failing = 0
        return found

    async def _made(self, key: str, make: Make, find: Find) -> Facts:
        try:
            return await make()
        except QuireError as error:
            if error.details.get("outcome") == "unknown" or isinstance(error, TimedOut):
                found = await self._found(find)
                if found is not None:
                    return found
            else:
                self.ledger.drop(key)
            raise

    async def _found(self, find: Find) -> Facts | None:
        found = await find()
        if found is None:
            await self._sleep(LOOK_AGAIN)
            found = await find()
        return found

    def failed(self, error: QuireError, moved: Moved) -> Moved:
        """The thing as not moved. Raises where going on makes no sense: whoever comes again goes on from here."""
        self._failing += isinstance(error, LimitReached | Upstream | TimedOut) and not isinstance(error, WireDrift)
        if isinstance(error, NotSignedIn) or self._failing >= IN_A_ROW:
            error.hint = " ".join(filter(None, [error.hint, "Run it again to go on where it stopped."]))
            raise error
        return moved.model_copy(update={"moved_as": "nothing", "new_id": None, "lost": error.message})
