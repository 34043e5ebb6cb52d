"""Looking again, less and less often, until something that is made at Google is over."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from quire.domain.errors import TimedOut
from quire.notebooklm.engine.scope import GoogleScope

FIRST_LOOK, LONGEST_LOOK = 0.5, 10.0
# What is left of a call's time for its answer.
MARGIN = 2.0

Thing = TypeVar("Thing")


class Polling:
    """`first` is how long it rests before it looks again for the first time."""

    def __init__(self, first: float = FIRST_LOOK) -> None:
        self._first = first

    async def until(
        self,
        scope: GoogleScope,
        thing: Thing,
        over: Callable[[Thing], bool],
        look: Callable[[], Awaitable[Thing]],
        *,
        doing: str,
        seconds: float,
        patient: bool = True,
    ) -> Thing:
        """The thing once it is over. Where that takes too long a `patient` call fails, another gives what there is."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        end = begun + seconds
        if scope.context.deadline is not None:
            end = min(end, scope.context.deadline - MARGIN)
        rest = self._first
        while not over(thing):
            if loop.time() + rest > end:
                if patient:
                    raise TimedOut(f"{doing} takes longer: it goes on at Google.")
                return thing
            await scope.context.report(round(loop.time() - begun), None, doing)
            await asyncio.sleep(rest)
            rest = min(rest * 1.6, LONGEST_LOOK)
            thing = await look()
        return thing
