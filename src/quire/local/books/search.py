"""Searching: paths by a glob, lines by a regex, in one book or in all that the caller can read.

On a local shelf the files themselves are searched, so what another program has just changed is found too; the index
only spares the reading of files that are known to be as it has them. Elsewhere the rows say what the files are.
"""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from contextlib import closing

from quire.api.capability import capability
from quire.domain.books import BookId, ours, stored
from quire.domain.errors import InvalidInput, NotFound
from quire.domain.overlays import Overlaid
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
    Scanned,
    check_pattern,
    glob_regex,
    needed,
)
from quire.local.books.candidates import ALONE, Asking, Candidate, Lines, Shelfmark, lines_of, worth_reading
from quire.local.books.shelved import Shelved
from quire.local.books.shelves import Listing
from quire.local.finish_anyway import sheltered
from quire.ports.books import Texts
from quire.ports.store import Row, Tx

CURSOR = re.compile(r"([0-9]{1,9}):(books/[A-Za-z0-9_./-]+)")
MOST_PATHS = 1_000
MOST_LISTINGS = 16
PAGE_BYTES = 8 * 1024 * 1024
# Where the first files hold this part of all that is asked for, the rest is found sooner by reading on.
PLENTY = 1 / 8
# Lines of a stream go out together as long as none has to wait.
TOGETHER, TOGETHER_SECONDS = 200, 0.05

FindLines = Callable[[bytes, int, int], Lines]
Found = Generator[LineFound, None, None]


class Searching(Shelved):
    @capability("glob_search", "read", of=("book", "book_id"), verb="glob")
    async def glob_search(
        self,
        book_id: BookId,
        pattern: GlobPattern,
        all_books: AllBooks = False,
        limit: MaxResults = MOST_PATHS,
        cursor: ResumeAt | None = None,
        overlay: Overlaid = False,
    ) -> PathsFound:
        """Find files of a book by a glob such as lessons/**/*.md."""
        matches = self.shelves.texts.whole(glob_regex(pattern))
        _, after = resumed(cursor)
        books = await self._to_search(book_id, all_books, overlay)

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
        overlay: Overlaid = False,
    ) -> LinesFound:
        """Find lines of a book's Markdown files by a regular expression."""
        find = self.shelves.texts.lines(check_pattern(pattern))
        line, key = resumed(cursor)
        books = await self._to_search(book_id, all_books, overlay)
        stopped = threading.Event()
        try:
            return await asyncio.to_thread(
                search, self.shelves.texts, books, find, needed(pattern), max_results, (key, line), stopped
            )
        finally:
            stopped.set()

    @capability("scan_book", "read", of=("book", "book_id"), verb="scan", timeout=120)
    async def scan_book(
        self, book_id: BookId, pattern: LinePattern, all_books: AllBooks = False, overlay: Overlaid = False
    ) -> AsyncIterator[LineFound | Scanned]:
        """Find every line that a regular expression matches, each told as soon as it is found."""
        find = self.shelves.texts.lines(check_pattern(pattern))
        books = await self._to_search(book_id, all_books, overlay)
        stopped = threading.Event()
        found = found_by(self.shelves.texts, books, find, needed(pattern), None, ("", 0), stopped)
        lines, files = 0, set()
        try:
            while batch := await asyncio.to_thread(together, found):
                for line in batch:
                    yield line
                lines += len(batch)
                files |= {line.file_path for line in batch}
        finally:
            stopped.set()
            await sheltered(asyncio.to_thread(found.close))
        yield Scanned(lines=lines, files=len(files))

    async def _to_search(self, book_id: str, all_books: bool, overlay: bool) -> list[Shelfmark]:
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
                Shelfmark(
                    row["book_id"],
                    self.shelves.get(row["storage_backend"]),
                    self._listing(tx, row).heads,
                    self._own(tx, row) if overlay else {},
                )
                for row in rows
            ]

        return await self.read(work)

    def _own(self, tx: Tx, book: Row) -> dict[str, bytes]:
        """The caller's copies of files, and nobody else's."""
        if not book["overlays"]:
            return {}
        rows = tx.all("overlay_texts", book_id=book["book_id"], person_id=self.context.actor.id)
        return {row["path"]: row["content"].encode() for row in rows}

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
    """The files of a book, also those that no row knows yet, and those that only the caller has."""
    yield from book.own
    if not book.shelf.local:
        yield from (path for path in book.heads if path not in book.own)
        return
    for path, _ in book.shelf.marks(stored(book.book_id)):
        if path not in book.own and (path in book.heads or ours(path)):
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
    """One page of what is found."""
    page: list[LineFound] = []
    room = PAGE_BYTES
    more = False
    with closing(found_by(texts, books, find, need, most, after, stopped)) as found:
        for line in found:
            if len(page) == most or (room < len(line.matched_line) and page):
                more = True
                break
            page.append(line)
            room -= len(line.matched_line)
    last = page[-1] if more else None
    cursor = f"{last.line_number}:{last.file_path}" if last else None
    return LinesFound(items=page, total=len(page), truncated=more, cursor=cursor)


def found_by(
    texts: Texts,
    books: list[Shelfmark],
    find: FindLines,
    need: Need | None,
    most: int | None,
    after: tuple[str, int],
    stopped: threading.Event,
) -> Found:
    """The lines of all books that match, from a place on; `most` is how many are wanted, if that is known."""
    given = 0

    def look(candidate: Candidate, data: bytes) -> Lines:
        return find(data, len(data) + 1 if most is None else most + 1, after[1] if candidate.key == after[0] else 0)

    asked = Asking(texts, need, lambda: most is not None and given >= most * PLENTY)
    alone = ALONE if all(book.shelf.local for book in books) else 0
    with closing(lines_of(texts, worth_reading(asked, books, after[0]), look, stopped, alone)) as read:
        for candidate, lines in read:
            for number, line in lines:
                given += 1
                yield LineFound(file_path=candidate.key, line_number=number, matched_line=line)


def together(found: Found) -> list[LineFound]:
    """The next lines that come at once, or the next one; none at the end."""
    batch: list[LineFound] = []
    end = time.monotonic() + TOGETHER_SECONDS
    for line in found:
        batch.append(line)
        if len(batch) == TOGETHER or time.monotonic() > end:
            break
    return batch
