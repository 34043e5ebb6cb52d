"""Lessons: read, write, delete."""

from __future__ import annotations

from quire.api.capability import capability
from quire.domain.books import (
    BookId,
    Content,
    ContentDeleted,
    ContentPath,
    ContentWritten,
    FileHash,
    Text,
    check_hash,
    check_path,
    content_bytes,
    stored,
)
from quire.domain.errors import InvalidInput
from quire.domain.overlays import Overlaid
from quire.local.books.heads import Head, Put, expects
from quire.local.books.overlays import own_copy
from quire.local.books.shelved import Shelved
from quire.local.service import moment


class Contents(Shelved):
    @capability("read_content", "read", of=("book", "book_id"), verb="read")
    async def read_content(self, book_id: BookId, path: ContentPath, overlay: Overlaid = False) -> Content:
        """Read a file of a book, with its hash."""
        check_path(path)
        if overlay:
            await self.shelf_of(book_id)
            person_id = self.context.actor.id
            copy = await self.read(lambda tx: own_copy(tx, book_id, person_id, path))
            if copy is not None:
                return copy
        head, data, shelf = await self.fetch(book_id, path)
        return content_of(book_id, head, data, shelf.name)

    @capability("write_content", "write", of=("book", "book_id"), verb="write", idempotent=True)
    async def write_content(
        self, book_id: BookId, path: ContentPath, content: Text, file_hash: FileHash | None = None
    ) -> ContentWritten:
        """Create or replace a file of a book; with `file_hash`, only if nobody changed it meanwhile."""
        check_path(path, writing=True)
        data = content_bytes(content)
        put = await self.put(book_id, path, data, expects(check_hash(file_hash)))
        return written_of(put)

    @capability("delete_content", "destroy", of=("book", "book_id"), verb="delete", idempotent=True)
    async def delete_content(
        self, book_id: BookId, path: ContentPath, file_hash: FileHash | None = None
    ) -> ContentDeleted:
        """Delete a file of a book; one that is not there is no error."""
        check_path(path, writing=True)
        before = await self.take_away(book_id, path, expects(check_hash(file_hash)))
        message = "File deleted" if before else "There was no such file"
        return ContentDeleted.model_construct(path=stored(book_id, path), existed=before is not None, message=message)


def content_of(book_id: str, head: Head, data: bytes | bytearray, backend: str) -> Content:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise InvalidInput(
            f"{stored(book_id, head.path)} is not UTF-8 text.", path=stored(book_id, head.path)
        ) from None
    return Content(
        content=text,
        file_size=head.size,
        last_modified=moment(head.modified_at),
        storage_backend=backend,
        file_hash_sha256=head.sha256,
        path=stored(book_id, head.path),
        revision=head.revision,
    )


def written_of(put: Put) -> ContentWritten:
    return ContentWritten.model_construct(
        status="success",
        path=put.key,
        file_size=put.head.size,
        file_hash=put.head.sha256,
        mode="updated" if put.before else "created",
        revision=put.head.revision,
    )
