"""The store on SQLite: one writer thread, a few readers, WAL, every write `BEGIN IMMEDIATE`."""

from __future__ import annotations

import asyncio
import fcntl
import os
import re
import secrets
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

from quire.adapters.disk import on_disk
from quire.adapters.sql.file_watch import FileWatch
from quire.adapters.sql.named import migrations, queries, statements
from quire.adapters.sql.sqlite_errors import BROKEN, is_unwritable, translated
from quire.adapters.sql.sqlite_tx import SqliteTx
from quire.adapters.sql.sqlite_types import LIBRARY_WORDS
from quire.adapters.threads import Threads
from quire.domain.errors import QuireError, TimedOut, Unsupported
from quire.ports.finish_anyway import finish_anyway
from quire.ports.store import Tx

Result = TypeVar("Result")

READERS = 4
BUSY_SECONDS = 60.0
WATCH_SECONDS = 0.05
# What a look-up may take on the event loop: about as long as the way to a thread and back.
MOST_STEPS = 5_000
WORDS = {
    "serial": "INTEGER PRIMARY KEY AUTOINCREMENT",
    "bytes": "BLOB",
    "clustered": "WITHOUT ROWID",
    "vector": "BLOB",
    "full_text": LIBRARY_WORDS,
    "missing_full_text": LIBRARY_WORDS.replace("TABLE", "TABLE IF NOT EXISTS"),
}
COLUMN = re.compile(r"ALTER TABLE (\w+) ADD COLUMN (IF NOT EXISTS )(\w+)")


