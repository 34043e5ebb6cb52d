"""The audit log of a book: a row an operation, each with a keyed hash over itself and the row before.

The key lies in the books' storage, so who can only write rows cannot make an entry. The head of the log is kept beside
the book's files too, so that entries cannot be taken from its end. It is written after the commit and may be behind
the rows, but never before them: rows that are behind it were cut or put back.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import logging
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from quire.domain.books import AuditEntry, AuditVerdict, check_book_id
from quire.domain.errors import QuireError, Unsupported
from quire.domain.pages import LAST, Page, page, position
from quire.local.books.storages import BookStorages
from quire.local.scope import Scope
from quire.local.timestamps import EPOCH, moment
from quire.ports.books import BookStorage
from quire.ports.store import Row, Tx

log = logging.getLogger("quire.books")

FIELDS = ("book_id", "number", "at", "actor", "operation", "path", "before_hash", "after_hash", "size", "detail")
BATCH = 1_000
KEY, KEY_BYTES = ".key", 32
KEY_TEXT = re.compile(rf"1 ([0-9a-f]{{{2 * KEY_BYTES}}})\n")


@dataclass(frozen=True)
class LogHead:
    """The end of a log. `unkeyed` is how many entries are older than keys; `doubted` the entry at which this head was
    missing or ahead of the rows, or 0."""

    number: int
    hash: str
    unkeyed: int
    doubted: int = 0


class AuditLogs:
    """Makes and checks the links and heads of logs."""

    def __init__(self, storages: BookStorages) -> None:
        self._storages = storages
        self._written_here: dict[str, LogHead] = {}

    def of(self, book: Row) -> AuditLog:
        """The end of a book's log, for the transaction that holds the book."""
        return AuditLog(self, book)

    def link(self, previous: str, entry: Mapping[str, Any] | Row) -> str:
        """The hash of an entry that follows the one whose hash is `previous`."""
        return hmac.digest(self._key, told(previous, entry), "sha256").hex()

    def read_head(self, storage: BookStorage, book_id: str) -> LogHead | None:
        """The head beside the files; None where it is missing, or is not one that we wrote. Blocks."""
        text = storage.kept(book_id) or ""
        parts = text.split()
        if len(parts) != 5 or not all(parts[at].isdigit() for at in (0, 2, 3)):
            return None
        head = LogHead(int(parts[0]), parts[1], int(parts[2]), int(parts[3]))
        return head if hmac.compare_digest(text.encode(), self._written(book_id, head).encode()) else None

    def expected(self, storage: BookStorage, book_id: str, before: LogHead, *, begins: bool) -> LogHead:
        """The head before an entry, with whatever doubt there is: of one that is missing or ahead of the rows."""
        known = self._written_here.get(book_id)
        if known is not None and (known.number, known.hash) == (before.number, before.hash):
            return known
        found = self.read_head(storage, book_id)
        if found is None:
            first = begins or before.number == before.unkeyed
            return before if first else replace(before, doubted=before.number + 1)
        other = found.number == before.number and found.hash != before.hash
        behind = other or found.number > before.number
        return replace(before, doubted=found.doubted or (before.number + 1 if behind else 0))

    def written(self, book_id: str, head: LogHead) -> None:
        """Remembers a head whose entry a transaction has written: where rows have it too, it was this process."""
        self._written_here[book_id] = head

    def keep(self, storage: BookStorage, book_id: str, head: LogHead) -> None:
        """Writes the head beside the files, once its entry is committed. Blocks."""
        try:
            storage.keep(book_id, head.number, self._written(book_id, head))
        except QuireError as error:
            log.warning("the head of the log of %s was not kept: %s", book_id, error.message)

    def catch_up(self, storage: BookStorage, book: Row, found: LogHead | None) -> None:
        """Keeps the head that the rows have; `found` is the one that was there before they were read. Blocks."""
        head = LogHead(book["chain_length"], book["chain_hash"], book["unkeyed"])
        doubted = found.doubted if found else 0
        if found is not None and found.number > head.number:
            doubted = doubted or head.number
        self.keep(storage, book["book_id"], replace(head, doubted=doubted))

    def storage_of(self, book: Row) -> BookStorage | None:
        name = book["storage_backend"]
        return self._storages.get(name) if name in self._storages.names else None

    def _written(self, book_id: str, head: LogHead) -> str:
        text = f"{head.number:012} {head.hash or '-'} {head.unkeyed:012} {head.doubted:012}"
        return f"{text} {hmac.digest(self._key, f'head {book_id} {text}'.encode(), 'sha256').hex()}\n"

    @cached_property
    def _key(self) -> bytes:
        """Made once, in the storage of new books: with that, all machines on one store have it."""
        default = self._storages.get(self._storages.default)
        local = [one for name in self._storages.names if (one := self._storages.get(name)).local]
        found = next((text for one in (*local, default) if (text := one.kept(KEY))), None)
        if found is None:
            default.keep(KEY, 1, f"1 {secrets.token_hex(KEY_BYTES)}\n")
            found = default.kept(KEY) or ""
        written = KEY_TEXT.fullmatch(found)
        if written is None:
            raise Unsupported("The key of the books' audit logs is damaged.", hint="Restore .quire/audit from a copy.")
        return bytes.fromhex(written[1])


