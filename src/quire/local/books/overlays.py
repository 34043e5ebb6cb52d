"""Overlays: whoever may read a book may keep copies of its files for themselves, where the book allows it.

They are rows and not files, so no walk over a shelf, and no search, archive, history or log, can ever come upon one.
"""

from __future__ import annotations

import hashlib
from typing import Annotated, Any

from pydantic import Field

from quire.api.capability import capability
from quire.domain.books import (
    BookId,
    Content,
    ContentDeleted,
    ContentPath,
    FileHash,
    Text,
    check_book_id,
    check_hash,
    check_path,
    content_bytes,
    missing,
    stored,
)
from quire.domain.errors import Conflict, InvalidInput
from quire.domain.overlays import MOST_OVERLAYS, Overlay, OverlayWritten
from quire.domain.pages import Page
from quire.domain.sharing import Role
from quire.local.books.heads import writable
from quire.local.books.shelved import Shelved
from quire.local.service import moment, position
from quire.ports.store import Row, Tx


class Overlays(Shelved):
    @capability(
        "write_overlay", "write", of=("book", "book_id"), needs=Role.VIEWER, verb="write-overlay", idempotent=True
    )
    async def write_overlay(
        self, book_id: BookId, path: ContentPath, content: Text, file_hash: FileHash | None = None
    ) -> OverlayWritten:
        """Keep a copy of a file for yourself, which nobody else sees; the book's own file stays as it is."""
        check_book_id(book_id)
        check_path(path, writing=True)
        data = content_bytes(content)
        expected = check_hash(file_hash)

        def work(tx: Tx) -> OverlayWritten:
            book = tx.one("hold_book", book_id=book_id)
            assert book is not None
            writable(book)
            if not book["overlays"]:
                raise InvalidInput(
                    "This book takes no overlays.", hint="Its owner allows them with update_book.", field="book_id"
                )
            mine = {"book_id": book_id, "person_id": self.context.actor.id}
            before = tx.one("book_overlay", path=path, **mine)
            base = tx.one("book_file", book_id=book_id, path=path)
            expect(stored(book_id, path), before, expected)
            count = tx.one("count_book_overlays", **mine)
            if before is None and count and count["total"] >= MOST_OVERLAYS:
                raise InvalidInput(f"You have {MOST_OVERLAYS:,} overlays in this book; delete one first.")
            facts: dict[str, Any] = {
                "sha256": hashlib.sha256(data).hexdigest(),
                "size": len(data),
                "base_hash": base["sha256"] if base else None,
            }
            tx.run("put_book_overlay", path=path, content=content, at=self.now(), **mine, **facts)
            return OverlayWritten(
                path=stored(book_id, path),
                file_size=facts["size"],
                file_hash=facts["sha256"],
                mode="updated" if before else "created",
                base_hash=facts["base_hash"],
            )

        return await self.write(work)

    @capability(
        "delete_overlay", "destroy", of=("book", "book_id"), needs=Role.VIEWER, verb="delete-overlay", idempotent=True
    )
    async def delete_overlay(
        self, book_id: BookId, path: ContentPath, file_hash: FileHash | None = None
    ) -> ContentDeleted:
        """Delete your own copy of a file; the book's own is what you read from then on."""
        check_book_id(book_id)
        check_path(path)
        expected = check_hash(file_hash)

        def work(tx: Tx) -> bool:
            tx.one("hold_book", book_id=book_id)
            mine = {"book_id": book_id, "person_id": self.context.actor.id, "path": path}
            before = tx.one("book_overlay", **mine)
            expect(stored(book_id, path), before, expected)
            return tx.run("delete_book_overlay", **mine) > 0

        existed = await self.write(work)
        message = "Overlay deleted" if existed else "There was no such overlay"
        return ContentDeleted(path=stored(book_id, path), existed=existed, message=message)

    @capability("list_overlays", "read", of=("book", "book_id"), verb="list-overlays")
    async def list_overlays(
        self, book_id: BookId, limit: Annotated[int, Field(ge=1, le=1_000)] = 200, cursor: str | None = None
    ) -> Page[Overlay]:
        """List your own copies of a book's files, and whether the book's have changed since."""
        check_book_id(book_id)
        first = 0 if cursor is None else position(cursor)
        await self.settle_under(book_id, "")
        rows = await self.read(lambda tx: tx.all("overlays_of_book", book_id=book_id, person_id=self.context.actor.id))
        more = first + limit < len(rows)
        return Page[Overlay](
            items=[overlay_of(book_id, row) for row in rows[first : first + limit]],
            total=len(rows),
            truncated=more,
            cursor=f"{first + limit:x}" if more else None,
        )


def expect(key: str, before: Row | None, file_hash: str | None) -> None:
    """Passes where the copy has the hash that its owner read, if one is given."""
    if file_hash is None:
        return
    if before is None:
        raise missing(key)
    if before["sha256"] != file_hash:
        raise Conflict(
            f"Your copy of {key} is another by now.",
            hint="Read it again with overlay, merge, and write with its new hash.",
            path=key,
            current_hash=before["sha256"],
        )


def overlay_of(book_id: str, row: Row) -> Overlay:
    return Overlay(
        path=stored(book_id, row["path"]),
        file_size=row["size"],
        file_hash=row["sha256"],
        last_modified=moment(row["at"]),
        base_hash=row["base_hash"],
        base_changed=row["base_hash"] != row["now_hash"],
    )


def own_copy(tx: Tx, book_id: str, person_id: str, path: str) -> Content | None:
    """What a person reads in place of a file, where the book allows that and there is something."""
    book = tx.one("book_by_id", book_id=book_id)
    row = tx.one("book_overlay", book_id=book_id, person_id=person_id, path=path)
    if book is None or row is None or not book["overlays"]:
        return None
    return Content(
        content=row["content"],
        file_size=row["size"],
        last_modified=moment(row["at"]),
        storage_backend=book["storage_backend"],
        file_hash_sha256=row["sha256"],
        path=stored(book_id, path),
        revision=0,
        overlay=True,
    )
