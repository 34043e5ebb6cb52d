"""Files that were read a moment ago, given out again on the event loop's own thread.

What a transaction found out (that the caller may read the file, and its head) holds for as long as nobody commits
anything; the bytes are still read from the shelf, and only where their mark is the head's. A thread would cost
several times what that does.
"""

from __future__ import annotations

from quire.domain.books import stored
from quire.local.books.heads import Head
from quire.ports.books import Shelf

Found = tuple[Head, bytes | bytearray, Shelf]
MOST = 2_000


class Glances:
    def __init__(self) -> None:
        self._version: int | None = None
        self._heads: dict[tuple[str, str, str], tuple[Head, Shelf]] = {}

    def find(self, version: int | None, actor: str, book_id: str, path: str) -> Found | None:
        """The file, if `version` of the store is the one at which it was last read, and its bytes are at hand."""
        if version is None or version != self._version:
            return None
        known = self._heads.get((actor, book_id, path))
        if known is None:
            return None
        head, shelf = known
        data = shelf.peek(stored(book_id, path), head.mark)
        return None if data is None else (head, data, shelf)

    def keep(self, version: int | None, actor: str, book_id: str, found: Found) -> None:
        """`version` is the store's from before the file was read."""
        if version is None:
            return
        if version != self._version or len(self._heads) >= MOST:
            self._version = version
            self._heads.clear()
        head, _, shelf = found
        if shelf.local:
            self._heads[actor, book_id, head.path] = (head, shelf)
