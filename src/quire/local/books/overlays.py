"""Overlays: whoever may read a book may keep copies of its files for themselves, where the book allows it.

They are rows and not files, so no walk over a storage, and no search, archive, history or log, can ever come upon one.
"""

from __future__ import annotations

import hashlib
from typing import Any

from quire.domain.books import (
    Content,
    ContentDeleted,
    check_book_id,
    check_hash,
    check_path,
    content_bytes,
    limit_of,
    missing,
    stored,
)
from quire.domain.errors import Conflict, InvalidInput
from quire.domain.overlays import MOST_OVERLAYS, Overlay, OverlayWritten
from quire.domain.pages import Page, page_of_all
from quire.local.books.file_heads import writable
from quire.local.books.files import BookFiles
from quire.local.scope import Scope
from quire.local.timestamps import moment
from quire.ports.store import Row, Tx


class Overlays:
    def __init__(self, files: BookFiles) -> None:
        self._files = files

    async def write_overlay(
        self, scope: Scope, book_id: str, path: str, content: str, file_hash: str | None
    ) -> OverlayWritten:
        check_book_id(book_id)
        check_path(path, writing=True)
        data = content_bytes(content, limit_of(path))
        expected = check_hash(file_hash)

        def work(tx: Tx) -> OverlayWritten:
            book = tx.one("hold_book", book_id=book_id)
            assert book is not None
            writable(book)
            if not book["overlays"]:
                raise InvalidInput(
                    "This book takes no overlays.", hint="Its owner allows them with update_book.", field="book_id"
                )
            mine = {"book_id": book_id, "person_id": scope.actor_id}
            before = tx.one("book_overlay", path=path, **mine)
            base = tx.one("book_file", book_id=book_id, path=path)
            expect(stored(book_id, path), before, expected)
            if before is None and tx.count("count_book_overlays", **mine) >= MOST_OVERLAYS:
                raise InvalidInput(f"You have {MOST_OVERLAYS:,} overlays in this book; delete one first.")
            facts: dict[str, Any] = {
                "sha256": hashlib.sha256(data).hexdigest(),
                "size": len(data),
                "base_hash": base["sha256"] if base else None,
            }
            tx.run("put_book_overlay", path=path, content=content, at=scope.now(), **mine, **facts)
            return OverlayWritten(
                path=stored(book_id, path),
                file_size=facts["size"],
                file_hash=facts["sha256"],
                mode="updated" if before else "created",
                base_hash=facts["base_hash"],
            )

        return await scope.write(work)

    async def delete_overlay(self, scope: Scope, book_id: str, path: str, file_hash: str | None) -> ContentDeleted:
        check_book_id(book_id)
        check_path(path)
        expected = check_hash(file_hash)

        def work(tx: Tx) -> bool:
            tx.one("hold_book", book_id=book_id)
            mine = {"book_id": book_id, "person_id": scope.actor_id, "path": path}
            before = tx.one("book_overlay", **mine)
            expect(stored(book_id, path), before, expected)
            return tx.run("delete_book_overlay", **mine) > 0

        existed = await scope.write(work)
        message = "Overlay deleted" if existed else "There was no such overlay"
        return ContentDeleted(path=stored(book_id, path), existed=existed, message=message)

    async def list_overlays(self, scope: Scope, book_id: str, limit: int, cursor: str | None) -> Page[Overlay]:
        check_book_id(book_id)
        await self._files.settle_under(scope, book_id, "")
        rows = await scope.read(lambda tx: tx.all("overlays_of_book", book_id=book_id, person_id=scope.actor_id))
        return page_of_all(rows, limit, cursor, lambda row: overlay_of(book_id, row))


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
