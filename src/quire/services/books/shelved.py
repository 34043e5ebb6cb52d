"""How the files of a book are read and changed: rows decide, bytes follow.

The head of a file is a row, and whoever changes it holds the book's row for the length of one transaction.
On a local shelf the new bytes are safe before it begins and take their place by a rename as its last step.
A crash between that rename and the commit leaves new bytes under an old row; the file's mark tells, and
whoever comes next adopts what is there as a new revision, just as if another program had edited the file.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from quire.domain.books import check_book_id, mime_of, stored
from quire.domain.errors import Conflict, InvalidInput, NotFound, QuireError
from quire.services.books.chain import Chain
from quire.services.books.changes import Change, changed
from quire.services.books.shelves import Shelves
from quire.services.ports import Row, Seen, Shelf, Staged, Tx
from quire.services.service import Service
from quire.services.shelter import sheltered

OUTSIDE = "outside"
KEPT_VERSIONS = 50
TRIES = 5


class Elsewhere(Exception):
    """The book stands on another shelf than was remembered."""


class Unsettled(Exception):
    """The bytes on the shelf are not those of the row."""


@dataclass(frozen=True)
class Head:
    """A file as its row has it."""

    path: str
    sha256: str
    size: int
    revision: int
    mime: str
    modified_at: int
    actor: str
    original_name: str | None
    mark: str

    @classmethod
    def of(cls, row: Row | None) -> Head | None:
        if row is None or row["sha256"] is None:
            return None
        return cls(**{name: row[name] for name in cls.__dataclass_fields__})


@dataclass(frozen=True)
class Put:
    """What a write came to."""

    head: Head
    before: Head | None
    shelf: str


Check = Callable[["Held"], None]


class Held:
    """A book whose row this transaction holds, and one of its files."""

    def __init__(self, book: Row, shelf: Shelf, chain: Chain, path: str, head: Head | None) -> None:
        self.book = book
        self.shelf = shelf
        self.chain = chain
        self.path = path
        self.head = head

    @property
    def book_id(self) -> str:
        book_id: str = self.book["book_id"]
        return book_id

    @property
    def key(self) -> str:
        return stored(self.book_id, self.path)


class Shelved(Service):
    noun = "book"
    toolset = "books"

    @property
    def shelves(self) -> Shelves:
        return self.parts.shelves

    async def shelf_of(self, book_id: str) -> Shelf:
        """The shelf that a book was last known to stand on."""
        name = self.shelves.of.get(check_book_id(book_id))
        if name is None:
            name = await self.read(lambda tx: _backend(tx, book_id))
            self.shelves.of[book_id] = name
        return self.shelves.get(name)

    async def fetch(self, book_id: str, path: str) -> tuple[Head, bytes, Shelf]:
        """A file's head and bytes that agree with each other."""
        shelf = await self.shelf_of(book_id)
        key = stored(book_id, path)
        for _ in range(TRIES):
            try:
                return await self.read(lambda tx: self._read_local(tx, book_id, path, key))
            except Elsewhere:
                self.shelves.of.pop(book_id, None)
                shelf = await self.shelf_of(book_id)
            except Unsettled:
                await self.settle(book_id, path, shelf)
        raise QuireError(f"{key} is being changed faster than it can be read.")

    def _read_local(self, tx: Tx, book_id: str, path: str, key: str) -> tuple[Head, bytes, Shelf]:
        row = tx.one("book_and_file", book_id=book_id, path=path)
        if row is None or row["storage_backend"] != self.shelves.of.get(book_id):
            raise Elsewhere
        shelf = self.shelves.get(row["storage_backend"])
        head = Head.of(row)
        found = shelf.read(key)
        if head is None and found is None:
            raise NotFound("content", key)
        if head is None or found is None or found[1].mark != head.mark:
            raise Unsettled
        return head, found[0], shelf

    async def settle(self, book_id: str, path: str, shelf: Shelf) -> None:
        """Brings a file's row in step with bytes that came from outside."""

        def work(tx: Tx) -> None:
            held = self.hold(tx, book_id, path, shelf)
            self.adopt(tx, held, shelf.look(held.key))

        await self.write(work)

    def hold(self, tx: Tx, book_id: str, path: str, shelf: Shelf) -> Held:
        book = tx.one("hold_book", book_id=book_id)
        if book is None or book["storage_backend"] != shelf.name:
            raise Elsewhere
        head = Head.of(tx.one("book_file", book_id=book_id, path=path))
        return Held(book, shelf, Chain(book), path, head)

    def adopt(self, tx: Tx, held: Held, seen: Seen | None) -> None:
        """Takes over what another program did to a file, as a revision of its own."""
        head = held.head
        if (seen.mark if seen else None) == (head.mark if head else None):
            return
        found = held.shelf.read(held.key) if seen else None
        if found is None:
            if head is not None:
                self.record(tx, held, None, "adopt_deletion", OUTSIDE, self.now())
            return
        data, seen = found
        sha256 = hashlib.sha256(data).hexdigest()
        if head is not None and head.sha256 == sha256:
            tx.run("mark_book_file", book_id=held.book_id, path=held.path, sha256=sha256, mark=seen.mark)
            return
        staged = Staged("", sha256, len(data), seen.mark)
        self.record(tx, held, staged, "adopt", OUTSIDE, min(seen.modified, self.now()), data=data)

    def record(
        self,
        tx: Tx,
        held: Held,
        staged: Staged | None,
        operation: str,
        actor: str,
        at: int,
        *,
        data: bytes | None = None,
        original_name: str | None = None,
        mime: str | None = None,
        detail: dict[str, Any] | None = None,
    ) -> None:
        """Writes down that a file is now what was staged, or gone: head, version, audit, indexes and event."""
        before = held.head
        ids = {"book_id": held.book_id, "path": held.path}
        if before is not None:
            revision = before.revision + 1
        else:
            last = tx.one("last_revision", **ids)
            revision = (last["revision"] if last else 0) + 1
        size = staged.size if staged else 0
        kept = {"revision": revision, "size": size, "actor": actor, "at": at}
        sha256 = staged.sha256 if staged else None
        tx.run("insert_book_version", sha256=sha256, operation=operation, **ids, **kept)
        if revision > KEPT_VERSIONS:
            tx.run("forget_book_versions", **ids, revision=revision - KEPT_VERSIONS)
        if staged is None:
            tx.run("delete_book_file", **ids)
            held.head = None
        else:
            facts = {"sha256": staged.sha256, "mime": mime or mime_of(held.path), "mark": staged.mark}
            tx.run("put_book_file", **ids, **kept, **facts, original_name=original_name)
            held.head = Head(
                held.path, size=staged.size, revision=revision, modified_at=at, actor=actor,
                original_name=original_name, **facts,
            )  # fmt: skip
        held.chain.add(
            tx, operation, held.path, actor=actor, at=at,
            before=before.sha256 if before else None, after=sha256,
            size=staged.size if staged else None, detail=detail,
        )  # fmt: skip
        changed(tx, Change(held.book_id, held.path, sha256, size, mime or mime_of(held.path), data))
        verb = "deleted" if staged is None else "updated" if before else "created"
        self.event(tx, f"content.{verb}", held.key)

    async def put(
        self,
        book_id: str,
        path: str,
        data: bytes,
        check: Check,
        *,
        operation: str = "write",
        mime: str | None = None,
        original_name: str | None = None,
        detail: dict[str, Any] | None = None,
    ) -> Put:
        """Writes a file, if `check` lets it pass."""
        actor = self.context.actor.id

        def change(tx: Tx, held: Held, staged: Staged) -> Put:
            before = held.head
            self.record(
                tx, held, staged, operation, actor, self.now(),
                data=data, mime=mime, original_name=original_name, detail=detail,
            )  # fmt: skip
            held.shelf.place(staged, held.key, before.sha256 if before else None)
            assert held.head is not None
            return Put(held.head, before, held.shelf.name)

        for _ in range(TRIES):
            shelf = await self.shelf_of(book_id)
            staged = await sheltered(asyncio.to_thread(shelf.stage, data))
            placed = False
            try:

                def work(tx: Tx, shelf: Shelf = shelf, staged: Staged = staged) -> Put:
                    held = self.hold(tx, book_id, path, shelf)
                    writable(held.book)
                    seen = shelf.look(held.key)
                    if seen is None or seen.mark != staged.mark:
                        self.adopt(tx, held, seen)
                    check(held)
                    return change(tx, held, staged)

                result = await self.write(work)
                placed = True
                return result
            except Elsewhere:
                self.shelves.of.pop(book_id, None)
            finally:
                if not placed:
                    await sheltered(asyncio.to_thread(shelf.discard, staged))
        raise QuireError(f"{stored(book_id)} is being moved to another storage.")

    async def take_away(self, book_id: str, path: str, check: Check, *, operation: str = "delete") -> Head | None:
        """Deletes a file, if `check` lets it pass; what it was, if it was."""
        for _ in range(TRIES):
            shelf = await self.shelf_of(book_id)

            def work(tx: Tx, shelf: Shelf = shelf) -> Head | None:
                held = self.hold(tx, book_id, path, shelf)
                writable(held.book)
                self.adopt(tx, held, shelf.look(held.key))
                check(held)
                before = held.head
                if before is not None:
                    self.record(tx, held, None, operation, self.context.actor.id, self.now())
                    shelf.remove(held.key, before.sha256)
                return before

            try:
                return await self.write(work)
            except Elsewhere:
                self.shelves.of.pop(book_id, None)
        raise QuireError(f"{stored(book_id)} is being moved to another storage.")


def writable(book: Row) -> None:
    if book["status"] != "active":
        reason = "archived and can only be read" if book["status"] == "archived" else "migrating and takes no changes"
        raise InvalidInput(f"The book is {reason}.", field="book_id")


def expects(file_hash: str | None) -> Check:
    """Passes where the file has the hash that the caller read; without one, unless the book demands it."""

    def check(held: Held) -> None:
        head = held.head
        if file_hash is None:
            if held.book["require_hash"] and head is not None:
                raise Conflict(
                    "This book demands the file's hash with every change.",
                    hint="Read the file and send its hash as file_hash.",
                    path=held.key,
                    current_hash=head.sha256,
                )
        elif head is None:
            raise NotFound("content", held.key)
        elif head.sha256 != file_hash:
            raise Conflict(
                f"{held.key} was changed by someone else.",
                hint="Read it again, merge, and write with the new hash.",
                path=held.key,
                current_hash=head.sha256,
            )

    return check


def _backend(tx: Tx, book_id: str) -> str:
    book = tx.one("book_by_id", book_id=book_id)
    if book is None:
        raise NotFound("book", book_id)
    name: str = book["storage_backend"]
    return name
