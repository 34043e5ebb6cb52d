"""What SQLite refuses, in our own errors."""

from __future__ import annotations

import errno
import sqlite3

from quire.domain.errors import Conflict, QuireError, TimedOut, TooLarge, Unsupported

UNWRITABLE = (errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
UNWRITABLE_FILE = (
    sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR
)  # fmt: skip

BUSY = (TimedOut, "The database was busy for too long.")
CLOSED = (Unsupported, "The database file cannot be opened or written to.")
BROKEN = (Unsupported, "The database file is damaged; restore a copy.")

FOREIGN: dict[int, tuple[type[QuireError], str]] = {
    sqlite3.SQLITE_CONSTRAINT: (Conflict, "It clashes with something that is stored already."),
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_LOCKED: BUSY,
    sqlite3.SQLITE_PROTOCOL: BUSY,
    sqlite3.SQLITE_INTERRUPT: BUSY,
    sqlite3.SQLITE_FULL: (Unsupported, "The disk is full."),
    sqlite3.SQLITE_IOERR: (Unsupported, "The disk failed while the database was read or written."),
    sqlite3.SQLITE_NOLFS: (Unsupported, "The file system cannot hold a file of this size."),
    sqlite3.SQLITE_NOMEM: (Unsupported, "There is not enough memory."),
    sqlite3.SQLITE_READONLY: CLOSED,
    sqlite3.SQLITE_CANTOPEN: CLOSED,
    sqlite3.SQLITE_PERM: CLOSED,
    sqlite3.SQLITE_CORRUPT: BROKEN,
    sqlite3.SQLITE_NOTADB: (Unsupported, "The file is not a Quire database."),
    sqlite3.SQLITE_TOOBIG: (TooLarge, "It is larger than the database can hold."),
}

DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def translated(error: sqlite3.Error) -> QuireError | None:
    """SQLite's exception as ours; one that is not in the table stays a bug and is masked by the guard."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None or code & 0xFF not in FOREIGN:
        return None
    ours, message = FOREIGN[code & 0xFF]
    return ours(message, reason="damaged") if code & 0xFF in DAMAGED else ours(message)


def is_unwritable(error: OSError | sqlite3.OperationalError) -> bool:
    """Whether a file cannot be written to, whoever waits."""
    if isinstance(error, OSError):
        return error.errno in UNWRITABLE
    return error.sqlite_errorcode & 0xFF in UNWRITABLE_FILE
