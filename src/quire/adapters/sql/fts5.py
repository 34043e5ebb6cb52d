"""FTS5's tables of a notebook's words, and how they are asked."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import cast

from quire.adapters.sql.bm25 import Words
from quire.adapters.sql.sqlite_tx import SqliteTx
from quire.ports.store import Tx


def connection_of(tx: Tx) -> sqlite3.Connection:
    return cast(SqliteTx, tx).connection


def table_of(tx: Tx, notebook_id: str) -> str:
    """The table's name is made of the notebook's number, never of text from outside."""
    row = tx.one("notebook_number", notebook_id=notebook_id)
    return f"notebook_words_{int(row['seq']) if row else 0}"


def exists(connection: sqlite3.Connection, table: str) -> bool:
    """Asked of the schema in memory; to look through `sqlite_master` takes longer with every notebook."""
    return connection.execute(f"PRAGMA table_info({table})").fetchone() is not None


def words_of(connection: sqlite3.Connection, table: str, seqs: Sequence[int]) -> list[Words]:
    """The words of passages. FTS5 itself would look into its index for each of them first."""
    cursor = connection.cursor()
    cursor.row_factory = None
    marks = ", ".join("?" * len(seqs))
    return cursor.execute(f"SELECT id, c0, c1 FROM {table}_content WHERE id IN ({marks})", seqs).fetchall()  # noqa: S608


HIDDEN = """
    SELECT p.seq FROM hidden_version h CROSS JOIN passage p ON p.source_id = h.source_id AND p.version = h.version
"""


def visible(tx: Tx) -> str:
    """A condition that leaves out the passages of hidden versions; none is needed where there are none.

    The plus keeps FTS5 from beginning the whole query anew for each passage: hundreds of times as long.
    """
    return f"AND +rowid NOT IN ({HIDDEN})" if tx.one("any_hidden_version") else ""


def any_of(phrases: Iterable[str]) -> str:
    """An expression that any of the phrases fulfils."""
    return " OR ".join('"' + phrase.replace('"', "") + '"' for phrase in phrases)
