"""Whether others have committed to a file of SQLite."""

from __future__ import annotations

import mmap
import sqlite3
import sys
from contextlib import suppress

# The header of the index of a WAL, which is there twice and is another after every commit. It begins with the number of
# its form: what a later SQLite might write is not read here.
HEADER = 48
FORM = (3_007_000).to_bytes(4, sys.byteorder)


class FileWatch:
    """Tells whether another connection has committed since it was last asked.

    It looks into memory that the connections share, so asking is quick enough for the event loop itself. SQLite is
    asked where that memory is not as expected, at ten times the cost.
    """

    def __init__(self, path: str) -> None:
        self._connection = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
        self._cursor = self._connection.cursor()
        self._shared: mmap.mmap | None = None
        # This has the memory made; it stays for as long as the connection is open.
        if self._asked() >= 0:
            with suppress(OSError, ValueError), open(f"{path}-shm", "rb") as file:
                self._shared = mmap.mmap(file.fileno(), 2 * HEADER, access=mmap.ACCESS_READ)
        self._seen = self.version()

    def changed(self) -> bool:
        before, self._seen = self._seen, self.version()
        return before != self._seen

    def close(self) -> None:
        if self._shared is not None:
            self._shared.close()
            self._shared = None
        self._connection.close()

    def version(self) -> int:
        if self._shared is not None:
            header = self._shared[: 2 * HEADER]
            # They differ while somebody is writing them.
            if header.startswith(FORM) and header[:HEADER] == header[HEADER:]:
                return int.from_bytes(header[:HEADER], "little")
        return self._asked()

    def _asked(self) -> int:
        try:
            version: int = self._cursor.execute("PRAGMA data_version").fetchone()[0]
        except sqlite3.OperationalError:
            return -1  # Busy or broken: whoever listens reads for itself and meets the reason.
        return version
