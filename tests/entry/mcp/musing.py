"""A capability that asks the caller's model twice, to prove sampling through all layers."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from quire.api.capability import capabilities_of, capability
from quire.api.library import Library
from quire.domain.errors import Unsupported
from quire.entry.bootstrap import build
from quire.entry.mcp.selection import Selection
from quire.entry.mcp.server import McpServer
from quire.entry.mcp.toolbox import Toolbox
from quire.entry.mcp.tools import CapabilityTool
from quire.entry.settings import load
from quire.local.service import Service


class Mused(BaseModel):
    first: str
    second: str


class Musings(Service):
    noun = "musing"
    toolset = "studio"

    @capability("muse", "read", listed=True)
    async def muse(self, topic: str) -> Mused:
        """Ask the caller's model about a topic, and then about what it said."""
        sampler = self.context.sampler
        if sampler is None:
            raise Unsupported("This needs a client that lends its model.")
        first = await sampler.sample(f"About {topic}", system="Be short.", max_tokens=20)
        second = await sampler.sample(f"Again: {first}")
        return Mused(first=first, second=second)


class MusingLibrary(Library):
    @cached_property
    def musings(self) -> Musings:
        return Musings(self.parts, self.context)

    @classmethod
    def services(cls) -> dict[str, type[Service]]:
        return {**super().services(), "musings": Musings}


def musing_library(home: Path) -> MusingLibrary:
    return MusingLibrary(build(load({"home": home}, {})).parts)


def musing_tools() -> list[CapabilityTool]:
    return [CapabilityTool(one) for one in capabilities_of(MusingLibrary) if one.tool == "muse"]


def musing_door(library: Library) -> McpServer:
    """A server that offers `muse` alone."""
    empty: Any = {}
    return McpServer(MusingLibrary(library.parts), Toolbox(Selection(), musing_tools()), [], empty, local=False)
