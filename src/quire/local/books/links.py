"""Files of books as downloads, and the signed links that give them out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

from quire.api.context import Context
from quire.domain.books import stored
from quire.domain.files import Download
from quire.local.books.file_heads import Head
from quire.local.books.storages import BookStorages
from quire.local.file_links import FileLinks
from quire.local.files import LINK_SECONDS
from quire.ports.books import BookStorage


class BookLinks:
    def __init__(self, storages: BookStorages, links: FileLinks) -> None:
        self._storages = storages
        self._links = links

    def file_of(self, storage: BookStorage, book_id: str, head: Head, context: Context) -> Download:
        """A file as a download, with an address that needs no token for an hour; its path is for local callers."""
        facts: dict[str, Any] = {
            "name": head.original_name or head.path.rpartition("/")[2],
            "media_type": head.mime,
            "size": head.size,
            "sha256": head.sha256,
        }
        key = storage.source(book_id, stored(book_id, head.path), head.ref)
        mark = head.mark if storage.local else ""
        claims = {"storage": storage.name, "key": key, "mark": mark, **facts}
        url = self._links.url(claims, LINK_SECONDS, context)
        path = storage.path(key) if context.local else None
        return _readable(Download(**facts, url=url, path=path), storage, key, mark)

    def linked(self, claims: dict[str, Any]) -> Download:
        """The file that the claims of a signed link name: the bytes it was made for, or none."""
        storage, key, mark = self._storages.get(claims.pop("storage")), claims.pop("key"), claims.pop("mark")
        return _readable(Download(**claims), storage, key, mark)


def _readable(file: Download, storage: BookStorage, key: str, mark: str) -> Download:
    return file.opened_from(lambda start: in_chunks(storage.chunks(key, start, mark)))


async def in_chunks(chunks: Iterator[bytes]) -> AsyncIterator[bytes]:
    """What a blocking iterator gives, each step on a thread."""
    while (chunk := await asyncio.to_thread(next, chunks, None)) is not None:
        yield chunk
