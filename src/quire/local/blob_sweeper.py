"""Deletes stored files that nothing needs any more."""

from __future__ import annotations

from functools import partial

from quire.local.scope import SystemScope
from quire.local.workers import sweep
from quire.ports.blobs import Blobs
from quire.ports.store import Tx

KEPT_UNUSED = 24 * 3600 * 1_000_000
BATCH = 100


class BlobSweeper:
    """A blob that no row has needed for a day goes together with its row, in one transaction."""

    def __init__(self, system: SystemScope, blobs: Blobs) -> None:
        self._system = system
        self._blobs = blobs

    @sweep
    async def sweep(self, kept: int = KEPT_UNUSED) -> int:
        """Returns how many it deleted."""
        before = self._system.now() - kept
        await self._system.write(lambda tx: tx.run("release_job_blobs", before=before))
        await self._system.write(lambda tx: tx.run("release_source_blobs"))
        await self._system.write(lambda tx: tx.run("release_note_blobs"))
        await self._system.write(lambda tx: tx.run("release_artifact_blobs"))
        await self._system.write(lambda tx: tx.run("drop_uncited_versions"))
        await self._blobs.tidy(before)
        swept = 0
        while True:
            unused = await self._system.read(lambda tx: tx.all("unused_blobs", before=before, limit=BATCH))
            for row in unused:
                swept += await self._system.write(partial(self._delete, sha256=row["sha256"], before=before))
            if len(unused) < BATCH:
                return swept

    def _delete(self, tx: Tx, sha256: str, before: int) -> int:
        gone = tx.run("delete_blob", sha256=sha256, before=before)
        if gone:
            self._blobs.delete(sha256)
        return gone
