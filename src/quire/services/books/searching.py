"""Searching: paths by a glob, lines by a regex, in one book or in all that the caller can read.

On a local shelf the files themselves are searched, so what another program has just changed is found too; the index
only spares the reading of files that are known to be as it has them. Elsewhere the rows say what the files are.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby

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
AHEAD = 8

FindLines = Callable[[bytes, int, int], list[tuple[int, str]]]


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
    for path in book.shelf.marks(stored(book.book_id)):
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
    candidates = [one for one in worth_reading(texts, books, need) if one.key >= after[0]]
    for candidate, data in contents(texts, candidates):
        if stopped.is_set():
            break
        beyond = after[1] if candidate.key == after[0] else 0
        for number, line in find(data, most + 1 - len(found), beyond):
            if len(found) == most or (room < len(line) and found):
                more = True
                break
            found.append(LineFound.model_construct(file_path=candidate.key, line_number=number, matched_line=line))
            room -= len(line)
        if more:
            break
    last = found[-1] if more else None
    cursor = f"{last.line_number}:{last.file_path}" if last else None
    return LinesFound.model_construct(items=found, total=len(found), truncated=more, cursor=cursor)


def worth_reading(texts: Texts, books: list[Shelfmark], need: Need | None) -> list[Candidate]:
    """Files that may match, in the order of their keys."""
    found: list[Candidate] = []
    for book in books:
        root = stored(book.book_id) + "/"
        markdown = {path: head for path, head in book.heads.items() if path.endswith(".md")}
        perhaps = texts.perhaps(need, {head[0] for head in markdown.values()})
        if not book.shelf.local:
            found += [Candidate(root + path, book, path) for path, head in markdown.items() if head[0] in perhaps]
            continue
        for path, mark in book.shelf.marks(root[:-1]).items():
            head = markdown.get(path)
            if head is None:
                if path.endswith(".md") and ours(path):
                    found.append(Candidate(root + path, book, path))
            elif mark != head[1]:
                found.append(Candidate(root + path, book, path))
            elif head[0] in perhaps:
                found.append(Candidate(root + path, book, path, head[0], mark))
    found.sort(key=lambda one: one.key)
    return found


def contents(texts: Texts, candidates: list[Candidate]) -> Iterator[tuple[Candidate, bytes]]:
    """The bytes of each, a few read ahead where the storage is far away."""
    for _, group in groupby(candidates, lambda one: one.book.shelf.name):
        batch = list(group)
        yield from _near(texts, batch) if batch[0].book.shelf.local else _far(texts, batch)


def _near(texts: Texts, batch: list[Candidate]) -> Iterator[tuple[Candidate, bytes]]:
    known = {one.key: one for one in batch}
    for key, data, mark in batch[0].book.shelf.read_all(known):
        one = known[key]
        if one.sha256 is not None and one.mark == mark and len(data) <= CONTENT_LIMIT:
            texts.offer(one.sha256, data)
        yield one, data


def _far(texts: Texts, batch: list[Candidate]) -> Iterator[tuple[Candidate, bytes]]:
    def fetched(one: Candidate) -> bytes | None:
        data = one.book.shelf.version(one.book.book_id, one.book.heads[one.path][2])
        if data is not None and len(data) <= CONTENT_LIMIT:
            texts.offer(one.book.heads[one.path][0], data)
        return data

    with ThreadPoolExecutor(AHEAD) as pool:
        for start in range(0, len(batch), AHEAD):
            part = batch[start : start + AHEAD]
            for one, data in zip(part, pool.map(fetched, part), strict=True):
                if data is not None:
                    yield one, data
