"""What a file was: its versions, the difference between two, and the way back."""

from __future__ import annotations

import asyncio
from typing import Annotated

from pydantic import Field

from quire.api.capability import capability
from quire.domain.books import (
    BookId,
    ContentDiff,
    ContentPath,
    ContentVersion,
    ContentWritten,
    FileHash,
    check_book_id,
    check_hash,
    check_path,
    missing,
    stored,
)
from quire.domain.diffs import unified
from quire.domain.errors import InvalidInput, NotFound
from quire.domain.pages import Page
from quire.local.books.content import written_of
from quire.local.books.heads import expects
from quire.local.books.shelved import Shelved
from quire.local.service import moment, position
from quire.ports.store import Row, Tx

Limit = Annotated[int, Field(ge=1, le=200)]
Revision = Annotated[int, Field(ge=1, le=2**62, description="A revision that the history lists.")]


class History(Shelved):
    @capability("get_content_history", "read", of=("book", "book_id"), verb="history")
    async def content_history(
        self, book_id: BookId, path: ContentPath, limit: Limit = 50, cursor: str | None = None
    ) -> Page[ContentVersion]:
        """List what a file was, newest first; a deleted file still has its history."""
        check_book_id(book_id)
        check_path(path)

        def work(tx: Tx) -> Page[ContentVersion]:
            of = {"book_id": book_id, "path": path}
            head = tx.one("book_file", **of)
            rows = tx.all("book_versions", **of, before=position(cursor), limit=limit + 1)
            total = tx.one("count_book_versions", **of)
            if not rows and cursor is None:
                raise missing(stored(book_id, path))
            more = len(rows) > limit
            current = head["revision"] if head else None
            return Page[ContentVersion].model_construct(
                items=[version_of(row, current) for row in rows[:limit]],
                total=total["total"] if total else 0,
                truncated=more,
                cursor=f"{rows[limit - 1]['revision']:x}" if more else None,
            )

        return await self.read(work)

    @capability("diff_content", "read", of=("book", "book_id"), verb="diff")
    async def diff_content(
        self, book_id: BookId, path: ContentPath, from_revision: Revision, to_revision: Revision | None = None
    ) -> ContentDiff:
        """Show the difference between two revisions of a file; the newest, when the second is left out."""
        check_path(path)
        check_book_id(book_id)
        newest = await self._newest(book_id, path)
        to_revision = to_revision or newest
        before = await self._text(book_id, path, from_revision)
        after = await self._text(book_id, path, to_revision)
        labels = (f"revision {from_revision}", f"revision {to_revision}")
        diff, cut = await asyncio.to_thread(unified, before, after, stored(book_id, path), labels)
        return ContentDiff.model_construct(
            path=stored(book_id, path),
            from_revision=from_revision,
            to_revision=to_revision,
            diff=diff,
            diff_truncated=cut,
        )

    @capability("restore_content", "write", of=("book", "book_id"), verb="restore")
    async def restore_content(
        self, book_id: BookId, path: ContentPath, revision: Revision, file_hash: FileHash | None = None
    ) -> ContentWritten:
        """Make a file again what it was at a revision; that becomes its newest one."""
        check_path(path, writing=True)
        expected = expects(check_hash(file_hash))
        row, data = await self._bytes(book_id, path, revision)
        if data is None:
            raise InvalidInput(f"revision: the file was deleted at revision {revision}.", field="revision")
        put = await self.put(
            book_id, path, data, expected, operation="restore", detail={"revision": revision},
            mime=row["mime"], original_name=row["original_name"],
        )  # fmt: skip
        return written_of(put)

    async def _newest(self, book_id: str, path: str) -> int:
        row = await self.read(lambda tx: tx.one("last_revision", book_id=book_id, path=path))
        if row is None or not row["revision"]:
            raise missing(stored(book_id, path))
        newest: int = row["revision"]
        return newest

    async def _text(self, book_id: str, path: str, revision: int) -> str:
        _, data = await self._bytes(book_id, path, revision)
        try:
            return (data or b"").decode()
        except UnicodeDecodeError:
            raise InvalidInput("This file is not text.", path=stored(book_id, path)) from None

    async def _bytes(self, book_id: str, path: str, revision: int) -> tuple[Row, bytes | None]:
        """A version's row and bytes; a deletion has none."""
        shelf = await self.shelf_of(book_id)
        of = {"book_id": book_id, "path": path}
        row = await self.read(lambda tx: tx.one("book_version", **of, revision=revision))
        if row is None:
            raise NotFound("version", f"{stored(book_id, path)} at revision {revision}")
        if row["sha256"] is None:
            return row, None
        for _ in range(2):
            data = await asyncio.to_thread(shelf.version, book_id, row["ref"])
            if data is not None:
                return row, data
            # On a local shelf it becomes a version when it is replaced; until then some file has these bytes.
            holder = await self.read(lambda tx: tx.one("file_of_hash", book_id=book_id, sha256=row["sha256"]))
            if holder is not None:
                head, current, _ = await self.fetch(book_id, holder["path"])
                if head.sha256 == row["sha256"]:
                    return row, bytes(current)
        raise NotFound("version", f"{stored(book_id, path)} at revision {revision}")


def version_of(row: Row, current: int | None) -> ContentVersion:
    return ContentVersion.model_construct(
        revision=row["revision"],
        operation=row["operation"],
        actor=row["actor"],
        at=moment(row["at"]),
        file_size=row["size"],
        file_hash=row["sha256"],
        current=row["revision"] == current,
    )
