"""Files of books as downloads, and the signed links that give them out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

from quire.domain.books import stored
from quire.domain.files import Download
from quire.local.books.heads import Head
from quire.local.service import Parts
from quire.ports.books import Shelf
from quire.ports.machine import Purpose

LINK_SECONDS = 3600


def file_of(parts: Parts, shelf: Shelf, book_id: str, head: Head) -> Download:
    """A file as a download, with an address that needs no token for an hour."""
    facts: dict[str, Any] = {
        "name": head.original_name or head.path.rpartition("/")[2],
        "media_type": head.mime,
        "size": head.size,
        "sha256": head.sha256,
    }
    key = shelf.source(book_id, stored(book_id, head.path), head.ref)
    mark = head.mark if shelf.local else ""
    token = parts.signer.sign(
        Purpose.BOOK_FILE_LINK, {"shelf": shelf.name, "key": key, "mark": mark, **facts}, LINK_SECONDS
    )
    return _readable(Download(**facts, url=f"{parts.public_url}/shelf/{token}"), shelf, key, mark)


def linked(parts: Parts, token: str) -> Download:
    """The file that a signed link names: the bytes it was made for, or none."""
    claims = parts.signer.verify(Purpose.BOOK_FILE_LINK, token)
    shelf, key, mark = parts.shelves.get(claims.pop("shelf")), claims.pop("key"), claims.pop("mark")
    return _readable(Download(**claims), shelf, key, mark)


def _readable(file: Download, shelf: Shelf, key: str, mark: str) -> Download:
    return file.opened_from(lambda start: in_chunks(shelf.chunks(key, start, mark)))


async def in_chunks(chunks: Iterator[bytes]) -> AsyncIterator[bytes]:
    """What a blocking iterator gives, each step on a thread."""
    while (chunk := await asyncio.to_thread(next, chunks, None)) is not None:
        yield chunk
