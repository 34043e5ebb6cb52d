"""The audit log: a row an operation, each with a hash over itself and the row before."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from quire.ports.store import Row, Tx

FIELDS = ("book_id", "number", "at", "actor", "operation", "path", "before_hash", "after_hash", "size", "detail")


def link(previous: str, entry: dict[str, Any]) -> str:
    """The hash of an entry that follows the one whose hash is `previous`."""
    told = json.dumps([previous, *(entry[field] for field in FIELDS)], ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(told.encode()).hexdigest()


class Chain:
    """The end of a book's log, for one transaction that holds the book."""

    def __init__(self, book: Row) -> None:
        self._book_id: str = book["book_id"]
        self._number: int = book["chain_length"]
        self._hash: str = book["chain_hash"]

    def add(
        self,
        tx: Tx,
        operation: str,
        path: str,
        *,
        actor: str,
        at: int,
        before: str | None = None,
        after: str | None = None,
        size: int | None = None,
        detail: dict[str, Any] | None = None,
    ) -> None:
        self._number += 1
        entry = {
            "book_id": self._book_id,
            "number": self._number,
            "at": at,
            "actor": actor,
            "operation": operation,
            "path": path,
            "before_hash": before,
            "after_hash": after,
            "size": size,
            "detail": json.dumps(detail or {}, ensure_ascii=False, sort_keys=True),
        }
        self._hash = link(self._hash, entry)
        tx.run("insert_book_audit", hash=self._hash, **entry)
        tx.run("extend_book_chain", book_id=self._book_id, number=self._number, hash=self._hash)
