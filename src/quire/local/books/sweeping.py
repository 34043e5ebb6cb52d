"""What puts a shelf in order: files that another program or a crash has changed, and versions that nothing needs."""

from __future__ import annotations

import asyncio
import logging

from quire.domain.errors import QuireError
from quire.local.books.shelved import Shelved, stray_under
from quire.local.service import LAST
from quire.ports.books import Shelf
from quire.ports.store import Tx

log = logging.getLogger("quire.books")

DAY = 24 * 3600 * 1_000_000
KEPT_UNUSED = DAY
KEPT_DELETED = 90 * DAY


class Sweeping(Shelved):
    async def sweep(self, *, kept: int = KEPT_UNUSED) -> int:
        """Goes through all books; returns how many files and versions it put right. Called by the workers."""
        before = self.now() - kept
        await self.sync_registry()
        await asyncio.to_thread(self.shelves.spool.tidy, before)
        await self.parts.store.write(lambda tx: tx.run("forget_book_uploads", before=before))
        long_ago = self.now() - KEPT_DELETED
        await self.parts.store.write(lambda tx: tx.run("forget_deleted_versions", before=long_ago))
        await self.parts.store.write(lambda tx: tx.run("forget_manifests", before=long_ago))
        done = 0
        for book in await self.parts.store.read(lambda tx: tx.all("all_books")):
            try:
                shelf = self.shelves.get(book["storage_backend"])
                await asyncio.to_thread(shelf.tidy, before)
                done += await self._repair(shelf, book["book_id"])
                done += await self._forget(shelf, book["book_id"], before)
            except QuireError as error:
                log.warning("sweeping %s was put off: %s", book["book_id"], error.message)
        files = await self.parts.store.read(lambda tx: tx.one("count_book_files"))
        await asyncio.to_thread(self.shelves.texts.tidy, files["total"] if files else 0)
        return done

    async def _repair(self, shelf: Shelf, book_id: str) -> int:
        """Settles every file whose bytes and row do not agree."""
        stray = await self.parts.store.read(lambda tx: stray_under(tx, shelf, book_id, ""))
        for path in stray:
            await self.settle(shelf, book_id, path)
        return len(stray)

    async def _forget(self, shelf: Shelf, book_id: str, before: int) -> int:
        """Deletes versions that no row needs: at once where they only come with their row, else after a day."""
        since = LAST if shelf.local else before
        kept = await asyncio.to_thread(lambda: list(shelf.versions(book_id, since)))
        needed = await self.parts.store.read(lambda tx: {row["ref"] for row in tx.all("refs_of_book", book_id=book_id)})
        gone = 0
        for ref in kept:
            if ref in needed:
                continue

            def work(tx: Tx, ref: str = ref) -> int:
                tx.one("hold_book", book_id=book_id)
                if tx.one("version_needed", book_id=book_id, ref=ref) is not None:
                    return 0
                if shelf.local:
                    shelf.forget(book_id, ref)
                return 1

            unneeded = await self.parts.store.write(work)
            if unneeded and not shelf.local:
                await asyncio.to_thread(shelf.forget, book_id, ref)
            gone += unneeded
        return gone
