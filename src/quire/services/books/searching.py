"""Searching: paths by a glob, lines by a regex, in one book or in all that the caller can read.

On a local shelf the files themselves are searched, so what another program has just changed is found too; the index
only spares the reading of files that are known to be as it has them. Elsewhere the rows say what the files are.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby, islice

from quire.domain.books import CONTENT_LIMIT, BookId, ours, stored
from quire.domain.errors import InvalidInput, NotFound
from quire.domain.searching import (
    AllBooks,
    GlobPattern,
    LineFound,
    LinePattern,
    LinesFound,
    MaxResults,
    Need,
    PathsFound,
    ResumeAt,
    check_pattern,
    glob_regex,
    needed,
)
from quire.services.books.shelved import Shelved
from quire.services.books.shelves import Listing
from quire.services.capability import capability
from quire.services.ports import Row, Shelf, Texts, Tx

CURSOR = re.compile(r"([0-9]{1,9}):(books/[A-Za-z0-9_./-]+)")
MOST_PATHS = 1_000
MOST_LISTINGS = 16
PAGE_BYTES = 8 * 1024 * 1024
FIRST, BATCH, THREADS = 32, 64, 2
# Where the first files hold this part of all that is asked for, the rest is found sooner by reading on.
PLENTY = 1 / 8
OFFERED_BYTES = 16 * 1024 * 1024

Lines = list[tuple[int, str]]
FindLines = Callable[[bytes, int, int], Lines]


@dataclass(frozen=True)
class Shelfmark:
    """A book to be searched: its files as rows have them, and as they lie on a local shelf."""

    book_id: str
    shelf: Shelf
    heads: dict[str, tuple[str, str, str]]


@dataclass(frozen=True)
class Candidate:
    """A file to be read; with a mark it is, as long as that is its mark, the text of the hash."""

    key: str
    book: Shelfmark
    path: str
    sha256: str | None = None
    mark: str | None = None


class Searching(Shelved):
    @capability("glob_search", "read", of=("book", "book_id"), verb="glob")
    async def glob_search(
        self,
        book_id: BookId,
        pattern: GlobPattern,
        all_books: AllBooks = False,
        limit: MaxResults = MOST_PATHS,
        cursor: ResumeAt | None = None,
    ) -> PathsFound:
        """Find files of a book by a glob such as lessons/**/*.md."""
        matches = self.shelves.texts.whole(glob_regex(pattern))
        _, after = resumed(cursor)
        books = await self._to_search(book_id, all_books)

        def work() -> PathsFound:
            found = sorted(stored(book.book_id, path) for book in books for path in paths_of(book) if matches(path))
            rest = [key for key in found if key > after]
            more = len(rest) > limit
            return PathsFound(
                items=rest[:limit], total=len(found), truncated=more, cursor=f"0:{rest[limit - 1]}" if more else None
            )

        return await asyncio.to_thread(work)

    @capability("grep_search", "read", of=("book", "book_id"), verb="grep", timeout=120)
    async def grep_search(
        self,
        book_id: BookId,
        pattern: LinePattern,
        all_books: AllBooks = False,
        max_results: MaxResults = 100,
        cursor: ResumeAt | None = None,
    ) -> LinesFound:
        """Find lines of a book's Markdown files by a regular expression."""
        find = self.shelves.texts.lines(check_pattern(pattern))
        line, key = resumed(cursor)
        books = await self._to_search(book_id, all_books)
        stopped = threading.Event()
        try:
            return await asyncio.to_thread(
                search, self.shelves.texts, books, find, needed(pattern), max_results, (key, line), stopped
            )
        finally:
            stopped.set()

    async def _to_search(self, book_id: str, all_books: bool) -> list[Shelfmark]:
        await self.shelf_of(book_id)

        def work(tx: Tx) -> list[Shelfmark]:
            if all_books:
                rows = tx.all("books_of", person_id=self.context.actor.id)
            else:
                row = tx.one("book_by_id", book_id=book_id)
                if row is None:
                    raise NotFound("book", book_id)
                rows = [row]
            return [
                Shelfmark(row["book_id"], self.shelves.get(row["storage_backend"]), self._listing(tx, row).heads)
                for row in rows
            ]

        return await self.read(work)

    def _listing(self, tx: Tx, book: Row) -> Listing:
        kept = self.shelves.listings
        listing = kept.get(book["book_id"])
        if listing is None or listing.chain_hash != book["chain_hash"]:
            rows = tx.all("marks_of_book", book_id=book["book_id"])
            heads = {row["path"]: (row["sha256"], row["mark"], row["ref"]) for row in rows}
            listing = Listing(book["chain_hash"], heads)
            if len(kept) >= MOST_LISTINGS:
                kept.clear()
            kept[book["book_id"]] = listing
        return listing


def resumed(cursor: str | None) -> tuple[int, str]:
    """The line and the file after which a page begins."""
    if cursor is None:
        return 0, ""
    found = CURSOR.fullmatch(cursor)
    if found is None:
        raise InvalidInput("cursor: is not one that this search gave out.", field="cursor")
    return int(found[1]), found[2]


