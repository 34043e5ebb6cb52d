"""Libraries on an engine of the test's own: every service of theirs ends in one way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from quire.api.context import Context
from quire.api.library import Library
from quire.domain.errors import QuireError

NOUNS = ("notebooks", "sources", "chat", "health")


class Ending:
    """A service whose every method raises."""

    def __init__(self, context: Context, error: Callable[[Context], QuireError]) -> None:
        self._context = context
        self._error = error

    def __getattr__(self, name: str) -> Any:
        async def method(*given: Any, **named: Any) -> None:
            raise self._error(self._context)

        return method


def engine(error: Callable[[Context], QuireError]) -> type[Library]:
    class Engine(Library):
        def __init__(self, engine: Any, context: Context | None = None) -> None:
            super().__init__(engine, context)
            for noun in NOUNS:
                vars(self)[noun] = Ending(self.context, error)

    return Engine


def failing(error: QuireError) -> type[Library]:
    """An engine that fails."""
    return engine(lambda context: error)


def telling_time() -> type[Library]:
    """An engine that fails by saying how many seconds it was given."""

    def told(context: Context) -> QuireError:
        assert context.deadline is not None
        return QuireError("No time.", seconds=round(context.deadline - asyncio.get_running_loop().time()))

    return engine(told)
