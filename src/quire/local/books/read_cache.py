"""Files that were read a moment ago, given out again on the event loop's own thread.

What a transaction found out (that the caller may read the file, and its head) holds for as long as nobody commits
anything; the bytes are still read from the storage, and only where their mark is the head's. A thread would cost
several times what that does.
"""

from __future__ import annotations

from quire.domain.books import stored
from quire.local.books.file_heads import FileRead, Head
from quire.local.scope import Admission, Scope
from quire.ports.books import BookStorage, Seen

MOST = 2_000


class ReadCache:
    """Every entry has the admission of the call that made it; the scope of another call says whether that holds."""

    def __init__(self) -> None:
        self._version: int | None = None
        self._known: dict[tuple[str, str, str], tuple[Admission, Head, Seen, BookStorage, str]] = {}

    def find(self, scope: Scope, book_id: str, path: str) -> FileRead | None:
        """The file, if this caller may still read it, nothing was committed since, and its bytes are at hand."""
        known = self._known.get((scope.actor_id, book_id, path))
        if known is None:
            return None
        admission, head, seen, storage, key = known
        if not scope.admitted_again(admission):
            return None
        data = storage.peek(key, seen)
        return None if data is None else FileRead(head, data, storage, seen)

    def keep(self, admission: Admission | None, book_id: str, read: FileRead) -> None:
        if admission is None:
            return
        if admission.version != self._version or len(self._known) >= MOST:
            self._version = admission.version
            self._known.clear()
        head, _, storage, seen = read
        if seen is not None:
            key = stored(book_id, head.path)
            self._known[admission.actor_id, book_id, head.path] = (admission, head, seen, storage, key)
