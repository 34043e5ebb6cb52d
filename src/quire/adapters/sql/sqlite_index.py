"""Full text on SQLite: one FTS5 table a notebook, so that its statistics are its own and its cost is too."""

from __future__ import annotations

import json
import math
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from quire.adapters.sql.bm25 import pair_scores, rarity, repeats, word_scores
from quire.adapters.sql.fts5 import any_of, connection_of, exists, table_of, visible, words_of
from quire.adapters.sql.notebook_languages import NotebookLanguages
from quire.adapters.sql.sqlite_across import across
from quire.adapters.sql.sqlite_types import notebook_words
from quire.ports.search import WordHit
from quire.ports.store import Tx

Ranked = list[tuple[int, float]]

GROWTH, LARGE = 1.2, 20_000
COUNTED_NOTEBOOKS, COUNTED_WORDS = 200, 2_000
# Passages that have only the commonest of the words are looked for when no more than this part of those wanted
# have others.
FEW = 10


class SqliteIndex:
    def __init__(self) -> None:
        self._languages = NotebookLanguages()
        self._counts = Counts()

    def add(self, tx: Tx, notebook_id: str, rows: Sequence[tuple[int, str, str]]) -> None:
        if not rows:
            return
        table = table_of(tx, notebook_id)
        connection = connection_of(tx)
        if not exists(connection, table):
            for statement in notebook_words(table):
                connection.execute(statement)
        connection.executemany(f"INSERT INTO {table} (rowid, title, text) VALUES (?, ?, ?)", rows)  # noqa: S608
        joined = ((seq, f"{title} {text}") for seq, title, text in rows)
        connection.executemany("INSERT INTO library_words (rowid, words) VALUES (?, ?)", joined)
        _total(tx, notebook_id, 1, rows)
        known = tx.one("generation_of", notebook_id=notebook_id)
        # Not while a long text comes in steps: all that is there would be written again and again.
        if known is not None and _due(known["passages"] - len(rows), known["passages"]) and not visible(tx):
            connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")  # noqa: S608

    def remove(self, tx: Tx, notebook_id: str, seqs: Sequence[int]) -> None:
        table = table_of(tx, notebook_id)
        connection = connection_of(tx)
        if not seqs or not exists(connection, table):
            return
        one = f"SELECT rowid, title, text FROM {table} WHERE rowid = ?"  # noqa: S608
        rows = [tuple(row) for seq in dict.fromkeys(seqs) for row in connection.execute(one, (seq,))]
        _forget(connection, rows)
        connection.executemany(f"DELETE FROM {table} WHERE rowid = ?", [(row[0],) for row in rows])  # noqa: S608
        _total(tx, notebook_id, -1, rows)

    def drop(self, tx: Tx, notebook_id: str) -> None:
        table = table_of(tx, notebook_id)
        connection = connection_of(tx)
        if exists(connection, table):
            rows = connection.execute(f"SELECT rowid, title, text FROM {table}")  # noqa: S608
            _forget(connection, map(tuple, rows))
            connection.execute(f"DROP TABLE {table}")
        # As the first stores called it.
        connection.execute(f"DROP TABLE IF EXISTS {table.replace('notebook', 'passage')}")
        tx.run("no_totals", notebook_id=notebook_id)

    def match(
        self,
        tx: Tx,
        notebook_id: str,
        words: Sequence[str],
        *,
        sources: Sequence[str] | None,
        limit: int,
        also: Sequence[int] = (),
    ) -> list[WordHit]:
        known = tx.one("generation_of", notebook_id=notebook_id)
        if not words or known is None or not known["passages"]:
            return []
        table = table_of(tx, notebook_id)
        connection = connection_of(tx)
        shown = visible(tx)
        times = repeats(words)
        counts = self._counts.of(connection, table, known["number"], times, shown)
        found = []
        if known["passages"] > limit:
            deciding_times = {word: times[word] for word in deciding(counts, known["passages"])}
            found = _ranked(connection, table, deciding_times, sources, shown, limit)
        if len(found) <= limit // FEW:
            present = {word: times[word] for word, count in counts.items() if count}
            found = _ranked(connection, table, present, sources, shown, limit)
        scores = dict(found)
        rows = words_of(connection, table, list({*scores, *also}))
        average = known["words"] / known["passages"]
        weights = {word: count * rarity(counts[word], known["passages"]) for word, count in times.items()}
        further = word_scores([row for row in rows if row[0] not in scores], weights, average)
        scores |= {seq: score for seq, score in further.items() if score}
        pairs = pair_scores(rows, words, known["passages"], average)
        ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
        return [WordHit(seq, score, pairs.get(seq, 0.0)) for seq, score in ranked]

    def match_across(
        self, tx: Tx, notebook_ids: Sequence[str], words: Sequence[str], *, limit: int, also: Sequence[int] = ()
    ) -> list[WordHit]:
        return across(tx, notebook_ids, words, limit, also)

    def languages(self, tx: Tx, notebook_ids: Sequence[str]) -> list[str]:
        return self._languages.of(tx, notebook_ids)

    def frequencies(self, tx: Tx, notebook_id: str, words: Sequence[str]) -> tuple[dict[str, int], int]:
        known = tx.one("generation_of", notebook_id=notebook_id)
        if known is None or not known["passages"]:
            return {}, 0
        connection = connection_of(tx)
        counts = self._counts.of(connection, table_of(tx, notebook_id), known["number"], words, visible(tx))
        return counts, known["passages"]


