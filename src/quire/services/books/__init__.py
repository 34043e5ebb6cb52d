"""Books: a store of files that many write at once, with hashes, history and a log."""

from __future__ import annotations

from quire.services.books.content import Contents
from quire.services.books.registry import Registry


class Books(Registry, Contents):
    """One service; each of its parts is a file."""


__all__ = ["Books"]
