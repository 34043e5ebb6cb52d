"""Books: a store of files that many write at once, with hashes, history and a log."""

from __future__ import annotations

from quire.services.books.archiving import Archiving
from quire.services.books.assets import Assets
from quire.services.books.audit import Audit
from quire.services.books.content import Contents
from quire.services.books.editing import Editing
from quire.services.books.history import History
from quire.services.books.overlays import Overlays
from quire.services.books.registry import Registry
from quire.services.books.searching import Searching
from quire.services.books.sourcing import Sourcing
from quire.services.books.summaries import Summaries
from quire.services.books.sweeping import Sweeping


class Books(
    Sourcing, Sweeping, Archiving, Searching, Overlays, Audit, History, Assets, Summaries, Editing, Contents, Registry
):
    """One service; each of its parts is a file."""


__all__ = ["Books"]
