"""Assets: images, slides, videos and audio of a book, small ones at once and large ones to an address."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import Annotated, Literal

from pydantic import Field

from quire.api.capability import capability
from quire.domain.assets import (
    ASSET_LIMIT,
    SNIFFED,
    Asset,
    AssetType,
    AssetUploaded,
    Base64,
    FileName,
    FileSize,
    asset_path,
    check_size,
    decoded,
    mime_type,
    other_name,
    safe_name,
)
from quire.domain.books import BookId, ContentDeleted, FileHash, check_hash, mime_of, missing, stored
from quire.domain.errors import InvalidInput, NotFound, TooLarge
from quire.domain.files import Download, Upload
from quire.domain.pages import Page
from quire.local.books.heads import Check, Head, Held, Put, expects, writable
from quire.local.books.links import file_of
from quire.local.books.shelved import Shelved
from quire.local.finish_anyway import sheltered
from quire.local.service import moment, position
from quire.ports.books import Receiving, Shelf
from quire.ports.machine import Purpose
from quire.ports.store import Tx

UPLOAD_SECONDS = 3600


class Taken(Exception):
    """Another file has the name."""


class Assets(Shelved):
    @capability("upload_asset", "write", of=("book", "book_id"), verb="upload-asset", timeout=120)
    async def upload_asset(
        self,
        book_id: BookId,
        asset_type: AssetType,
        filename: FileName,
        binary_data: Base64 | None = None,
        file_size: FileSize | None = None,
        file_hash: FileHash | None = None,
    ) -> AssetUploaded:
        """Add an asset: below 10 MiB with its bytes; up to 100 MiB by its size, for an address to upload to."""
        named(filename)
        expected = check_hash(file_hash)
        if binary_data is None:
            if file_size is None:
                raise InvalidInput("binary_data: is needed below 10 MiB, file_size above.", field="binary_data")
            return await self._promise(book_id, asset_type, filename, check_size(file_size), expected)
        data = await asyncio.to_thread(decoded, binary_data)
        if file_size is not None and file_size != len(data):
            raise InvalidInput(f"file_size: binary_data holds {len(data):,} bytes.", field="file_size")

        async def put(path: str, check: Check) -> Put:
            mime = mime_type(path, data[:SNIFFED])
            return await self.put(book_id, path, data, check, operation="upload", mime=mime, original_name=filename)

        return self.uploaded(await self.put_asset(book_id, asset_type, filename, expected, put))

    @capability("add_asset", "write", of=("book", "book_id"), verb="add-asset", timeout=600)
    async def add_asset(
        self, book_id: BookId, asset_type: AssetType, file: Upload, file_hash: FileHash | None = None
    ) -> AssetUploaded:
        """Add a file to the assets of a book, up to 100 MiB."""
        named(file.name)
        expected = check_hash(file_hash)
        await self.shelf_of(book_id)
        await self.read(lambda tx: None)
        part = await asyncio.to_thread(self.shelves.spool.open, secrets.token_hex(16))
        try:
            async for chunk in file.chunks():
                if part.size + len(chunk) > ASSET_LIMIT:
                    raise TooLarge(f"file: is too large; at most {ASSET_LIMIT:,} bytes are kept.", field="file")
                await sheltered(asyncio.to_thread(part.write, chunk))
            put = await self.put_file(book_id, asset_type, file.name, expected, part)
            return self.uploaded(put)
        finally:
            await sheltered(asyncio.to_thread(part.close, ended=True))

    @capability("get_asset", "read", of=("book", "book_id"), verb="get-asset")
    async def get_asset(self, book_id: BookId, asset_type: AssetType, filename: FileName) -> Asset:
        """Get what is known of an asset, and the address where it can be had."""
        named(filename)
        return self._asset(book_id, await self.asset_head(book_id, asset_type, filename))

    @capability("download_asset", "read", of=("book", "book_id"), verb="download-asset", timeout=600)
    async def download_asset(self, book_id: BookId, asset_type: AssetType, filename: FileName) -> Download:
        """Get an asset's bytes, or an address that gives them out for an hour without a token."""
        named(filename)
        head = await self.asset_head(book_id, asset_type, filename)
        shelf = await self.shelf_of(book_id)
        return file_of(self.parts, shelf, book_id, head)

    @capability("list_assets", "read", of=("book", "book_id"), verb="list-assets")
    async def list_assets(
        self,
        book_id: BookId,
        asset_type: Annotated[AssetType, Field(description="Only of this type.")] | None = None,
        limit: Annotated[int, Field(ge=1, le=1_000)] = 200,
        cursor: str | None = None,
    ) -> Page[Asset]:
        """List the assets of a book: their names, kinds, sizes and addresses."""
        prefix = f"assets/{asset_type}/" if asset_type else "assets/"
        await self.settle_under(book_id, prefix)

        def work(tx: Tx) -> Page[Asset]:
            rows = [row for row in tx.all("files_under", book_id=book_id, prefix=prefix) if _is_asset(row["path"])]
            first = 0 if cursor is None else position(cursor)
            shown = rows[first : first + limit]
            more = first + limit < len(rows)
            heads = [head for row in shown if (head := Head.of(row))]
            return Page[Asset].model_construct(
                items=[self._asset(book_id, head) for head in heads],
                total=len(rows),
                truncated=more,
                cursor=f"{first + limit:x}" if more else None,
            )

        return await self.read(work)

    @capability("delete_asset", "destroy", of=("book", "book_id"), verb="delete-asset", idempotent=True)
    async def delete_asset(
        self, book_id: BookId, asset_type: AssetType, filename: FileName, file_hash: FileHash | None = None
    ) -> ContentDeleted:
        """Delete an asset; one that is not there is no error. Its history is kept for a while."""
        named(filename)
        expected = expects(check_hash(file_hash))
        try:
            head = await self.asset_head(book_id, asset_type, filename)
        except NotFound as error:
            if error.details["noun"] != "content":
                raise
            path = asset_path(asset_type, safe_name(filename))
        else:
            path = head.path
        before = await self.take_away(book_id, path, expected)
        message = "Asset deleted" if before else "There was no such asset"
        return ContentDeleted.model_construct(
            status="success", path=stored(book_id, path), existed=before is not None, message=message
        )

    async def put_asset(
        self,
        book_id: str,
        asset_type: str,
        filename: str,
        file_hash: str | None,
        put: Callable[[str, Check], Awaitable[Put]],
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

    async def put_file(
        self,
        book_id: str,
        asset_type: str,
        filename: str,
        file_hash: str | None,
        part: Receiving,
        note: Callable[[Tx, str], None] | None = None,
    ) -> Put:
        """The same for bytes that have come in as a file."""
        sha256 = await asyncio.to_thread(part.digest)
        beginning = await asyncio.to_thread(part.beginning, SNIFFED)

        async def put(path: str, check: Check) -> Put:
            async def attempt(shelf: Shelf) -> Put:
                staged = await sheltered(asyncio.to_thread(shelf.stage_file, book_id, part.path, sha256))
                return await self.put_staged(
                    shelf, book_id, path, staged, check,
                    operation="upload", mime=mime_type(path, beginning), original_name=filename,
                    also=(lambda tx: note(tx, path)) if note else None,
                )  # fmt: skip

            return await self.settled(book_id, attempt)

        return await self.put_asset(book_id, asset_type, filename, file_hash, put)

    async def asset_head(self, book_id: str, asset_type: str, filename: str) -> Head:
        """An asset by the name it was given or the one that was made of it, in step with its bytes."""
        names = dict.fromkeys((safe_name(filename), other_name(filename)))

        async def attempt(shelf: Shelf) -> Head:
            def work(tx: Tx) -> Head | None:
                heads = [self.current(tx, shelf, book_id, asset_path(asset_type, name)) for name in names]
                found = [head for head in heads if head is not None]
                given = (head for head in found if original_name(head) == filename)
                kept = (head for head in found if head.path == asset_path(asset_type, filename))
                return next(given, next(kept, None))

            head = await self.read(work)
            if head is None:
                raise missing(stored(book_id, asset_path(asset_type, safe_name(filename))))
            return head

        return await self.settled(book_id, attempt)

    async def _promise(
        self, book_id: str, asset_type: str, filename: str, size: int, file_hash: str | None
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

        await self.shelf_of(book_id)
        path = await self.read(work)
        claims = {
            "upload": secrets.token_hex(16),
            "book_id": book_id,
            "asset_type": asset_type,
            "filename": filename,
            "size": size,
            "file_hash": file_hash,
            "actor": self.context.actor.id,
        }
        token = self.parts.signer.sign(Purpose.ASSET_UPLOAD, claims, UPLOAD_SECONDS)
        return AssetUploaded.model_construct(
            status="success",
            method="presigned",
            cdn_url=self.address(book_id, path),
            file_size=size,
            mime_type=mime_of(path),
            path=stored(book_id, path),
            filename=path.rpartition("/")[2],
            original_filename=filename,
            file_hash=None,
            upload_url=f"{self.parts.public_url}/uploads/{token}",
            expires_at=moment(self.now() + UPLOAD_SECONDS * 1_000_000),
        )

    def uploaded(self, put: Put, method: Literal["direct", "presigned"] = "direct") -> AssetUploaded:
        book_id = put.key.split("/")[1]
        return AssetUploaded.model_construct(
            status="success",
            method=method,
            cdn_url=self.address(book_id, put.head.path),
            file_size=put.head.size,
            mime_type=put.head.mime,
            path=put.key,
            filename=put.head.path.rpartition("/")[2],
            original_filename=original_name(put.head),
            file_hash=put.head.sha256,
            upload_url=None,
            expires_at=None,
        )

    def _asset(self, book_id: str, head: Head) -> Asset:
        _, asset_type, name = head.path.split("/", 2)
        return Asset.model_construct(
            cdn_url=self.address(book_id, head.path),
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

    def address(self, book_id: str, path: str) -> str:
        """Where an asset can be had: under the setting's address, or our own."""
        return f"{self.shelves.cdn_url or self.parts.public_url}/{stored(book_id, path)}"


def named(filename: str) -> None:
    if not filename.strip() or len(filename) > 255:
        raise InvalidInput("filename: must have 1 to 255 characters.", field="filename")


def original_name(head: Head) -> str:
    """The name that a file was uploaded under."""
    return head.original_name or head.path.rpartition("/")[2]


def _is_asset(path: str) -> bool:
    return path.count("/") >= 2
