"""The audit log of a book: look into it, and prove that nobody changed it."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Annotated

from pydantic import AwareDatetime, Field

from quire.api.capability import capability
from quire.domain.books import AuditEntry, AuditVerdict, BookId, check_book_id
from quire.domain.pages import Page
from quire.local.books.chain import FIELDS, link
from quire.local.books.shelved import Shelved
from quire.local.service import EPOCH, LAST, moment, position
from quire.ports.store import Row, Tx

Limit = Annotated[int, Field(ge=1, le=1_000)]
Word = Annotated[str, Field(max_length=300)]
Time = Annotated[AwareDatetime, Field(strict=False)]
BATCH = 1_000


class Audit(Shelved):
    @capability("query_book_audit", "read", of=("book", "book_id"), verb="audit")
    async def audit(
        self,
        book_id: BookId,
        path: Annotated[Word, Field(description="Only this file.")] = "",
        actor: Annotated[Word, Field(description="Only what this caller did; `outside` is another program.")] = "",
        operation: Annotated[Word, Field(description="Only this operation, such as write or delete.")] = "",
        since: Annotated[Time, Field(description="Only from this time on.")] | None = None,
        until: Annotated[Time, Field(description="Only before this time.")] | None = None,
        limit: Limit = 100,
        cursor: str | None = None,
    ) -> Page[AuditEntry]:
        """List what was done to a book, newest first."""
        check_book_id(book_id)

        def work(tx: Tx) -> Page[AuditEntry]:
            where = {
                "book_id": book_id,
                "path": path,
                "actor": actor,
                "operation": operation,
                "since": -LAST if since is None else microseconds(since),
                "until": LAST if until is None else microseconds(until),
            }
            rows = tx.all("audit_of_book", **where, before=position(cursor), limit=limit + 1)
            total = tx.one("count_audit_of_book", **where)
            more = len(rows) > limit
            return Page[AuditEntry].model_construct(
                items=[entry_of(row) for row in rows[:limit]],
                total=total["total"] if total else 0,
                truncated=more,
                cursor=f"{rows[limit - 1]['number']:x}" if more else None,
            )

        return await self.read(work)

    @capability("verify_book_audit", "read", of=("book", "book_id"), verb="verify", timeout=600)
    async def verify_audit(self, book_id: BookId) -> AuditVerdict:
        """Check that each entry of a book's log follows from the one before, and that its files are as it says."""
        check_book_id(book_id)
        book, stray = await self.read(
            lambda tx: (tx.one("book_by_id", book_id=book_id), tx.one("file_against_audit", book_id=book_id))
        )
        assert book is not None
        last, end = book["chain_length"], book["chain_hash"]
        number, hash = 0, ""
        while number < last:
            rows = await self.read(
                lambda tx, after=number: tx.all("audit_from", book_id=book_id, after=after, last=last, limit=BATCH)  # type: ignore[misc]
            )
            for row in rows:
                number += 1
                if row["number"] != number:
                    return broken(last, end, number, "An entry is missing.")
                hash = link(hash, {field: row[field] for field in FIELDS})
                if row["hash"] != hash:
                    return broken(last, end, number, "The entry or one before it was changed.")
            if not rows:
                return broken(last, end, number + 1, "Entries at the end are missing.")
            await self.context.report(number, last, "verifying")
        if hash != end:
            return broken(last, end, number, "The end of the log is not the one that was written.")
        if stray is not None:
            return broken(last, end, None, f"{stray['path']} is not what the log says of it.")
        return AuditVerdict(valid=True, entries=last, chain_hash=end)


def broken(entries: int, end: str, number: int | None, reason: str) -> AuditVerdict:
    return AuditVerdict(valid=False, entries=entries, chain_hash=end, broken_at=number, reason=reason)


def microseconds(at: datetime) -> int:
    return (at - EPOCH) // timedelta(microseconds=1)


def entry_of(row: Row) -> AuditEntry:
    return AuditEntry.model_construct(
        number=row["number"],
        at=moment(row["at"]),
        actor=row["actor"],
        operation=row["operation"],
        path=row["path"],
        before_hash=row["before_hash"],
        after_hash=row["after_hash"],
        file_size=row["size"],
        detail=json.loads(row["detail"]),
        hash=row["hash"],
    )