class Counts:
    """In how many passages of a notebook words stand. The common ones, which take longest to count, come again."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[str, tuple[int, dict[str, int]]] = OrderedDict()

    def of(
        self, connection: sqlite3.Connection, table: str, generation: int, words: Iterable[str], shown: str
    ) -> dict[str, int]:
        with self._lock:
            known = self._known.get(table)
            if known is None or known[0] != generation or len(known[1]) > COUNTED_WORDS:
                known = self._known[table] = (generation, {})
            self._known.move_to_end(table)
            if len(self._known) > COUNTED_NOTEBOOKS:
                self._known.popitem(last=False)
        query = f"SELECT count(*) FROM {table} WHERE {table} MATCH ? {shown}"  # noqa: S608
        counts = {}
        for word in words:
            if word not in known[1]:
                known[1][word] = connection.execute(query, (any_of([word]),)).fetchone()[0]
            counts[word] = known[1][word]
        return counts


def deciding(counts: dict[str, int], passages: int) -> list[str]:
    """The words that a score depends on: those of most passages weigh nothing, and take longest to look for."""
    return [word for word, count in counts.items() if 0 < 2 * count < passages]


def _due(before: int, after: int) -> bool:
    """Whether the parts that an index is written in should become one, which makes a search a quarter faster.

    At every so many per cent of growth, so that all of it stays in proportion to what is written; not in a large
    notebook, where others would wait for it.
    """
    if after > LARGE:
        return False
    return int(math.log(after, GROWTH)) > int(math.log(max(before, 1), GROWTH))


def _ranked(
    connection: sqlite3.Connection,
    table: str,
    times: Mapping[str, int],
    sources: Sequence[str] | None,
    shown: str,
    limit: int,
) -> Ranked:
    """Passages by any of the words, each of which counts so many times."""
    if not times:
        return []
    where, parameters = shown, [any_of(word for word, count in times.items() for _ in range(count))]
    if sources is not None:
        where += " AND +rowid IN (SELECT seq FROM passage WHERE source_id IN (SELECT value FROM json_each(?)))"
        parameters.append(json.dumps(list(sources)))
    sql = f"SELECT rowid, rank FROM {table} WHERE {table} MATCH ? {where} ORDER BY rank LIMIT {int(limit)}"  # noqa: S608
    return [(row[0], -row[1]) for row in connection.execute(sql, parameters)]


def _forget(connection: sqlite3.Connection, rows: Iterable[tuple[Any, ...]]) -> None:
    """Takes passages out of the table over all notebooks, which has to be told their words."""
    joined = ((seq, f"{title} {text}") for seq, title, text in rows)
    connection.executemany("INSERT INTO library_words (library_words, rowid, words) VALUES ('delete', ?, ?)", joined)


def _total(tx: Tx, notebook_id: str, sign: int, rows: Sequence[tuple[Any, ...]]) -> None:
    words = sum(len(title.split()) + len(text.split()) for _, title, text in rows)
    tx.run("add_to_totals", notebook_id=notebook_id, passages=sign * len(rows), words=sign * words)
