"""Overlays: a reader's own copies of a book's files, which nobody else sees."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from quire.domain.books import Fact

MOST_OVERLAYS = 1_000

Overlaid = Annotated[bool, Field(description="With your own copies.")]


class Overlay(Fact):
    """A copy; `base_changed` tells that the book's file is another by now than when the copy was made."""

    path: str
    file_size: int
    file_hash: str
    last_modified: datetime
    base_hash: str | None
    base_changed: bool


class OverlayWritten(Fact):
    status: Literal["success"] = "success"
    path: str
    file_size: int
    file_hash: str
    mode: Literal["created", "updated"]
    base_hash: str | None