class AuditLog:
    """The end of a book's log, for one transaction that holds the book."""

    def __init__(self, logs: AuditLogs, book: Row) -> None:
        self._logs = logs
        self._book_id: str = book["book_id"]
        self._storage = logs.storage_of(book)
        self._head = LogHead(book["chain_length"], book["chain_hash"], book["unkeyed"])

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
        begins: bool = False,
    ) -> None:
        """`begins` is said of an entry with which the log has no head in its storage yet."""
        local = self._storage if self._storage is not None and self._storage.local else None
        if local and not self._head.doubted:
            self._head = self._logs.expected(local, self._book_id, self._head, begins=begins)
        number = self._head.number + 1
        facts = json.dumps(detail or {}, ensure_ascii=False, sort_keys=True)
        values = (self._book_id, number, at, actor, operation, path, before, after, size, facts)
        entry = dict(zip(FIELDS, values, strict=True))
        hash = self._logs.link(self._head.hash, entry)
        tx.run("insert_book_audit", hash=hash, **entry)
        tx.run("extend_book_chain", book_id=self._book_id, number=number, hash=hash)
        head = self._head = replace(self._head, number=number, hash=hash)
        if local:
            self._logs.written(self._book_id, head)
            tx.afterwards(lambda: self._logs.keep(local, self._book_id, head))


class Audit:
    """Looks into the log, and proves that nobody changed it."""

    def __init__(self, logs: AuditLogs) -> None:
        self._logs = logs

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
        storage = self._logs.storage_of(await scope.read(lambda tx: _book(tx, book_id)))
        # Before the rows: it may be behind them.
        head = await asyncio.to_thread(self._logs.read_head, storage, book_id) if storage else None
        book, stray = await scope.read(lambda tx: (_book(tx, book_id), tx.one("file_against_audit", book_id=book_id)))
        last, end, unkeyed = book["chain_length"], book["chain_hash"], book["unkeyed"]

        def broken(number: int | None, reason: str) -> AuditVerdict:
            return AuditVerdict(valid=False, entries=last, chain_hash=end, broken_at=number, reason=reason)

        # In another storage it follows with the next file; who can take it away there is not who can write rows.
        if head is None and last > unkeyed and storage is not None and storage.local:
            return broken(None, "The head of the log that is kept beside the book's files is missing or not ours.")
        if head is not None and head.number > last:
            return broken(last + 1, f"Entries at the end are missing: there were {head.number}.")
        if head is not None and head.unkeyed != unkeyed:
            return broken(None, f"The first {head.unkeyed} entries are older than keys, not {unkeyed}.")
        number, hash = 0, ""
        while number < last:
            rows = await scope.read(
                lambda tx, after=number: tx.all("audit_from", book_id=book_id, after=after, last=last, limit=BATCH)  # type: ignore[misc]
            )
            for row in rows:
                number += 1
                if row["number"] != number:
                    return broken(number, "An entry is missing.")
                hash = (self._logs.link if number > unkeyed else unkeyed_link)(hash, row)
                if row["hash"] != hash:
                    return broken(number, "The entry or one before it was changed.")
                if head is not None and number == head.number and hash != head.hash:
                    return broken(number, "The entry is not the one whose hash is kept beside the book's files.")
            if not rows:
                return broken(number + 1, "Entries at the end are missing.")
            await scope.context.report(number, last, "verifying")
        if hash != end:
            return broken(number, "The end of the log is not the one that was written.")
        if head is not None and head.doubted:
            return broken(head.doubted, "Before this entry the log was cut or put back, or its kept head was missing.")
        if stray is not None:
            return broken(None, f"{stray['path']} is not what the log says of it.")
        return AuditVerdict(valid=True, entries=last, chain_hash=end)


def told(previous: str, entry: Mapping[str, Any] | Row) -> bytes:
    return json.dumps(
        [previous, *(entry[field] for field in FIELDS)], ensure_ascii=True, separators=(",", ":")
    ).encode()


def unkeyed_link(previous: str, entry: Mapping[str, Any] | Row) -> str:
    """As logs of earlier versions were linked."""
    return hashlib.sha256(told(previous, entry)).hexdigest()


def _book(tx: Tx, book_id: str) -> Row:
    book = tx.one("book_by_id", book_id=book_id)
    assert book is not None
    return book


def _microseconds(at: datetime) -> int:
    return (at - EPOCH) // timedelta(microseconds=1)


def _entry(row: Row) -> AuditEntry:
    return AuditEntry.model_construct(
        at=moment(row["at"]),
        file_size=row["size"],
        detail=json.loads(row["detail"]),
        **{name: row[name] for name in ("number", "actor", "operation", "path", "before_hash", "after_hash", "hash")},
    )
