"""A capability that asks the caller's model twice, to prove sampling through all layers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel

from quire.api.capability import capability
from quire.api.library import Library
from quire.api.noun import Noun
from quire.domain.errors import Unsupported
from quire.entry.bootstrap import build
from quire.entry.mcp.offer import Offer
from quire.entry.mcp.selection import Selection
from quire.entry.mcp.server import McpServer
from quire.entry.mcp.toolbox import Toolbox, all_tools
from quire.entry.mcp.tools import Tool
from quire.entry.settings import load
from quire.local.engine import LocalEngine
from quire.local.scope import Scope


class Mused(BaseModel):
    first: str
    second: str


class Musings(Noun):
    noun = "musing"
    toolset = "studio"

    @capability("muse", "read", listed=True)
    async def muse(self, topic: str) -> Mused:
        """Ask the caller's model about a topic, and then about what it said."""


class LocalMusings:
    async def muse(self, scope: Scope, topic: str) -> Mused:
        sampler = scope.context.sampler
        if sampler is None:
            raise Unsupported("This needs a client that lends its model.")
        first = await sampler.sample(f"About {topic}", system="Be short.", max_tokens=20)
        second = await sampler.sample(f"Again: {first}")
        return Mused(first=first, second=second)


class MusingEngine(LocalEngine):
    nouns: ClassVar[Mapping[str, type]] = {**LocalEngine.nouns, "musings": LocalMusings}

    def _made(self) -> dict[str, Any]:
        return {**super()._made(), "musings": LocalMusings()}


class MusingLibrary(Library):
    nouns: ClassVar[Mapping[str, type[Noun]]] = {**Library.nouns, "musings": Musings}

    @cached_property
    def musings(self) -> Musings:
        return self._noun("musings", Musings)


def musing_library(home: Path) -> MusingLibrary:
    return MusingLibrary(MusingEngine(build(load({"home": home}, {})).engine.parts))


def musing_tools() -> list[Tool]:
    return list(all_tools(one for one in MusingLibrary.offered_by(MusingEngine) if one.tool == "muse"))


def musing_door(library: Library) -> McpServer:
    """A server that offers `muse` alone."""
    empty: Any = {}
    musing = MusingLibrary(MusingEngine(library.engine.parts))
    offer = Offer(musing, Toolbox(Selection(), musing_tools), [])
    return McpServer(lambda: offer, empty, local=False)
