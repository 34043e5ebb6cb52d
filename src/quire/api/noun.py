"""A noun: the capabilities around one kind of thing, on behalf of one caller."""

from __future__ import annotations

from typing import Any, ClassVar

from quire.api.context import Context
from quire.api.engine import Engine


class Noun:
    """Its methods are declarations; `done_by` is the engine's object that has methods of the same names."""

    noun: ClassVar[str]
    toolset: ClassVar[str]

    def __init__(self, engine: Engine, done_by: Any, context: Context) -> None:
        self.engine = engine
        self.done_by = done_by
        self.context = context
