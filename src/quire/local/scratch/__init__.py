"""Scratch: notebooks of cells for a session, which any client can read, edit and run."""

from __future__ import annotations

from quire.local.scratch.editing import Editing
from quire.local.scratch.leaving import Leaving
from quire.local.scratch.making import Making
from quire.local.scratch.running import Running


class Scratches(Running, Leaving, Editing, Making):
    """One service; each of its parts is a file."""


__all__ = ["Scratches"]
