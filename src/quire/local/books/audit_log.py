"""The audit log of a book: a row an operation, each with a hash over itself and the row before."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime, timedelta
from typing import Any

from quire.domain.books import AuditEntry, AuditVerdict, check_book_id
from quire.domain.pages import LAST, Page, page, position
from quire.local.scope import Scope
from quire.local.timestamps import EPOCH, moment
from quire.ports.store import Row, Tx

FIELDS = ("book_id", "number", "at", "actor", "operation", "path", "before_hash", "after_hash", "size", "detail")
BATCH = 1_000


class AuditLog:
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
        told = json.dumps(detail or {}, ensure_ascii=False, sort_keys=True)
        values = (self._book_id, self._number, at, actor, operation, path, before, after, size, told)
        entry = dict(zip(FIELDS, values, strict=True))
        self._hash = link(self._hash, entry)
        tx.run("insert_book_audit", hash=self._hash, **entry)
        tx.run("extend_book_chain", book_id=self._book_id, number=self._number, hash=self._hash)


class Audit:
    """Looks into the log, and proves that nobody changed it."""

    async def audit(
        self,
        scope: Scope,
        book_id: str,
        path: str,
        actor: str,
        operation: str,
        since: datetime | None,
        until: datetime | None,
        limit: int,
        cursor: str | None,
    ) -> Page[AuditEntry]:
        check_book_id(book_id)

        def work(tx: Tx) -> Page[AuditEntry]:
            where = {
                "book_id": book_id,
                "path": path,
                "actor": actor,
                "operation": operation,
                "since": -LAST if since is None else _microseconds(since),
                "until": LAST if until is None else _microseconds(until),
            }
            rows = tx.all("audit_of_book", **where, before=position(cursor), limit=limit + 1)
            return page(rows, limit, tx.count("count_audit_of_book", **where), _entry, "number")

        return await scope.read(work)

    async def verify_audit(self, scope: Scope, book_id: str) -> AuditVerdict:
        check_book_id(book_id)
        book, stray = await scope.read(
            lambda tx: (tx.one("book_by_id", book_id=book_id), tx.one("file_against_audit", book_id=book_id))
        )
        assert book is not None
        last, end = book["chain_length"], book["chain_hash"]

        def broken(number: int | None, reason: str) -> AuditVerdict:
            return AuditVerdict(valid=False, entries=last, chain_hash=end, broken_at=number, reason=reason)

        number, hash = 0, ""
        while number < last:
            rows = await scope.read(
                lambda tx, after=number: tx.all("audit_from", book_id=book_id, after=after, last=last, limit=BATCH)  # type: ignore[misc]
            )
            for row in rows:
                number += 1
                if row["number"] != number:
                    return broken(number, "An entry is missing.")
                hash = link(hash, {field: row[field] for field in FIELDS})
                if row["hash"] != hash:
                    return broken(number, "The entry or one before it was changed.")
            if not rows:
                return broken(number + 1, "Entries at the end are missing.")
            await scope.context.report(number, last, "verifying")
        if hash != end:
            return broken(number, "The end of the log is not the one that was written.")
        if stray is not None:
            return broken(None, f"{stray['path']} is not what the log says of it.")
        return AuditVerdict(valid=True, entries=last, chain_hash=end)


def link(previous: str, entry: dict[str, Any]) -> str:
    """The hash of an entry that follows the one whose hash is `previous`."""
    told = json.dumps([previous, *(entry[field] for field in FIELDS)], ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(told.encode()).hexdigest()


def _microseconds(at: datetime) -> int:
    return (at - EPOCH) // timedelta(microseconds=1)


def _entry(row: Row) -> AuditEntry:
    return AuditEntry.model_construct(
        at=moment(row["at"]),
        file_size=row["size"],
        detail=json.loads(row["detail"]),
        **{name: row[name] for name in ("number", "actor", "operation", "path", "before_hash", "after_hash", "hash")},
    )
