"""Which files of books a search reads, in which order, and how."""

from __future__ import annotations

import heapq
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain, groupby, islice, repeat
from operator import attrgetter
from typing import TypeVar

from quire.domain.books import CONTENT_LIMIT, has_own_name, ours, stored
from quire.domain.searching import Need
from quire.ports.books import BookStorage, Texts

# How many files are read before the index is asked, since they may hold all that is wanted.
UNASKED = 28
FIRST, NEXT, BATCH, THREADS = (4, 8), 16, 64, 2
OFFERED_BYTES = 16 * 1024 * 1024

Lines = list[tuple[int, str]]
Looked = TypeVar("Looked")


@dataclass(frozen=True, eq=False)
class SearchTarget:
    """A book to be searched: its files as rows have them, and the caller's own copies by their paths."""

    book_id: str
    storage: BookStorage
    heads: dict[str, tuple[str, str, str]]
    own: dict[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Candidate:
    """A file to be read; with a mark it is, as long as that is its mark, the text of the hash. A copy has its data."""

    key: str
    book: SearchTarget
    path: str
    sha256: str | None = None
    mark: str | None = None
    data: bytes | None = None


class Asking:
    """Asks the index, once a few files have been read."""

    def __init__(self, texts: Texts, need: Need | None) -> None:
        self._texts, self._need = texts, need
        self._unasked = UNASKED
        self._may_hold: Callable[[str], bool] | None = None

    def perhaps(self, book: SearchTarget, sha256: str) -> bool:
        """Whether a text of a book may match."""
        if self._may_hold is not None:
            return self._may_hold(sha256)
        if self._unasked > 0 and book.storage.local:
            self._unasked -= 1
            return True
        if self._need is None:
            self._may_hold = lambda sha256: True
        else:
            self._may_hold = self._texts.perhaps(self._need)
        return self._may_hold(sha256)


def worth_reading(asked: Asking, books: list[SearchTarget]) -> Iterator[Candidate]:
    """Files that may match, in the order of their keys; looked for no further than they are asked for."""
    for book in sorted(books, key=lambda book: stored(book.book_id, "/")):
        of_the_book = _of_the_book(asked, book)
        yield from heapq.merge(of_the_book, _own(book), key=attrgetter("key")) if book.own else of_the_book


def _own(book: SearchTarget) -> Iterator[Candidate]:
    for path, data in sorted(book.own.items()):
        key = stored(book.book_id, path)
        if path.endswith(".md"):
            yield Candidate(key, book, path, data=data)


def _of_the_book(asked: Asking, book: SearchTarget) -> Iterator[Candidate]:
    root = stored(book.book_id) + "/"
    if not book.storage.local:
        for path in sorted(path for path in book.heads if path.endswith(".md") and path not in book.own):
            if asked.perhaps(book, book.heads[path][0]):
                yield Candidate(root + path, book, path)
        return
    for path, mark in book.storage.marks(root[:-1]):
        if not path.endswith(".md") or path in book.own:
            continue
        head = book.heads.get(path)
        if head is None:
            if ours(path) or has_own_name(path):
                yield Candidate(root + path, book, path)
        elif mark != head[1]:
            yield Candidate(root + path, book, path)
        elif asked.perhaps(book, head[0]):
            yield Candidate(root + path, book, path, head[0], mark)


def found_in(
    texts: Texts,
    candidates: Iterator[Candidate],
    look: Callable[[bytes], Looked],
    stopped: threading.Event,
    *,
    local: bool,
) -> Generator[tuple[Candidate, Looked], None, None]:
    """Each candidate with what was found in it, if anything, in order.

    Files of this machine are read by one thread: several take turns for each of their many short steps, and are
    slower together. What the index should know is offered to it in the end, when nobody waits.
    """
    offers: list[tuple[str, bytes]] = []
    room = OFFERED_BYTES

    def examined(batch: list[Candidate]) -> list[tuple[Candidate, Looked]]:
        nonlocal room
        found: list[tuple[Candidate, Looked]] = []
        for _, group in groupby(batch, lambda one: (one.book.storage.name, one.data is None)):
            for one, data, sha256 in _read(list(group)):
                if stopped.is_set():
                    return found
                if looked := look(data):
                    found.append((one, looked))
                if sha256 is not None and len(data) <= min(CONTENT_LIMIT, room) and not texts.knows(sha256):
                    room -= len(data)
                    offers.append((sha256, data))
        return found

    ahead: deque[Future[list[tuple[Candidate, Looked]]]] = deque()
    try:
        sizes = chain(FIRST, repeat(NEXT))
        while local and (batch := list(islice(candidates, next(sizes)))):
            yield from examined(batch)
        with ThreadPoolExecutor(THREADS) as pool:
            try:
                while batch := list(islice(candidates, BATCH)):
                    ahead.append(pool.submit(examined, batch))
                    if len(ahead) > THREADS:
                        yield from ahead.popleft().result()
                while ahead:
                    yield from ahead.popleft().result()
            finally:
                stopped.set()
                for one in ahead:
                    one.cancel()
    finally:
        for sha256, data in offers:
            texts.offer(sha256, data)


def _read(batch: list[Candidate]) -> Iterator[tuple[Candidate, bytes, str | None]]:
    """Files of one storage with their bytes, and with the hash of those where it is certain."""
    storage = batch[0].book.storage
    if batch[0].data is not None:
        yield from ((one, one.data or b"", None) for one in batch)
        return
    if storage.local:
        asked = {one.key: one for one in batch}
        for key, data, mark in storage.read_all(asked):
            one = asked[key]
            yield one, data, one.sha256 if one.mark == mark else None
        return
    for one in batch:
        sha256, _, ref = one.book.heads[one.path]
        found = storage.version(one.book.book_id, ref)
        if found is not None:
            yield one, found, sha256
