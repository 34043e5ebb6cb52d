"""The parts of a notebook, each after those that it refers to. A noun that comes to notebooks gets a row here."""

from __future__ import annotations

from typing import Any

from quire.local.transfer.artifacts import ARTIFACTS
from quire.local.transfer.conversations import CONVERSATIONS, TURNS
from quire.local.transfer.notebook import NOTEBOOK
from quire.local.transfer.notes import DELETED_NOTES, NOTES
from quire.local.transfer.part import Part
from quire.local.transfer.sources import LABELS, SOURCES, VERSIONS

PARTS: tuple[Part[Any], ...] = (
    NOTEBOOK, SOURCES, VERSIONS, LABELS, CONVERSATIONS, TURNS, NOTES, DELETED_NOTES, ARTIFACTS,
)  # fmt: skip
