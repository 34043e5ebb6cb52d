"""An index of the words of texts, by the texts' hashes.

It only ever says which texts a search need not read, and a text that it does not know is read; so it may be
behind, and may be thrown away. That is why it is a file of its own beside the store: a write of content waits for
nothing here, and it serves every store and every storage of books alike.
"""

from __future__ import annotations

import logging
import os
import re
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack, suppress
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from quire.adapters.disk import make_private
from quire.domain.searching import Either, Every, Need, Word, folded, spaced

log = logging.getLogger("quire.books")

SCHEMA = 3
BUSY_SECONDS = 10.0
BATCH = 100
MOST_WAITING = 32 * 1024 * 1024
# Whoever has just offered texts is usually still busy with more of them, and needs the machine.
PAUSE_SECONDS = 0.25
MOST_WORDS = 300
COMMON = 1_000
FEWEST, BITS = 14, 17
SIZES = {FEWEST + bits: 2**bits for bits in range(BITS + 1)}
# The words of all texts are listed anew when this many texts, or this part of them, are not among them yet.
FRESH, FRESH_PART = 50, 0.02
LAST_MOMENT, LAST_BATCH = 0.25, 10
MOST_UNUSED = 10_000
# Words so long (encoded data, scripts of which we do not know where words end) would fill the list and find nothing.
OPAQUE = re.compile(rb"[0-9A-Za-z_\x80-\xff]{300}|[\x80-\xff]{90}")

TABLES = """
DROP TABLE IF EXISTS listed;
DROP TABLE IF EXISTS vocabulary;
DROP TABLE IF EXISTS word;
DROP TABLE IF EXISTS text;
CREATE TABLE text (id INTEGER PRIMARY KEY AUTOINCREMENT, sha256 TEXT NOT NULL UNIQUE, opaque INTEGER NOT NULL);
CREATE VIRTUAL TABLE word USING fts5(
    text, content='', detail=none, columnsize=0, tokenize="ascii tokenchars '_'"
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(word, 'row');
CREATE TABLE listed (upto INTEGER NOT NULL, words BLOB NOT NULL);
INSERT INTO listed VALUES (0, x'0a');
"""


BOUNDS = "SELECT coalesce(min(id), 0), coalesce(max(id), 0) FROM text"


class Asked(NamedTuple):
    """A query, empty where no text can match, and how many texts it has to do with at most."""

    query: str
    texts: int


