"""Whether others have committed to a file of SQLite."""

from __future__ import annotations

import sqlite3


class FileWatch:
    """Tells whether another connection has committed since it was last asked.

    It looks into memory that the connections share, so asking is quick enough for the event loop itself.
    """

    def __init__(self, path: str) -> None:
        self._connection = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
        self._cursor = self._connection.cursor()
        self._seen = self.version()

    def changed(self) -> bool:
        before, self._seen = self._seen, self.version()
        return before != self._seen

    def close(self) -> None:
        self._connection.close()

    def version(self) -> int:
        try:
            version: int = self._cursor.execute("PRAGMA data_version").fetchone()[0]
        except sqlite3.OperationalError:
            return -1  # Busy or broken: whoever listens reads for itself and meets the reason.
        return version
