"""The head of a file, a book that one transaction holds, and what a change may expect of both."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from quire.domain.books import bad_path, mime_of, missing, stored
from quire.domain.errors import Conflict, InvalidInput, NotFound
from quire.local.books.audit_log import AuditLog
from quire.ports.books import BookStorage, Seen, Staged
from quire.ports.store import Row, Tx


class Elsewhere(Exception):
    """The book is in another storage than was remembered."""


class Unsettled(Exception):
    """The bytes of a file are not those of its row."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


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
    ref: str
    mark: str

    @classmethod
    def of(cls, row: Row | None) -> Head | None:
        if row is None or row["sha256"] is None:
            return None
        return cls(
            row["path"], row["sha256"], row["size"], row["revision"], row["mime"], row["modified_at"],
            row["actor"], row["original_name"], row["ref"], row["mark"],
        )  # fmt: skip

    def is_already(
        self, staged: Staged, *, mime: str | None = None, original_name: str | None = None, **rest: object
    ) -> bool:
        """Whether a write of these bytes would change nothing that is known of the file."""
        facts = (self.sha256, self.mime, self.original_name)
        return facts == (staged.sha256, mime or mime_of(self.path), original_name)


@dataclass(frozen=True)
class Put:
    """What a write came to."""

    head: Head
    before: Head | None
    key: str

    @property
    def changed(self) -> bool:
        return self.head is not self.before


class FileRead(NamedTuple):
    """A file's head and bytes that agree with each other, and how those were seen in a local storage."""

    head: Head
    data: bytes | bytearray
    storage: BookStorage
    seen: Seen | None = None


class Found(NamedTuple):
    """What lies at a file's key, and its hash."""

    seen: Seen
    sha256: str


class Held:
    """A book whose row this transaction holds, and one of its files."""

    def __init__(self, book: Row, path: str, head: Head | None) -> None:
        self.book = book
        self.book_id: str = book["book_id"]
        self.log: AuditLog | None = None
        self.path = path
        self.key = stored(self.book_id, path)
        self.head = head

    @classmethod
    def of(cls, tx: Tx, book_id: str, path: str, storage: BookStorage) -> Held:
        book = tx.one("hold_book", book_id=book_id)
        if book is None or book["storage_backend"] != storage.name:
            raise Elsewhere
        return cls(book, path, Head.of(tx.one("book_file", book_id=book_id, path=path)))


Check = Callable[[Held], None]


def hold(tx: Tx, book_id: str, path: str, storage: BookStorage, found: Found | None, placed: str | None = None) -> Held:
    """The book and the file's head, for this transaction alone.

    `found` is what was read at the key just before, `placed` the mark of bytes that are ours.
    """
    held = Held.of(tx, book_id, path, storage)
    if storage.local:
        head = held.head
        mark = mark_of(storage.look(held.key))
        if mark != (head.mark if head else None) and (mark is None or mark != placed):
            raise Unsettled(path)
        if found and head and found.seen.mark == head.mark and found.sha256 != head.sha256:
            raise Unsettled(path)
    return held


def found_at(storage: BookStorage, key: str) -> Found | None:
    """What lies at a key, read for its hash where that is not known: a mark can be kept over a change in place."""
    seen = storage.look(key)
    if seen is None:
        return None
    if seen.sha256:
        return Found(seen, seen.sha256)
    digest = hashlib.sha256()
    try:
        for chunk in storage.chunks(key):
            digest.update(chunk)
    except NotFound:
        return None
    return Found(seen, digest.hexdigest())


def head_of(tx: Tx, storage: BookStorage, book_id: str, path: str) -> Head | None:
    row = tx.one("book_and_file", book_id=book_id, path=path)
    if row is None or row["storage_backend"] != storage.name:
        raise Elsewhere
    return Head.of(row)


def settled_head(tx: Tx, storage: BookStorage, book_id: str, path: str) -> Head | None:
    """A file's head that agrees with its bytes, as far as a look tells; in a local storage."""
    head = head_of(tx, storage, book_id, path)
    if storage.local and mark_of(storage.look(stored(book_id, path))) != (head.mark if head else None):
        raise Unsettled(path)
    return head


def mark_of(seen: Seen | None) -> str | None:
    return seen.mark if seen else None


def writable(book: Row) -> None:
    """Refuses changes to a book that takes none."""
    if book["status"] != "active":
        reason = "archived and can only be read" if book["status"] == "archived" else "migrating and takes no changes"
        raise InvalidInput(f"The book is {reason}.", field="book_id")


def refuse_alike(tx: Tx, book_id: str, path: str, field: str = "path") -> None:
    """Refuses a new path that differs from one in the book, or from its folder, in nothing but case.

    There are file systems on which the two would be one.
    """
    names = path.split("/")
    for depth in range(len(names)):
        above, step = "/".join(names[:depth]), "/".join(names[: depth + 1])
        if depth + 1 < len(names) and tx.one("path_in_folder", book_id=book_id, folder=step):
            continue
        found = tx.one("path_alike", book_id=book_id, folder=above, path=step)
        if found is not None:
            raise bad_path(field, f"differs only in case from {stored(book_id, found['path'])}")


def expects(file_hash: str | None) -> Check:
    """Passes where the file has the hash that the caller read; without one, unless the book demands it."""

    def check(held: Held) -> None:
        head = held.head
        if file_hash is None:
            if held.book["require_hash"] and head is not None:
                raise conflict(
                    held.key,
                    head,
                    "This book demands the file's hash with every change.",
                    "Read the file and send its hash as file_hash.",
                )
        elif head is None:
            raise missing(held.key)
        elif head.sha256 != file_hash:
            raise conflict(
                held.key,
                head,
                f"{held.key} was changed by someone else.",
                "Read it again, merge, and write with its new hash.",
            )

    return check


def conflict(key: str, head: Head, message: str, hint: str) -> Conflict:
    return Conflict(message, hint=hint, path=key, current_hash=head.sha256)
