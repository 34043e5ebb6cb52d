"""The head of a file, and a book that one transaction holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from quire.domain.books import missing, stored
from quire.domain.errors import Conflict, InvalidInput
from quire.local.books.chain import Chain
from quire.ports.store import Row, Tx


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


@dataclass(frozen=True)
class Put:
    """What a write came to."""

    head: Head
    before: Head | None
    shelf: str
    key: str


class Held:
    """A book whose row this transaction holds, and one of its files."""

    def __init__(self, book: Row, path: str, head: Head | None) -> None:
        self.book = book
        self.book_id: str = book["book_id"]
        self.chain = Chain(book)
        self.path = path
        self.key = stored(self.book_id, path)
        self.head = head

    @classmethod
    def of(cls, tx: Tx, book_id: str, path: str, backend: str) -> Held | None:
        """None where the book does not stand on this backend."""
        book = tx.one("hold_book", book_id=book_id)
        if book is None or book["storage_backend"] != backend:
            return None
        return cls(book, path, Head.of(tx.one("book_file", book_id=book_id, path=path)))


Check = Callable[[Held], None]


def writable(book: Row) -> None:
    """Refuses changes to a book that takes none."""
    if book["status"] != "active":
        reason = "archived and can only be read" if book["status"] == "archived" else "migrating and takes no changes"
        raise InvalidInput(f"The book is {reason}.", field="book_id")


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