class SqliteStore:
    """`path` is a file, or `:memory:` for a store that is gone with the process.

    `steps` are the migrations, each with its number; ours unless told otherwise.
    """

    def __init__(
        self, path: str | Path, prepare: Callable[[Tx], None], steps: list[tuple[int, str]] | None = None
    ) -> None:
        self._memory = str(path) == ":memory:"
        self._path = str(path)
        self._prepare = prepare
        self._steps = steps
        self._named = queries("sqlite")
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._opening = threading.Lock()
        self._ready = False
        self._closed = False
        self._to_read: str | None = None
        self._openings = 0
        self._commits = 0
        self._glance: FileWatch | None = None
        self._writer = Threads(1, "quire-write")
        self._readers = self._writer if self._memory else Threads(READERS, "quire-read")
        self._listeners: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def read(self, work: Callable[[Tx], Result]) -> Result:
        return await self._readers.run(partial(self._reading, work))

    async def look_up(self, work: Callable[[Tx], Result]) -> Result:
        if self._memory or not self._ready or self._closed:
            return await self.read(work)
        try:
            return self._transaction("BEGIN", work, self._impatient)
        except TimedOut:
            return await self.read(work)

    async def write(self, work: Callable[[Tx], Result]) -> Result:
        return await self._writer.run(partial(self._writing, work))

    def version(self) -> int | None:
        if self._memory:
            return self._commits
        if self._glance is None:
            if not self._ready or self._closed:
                return None
            self._glance = FileWatch(self._path)
        seen = self._glance.version()
        return None if seen < 0 else seen

    def clock_ahead(self) -> int:
        """The file has no clock but this machine's."""
        return 0

    async def changes(self) -> AsyncIterator[None]:
        """Yields once it listens, then after commits of this process or another."""
        watch = None if self._memory else await self._readers.run(self._watch_file)
        committed = asyncio.Event()
        listener = (asyncio.get_running_loop(), committed)
        self._listeners.append(listener)
        try:
            yield None
            while not self._closed:
                with suppress(TimeoutError):
                    async with asyncio.timeout(WATCH_SECONDS if watch else None):
                        await committed.wait()
                if (watch and watch.changed()) or committed.is_set():
                    committed.clear()
                    yield None
        finally:
            self._listeners.remove(listener)
            if watch:
                watch.close()

    async def check(self) -> str:
        """One line on what this is; raises when it does not work."""
        await self.read(lambda tx: tx.one("last_event"))
        return f"SQLite {sqlite3.sqlite_version}, {self._path}"

    async def examine(self) -> str:
        """As `check`, after the whole file was looked through."""

        def work(tx: Tx) -> None:
            # Its first line says all that matters here.
            found = cast(SqliteTx, tx).connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if found != "ok":
                raise Unsupported(BROKEN[1], hint=str(found)[:200])

        await self.read(work)
        return await self.check()

    async def close(self) -> None:
        """Finishes what was begun; a second time is nothing."""
        if not self._closed:
            self._closed = self._readers.closed = self._writer.closed = True
            await finish_anyway(self._end())

    async def _end(self) -> None:
        self._tell()
        if self._glance:
            self._glance.close()
        if self._readers is not self._writer:
            await self._readers.close(lambda: None)
        await self._writer.close(self._disconnect)

    def _reading(self, work: Callable[[Tx], Result]) -> Result:
        return self._transaction("BEGIN", work)

    def _writing(self, work: Callable[[Tx], Result]) -> Result:
        if self._to_read is not None:
            self._open_again()
        result = self._transaction("BEGIN IMMEDIATE", work)
        self._commits += 1
        # Told here and not by the caller, who may have been cancelled since.
        self._tell()
        return result

    def _transaction(
        self, begin: str, work: Callable[[Tx], Result], connect: Callable[[], sqlite3.Connection] | None = None
    ) -> Result:
        try:
            tx = self._tx(connect)
            tx.only_reads = begin == "BEGIN" and not self._memory
            connection = tx.connection
            try:
                connection.execute(begin)
                result = work(tx)
                connection.execute("COMMIT")
                tx.ended(committed=True)
                return result
            finally:
                tx.ended(committed=False)
                # Steps are counted for as long as a statement is kept, so a ROLLBACK that is kept would be given up one
                # day; this makes one anew.
                connection.rollback()
        except sqlite3.Error as error:
            if ours := translated(error):
                raise ours from error
            raise

    def _tell(self) -> None:
        for loop, committed in tuple(self._listeners):
            with suppress(RuntimeError):  # The loop is closed: nobody listens any more.
                loop.call_soon_threadsafe(committed.set)

    def _tx(self, connect: Callable[[], sqlite3.Connection] | None = None) -> SqliteTx:
        """This thread's own connection."""
        tx: SqliteTx | None = getattr(self._local, "tx", None)
        if tx is None or self._local.opening != self._openings:
            with self._opening, on_disk():
                connection = (connect or self._connect)() if self._ready else self._open_first()
                self._ready = True
                if tx is not None:
                    self._connections.remove(tx.connection)
                    tx.connection.close()
                self._connections.append(connection)
                tx = self._local.tx = SqliteTx(connection, self._named)
                self._local.opening = self._openings
        return tx

    def _open_again(self) -> None:
        """What could only be read when it was opened may be written to by now; then every thread connects anew."""
        with self._opening:
            only_read, self._to_read = self._to_read, None
            try:
                self._open_file().close()
                self._openings += 1
            except (OSError, QuireError, sqlite3.Error):
                # The write that comes next is told why.
                self._to_read = only_read

    def _impatient(self) -> sqlite3.Connection:
        """A connection that gives up rather than wait or go on."""
        connection = self._connect(patience=0)
        connection.set_progress_handler(lambda: 1, MOST_STEPS)
        return connection

    def _connect(self, address: str | None = None, patience: float = BUSY_SECONDS) -> sqlite3.Connection:
        connection = sqlite3.connect(
            address or self._to_read or self._path,
            timeout=patience,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=256,
            uri=bool(address or self._to_read),
        )
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    def _open_first(self) -> sqlite3.Connection:
        if self._memory:
            connection = self._connect()
            self._migrate(connection)
            return connection
        try:
            return self._open_file()
        except (OSError, sqlite3.OperationalError) as error:
            # A home that cannot be written to, or that is full, can still be read.
            readable = self._open_to_read() if is_unwritable(error) else None
            if readable is None:
                raise
            return readable

    def _open_file(self) -> sqlite3.Connection:
        path = Path(self._path)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _locked(path.parent / ".migrate.lock"), ExitStack() as failed:
            if not path.exists():
                _make(path)
            elif path.is_file() and path.stat().st_size == 0:
                raise Unsupported(
                    f"{path} is empty: where a library was, there is none.",
                    hint="Restore a copy; or delete the file, if nothing was ever kept in it.",
                )
            connection = self._connect()
            failed.callback(connection.close)
            connection.execute("PRAGMA journal_mode = WAL")
            self._migrate(connection)
            failed.pop_all()
            return connection

    def _open_to_read(self) -> sqlite3.Connection | None:
        """A connection that writes nothing, not even beside the file; None where there is no such thing."""
        if not Path(self._path).is_file():
            return None
        address = f"{Path(self._path).absolute().as_uri()}?mode=ro"
        log = Path(f"{self._path}-wal")
        # Without files beside it the database is what it is only for as long as nobody writes to it.
        still = not log.exists() or log.stat().st_size == 0
        for way in (address, f"{address}&immutable=1") if still else (address,):
            with ExitStack() as failed, suppress(sqlite3.OperationalError):
                connection = self._connect(way)
                failed.callback(connection.close)
                if _schema(connection) == self._known()[-1][0]:
                    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
                    self._to_read = way
                    failed.pop_all()
                    return connection
        return None

    def _known(self) -> list[tuple[int, str]]:
        return migrations(WORDS) if self._steps is None else self._steps

    def _migrate(self, connection: sqlite3.Connection) -> None:
        steps = self._known()
        at = _schema(connection)
        newest = steps[-1][0]
        if at > newest:
            raise Unsupported(
                f"The data at {self._path} was written by a newer Quire (schema {at}, this one knows {newest}).",
                hint="Install the newer Quire again, or restore the copy beside the file.",
            )
        if at == newest:
            return
        connection.execute("BEGIN IMMEDIATE")
        try:
            if at and not self._memory:
                self._copy(at)
            for number, script in steps:
                if number > at:
                    run_script(connection, script)
            self._prepare(SqliteTx(connection, self._named))
            connection.execute(f"PRAGMA user_version = {newest}")
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")

    def _copy(self, at: int) -> None:
        """A whole copy of what is committed; the migration's own lock keeps others from writing meanwhile."""
        copy = f"{self._path}.schema-{at}.bak"
        part = f"{copy}.part"
        Path(part).unlink(missing_ok=True)
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        with closing(sqlite3.connect(self._path)) as source, closing(sqlite3.connect(part)) as target:
            source.backup(target)
        os.replace(part, copy)

    def _watch_file(self) -> FileWatch:
        try:
            self._tx()
            return FileWatch(self._path)
        except sqlite3.Error as error:
            if ours := translated(error):
                raise ours from error
            raise

    def _disconnect(self) -> None:
        for connection in self._connections:
            connection.close()
        self._connections.clear()


def run_script(connection: sqlite3.Connection, script: str) -> None:
    """Runs a migration. SQLite does not know IF NOT EXISTS of columns."""
    for statement in statements(script):
        if column := COLUMN.match(statement):
            table, condition, name = column.groups()
            if any(row[1] == name for row in connection.execute(f"PRAGMA table_info({table})")):
                continue
            statement = statement.replace(condition, "", 1)
        connection.execute(statement)


def _schema(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def _make(path: Path) -> None:
    """A database that has a header from the moment it is there: an empty file is one whose contents are gone."""
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        with closing(sqlite3.connect(part, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with open(path, "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