class WordIndex:
    """Texts are offered from any thread and taken up by one of its own."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._waiting: deque[tuple[str, bytes]] = deque()
        self._offered: set[str] = set()
        self._taken: set[str] = set()
        self._bytes = 0
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._busy = False
        self._behind = False
        self._awaited = 0
        self._closed = False
        self._end = 0.0
        self._asking = threading.Lock()
        self._reader: sqlite3.Connection | None = None
        self._ids: dict[str, int] = {}
        self._opaque: set[str] = set()
        self._oldest = self._upto = 0
        self._words = b"\n"

    def knows(self, sha256: str) -> bool:
        return any(sha256 in known for known in (self._ids, self._opaque, self._offered, self._taken))

    def offer(self, sha256: str, data: bytes) -> None:
        """Takes a text up soon; what is too much at once is left for another time."""
        with self._changed:
            if self._closed or self.knows(sha256) or self._bytes + len(data) > MOST_WAITING:
                return
            self._offered.add(sha256)
            self._waiting.append((sha256, data))
            self._bytes += len(data)
            if len(self._waiting) == 1:
                self._work()

    def perhaps(self, need: Need) -> Callable[[str], bool]:
        """Tells of a text whether it may hold what is needed: of all that cannot be ruled out."""
        with self._asking:
            try:
                found = self._ids_with(need)
            except sqlite3.Error as error:
                log.warning("the index of words was not used: %s", error)
                self._forget_reader()
                found = None
            if found is None:
                return lambda sha256: True
            known, upto = self._ids, self._upto

        def may_hold(sha256: str) -> bool:
            id = known.get(sha256)
            return id is None or id > upto or id in found

        return may_hold

    def settle(self) -> None:
        """Waits until all that was offered is taken up, and all words are listed."""
        with self._changed:
            self._awaited += 1
            self._behind = self._thread is not None
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._closed or not (self._waiting or self._busy or self._behind))
            self._awaited -= 1

    def tidy(self, used: int) -> None:
        """Begins anew where most of the index is of texts that are gone; `used` is how many there are."""
        with self._asking:
            if len(self._ids) <= 2 * used + MOST_UNUSED or self._reader is None:
                return
            try:
                self._reader.execute("BEGIN IMMEDIATE")
                self._reader.execute("DELETE FROM text")
                self._reader.execute("INSERT INTO word (word) VALUES ('delete-all')")
                self._reader.execute("UPDATE listed SET upto = 0, words = x'0a'")
                self._reader.execute("COMMIT")
            except sqlite3.Error as error:
                log.warning("the index of words was not tidied: %s", error)
                self._forget_reader()

    def close(self) -> None:
        """Goes on with what waits for a moment, so that programs that only ever run for one help too."""
        with self._changed:
            self._closed = True
            self._end = time.monotonic() + LAST_MOMENT
            self._changed.notify_all()
        if self._thread:
            self._thread.join()
        with self._asking:
            self._forget_reader()

    def _work(self) -> None:
        """Has the thread look for what there is to do; called with the lock."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._take_up, name="quire-words", daemon=True)
            self._thread.start()
        self._changed.notify_all()

    def _wake(self) -> None:
        with self._changed:
            if not self._closed:
                self._behind = True
                self._work()

    # Asking

    def _ids_with(self, need: Need) -> set[int] | None:
        if self._reader is None:
            if not self._path.exists():
                return None
            self._reader = self._open()
        self._reader.execute("BEGIN")
        try:
            self._refresh(self._reader)
            asked = self._query(need)
            if asked is None or not asked.query:
                return None if asked is None else set()
            rows = self._reader.execute("SELECT rowid FROM word WHERE word MATCH ?", (asked.query,))
            return {row[0] for row in rows}
        finally:
            self._reader.execute("COMMIT")

    def _refresh(self, reader: sqlite3.Connection) -> None:
        """Learns of the texts whose words are listed; others are read like unknown ones."""
        oldest, newest = reader.execute(BOUNDS).fetchone()
        upto = reader.execute("SELECT upto FROM listed").fetchone()[0]
        if oldest != self._oldest:
            self._ids, self._opaque, self._taken, self._upto, self._words = {}, set(), set(), 0, b"\n"
            self._oldest = oldest
        if unlisted(newest, upto):
            self._wake()
        if upto == self._upto:
            return
        between = (self._upto, upto)
        for id, sha256, opaque in reader.execute(
            "SELECT id, sha256, opaque FROM text WHERE id > ? AND id <= ?", between
        ):
            if opaque:
                self._opaque.add(sha256)
            else:
                self._ids[sha256] = id
        self._taken.clear()
        self._upto = upto
        self._words = reader.execute("SELECT words FROM listed").fetchone()[0]

    def _query(self, need: Need) -> Asked | None:
        """For the index's own language; None where nothing is ruled out, or so little that asking is no use."""
        if isinstance(need, Word):
            return self._words_with(need)
        parts = [self._query(part) for part in need.of]
        if isinstance(need, Every):
            known = sorted((part for part in parts if part is not None), key=attrgetter("texts"))
            if not known:
                return None
            # What stands in most of the texts would be costly to look up, and rule out few of those that are left.
            useful = [part for part in known if part.texts <= max(COMMON, 10 * known[0].texts)]
            return Asked(" AND ".join(f"({part.query})" for part in useful) if useful[0].query else "", useful[0].texts)
        assert isinstance(need, Either)
        given = [part for part in parts if part is not None]
        if len(given) < len(parts):
            return None
        query = " OR ".join(f"({part.query})" for part in given if part.query)
        return self._worth(Asked(query, sum(part.texts for part in given)))

    def _words_with(self, word: Word) -> Asked | None:
        """The words that hold a piece; None where those are too many to be of use."""
        piece = word.text.encode()
        if len(piece) < 2 and not (word.begins and word.ends):
            return None
        sought = (b"\n" if word.begins else b"") + piece + (b" " if word.ends else b"")
        found: list[str] = []
        texts = 0
        at = self._words.find(sought)
        while at >= 0:
            inside = at + 1 if word.begins else at
            begin = self._words.rfind(b"\n", 0, inside) + 1
            end = self._words.find(b"\n", inside)
            if len(found) == MOST_WORDS:
                return None
            found.append(f'"{self._words[begin : end - 2].decode()}"')
            texts += SIZES[self._words[end - 1]]
            at = self._words.find(sought, end)
        return self._worth(Asked(" OR ".join(found), texts))

    def _worth(self, asked: Asked) -> Asked | None:
        return asked if asked.texts <= 2 * len(self._ids) + COMMON else None

    # Taking up

    def _take_up(self) -> None:
        connection: sqlite3.Connection | None = None
        while True:
            with self._changed:
                self._busy = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._waiting or self._behind or self._closed)
                self._changed.wait_for(lambda: self._awaited or self._closed, PAUSE_SECONDS)
                if self._closed and (not self._waiting or time.monotonic() > self._end):
                    break
                most = LAST_BATCH if self._closed else BATCH
                batch = [self._waiting.popleft() for _ in range(min(most, len(self._waiting)))]
                last, at_once = not self._waiting and not self._closed, self._awaited > 0
                self._busy, self._behind = True, False
            try:
                if connection is None:
                    self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                    connection = self._open()
                _add(connection, batch)
                self._taken.update(sha256 for sha256, _ in batch)
                if last:
                    _list(connection, at_once)
            except (sqlite3.Error, OSError) as error:
                log.warning("texts were not indexed: %s", error)
                if connection:
                    connection.close()
                connection = None
                if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
                    self._remove()
            with self._changed:
                for sha256, data in batch:
                    self._offered.discard(sha256)
                    self._bytes -= len(data)
        if connection:
            connection.close()

    def _open(self) -> sqlite3.Connection:
        with suppress(FileExistsError):
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        with suppress(OSError):
            make_private(self._path, 0o600)
        connection = sqlite3.connect(self._path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        with ExitStack() as failed:
            failed.callback(connection.close)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            if connection.execute("PRAGMA user_version").fetchone()[0] != SCHEMA:
                connection.execute("BEGIN IMMEDIATE")
                if connection.execute("PRAGMA user_version").fetchone()[0] != SCHEMA:
                    for table in TABLES.split(";"):
                        connection.execute(table)
                    connection.execute(f"PRAGMA user_version = {SCHEMA}")
                connection.execute("COMMIT")
            failed.pop_all()
        return connection

    def _forget_reader(self) -> None:
        if self._reader:
            self._reader.close()
        self._reader, self._oldest = None, -1

    def _remove(self) -> None:
        for end in ("", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                Path(f"{self._path}{end}").unlink()


def unlisted(newest: int, upto: int) -> bool:
    """Whether so many texts are not listed that it is worth the while; the first ones always are."""
    return newest > upto + (max(FRESH, upto * FRESH_PART) if upto else 0)


def _list(connection: sqlite3.Connection, at_once: bool) -> None:
    """Writes down all words in one piece. To gather them takes a while, and whoever asks has none."""
    connection.execute("BEGIN")
    try:
        oldest, newest = connection.execute(BOUNDS).fetchone()
        (upto,) = connection.execute("SELECT upto FROM listed").fetchone()
        if not (unlisted(newest, upto) or (at_once and newest > upto)):
            return
        terms = [f"{term} {size_of(texts)}" for term, texts in connection.execute("SELECT term, doc FROM vocabulary")]
    finally:
        connection.execute("COMMIT")
    words = "\n".join(["", *terms, ""]).encode()
    # Unless someone was faster, or has begun the index anew.
    connection.execute(
        "UPDATE listed SET upto = ?, words = ? WHERE upto < ? AND (SELECT coalesce(min(id), 0) FROM text) = ?",
        (newest, words, newest, oldest),
    )


def size_of(texts: int) -> str:
    """About how many texts a word is in, as one character that is in no word."""
    return chr(FEWEST + min(texts.bit_length(), BITS))


def _add(connection: sqlite3.Connection, batch: list[tuple[str, bytes]]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        for sha256, data in batch:
            text = data.lower().decode("utf-8", "replace")
            words = text if text.isascii() else spaced(folded(text))
            opaque = OPAQUE.search(words.encode()) is not None
            added = connection.execute(
                "INSERT INTO text (sha256, opaque) VALUES (?, ?) ON CONFLICT (sha256) DO NOTHING", (sha256, opaque)
            )
            if added.rowcount and not opaque:
                connection.execute("INSERT INTO word (rowid, text) VALUES (?, ?)", (added.lastrowid, words))
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
