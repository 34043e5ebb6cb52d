"""Large assets on their way in: to a signed address, in as many pieces as it takes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from quire.api.context import Context
from quire.api.engine import Subject
from quire.domain.assets import AssetUploaded
from quire.domain.books import missing, stored
from quire.domain.errors import Conflict, TooLarge
from quire.domain.sharing import Actor, Role
from quire.local.books.assets import Assets
from quire.local.books.file_heads import Head, Put
from quire.local.scope import Scope, SystemScope
from quire.ports.books import Receiving, UploadSpool
from quire.ports.finish_anyway import finish_anyway
from quire.ports.store import Tx


class AssetUploads:
    def __init__(self, system: SystemScope, assets: Assets, spool: UploadSpool) -> None:
        self._system = system
        self._assets = assets
        self._spool = spool

    def announced(self, claims: dict[str, Any], request_id: str) -> AssetUpload:
        """The upload that the claims of a signed address stand for, on behalf of whoever asked for the address."""
        context = Context(actor=Actor(id=claims["actor"]), request_id=request_id, door="http")
        scope = self._system.call(context, Subject("book", claims["book_id"]), Role.EDITOR)
        return AssetUpload(scope, claims, self._assets, self._spool)


class AssetUpload:
    def __init__(self, scope: Scope, claims: dict[str, Any], assets: Assets, spool: UploadSpool) -> None:
        self._scope = scope
        self._claims = claims
        self._assets = assets
        self._spool = spool
        self.id: str = claims["upload"]
        self.size: int = claims["size"]

    async def received(self) -> int:
        """How many bytes have come, all of them where it has ended."""
        if await self._ended() is not None:
            return self.size
        return await asyncio.to_thread(self._spool.received, self.id)

    async def receive(self, start: int, chunks: AsyncIterator[bytes]) -> AssetUploaded | int:
        """Takes bytes from `start` on: the asset once all are there, else how many are."""
        ended = await self._ended()
        if ended is not None:
            return ended
        part = await finish_anyway(asyncio.to_thread(self._spool.open, self.id))
        done = False
        try:
            if start > part.size:
                raise Conflict(f"{part.size:,} bytes are here; go on from there.", received=part.size)
            await asyncio.to_thread(part.cut, start)
            async for chunk in chunks:
                if part.size + len(chunk) > self.size:
                    raise TooLarge(f"The upload was announced with {self.size:,} bytes.", received=part.size)
                await finish_anyway(asyncio.to_thread(part.write, chunk))
            if part.size < self.size:
                return part.size
            asset = await self._finish(part)
            done = True
            return asset
        finally:
            await finish_anyway(asyncio.to_thread(part.close, ended=done))

    async def _finish(self, part: Receiving) -> AssetUploaded:
        book_id, asset_type, filename, file_hash = (
            self._claims[name] for name in ("book_id", "asset_type", "filename", "file_hash")
        )

        def note(tx: Tx, path: str) -> None:
            tx.run("insert_book_upload", id=self.id, book_id=book_id, path=path, at=self._scope.now())

        put = await self._assets.put_file(self._scope, book_id, asset_type, filename, file_hash, part, note)
        return self._assets.uploaded(put, "presigned")

    async def _ended(self) -> AssetUploaded | None:
        """What the upload came to, if it has; checks that the caller still may."""

        def work(tx: Tx) -> Put | None:
            row = tx.one("book_upload", id=self.id)
            if row is None:
                return None
            key = stored(row["book_id"], row["path"])
            head = Head.of(tx.one("book_file", book_id=row["book_id"], path=row["path"]))
            if head is None:
                raise missing(key)
            return Put(head, None, key)

        found = await self._scope.read(work)
        return None if found is None else self._assets.uploaded(found, "presigned")
