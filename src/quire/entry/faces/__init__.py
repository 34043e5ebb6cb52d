"""The contracts' tools: a file a contract."""

from __future__ import annotations

from typing import Any

from quire.entry.faces.books import BOOK_FACES
from quire.entry.faces.face import Face
from quire.entry.faces.notebooks import NOTEBOOK_FACES
from quire.entry.faces.notes import NOTE_FACES

FACES: tuple[Face[Any, Any], ...] = (*NOTEBOOK_FACES, *NOTE_FACES, *BOOK_FACES)
