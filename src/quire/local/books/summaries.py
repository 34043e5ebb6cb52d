"""Summaries of chapters."""

from __future__ import annotations

from quire.api.capability import capability
from quire.domain.books import (
    SUMMARY_LIMIT,
    BookId,
    ChapterId,
    ContentDeleted,
    FileHash,
    Summary,
    SummaryText,
    SummaryWritten,
    check_hash,
    content_bytes,
    missing,
    stored,
    summary_path,
)
from quire.local.books.content import content_of
from quire.local.books.heads import Held, expects
from quire.local.books.shelved import Shelved


class Summaries(Shelved):
    @capability("read_summary", "read", of=("book", "book_id"), verb="read-summary")
    async def read_summary(self, book_id: BookId, chapter_id: ChapterId) -> Summary:
        """Read the summary of a chapter, with its hash."""
        head, data, shelf = await self.fetch(book_id, summary_path(chapter_id))
        content = content_of(book_id, head, data, shelf.name)
        return Summary.model_construct(
            path=content.path,
            content=content.content,
            file_size=content.file_size,
            last_modified=content.last_modified,
            storage_backend=content.storage_backend,
            sha256=content.file_hash_sha256,
            revision=content.revision,
        )

    @capability("write_summary", "write", of=("book", "book_id"), verb="write-summary", idempotent=True)
    async def write_summary(
        self, book_id: BookId, chapter_id: ChapterId, content: SummaryText, file_hash: FileHash | None = None
    ) -> SummaryWritten:
        """Create or replace the summary of a chapter."""
        path = summary_path(chapter_id)
        data = content_bytes(content, SUMMARY_LIMIT)
        put = await self.put(book_id, path, data, expects(check_hash(file_hash)))
        return SummaryWritten.model_construct(
            status="success",
            path=stored(book_id, path),
            file_size=put.head.size,
            sha256=put.head.sha256,
            mode="updated" if put.before else "created",
            revision=put.head.revision,
        )

    @capability("delete_summary", "destroy", of=("book", "book_id"), verb="delete-summary", idempotent=True)
    async def delete_summary(
        self, book_id: BookId, chapter_id: ChapterId, file_hash: FileHash | None = None
    ) -> ContentDeleted:
        """Delete the summary of a chapter; one that is not there is an error."""
        path = summary_path(chapter_id)
        expected = expects(check_hash(file_hash))

        def check(held: Held) -> None:
            if held.head is None:
                raise missing(held.key)
            expected(held)

        await self.take_away(book_id, path, check)
        return ContentDeleted.model_construct(
            status="success", path=stored(book_id, path), existed=True, message="Summary deleted"
        )
