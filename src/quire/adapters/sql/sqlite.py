"""The store on SQLite: one writer thread, a few readers, WAL, every write `BEGIN IMMEDIATE`."""

from __future__ import annotations

import asyncio
import fcntl
import os
import shutil
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from quire.adapters.sql.named import migrations, queries, statements
from quire.domain.errors import Conflict, QuireError, TimedOut, Unsupported
from quire.services.ports import Row, Tx

Result = TypeVar("Result")

READERS = 4
BUSY_SECONDS = 60.0
WATCH_SECONDS = 0.05
WORDS = {"serial": "INTEGER PRIMARY KEY AUTOINCREMENT", "bytes": "BLOB"}


class SqliteTx:
    """Named queries on one connection, inside one transaction."""

    def __init__(self, connection: sqlite3.Connection, named: dict[str, str]) -> None:
        self._connection = connection
        self._named = named

    def one(self, query: str, /, **parameters: Any) -> Row | None:
        cursor = self._connection.execute(self._named[query], parameters)
        row: Row | None = cursor.fetchone()
        cursor.close()
        return row

    def all(self, query: str, /, **parameters: Any) -> list[Row]:
        return self._connection.execute(self._named[query], parameters).fetchall()

    def run(self, query: str, /, **parameters: Any) -> int:
        return self._connection.execute(self._named[query], parameters).rowcount


class SqliteStore:
    """`path` is a file, or `:memory:` for a store that is gone with the process."""

    def __init__(self, path: str | Path, prepare: Callable[[Tx], None]) -> None:
        self._memory = str(path) == ":memory:"
        self._path = str(path)
        self._prepare = prepare
        self._named = queries("sqlite")
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._opening = threading.Lock()
        self._ready = False
        self._closed = False
        self._writer = ThreadPoolExecutor(1, "quire-write")
        self._readers = self._writer if self._memory else ThreadPoolExecutor(READERS, "quire-read")
        self._written = asyncio.Event()

    async def read(self, work: Callable[[Tx], Result]) -> Result:
        return await self._on(self._readers, "BEGIN", work)

    async def write(self, work: Callable[[Tx], Result]) -> Result:
        result = await self._on(self._writer, "BEGIN IMMEDIATE", work)
        self._written.set()
        return result

    async def changes(self) -> AsyncIterator[None]:
        """Yields after commits of this process or another; meant for one listener a process."""
        others: FileWatch | None = None if self._memory else await asyncio.to_thread(self._watch_file)
        try:
            while not self._closed:
                self._written.clear()
                try:
                    async with asyncio.timeout(WATCH_SECONDS if others else None):
                        await self._written.wait()
                    yield None
                except TimeoutError:
                    if others is not None and await asyncio.to_thread(others.changed):
                        yield None
        finally:
            if others:
                others.close()

    async def check(self) -> str:
        """One line on what this is; raises when it does not work."""
        await self.read(lambda tx: tx.one("last_event"))
        return f"SQLite {sqlite3.sqlite_version}, {self._path}"

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._written.set()
        loop = asyncio.get_running_loop()
        for pool in {self._writer, self._readers}:
            await loop.run_in_executor(None, pool.shutdown)
        for connection in self._connections:
            connection.close()

    async def _on(self, pool: ThreadPoolExecutor, begin: str, work: Callable[[Tx], Result]) -> Result:
        if self._closed:
            raise QuireError("This library is closed.")
        return await asyncio.get_running_loop().run_in_executor(pool, self._transaction, begin, work)

    def _transaction(self, begin: str, work: Callable[[Tx], Result]) -> Result:
        connection = self._connection()
        with translated():
            connection.execute(begin)
            try:
                result = work(SqliteTx(connection, self._named))
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            return result

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            with self._opening, translated():
                if not self._ready:
                    self._open_first()
                    self._ready = True
                connection = getattr(self._local, "connection", None) or self._connect()
                self._local.connection = connection
        return connection

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=256
        )
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        self._connections.append(connection)
        return connection

    def _open_first(self) -> None:
        if self._memory:
            connection = self._connect()
            self._migrate(connection)
            self._local.connection = connection
            return
        folder = Path(self._path).parent
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _locked(folder / ".migrate.lock"):
            made = not os.path.exists(self._path)
            connection = self._connect()
            if made:
                os.chmod(self._path, 0o600)
            connection.execute("PRAGMA journal_mode = WAL")
            self._migrate(connection)
            self._local.connection = connection

    def _migrate(self, connection: sqlite3.Connection) -> None:
        steps = migrations(WORDS)
        at = connection.execute("PRAGMA user_version").fetchone()[0]
        newest = steps[-1][0]
        if at > newest:
            raise Unsupported(
                f"The data at {self._path} was written by a newer Quire (schema {at}, this one knows {newest}).",
                hint="Install the newer Quire again, or restore the copy beside the file.",
            )
        if at == newest:
            return
        if at and not self._memory:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            shutil.copy2(self._path, f"{self._path}.schema-{at}.bak")
        connection.execute("BEGIN IMMEDIATE")
        try:
            for number, script in steps:
                if number > at:
                    for statement in statements(script):
                        connection.execute(statement)
            self._prepare(SqliteTx(connection, self._named))
            connection.execute(f"PRAGMA user_version = {newest}")
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise

    def _watch_file(self) -> FileWatch:
        self._connection()
        return FileWatch(self._path)


class FileWatch:
    """Tells whether another connection has committed since it was last asked."""

    def __init__(self, path: str) -> None:
        self._connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        self._seen = self._version()

    def changed(self) -> bool:
        before, self._seen = self._seen, self._version()
        return before != self._seen

    def close(self) -> None:
        self._connection.close()

    def _version(self) -> int:
        version: int = self._connection.execute("PRAGMA data_version").fetchone()[0]
        return version


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


FOREIGN: list[tuple[type[sqlite3.Error], str, type[QuireError], str]] = [
    (sqlite3.IntegrityError, "", Conflict, "It clashes with something that is stored already."),
    (sqlite3.OperationalError, "locked", TimedOut, "The database was busy for too long."),
    (sqlite3.OperationalError, "full", Unsupported, "The disk is full."),
    (sqlite3.OperationalError, "readonly", Unsupported, "The database file cannot be written to."),
    (sqlite3.OperationalError, "unable to open", Unsupported, "The database file cannot be opened."),
    (sqlite3.DatabaseError, "malformed", Unsupported, "The database file is damaged; restore a copy."),
    (sqlite3.DatabaseError, "not a database", Unsupported, "The file is not a Quire database."),
]


@contextmanager
def translated() -> Iterator[None]:
    """Turns SQLite's exceptions into ours; one that is not in the table stays a bug and is masked by the guard."""
    try:
        yield
    except sqlite3.Error as error:
        for kind, word, ours, message in FOREIGN:
            if isinstance(error, kind) and word in str(error):
                raise ours(message) from error
        raise
