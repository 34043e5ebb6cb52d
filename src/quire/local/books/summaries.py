"""Summaries of chapters."""

from __future__ import annotations

from quire.domain.books import (
    SUMMARY_LIMIT,
    ContentDeleted,
    Summary,
    SummaryWritten,
    check_hash,
    content_bytes,
    missing,
    stored,
    summary_path,
)
from quire.local.books.contents import content_of
from quire.local.books.file_heads import Held, expects
from quire.local.books.files import BookFiles
from quire.local.scope import Scope


class Summaries:
    def __init__(self, files: BookFiles) -> None:
        self._files = files

    async def read_summary(self, scope: Scope, book_id: str, chapter_id: str) -> Summary:
        content = content_of(book_id, await self._files.fetch(scope, book_id, summary_path(chapter_id)))
        return Summary.model_construct(
            path=content.path,
            content=content.content,
            file_size=content.file_size,
            last_modified=content.last_modified,
            storage_backend=content.storage_backend,
            sha256=content.file_hash_sha256,
            revision=content.revision,
        )

    async def write_summary(
        self, scope: Scope, book_id: str, chapter_id: str, content: str, file_hash: str | None
    ) -> SummaryWritten:
        path = summary_path(chapter_id)
        data = content_bytes(content, SUMMARY_LIMIT)
        put = await self._files.put(scope, book_id, path, data, expects(check_hash(file_hash)))
        return SummaryWritten.model_construct(
            status="success",
            path=stored(book_id, path),
            file_size=put.head.size,
            sha256=put.head.sha256,
            mode="updated" if put.before else "created",
            revision=put.head.revision,
        )

    async def delete_summary(
        self, scope: Scope, book_id: str, chapter_id: str, file_hash: str | None
    ) -> ContentDeleted:
        path = summary_path(chapter_id)
        expected = expects(check_hash(file_hash))

        def check(held: Held) -> None:
            if held.head is None:
                raise missing(held.key)
            expected(held)

        await self._files.take_away(scope, book_id, path, check)
        return ContentDeleted.model_construct(
            status="success", path=stored(book_id, path), existed=True, message="Summary deleted"
        )
