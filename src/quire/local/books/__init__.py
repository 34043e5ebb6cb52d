"""Books: a store of files that many write at once, with hashes, history and a log."""

from __future__ import annotations

from quire.local.books.archiving import Archiving
from quire.local.books.assets import Assets
from quire.local.books.audit import Audit
from quire.local.books.content import Contents
from quire.local.books.editing import Editing
from quire.local.books.history import History
from quire.local.books.overlays import Overlays
from quire.local.books.registry import Registry
from quire.local.books.searching import Searching
from quire.local.books.sourcing import Sourcing
from quire.local.books.summaries import Summaries
from quire.local.books.sweeping import Sweeping


class Books(
    Sourcing, Sweeping, Archiving, Searching, Overlays, Audit, History, Assets, Summaries, Editing, Contents, Registry
):
    """One service; each of its parts is a file."""


__all__ = ["Books"]
