"""What follows from a change to a book's files, inside the transaction that makes it."""

from __future__ import annotations

from dataclasses import dataclass

from quire.services.ports import Tx


@dataclass(frozen=True)
class Change:
    """A file as it is from now on; without a hash it is gone. `data` is left out where it is too large to hold."""

    book_id: str
    path: str
    sha256: str | None
    size: int
    mime: str
    data: bytes | None


def changed(tx: Tx, change: Change) -> None:
    """Called for every change, before the bytes are placed; indexes that must agree with the files hang on this."""