def paths_of(book: Shelfmark) -> Iterator[str]:
    """The files of a book, also those that no row knows yet."""
    if not book.shelf.local:
        yield from book.heads
        return
    for path, _ in book.shelf.marks(stored(book.book_id)):
        if path in book.heads or ours(path):
            yield path


def search(
    texts: Texts,
    books: list[Shelfmark],
    find: FindLines,
    need: Need | None,
    most: int,
    after: tuple[str, int],
    stopped: threading.Event,
) -> LinesFound:
    found: list[LineFound] = []
    room = PAGE_BYTES
    more = False

    def look(candidate: Candidate, data: bytes) -> Lines:
        return find(data, most + 1, after[1] if candidate.key == after[0] else 0)

    asked = Asking(texts, need, lambda: len(found) >= most * PLENTY)
    candidates = worth_reading(asked, books, after[0])
    with closing(lines_of(texts, candidates, look, stopped)) as read:
        for candidate, number, line in ((one, *line) for one, lines in read for line in lines):
            if len(found) == most or (room < len(line) and found):
                more = True
                break
            found.append(LineFound.model_construct(file_path=candidate.key, line_number=number, matched_line=line))
            room -= len(line)
    last = found[-1] if more else None
    cursor = f"{last.line_number}:{last.file_path}" if last else None
    return LinesFound.model_construct(items=found, total=len(found), truncated=more, cursor=cursor)


class Asking:
    """Asks the index, once a few files have been read and lines are not so many that it would only cost time."""

    def __init__(self, texts: Texts, need: Need | None, plenty: Callable[[], bool]) -> None:
        self._texts, self._need, self._plenty = texts, need, plenty
        self._unasked = FIRST
        self._known: tuple[Shelfmark | None, set[str]] = (None, set())

    def perhaps(self, book: Shelfmark, sha256: str) -> bool:
        """Whether a text of a book may match."""
        if self._unasked > 0 and book.shelf.local:
            self._unasked -= 1
            return True
        if self._need is None:
            return True
        if self._known[0] is not book:
            if self._plenty():
                self._need = None
                return True
            hashes = {head[0] for path, head in book.heads.items() if path.endswith(".md")}
            self._known = (book, self._texts.perhaps(self._need, hashes))
        return sha256 in self._known[1]


def worth_reading(asked: Asking, books: list[Shelfmark], after: str) -> Iterator[Candidate]:
    """Files that may match, in the order of their keys; looked for no further than they are asked for."""
    for book in sorted(books, key=lambda book: stored(book.book_id, "/")):
        root = stored(book.book_id) + "/"
        if not book.shelf.local:
            for path in sorted(path for path in book.heads if path.endswith(".md")):
                if root + path >= after and asked.perhaps(book, book.heads[path][0]):
                    yield Candidate(root + path, book, path)
            continue
        for path, mark in book.shelf.marks(root[:-1]):
            if not path.endswith(".md") or root + path < after:
                continue
            head = book.heads.get(path)
            if head is None:
                if ours(path):
                    yield Candidate(root + path, book, path)
            elif mark != head[1]:
                yield Candidate(root + path, book, path)
            elif asked.perhaps(book, head[0]):
                yield Candidate(root + path, book, path, head[0], mark)


def lines_of(
    texts: Texts, candidates: Iterator[Candidate], look: Callable[[Candidate, bytes], Lines], stopped: threading.Event
) -> Generator[tuple[Candidate, Lines], None, None]:
    """Each candidate with the lines found in it, in order; after the first few, several are read at once.

    What the index should know is offered to it in the end, when nobody waits.
    """
    offers: list[tuple[str, bytes]] = []
    room = OFFERED_BYTES

    def examined(batch: list[Candidate]) -> list[tuple[Candidate, Lines]]:
        nonlocal room
        found: list[tuple[Candidate, Lines]] = []
        for _, group in groupby(batch, lambda one: one.book.shelf.name):
            for one, data, sha256 in _read(list(group)):
                if stopped.is_set():
                    return found
                if lines := look(one, data):
                    found.append((one, lines))
                if sha256 is not None and len(data) <= min(CONTENT_LIMIT, room) and not texts.knows(sha256):
                    room -= len(data)
                    offers.append((sha256, data))
        return found

    ahead: deque[Future[list[tuple[Candidate, Lines]]]] = deque()
    try:
        yield from examined(list(islice(candidates, FIRST)))
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
    """Files of one shelf with their bytes, and with the hash of those where it is certain."""
    shelf = batch[0].book.shelf
    if shelf.local:
        asked = {one.key: one for one in batch}
        for key, data, mark in shelf.read_all(asked):
            one = asked[key]
            yield one, data, one.sha256 if one.mark == mark else None
        return
    for one in batch:
        sha256, _, ref = one.book.heads[one.path]
        found = shelf.version(one.book.book_id, ref)
        if found is not None:
            yield one, found, sha256
