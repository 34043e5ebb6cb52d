"""Searching: paths by a glob, lines by a regex, in one book or in all that the caller can read.

In a local storage the files themselves are searched, so what another program has just changed is found too; the index
only spares the reading of files that are known to be as it has them. Elsewhere the rows say what the files are.
"""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field

from quire.domain.books import has_own_name, ours, stored
from quire.domain.errors import InvalidInput, NotFound
from quire.domain.searching import LineFound, LinesFound, Need, PathsFound, Scanned, check_pattern, glob_regex, needed
from quire.local.books.files import BookFiles
from quire.local.books.files_to_search import (
    Asking,
    Candidate,
    Lines,
    Looked,
    SearchTarget,
    found_in,
    worth_reading,
)
from quire.local.books.storages import BookStorages
from quire.local.scope import Scope
from quire.ports.books import LineFinder, Texts
from quire.ports.finish_anyway import finish_anyway
from quire.ports.store import Row, Tx

CURSOR = re.compile(r"([0-9]{1,9}):(books/[^\x00-\x1f\x7f]+)")
MOST_LISTINGS = 16
PAGE_BYTES = 8 * 1024 * 1024
MOST_COUNTED = 10_000
# Lines of a stream go out together as long as none has to wait.
TOGETHER, TOGETHER_SECONDS = 200, 0.05


@dataclass(frozen=True)
class Listing:
    """The files of a book at one point of its log: path to hash, mark and version. Kept, since searches ask often."""

    chain_hash: str
    heads: dict[str, tuple[str, str, str]]


class BookSearch:
    def __init__(self, files: BookFiles, storages: BookStorages, texts: Texts) -> None:
        self._files = files
        self._storages = storages
        self._texts = texts
        self._listings: dict[str, Listing] = {}

    async def glob_search(
        self, scope: Scope, book_id: str, pattern: str, all_books: bool, limit: int, cursor: str | None, overlay: bool
    ) -> PathsFound:
        matches = self._texts.whole(glob_regex(pattern))
        _, after = place_of(cursor)
        books = await self._to_search(scope, book_id, all_books, overlay)

        def work() -> PathsFound:
            found = sorted(stored(book.book_id, path) for book in books for path in paths_of(book) if matches(path))
            rest = [key for key in found if key > after]
            more = len(rest) > limit
            return PathsFound(
                items=rest[:limit], total=len(found), truncated=more, cursor=f"0:{rest[limit - 1]}" if more else None
            )

        return await asyncio.to_thread(work)

    async def grep_search(
        self,
        scope: Scope,
        book_id: str,
        pattern: str,
        all_books: bool,
        max_results: int,
        cursor: str | None,
        overlay: bool,
    ) -> LinesFound:
        search = await self._lines(scope, book_id, pattern, all_books, overlay, cursor)
        try:
            return await asyncio.to_thread(search.page, max_results)
        finally:
            search.stopped.set()

    async def scan_book(
        self, scope: Scope, book_id: str, pattern: str, all_books: bool, overlay: bool
    ) -> AsyncIterator[LineFound | Scanned]:
        search = await self._lines(scope, book_id, pattern, all_books, overlay)
        found = search.lines()
        lines, files = 0, set()
        try:
            while batch := await asyncio.to_thread(together, found):
                for line in batch:
                    yield line
                lines += len(batch)
                files |= {line.file_path for line in batch}
        finally:
            search.stopped.set()
            await finish_anyway(asyncio.to_thread(found.close))
        yield Scanned(lines=lines, files=len(files))

    async def _lines(
        self, scope: Scope, book_id: str, pattern: str, all_books: bool, overlay: bool, cursor: str | None = None
    ) -> LineSearch:
        find = self._texts.lines(check_pattern(pattern))
        line, key = place_of(cursor)
        books = await self._to_search(scope, book_id, all_books, overlay)
        return LineSearch(self._texts, books, find, needed(pattern), (key, line))

    async def _to_search(self, scope: Scope, book_id: str, all_books: bool, overlay: bool) -> list[SearchTarget]:
        await self._files.storage_of(scope, book_id)

        def work(tx: Tx) -> list[SearchTarget]:
            if all_books:
                rows = tx.all("books_of", person_id=scope.actor_id)
            else:
                row = tx.one("book_by_id", book_id=book_id)
                if row is None:
                    raise NotFound("book", book_id)
                rows = [row]
            return [
                SearchTarget(
                    row["book_id"],
                    self._storages.get(row["storage_backend"]),
                    self._listing(tx, row).heads,
                    _own(tx, row, scope.actor_id) if overlay else {},
                )
                for row in rows
            ]

        return await scope.read(work)

    def _listing(self, tx: Tx, book: Row) -> Listing:
        kept = self._listings
        listing = kept.get(book["book_id"])
        if listing is None or listing.chain_hash != book["chain_hash"]:
            rows = tx.all("marks_of_book", book_id=book["book_id"])
            heads = {row["path"]: (row["sha256"], row["mark"], row["ref"]) for row in rows}
            listing = Listing(book["chain_hash"], heads)
            if len(kept) >= MOST_LISTINGS:
                kept.clear()
            kept[book["book_id"]] = listing
        return listing


