"""A transaction on SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

from quire.ports.store import Row

MOST_COUNTS = 1000


class SqliteTx:
    """Named queries on one connection, inside one transaction.

    A connection that only reads counts once until someone commits: every page of a list says how many there are.
    """

    def __init__(self, connection: sqlite3.Connection, named: dict[str, str]) -> None:
        self.connection = connection
        self.only_reads = False
        self._named = named
        self._later: list[Callable[[], None]] = []
        self._counts: dict[tuple[Any, ...], int] = {}
        self._counted_at = 0

    def one(self, query: str, /, **parameters: Any) -> Row | None:
        cursor = self.connection.execute(self._named[query], parameters)
        row: Row | None = cursor.fetchone()
        cursor.close()
        return row

    def all(self, query: str, /, **parameters: Any) -> list[Row]:
        return self.connection.execute(self._named[query], parameters).fetchall()

    def count(self, query: str, /, **parameters: Any) -> int:
        if not self.only_reads:
            return self._counted(query, parameters)
        version: int = self.connection.execute("PRAGMA data_version").fetchone()[0]
        if version != self._counted_at or len(self._counts) >= MOST_COUNTS:
            self._counted_at, self._counts = version, {}
        key = (query, *parameters.items())
        if key not in self._counts:
            self._counts[key] = self._counted(query, parameters)
        return self._counts[key]

    def _counted(self, query: str, parameters: dict[str, Any]) -> int:
        row = self.one(query, **parameters)
        return 0 if row is None else int(row["total"])

    def run(self, query: str, /, **parameters: Any) -> int:
        return self.connection.execute(self._named[query], parameters).rowcount

    def afterwards(self, work: Callable[[], None]) -> None:
        self._later.append(work)

    def ended(self, *, committed: bool) -> None:
        later, self._later = self._later, []
        for work in later if committed else ():
            work()
