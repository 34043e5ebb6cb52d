"""Brings rows in step with bytes that came from outside, and copies in step with their rows."""

from __future__ import annotations

import asyncio

from quire.domain.books import ours, stored
from quire.local.books.audit_log import AuditLogs
from quire.local.books.file_heads import Held, found_at, mark_of
from quire.local.books.file_records import OUTSIDE, FileRecords
from quire.local.scope import SystemScope
from quire.ports.books import BookStorage, Staged
from quire.ports.finish_anyway import finish_anyway
from quire.ports.store import Row, Tx


class Settling:
    def __init__(self, system: SystemScope, records: FileRecords, logs: AuditLogs) -> None:
        self._logs = logs
        self._system = system
        self._records = records

    async def settle(self, storage: BookStorage, book_id: str, path: str) -> None:
        """Adopts what lies at a file's key as a new revision, or brings the copy there in step with its row."""
        key = stored(book_id, path)
        found = await asyncio.to_thread(found_at, storage, key)
        staged: Staged | None = None
        if found is not None:
            seen, sha256 = found
            of = {"book_id": book_id, "path": path, "sha256": sha256}
            if not storage.local and await self._system.read(lambda tx: tx.one("version_of_hash", **of)) is not None:
                await self.publish(storage, book_id, path)
                return
            staged = await finish_anyway(asyncio.to_thread(storage.stage_found, book_id, key, sha256, seen))
        elif not storage.local:
            await self.publish(storage, book_id, path)
            return

        def work(tx: Tx) -> None:
            held = Held.of(tx, book_id, path, storage)
            if storage.local and mark_of(storage.look(key)) != (staged.mark if staged else None):
                return
            head = held.head
            if staged is None:
                if head is not None:
                    self._records.delete(tx, held, "adopt_deletion", OUTSIDE, self._system.now())
            elif head is not None and head.sha256 == staged.sha256:
                tx.run("mark_book_file", book_id=book_id, path=path, sha256=staged.sha256, mark=staged.mark)
            else:
                at = min(seen.modified, self._system.now())
                self._records.put(tx, held, staged, "adopt", OUTSIDE, at)

        await self._system.write(work)

    async def put_first(self, storage: BookStorage, book_id: str, path: str, data: bytes) -> None:
        """Puts a file where none is, and adopts it as if another program had."""
        key = stored(book_id, path)

        def put() -> None:
            staged = storage.stage(book_id, data)
            if storage.local:
                storage.place(staged, key, None)
            else:
                storage.publish(book_id, key, staged.ref)

        await finish_anyway(asyncio.to_thread(put))
        await self.settle(storage, book_id, path)

    async def settle_all(self, storage: BookStorage, book_id: str) -> int:
        """Settles every file whose bytes and row do not agree; returns how many those were."""
        stray = await self._system.read(lambda tx: stray_under(tx, storage, book_id, ""))
        for path in stray:
            await self.settle(storage, book_id, path)
        return len(stray)

    async def publish(self, storage: BookStorage, book_id: str, path: str) -> None:
        """Brings the copy at a file's key in step with its row; again where the row has moved on meanwhile."""
        of = {"book_id": book_id, "path": path}
        row = await self._system.read(lambda tx: tx.one("book_file", **of))
        while True:
            published = row["revision"] if row else None
            mark = await finish_anyway(
                asyncio.to_thread(storage.publish, book_id, stored(book_id, path), row["ref"] if row else None)
            )

            def settle(tx: Tx, mark: str = mark, published: int | None = published) -> Row | None:
                row = tx.one("book_file", **of)
                if row is not None and row["revision"] == published:
                    tx.run("mark_book_file", **of, sha256=row["sha256"], mark=mark)
                return row

            row = await self._system.write(settle)
            if (row["revision"] if row else None) == published:
                await self._keep_head(storage, book_id)
                return

    async def _keep_head(self, storage: BookStorage, book_id: str) -> None:
        """Brings the head of the log in step, where a transaction could not wait for its storage."""
        found = await asyncio.to_thread(self._logs.read_head, storage, book_id)
        book = await self._system.read(lambda tx: tx.one("book_by_id", book_id=book_id))
        if book is not None:
            await finish_anyway(asyncio.to_thread(self._logs.catch_up, storage, book, found))


def stray_under(tx: Tx, storage: BookStorage, book_id: str, prefix: str) -> list[str]:
    """The paths under a prefix whose bytes and rows do not agree."""
    root = stored(book_id) + "/"
    known = {row["path"]: row["mark"] for row in tx.all("files_under", book_id=book_id, prefix=prefix)}
    found = {key.removeprefix(root): seen.mark for key, seen in storage.walk((root + prefix).rstrip("/"))}
    return sorted(path for path in found.keys() | known.keys() if found.get(path) != known.get(path) and ours(path))
