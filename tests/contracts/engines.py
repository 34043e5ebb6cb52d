"""Libraries on an engine of the test's own: every service of theirs ends in one way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from quire.api.context import Context
from quire.api.engine import Scope
from quire.api.library import Library
from quire.domain.errors import QuireError

NOUNS = ("notebooks", "sources", "chat", "health")


class Ending:
    """A part of an engine whose every method raises."""

    def __init__(self, error: Callable[[Context], QuireError]) -> None:
        self._error = error

    def __getattr__(self, name: str) -> Any:
        def method(scope: Scope, **arguments: Any) -> None:
            raise self._error(scope.context)

        return method


def engine(error: Callable[[Context], QuireError]) -> type[Library]:
    class Engine(Library):
        def _noun(self, name: str, kind: type[Any]) -> Any:
            done_by = Ending(error) if name in NOUNS else self.engine.done_by(name)
            return kind(self.engine, done_by, self.context)

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
