"""Puts the storages in order: files that another program or a crash has changed, and versions that nobody needs."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from quire.domain.errors import QuireError
from quire.domain.pages import LAST
from quire.domain.sharing import OWNER_ID
from quire.local.books.audit_log import AuditLogs
from quire.local.books.registry_sync import RegistrySync
from quire.local.books.settling import Settling
from quire.local.books.storages import BookPorts
from quire.local.scope import SystemScope
from quire.local.workers import sweep
from quire.ports.books import BookStorage
from quire.ports.store import Tx

log = logging.getLogger("quire.books")

DAY = 24 * 3600 * 1_000_000
KEPT_UNUSED = DAY
KEPT_DELETED = 90 * DAY


class BookSweeper:
    def __init__(
        self, system: SystemScope, ports: BookPorts, registry: RegistrySync, settling: Settling, logs: AuditLogs
    ) -> None:
        self._logs = logs
        self._system = system
        self._ports = ports
        self._registry = registry
        self._settling = settling

    @sweep
    async def sweep(self, *, kept: int = KEPT_UNUSED) -> int:
        """Goes through all books; returns how many files and versions it put right."""
        before = self._system.now() - kept
        await self._registry.sync()
        await asyncio.to_thread(self._ports.uploads.tidy, before)
        await self._system.write(lambda tx: tx.run("forget_book_uploads", before=before))
        long_ago = self._system.now() - KEPT_DELETED
        await self._system.write(lambda tx: tx.run("forget_deleted_versions", before=long_ago))
        await self._system.write(lambda tx: tx.run("forget_manifests", before=long_ago))
        done = 0
        for book in await self._system.read(lambda tx: tx.all("all_books")):
            try:
                if book["chain_length"] == book["unkeyed"]:
                    await self._system.write(partial(self._seal, book["book_id"]))
                storage = self._ports.storages.get(book["storage_backend"])
                await asyncio.to_thread(storage.tidy, before)
                done += await self._settling.settle_all(storage, book["book_id"])
                done += await self._forget(storage, book["book_id"], before)
            except QuireError as error:
                log.warning("sweeping %s was put off: %s", book["book_id"], error.message)
        used = await self._system.read(lambda tx: tx.count("count_book_files"))
        await asyncio.to_thread(self._ports.texts.tidy, used)
        return done

    def _seal(self, book_id: str, tx: Tx) -> None:
        """Ends a log that is older than keys with an entry that has one."""
        book = tx.one("hold_book", book_id=book_id)
        if book is not None and book["chain_length"] == book["unkeyed"]:
            self._logs.of(book).add(tx, "seal", "", actor=OWNER_ID, at=self._system.now())

    async def _forget(self, storage: BookStorage, book_id: str, before: int) -> int:
        """Deletes versions that no row needs: at once where they only come with their row, else after a day."""
        since = LAST if storage.local else before
        kept = await asyncio.to_thread(lambda: list(storage.versions(book_id, since)))
        needed = await self._system.read(lambda tx: {row["ref"] for row in tx.all("refs_of_book", book_id=book_id)})
        gone = 0
        for ref in kept:
            if ref in needed:
                continue

            def work(tx: Tx, ref: str = ref) -> int:
                tx.one("hold_book", book_id=book_id)
                if tx.one("version_needed", book_id=book_id, ref=ref) is not None:
                    return 0
                if storage.local:
                    storage.forget(book_id, ref)
                return 1

            unneeded = await self._system.write(work)
            if unneeded and not storage.local:
                await asyncio.to_thread(storage.forget, book_id, ref)
            gone += unneeded
        return gone
