"""What a file was: its versions, the difference between two, and the way back."""

from __future__ import annotations

import asyncio
import hashlib

from quire.domain.books import (
    ContentDiff,
    ContentVersion,
    ContentWritten,
    check_book_id,
    check_hash,
    check_path,
    check_summary,
    missing,
    stored,
)
from quire.domain.diffs import unified
from quire.domain.errors import InvalidInput, NotFound, Unsupported
from quire.domain.pages import Page, page, position
from quire.local.books.contents import written_of
from quire.local.books.file_heads import expects
from quire.local.books.files import BookFiles
from quire.local.scope import Scope
from quire.local.timestamps import moment
from quire.ports.store import Row, Tx


class History:
    def __init__(self, files: BookFiles) -> None:
        self._files = files

    async def content_history(
        self, scope: Scope, book_id: str, path: str, limit: int, cursor: str | None
    ) -> Page[ContentVersion]:
        check_book_id(book_id)
        check_path(path)

        def work(tx: Tx) -> Page[ContentVersion]:
            of = {"book_id": book_id, "path": path}
            head = tx.one("book_file", **of)
            rows = tx.all("book_versions", **of, before=position(cursor), limit=limit + 1)
            if not rows and cursor is None:
                raise missing(stored(book_id, path))
            current = head["revision"] if head else None
            count = tx.count("count_book_versions", **of)
            return page(rows, limit, count, lambda row: version_of(row, current), "revision")

        return await scope.read(work)

    async def diff_content(
        self, scope: Scope, book_id: str, path: str, from_revision: int, to_revision: int | None
    ) -> ContentDiff:
        check_path(path)
        check_book_id(book_id)
        newest = await self._newest(scope, book_id, path)
        to_revision = to_revision or newest
        before = await self._text(scope, book_id, path, from_revision)
        after = await self._text(scope, book_id, path, to_revision)
        labels = (f"revision {from_revision}", f"revision {to_revision}")
        diff, cut = await asyncio.to_thread(unified, before, after, stored(book_id, path), labels)
        return ContentDiff.model_construct(
            path=stored(book_id, path),
            from_revision=from_revision,
            to_revision=to_revision,
            diff=diff,
            diff_truncated=cut,
        )

    async def restore_content(
        self, scope: Scope, book_id: str, path: str, revision: int, file_hash: str | None
    ) -> ContentWritten:
        check_path(path, writing=True)
        expected = expects(check_hash(file_hash))
        row, data = await self._bytes(scope, book_id, path, revision)
        if data is None:
            raise InvalidInput(f"revision: the file was deleted at revision {revision}.", field="revision")
        check_summary(path, len(data))
        put = await self._files.put(
            scope, book_id, path, data, expected, operation="restore", detail={"revision": revision},
            mime=row["mime"], original_name=row["original_name"],
        )  # fmt: skip
        return written_of(put)

    async def _newest(self, scope: Scope, book_id: str, path: str) -> int:
        row = await scope.read(lambda tx: tx.one("last_revision", book_id=book_id, path=path))
        if row is None or not row["revision"]:
            raise missing(stored(book_id, path))
        newest: int = row["revision"]
        return newest

    async def _text(self, scope: Scope, book_id: str, path: str, revision: int) -> str:
        _, data = await self._bytes(scope, book_id, path, revision)
        try:
            return (data or b"").decode()
        except UnicodeDecodeError:
            raise InvalidInput("This file is not text.", path=stored(book_id, path)) from None

    async def _bytes(self, scope: Scope, book_id: str, path: str, revision: int) -> tuple[Row, bytes | None]:
        """A version's row and bytes; a deletion has none."""
        storage = await self._files.storage_of(scope, book_id)
        of = {"book_id": book_id, "path": path}
        row = await scope.read(lambda tx: tx.one("book_version", **of, revision=revision))
        if row is None:
            raise NotFound("version", f"{stored(book_id, path)} at revision {revision}")
        if row["sha256"] is None:
            return row, None
        for _ in range(2):
            data = await asyncio.to_thread(storage.version, book_id, row["ref"])
            if data is not None:
                if hashlib.sha256(data).hexdigest() != row["sha256"]:
                    raise Unsupported(
                        f"Revision {revision} of {stored(book_id, path)} is damaged.", hint="Restore it from a copy."
                    )
                return row, data
            # In a local storage it becomes a version when it is replaced; until then some file has these bytes.
            holder = await scope.read(lambda tx: tx.one("file_of_hash", book_id=book_id, sha256=row["sha256"]))
            if holder is not None:
                read = await self._files.fetch(scope, book_id, holder["path"])
                if read.head.sha256 == row["sha256"]:
                    return row, bytes(read.data)
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
