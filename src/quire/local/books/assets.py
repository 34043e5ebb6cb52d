"""Assets: images, slides, videos and audio of a book, small ones at once and large ones to an address."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import Literal

from quire.domain.assets import (
    ASSET_LIMIT,
    ASSET_TYPES,
    SNIFFED,
    Asset,
    AssetUploaded,
    asset_path,
    check_size,
    decoded,
    mime_type,
    other_name,
    safe_name,
)
from quire.domain.books import ContentDeleted, check_hash, mime_of, missing, ours, stored
from quire.domain.errors import InvalidInput, NotFound, TooLarge
from quire.domain.files import Download, Upload
from quire.domain.pages import Page, page_of_all
from quire.local.books.file_heads import Check, Head, Held, Put, expects, settled_head, writable
from quire.local.books.files import BookFiles, local_find
from quire.local.books.links import BookLinks
from quire.local.scope import Scope
from quire.local.timestamps import moment
from quire.ports.books import BookStorage, Receiving, UploadSpool
from quire.ports.finish_anyway import finish_anyway
from quire.ports.machine import Purpose, Signer
from quire.ports.store import Tx

UPLOAD_SECONDS = 3600


class Taken(Exception):
    """Another file has the name."""


class Assets:
    def __init__(
        self, files: BookFiles, links: BookLinks, spool: UploadSpool, signer: Signer, public_url: str, cdn_url: str
    ) -> None:
        self._files = files
        self._links = links
        self._spool = spool
        self._signer = signer
        self._public_url = public_url
        self._cdn_url = cdn_url.rstrip("/")

    async def upload_asset(
        self,
        scope: Scope,
        book_id: str,
        asset_type: str,
        filename: str,
        binary_data: str | None,
        file_size: int | None,
        file_hash: str | None,
    ) -> AssetUploaded:
        named(filename)
        expected = check_hash(file_hash)
        if binary_data is None:
            if file_size is None:
                raise InvalidInput("binary_data: is needed below 10 MiB, file_size above.", field="binary_data")
            return await self._promise(scope, book_id, asset_type, filename, check_size(file_size), expected)
        data = await asyncio.to_thread(decoded, binary_data)
        if file_size is not None and file_size != len(data):
            raise InvalidInput(f"file_size: binary_data holds {len(data):,} bytes.", field="file_size")

        async def put(path: str, check: Check) -> Put:
            mime = mime_type(path, data[:SNIFFED])
            return await self._files.put(
                scope, book_id, path, data, check, operation="upload", mime=mime, original_name=filename
            )

        return self.uploaded(await self._put(asset_type, filename, expected, put))

    async def add_asset(
        self, scope: Scope, book_id: str, asset_type: str, file: Upload, file_hash: str | None
    ) -> AssetUploaded:
        named(file.name)
        expected = check_hash(file_hash)
        await self._files.storage_of(scope, book_id)
        await scope.check()
        part = await asyncio.to_thread(self._spool.open, secrets.token_hex(16))
        try:
            async for chunk in file.chunks():
                if part.size + len(chunk) > ASSET_LIMIT:
                    raise TooLarge(f"file: is too large; at most {ASSET_LIMIT:,} bytes are kept.", field="file")
                await finish_anyway(asyncio.to_thread(part.write, chunk))
            return self.uploaded(await self.put_file(scope, book_id, asset_type, file.name, expected, part))
        finally:
            await finish_anyway(asyncio.to_thread(part.close, ended=True))

    async def get_asset(self, scope: Scope, book_id: str, asset_type: str, filename: str) -> Asset:
        named(filename)
        head = await self._head(scope, book_id, asset_type, filename)
        return self._asset(scope, await self._files.storage_of(scope, book_id), book_id, head)

    async def download_asset(self, scope: Scope, book_id: str, asset_type: str, filename: str) -> Download:
        named(filename)
        head = await self._head(scope, book_id, asset_type, filename)
        storage = await self._files.storage_of(scope, book_id)
        return self._links.file_of(storage, book_id, head, scope.context)

    async def list_assets(
        self, scope: Scope, book_id: str, asset_type: str | None, limit: int, cursor: str | None
    ) -> Page[Asset]:
        prefix = f"assets/{asset_type}/" if asset_type else "assets/"
        await self._files.settle_under(scope, book_id, prefix)
        rows = await scope.read(lambda tx: tx.all("files_under", book_id=book_id, prefix=prefix))
        heads = [head for row in rows if _is_asset(row["path"]) and (head := Head.of(row))]
        storage = await self._files.storage_of(scope, book_id)
        return page_of_all(heads, limit, cursor, lambda head: self._asset(scope, storage, book_id, head))

    async def delete_asset(
        self, scope: Scope, book_id: str, asset_type: str, filename: str, file_hash: str | None
    ) -> ContentDeleted:
        named(filename)
        expected = expects(check_hash(file_hash))
        try:
            path = (await self._head(scope, book_id, asset_type, filename)).path
        except NotFound as error:
            if error.details["noun"] != "content":
                raise
            path = asset_path(asset_type, safe_name(filename))
        before = await self._files.take_away(scope, book_id, path, expected)
        message = "Asset deleted" if before else "There was no such asset"
        return ContentDeleted.model_construct(
            status="success", path=stored(book_id, path), existed=before is not None, message=message
        )

    async def put_file(
        self,
        scope: Scope,
        book_id: str,
        asset_type: str,
        filename: str,
        file_hash: str | None,
        part: Receiving,
        note: Callable[[Tx, str], None] | None = None,
    ) -> Put:
        """An asset whose bytes have come in as a file; `note` is told its path in the transaction."""
        sha256 = await asyncio.to_thread(part.digest)
        beginning = await asyncio.to_thread(part.beginning, SNIFFED)

        async def put(path: str, check: Check) -> Put:
            async def attempt(storage: BookStorage) -> Put:
                staged = await finish_anyway(asyncio.to_thread(storage.stage_file, book_id, part.path, sha256))
                found = await asyncio.to_thread(local_find, storage, book_id, path)
                return await self._files.put_staged(
                    scope, storage, book_id, path, staged, found, check,
                    operation="upload", mime=mime_type(path, beginning), original_name=filename,
                    also=(lambda tx: note(tx, path)) if note else None,
                )  # fmt: skip

            return await self._files.settled(scope, book_id, attempt)

        return await self._put(asset_type, filename, file_hash, put)

    async def _put(
        self, asset_type: str, filename: str, file_hash: str | None, put: Callable[[str, Check], Awaitable[Put]]
    ) -> Put:
        """Writes under the safe name, or under one with a short hash where a file of another name has that."""
        expected = expects(file_hash)

        def check(held: Held) -> None:
            if held.head is not None and original_name(held.head) != filename:
                raise Taken
            expected(held)

        try:
            return await put(asset_path(asset_type, safe_name(filename)), check)
        except Taken:
            return await put(asset_path(asset_type, other_name(filename)), expected)

    async def _head(self, scope: Scope, book_id: str, asset_type: str, filename: str) -> Head:
        """An asset by the name it was given, the one that was made of it, or its path, as lists tell it."""
        names = dict.fromkeys((safe_name(filename), other_name(filename)))
        if ours(asset_path(asset_type, filename)):
            names[filename] = None

        async def attempt(storage: BookStorage) -> Head:
            def work(tx: Tx) -> Head | None:
                heads = [settled_head(tx, storage, book_id, asset_path(asset_type, name)) for name in names]
                found = [head for head in heads if head is not None]
                given = (head for head in found if original_name(head) == filename)
                kept = (head for head in found if head.path == asset_path(asset_type, filename))
                return next(given, next(kept, None))

            head = await scope.read(work)
            if head is None:
                raise missing(stored(book_id, asset_path(asset_type, safe_name(filename))))
            return head

        return await self._files.settled(scope, book_id, attempt)

    async def _promise(
        self, scope: Scope, book_id: str, asset_type: str, filename: str, size: int, file_hash: str | None
    ) -> AssetUploaded:
        """An address to which the bytes may be sent, for an hour."""

        def work(tx: Tx) -> str:
            book = tx.one("book_by_id", book_id=book_id)
            assert book is not None
            writable(book)
            path = asset_path(asset_type, safe_name(filename))
            head = Head.of(tx.one("book_file", book_id=book_id, path=path))
            if head is not None and original_name(head) != filename:
                path = asset_path(asset_type, other_name(filename))
            return path

        await self._files.storage_of(scope, book_id)
        path = await scope.read(work)
        claims = {
            "upload": secrets.token_hex(16),
            "book_id": book_id,
            "asset_type": asset_type,
            "filename": filename,
            "size": size,
            "file_hash": file_hash,
            "actor": scope.actor_id,
        }
        token = self._signer.sign(Purpose.ASSET_UPLOAD, claims, UPLOAD_SECONDS)
        return AssetUploaded.model_construct(
            status="success",
            method="presigned",
            cdn_url=self._address(book_id, path),
            file_size=size,
            mime_type=mime_of(path),
            path=stored(book_id, path),
            filename=path.rpartition("/")[2],
            original_filename=filename,
            file_hash=None,
            upload_url=f"{self._public_url}/uploads/{token}",
            expires_at=moment(scope.now() + UPLOAD_SECONDS * 1_000_000),
        )

    def uploaded(self, put: Put, method: Literal["direct", "presigned"] = "direct") -> AssetUploaded:
        book_id = put.key.split("/")[1]
        return AssetUploaded.model_construct(
            status="success",
            method=method,
            cdn_url=self._address(book_id, put.head.path),
            file_size=put.head.size,
            mime_type=put.head.mime,
            path=put.key,
            filename=put.head.path.rpartition("/")[2],
            original_filename=original_name(put.head),
            file_hash=put.head.sha256,
            upload_url=None,
            expires_at=None,
        )

    def _asset(self, scope: Scope, storage: BookStorage, book_id: str, head: Head) -> Asset:
        _, asset_type, name = head.path.split("/", 2)
        return Asset.model_construct(
            cdn_url=self._address(book_id, head.path),
            local_path=storage.path(stored(book_id, head.path)) if scope.context.local else None,
            file_size=head.size,
            mime_type=head.mime,
            upload_timestamp=moment(head.modified_at),
            uploaded_by_agent_id=head.actor,
            asset_type=asset_type,
            filename=name,
            original_filename=original_name(head),
            path=stored(book_id, head.path),
            file_hash=head.sha256,
        )

    def _address(self, book_id: str, path: str) -> str:
        """Where an asset can be had: under the setting's address, or our own."""
        return f"{self._cdn_url or self._public_url}/{stored(book_id, path)}"


def named(filename: str) -> None:
    if not filename.strip() or len(filename) > 255:
        raise InvalidInput("filename: must have 1 to 255 characters.", field="filename")


def original_name(head: Head) -> str:
    """The name that a file was uploaded under."""
    return head.original_name or head.path.rpartition("/")[2]


def _is_asset(path: str) -> bool:
    return path.count("/") >= 2 and path.split("/")[1] in ASSET_TYPES
