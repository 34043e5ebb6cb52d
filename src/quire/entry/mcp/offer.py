"""What a server offers its clients: a library, tools over it, and its resources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quire.api.library import Library
from quire.entry.mcp.selection import Selection
from quire.entry.mcp.toolbox import Toolbox, all_tools
from quire.entry.resources import NoteResources, Resources


@dataclass(frozen=True)
class Offer:
    library: Library
    toolbox: Toolbox
    resources: Sequence[Resources]


def offer_of(library: Library, selection: Selection, timeout: float = 0) -> Offer:
    """The tools that were selected, and the resources of what this library's engine can do."""
    toolbox = Toolbox(selection, lambda: all_tools(library.capabilities, timeout))
    toolbox.check()
    return Offer(library, toolbox, list(_families(library, selection)))


def _families(library: Library, selection: Selection) -> Iterator[Resources]:
    offered = {capability.service for capability in library.capabilities}
    if "notes" in offered:
        yield NoteResources()
    if "books" in offered:
        from quire.entry.book_resources import BookResources

        yield BookResources()
    if "scratch" in offered and selection.names("scratch"):
        from quire.entry.scratch_resources import ScratchResources

        yield ScratchResources()
