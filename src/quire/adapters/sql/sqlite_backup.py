"""A whole library in SQLite, copied while others read and write it."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from quire.adapters.sql.sqlite_errors import translated
from quire.domain.errors import InvalidInput


def snapshot(database: Path, target: Path) -> None:
    """What was committed when it began. All in one step: a copy in several begins again whenever someone writes."""
    if not database.is_file():
        raise InvalidInput(f"There is no library at {database}.")
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(copy, pages=-1)
            copy.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        if ours := translated(error):
            raise ours from error
        raise


def needed_files(database: Path) -> list[str]:
    """The hashes of the files that rows of a snapshot need."""
    with closing(sqlite3.connect(database)) as connection:
        return [row[0] for row in connection.execute("SELECT DISTINCT sha256 FROM blob_use ORDER BY sha256")]


def schema_of(database: Path) -> int:
    """The schema of a database that is whole; 0 where it is damaged, or none."""
    try:
        with closing(sqlite3.connect(database)) as connection:
            if connection.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
                return 0
            if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
                return 0
            return int(connection.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.Error:
        return 0