def _own(tx: Tx, book: Row, person_id: str) -> dict[str, bytes]:
    """The caller's copies of files, and nobody else's."""
    if not book["overlays"]:
        return {}
    rows = tx.all("overlay_texts", book_id=book["book_id"], person_id=person_id)
    return {row["path"]: row["content"].encode() for row in rows}


def place_of(cursor: str | None) -> tuple[int, str]:
    """The line and the file after which a page begins."""
    if cursor is None:
        return 0, ""
    found = CURSOR.fullmatch(cursor)
    if found is None:
        raise InvalidInput("cursor: is not one that this search gave out.", field="cursor")
    return int(found[1]), found[2]


def paths_of(book: SearchTarget) -> Iterator[str]:
    """The files of a book, also those that no row knows yet, and those that only the caller has."""
    yield from book.own
    if not book.storage.local:
        yield from (path for path in book.heads if path not in book.own)
        return
    for path, _ in book.storage.marks(stored(book.book_id)):
        if path not in book.own and (path in book.heads or ours(path) or has_own_name(path)):
            yield path


@dataclass(frozen=True)
class LineSearch:
    """A search for lines in books, until it is stopped; a page of it begins after a file and a line."""

    texts: Texts
    books: list[SearchTarget]
    find: LineFinder
    need: Need | None
    after: tuple[str, int]
    stopped: threading.Event = field(default_factory=threading.Event)

    def page(self, most: int) -> LinesFound:
        """The lines after those of the page before; all others are counted, up to a bound."""
        page: list[LineFound] = []
        room = PAGE_BYTES
        full = more = False
        count = 0

        def look(data: bytes) -> Lines | int:
            # Files are looked at in their order, so none of those that the page has room for comes after it is full.
            return self.find.count(data, MOST_COUNTED) if full else self.find(data, MOST_COUNTED)

        with closing(self._found(look)) as found:
            for candidate, lines in found:
                if isinstance(lines, int):
                    count, more = count + lines, True
                else:
                    count += len(lines)
                    for at, line in lines:
                        if (candidate.key, at) <= self.after:
                            continue
                        if more or len(page) == most or (room < len(line) and page):
                            more = True
                            break
                        page.append(LineFound(file_path=candidate.key, line_number=at, matched_line=line))
                        room -= len(line)
                    full = more or len(page) == most
                if more and count >= MOST_COUNTED:
                    break
        last = page[-1] if more else None
        cursor = f"{last.line_number}:{last.file_path}" if last else None
        at_least = more and count >= MOST_COUNTED
        return LinesFound(items=page, total=count, at_least=at_least, truncated=more, cursor=cursor)

    def lines(self) -> Generator[LineFound, None, None]:
        """All lines that match."""
        with closing(self._found(lambda data: self.find(data, len(data) + 1))) as found:
            for candidate, lines in found:
                for at, line in lines:
                    yield LineFound(file_path=candidate.key, line_number=at, matched_line=line)

    def _found(self, look: Callable[[bytes], Looked]) -> Generator[tuple[Candidate, Looked], None, None]:
        """Files with what is found in them."""
        candidates = worth_reading(Asking(self.texts, self.need), self.books)
        local = all(book.storage.local for book in self.books)
        return found_in(self.texts, candidates, look, self.stopped, local=local)


def together(found: Iterator[LineFound]) -> list[LineFound]:
    """The next lines that come at once, or the next one; none at the end."""
    batch: list[LineFound] = []
    end = time.monotonic() + TOGETHER_SECONDS
    for line in found:
        batch.append(line)
        if len(batch) == TOGETHER or time.monotonic() > end:
            break
    return batch
