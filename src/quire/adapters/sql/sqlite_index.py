"""Full text on SQLite: one FTS5 table a notebook, so that its statistics are the notebook's own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, cast

from quire.adapters.sql.sqlite import SqliteTx
from quire.services.index import WordHit
from quire.services.ports import Tx

TITLE_WEIGHT = 3.0


class SqliteIndex:
    def __init__(self) -> None:
        self._tables: dict[str, str] = {}

    def add(self, tx: Tx, notebook_id: str, rows: Sequence[tuple[int, str, str]]) -> None:
        table = self._table(tx, notebook_id)
        if not self._exists(tx, table):
            # Words are cut in Python; what is left to FTS5 is to split them at spaces.
            _run(tx, f"CREATE VIRTUAL TABLE {table} USING fts5(title, text, tokenize = \"unicode61 remove_diacritics 0\")")
            _run(tx, f"INSERT INTO {table} ({table}, rank) VALUES ('rank', 'bm25({TITLE_WEIGHT}, 1.0)')")  # noqa: S608
        connection = cast(SqliteTx, tx).connection
        connection.executemany(f"INSERT INTO {table} (rowid, title, text) VALUES (?, ?, ?)", rows)  # noqa: S608

    def remove(self, tx: Tx, notebook_id: str, seqs: Sequence[int]) -> None:
        table = self._table(tx, notebook_id)
        if seqs and self._exists(tx, table):
            connection = cast(SqliteTx, tx).connection
            connection.executemany(f"DELETE FROM {table} WHERE rowid = ?", [(seq,) for seq in seqs])  # noqa: S608

    def drop(self, tx: Tx, notebook_id: str) -> None:
        _run(tx, f"DROP TABLE IF EXISTS {self._table(tx, notebook_id)}")

    def match(
        self, tx: Tx, notebook_id: str, words: Sequence[str], *, sources: Sequence[str] | None, limit: int
    ) -> list[WordHit]:
        table = self._table(tx, notebook_id)
        if not words or not self._exists(tx, table):
            return []
        any_word = " OR ".join(_quoted(word) for word in dict.fromkeys(words))
        found = self._ranked(tx, table, any_word, sources, limit)
        neighbours = [f"{a} {b}" for a, b in zip(words, words[1:], strict=False)]
        pairs = {}
        if found and neighbours:
            any_pair = " OR ".join(_quoted(pair) for pair in dict.fromkeys(neighbours))
            pairs = dict(self._ranked(tx, table, any_pair, sources, limit))
        return [WordHit(seq, score, pairs.get(seq, 0.0)) for seq, score in found]

    def frequencies(self, tx: Tx, notebook_id: str, words: Sequence[str]) -> tuple[dict[str, int], int]:
        table = self._table(tx, notebook_id)
        if not self._exists(tx, table):
            return {}, 0
        total = _run(tx, f"SELECT count(*) FROM {table}_docsize").fetchone()[0]  # noqa: S608
        counts = {}
        for word in dict.fromkeys(words):
            query = f"SELECT count(*) FROM {table} WHERE {table} MATCH ?"  # noqa: S608
            counts[word] = _run(tx, query, (_quoted(word),)).fetchone()[0]
        return counts, total

    def _ranked(
        self, tx: Tx, table: str, query: str, sources: Sequence[str] | None, limit: int
    ) -> list[tuple[int, float]]:
        where, parameters = "", [query]
        if sources is not None:
            where = "AND rowid IN (SELECT seq FROM passage WHERE source_id IN (SELECT value FROM json_each(?)))"
            parameters.append(json.dumps(list(sources)))
        sql = f"SELECT rowid, rank FROM {table} WHERE {table} MATCH ? {where} ORDER BY rank LIMIT {int(limit)}"  # noqa: S608
        return [(row[0], -row[1]) for row in _run(tx, sql, parameters)]

    def _table(self, tx: Tx, notebook_id: str) -> str:
        """The table's name is made of the notebook's number, never of text from outside."""
        if notebook_id not in self._tables:
            row = _run(tx, "SELECT seq FROM notebook WHERE id = ?", (notebook_id,)).fetchone()
            if row is None:
                return "passage_words_0"
            self._tables[notebook_id] = f"passage_words_{int(row[0])}"
        return self._tables[notebook_id]

    def _exists(self, tx: Tx, table: str) -> bool:
        return _run(tx, "SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone() is not None


def _quoted(words: str) -> str:
    return '"' + words.replace('"', "") + '"'


def _run(tx: Tx, sql: str, parameters: Sequence[Any] = ()) -> Any:
    return cast(SqliteTx, tx).connection.execute(sql, parameters)
