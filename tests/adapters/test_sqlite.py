"""SQLite's own: files, copies, and what goes wrong with them."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from quire.adapters.sql.file_watch import FileWatch
from quire.adapters.sql.named import migrations
from quire.adapters.sql.sqlite import WORDS, SqliteStore, run_script
from quire.adapters.sql.sqlite_errors import FOREIGN, translated
from quire.domain.errors import QuireError, TimedOut, TooLarge, Unsupported
from quire.ports.store import Tx

pytestmark = pytest.mark.anyio

OURS = migrations(WORDS)


def prepare(tx: Tx) -> None:
    tx.run("insert_person", id="owner", name="owner", email=None, at=0)


def add(name: str) -> Callable[[Tx], int]:
    return lambda tx: tx.run("insert_person", id=name, name=name, email=name, at=0)


async def test_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "new" / "home" / "quire.db", prepare)
    await store.write(add("1"))
    folder = tmp_path / "new" / "home"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.glob("quire.db*")}
    assert modes == {"quire.db": 0o600, "quire.db-wal": 0o600, "quire.db-shm": 0o600}
    await store.close()


async def test_what_is_acknowledged_is_on_the_disk(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "quire.db", prepare)

    def pragmas(tx: Tx) -> list[object]:
        names = ("journal_mode", "synchronous", "foreign_keys")
        return [tx.connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names]  # type: ignore[attr-defined]

    assert await store.write(pragmas) == ["wal", 2, 1]
    assert await store.read(pragmas) == ["wal", 2, 1]
    await store.close()


async def test_a_copy_is_made_before_a_migration(tmp_path: Path) -> None:
    path = tmp_path / "quire.db"
    old = SqliteStore(path, prepare)
    await old.write(add("1"))
    # Another process has it open and unmerged: the copy must hold what only the log has.
    newest = OURS[-1][0]
    new = SqliteStore(path, lambda tx: None, steps=[*OURS, (newest + 1, "ALTER TABLE person ADD COLUMN colour TEXT")])
    await new.write(add("2"))
    await new.close()
    await old.close()
    copy = tmp_path / f"quire.db.schema-{newest}.bak"
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA user_version").fetchone() == (newest,)
        assert connection.execute("SELECT id FROM person ORDER BY id").fetchall() == [("1",), ("owner",)]
        assert "colour" not in [row[1] for row in connection.execute("PRAGMA table_info(person)")]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT id FROM person ORDER BY id").fetchall() == [("1",), ("2",), ("owner",)]
    assert sorted(file.name for file in tmp_path.glob("*.part")) == []


async def test_a_fresh_or_current_file_is_not_copied(tmp_path: Path) -> None:
    for _ in range(2):
        store = SqliteStore(tmp_path / "quire.db", prepare)
        await store.check()
        await store.close()
    assert list(tmp_path.glob("*.bak")) == []


BROKEN: dict[str, tuple[Callable[[Path], None], str]] = {
    "not a database": (lambda path: path.write_bytes(b"plain text, and plenty of it\n" * 100), "not a Quire database"),
    "a folder": (lambda path: path.mkdir(), "cannot be opened"),
    "garbled": (lambda path: garble(path), "damaged"),
}


def garble(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for _, script in OURS:
            run_script(connection, script)
        connection.execute("PRAGMA user_version = 1")
    data = bytearray(path.read_bytes())
    data[1024:] = os.urandom(len(data) - 1024)
    path.write_bytes(data)


@pytest.mark.parametrize("name", BROKEN)
async def test_a_broken_file_is_told_clearly_each_time(tmp_path: Path, name: str) -> None:
    spoil, message = BROKEN[name]
    path = tmp_path / "quire.db"
    spoil(path)
    store = SqliteStore(path, prepare)
    for _ in range(2):
        with pytest.raises(Unsupported, match=message):
            await store.write(add("1"))
    await store.close()


async def test_a_home_that_is_a_file_is_told_clearly(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("I was here first")
    store = SqliteStore(tmp_path / "home" / "quire.db", prepare)
    with pytest.raises(Unsupported, match="home is not a place where files can be kept"):
        await store.check()
    await store.close()


READ_ONLY = """
import asyncio, os, sys
from pathlib import Path
from quire.adapters.sql.named import migrations
from quire.adapters.sql.sqlite import WORDS, SqliteStore
from quire.domain.errors import Unsupported
async def main():
    store = SqliteStore(Path(sys.argv[1]), lambda tx: None, steps=migrations(WORDS))
    if os.geteuid() == 0:  # Who may do everything cannot show what is refused.
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    try:
        await store.write(lambda tx: tx.run("insert_person", id="x", name="x", email=None, at=0))
    except Unsupported as error:
        print(error.message)
    print((await store.read(lambda tx: tx.one("person_called", called="1")))["name"], await store.examine())
    await store.close()
asyncio.run(main())
"""


def opened_to_all(path: Path) -> None:
    """Lets another user come as far as `path`; pytest's folders are closed."""
    for folder in path.parents:
        if folder.stat().st_uid == os.geteuid() and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o055)


async def make(path: Path) -> None:
    store = SqliteStore(path, prepare)
    await store.write(add("1"))
    await store.close()


def test_a_home_that_may_not_be_written_to_can_be_read(tmp_path: Path, run: Callable[..., str]) -> None:
    home = tmp_path / "home"
    path = home / "quire.db"
    asyncio.run(make(path))
    opened_to_all(path)
    path.chmod(0o444)
    refused = "The database file cannot be opened or written to.\n"
    read = f"1 SQLite {sqlite3.sqlite_version}, {path}\n"
    home.chmod(0o555)
    assert run(READ_ONLY, path) == refused + read
    home.chmod(0o777)
    (home / ".migrate.lock").chmod(0o666)
    assert run(READ_ONLY, path) == refused + read


FULL = """
import asyncio, resource, signal, sys
from pathlib import Path
from quire.adapters.sql.sqlite import SqliteStore
from quire.domain.errors import Unsupported
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
def add(tx):
    return tx.run("insert_person", id="x", name="x", email="x", at=0)
def names(tx):
    return [row and row["name"] for row in (tx.one("person_called", called=hash) for hash in "1x")]
async def main():
    store = SqliteStore(Path(sys.argv[1]), lambda tx: None)
    print(*await store.read(names), *await store.look_up(names))
    for _ in range(2):
        try:
            await store.write(add)
        except Unsupported as error:
            print(error.message)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    print(await store.write(add))
    print(*[name for _ in range(8) for name in await store.read(names)], *await store.look_up(names))
    await store.close()
asyncio.run(main())
"""


def test_a_full_home_can_be_read_and_is_written_to_once_there_is_room(tmp_path: Path, run: Callable[..., str]) -> None:
    path = tmp_path / "quire.db"
    asyncio.run(make(path))
    refused = "The database file cannot be opened or written to."
    assert run(FULL, path).splitlines() == ["1 None 1 None", refused, refused, "1", " ".join(["1 x"] * 9)]


async def test_an_empty_file_is_no_new_library(tmp_path: Path) -> None:
    path = tmp_path / "quire.db"
    await make(path)
    path.write_bytes(b"")
    store = SqliteStore(path, prepare)
    with pytest.raises(Unsupported, match=r"quire\.db is empty"):
        await store.check()
    await store.close()
    assert path.read_bytes() == b""


async def test_damage_that_no_query_has_met_is_found_when_it_is_looked_for(tmp_path: Path) -> None:
    path = tmp_path / "quire.db"
    await make(path)
    with closing(sqlite3.connect(path)) as connection:
        sql = "SELECT rootpage FROM sqlite_master WHERE name = 'scratch_execution'"
        page, size = connection.execute(sql).fetchone()[0], connection.execute("PRAGMA page_size").fetchone()[0]
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(os.urandom(size))
    store = SqliteStore(path, prepare)
    await store.check()
    with pytest.raises(Unsupported, match="damaged"):
        await store.examine()
    await store.close()


async def test_a_full_disk_is_told_and_what_was_there_stays(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "quire.db", prepare)
    await store.write(add("1"))

    def limit(tx: Tx) -> None:
        connection = tx.connection  # type: ignore[attr-defined]
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")

    await store.write(limit)
    with pytest.raises(Unsupported, match="disk is full"):
        await store.write(lambda tx: [add(f"{number}" * 200)(tx) for number in range(500)])
    assert await store.read(lambda tx: tx.one("person_called", called="1")) is not None
    assert await store.read(lambda tx: tx.one("person_called", called="0" * 200)) is None
    await store.close()


FILE_LIMIT = """
import asyncio, resource, signal, sys
from pathlib import Path
from quire.adapters.sql.sqlite import SqliteStore
from quire.domain.errors import Unsupported
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
async def main():
    store = SqliteStore(Path(sys.argv[1]), lambda tx: None)
    await store.check()
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_000_000, 4_000_000))
    kept = 0
    try:
        while True:
            await store.write(lambda tx: tx.run("insert_person", id=str(kept), name="x" * 5000, email=None, at=0))
            kept += 1
    except Unsupported as error:
        print(kept > 0, error.message)
    await store.close()
asyncio.run(main())
"""


def test_a_write_that_the_system_refuses_is_told_clearly(tmp_path: Path, run: Callable[..., str]) -> None:
    assert run(FILE_LIMIT, tmp_path / "quire.db") == "True The disk failed while the database was read or written.\n"
    with closing(sqlite3.connect(tmp_path / "quire.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.parametrize("journal", ["WAL", "DELETE"])
def test_a_watch_of_the_file_sees_the_commits_of_others(tmp_path: Path, journal: str) -> None:
    path = str(tmp_path / "quire.db")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA journal_mode = {journal}")
        watch = FileWatch(path)
        assert not watch.changed()
        connection.execute("CREATE TABLE a (b TEXT)")
        assert watch.changed()
        assert not watch.changed()
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO a VALUES ('x')")
        assert not watch.changed()
        connection.execute("ROLLBACK")
        assert not watch.changed()
        watch.close()


PRIMARY = {
    name: code
    for name, code in vars(sqlite3).items()
    if name.startswith("SQLITE_") and isinstance(code, int) and 0 < code < 100
}
# Our own mistakes (wrong SQL, wrong use) and what never reaches us; the guard masks them.
BUGS = {
    "SQLITE_ERROR",
    "SQLITE_INTERNAL",
    "SQLITE_ABORT",
    "SQLITE_NOTFOUND",
    "SQLITE_EMPTY",
    "SQLITE_SCHEMA",
    "SQLITE_MISMATCH",
    "SQLITE_MISUSE",
    "SQLITE_AUTH",
    "SQLITE_FORMAT",
    "SQLITE_RANGE",
    "SQLITE_NOTICE",
    "SQLITE_WARNING",
}


def test_every_result_of_sqlite_is_one_of_ours_or_a_bug() -> None:
    # The codes go from 1 to 28 without a gap; 100 and 101 are no errors.
    named = {code for name, code in PRIMARY.items() if name in BUGS} | set(FOREIGN)
    assert set(range(1, 29)) - named == set()
    for name in BUGS:
        assert PRIMARY[name] not in FOREIGN, name
    for ours, message in FOREIGN.values():
        assert issubclass(ours, QuireError)
        assert message.endswith(".")


def test_extended_results_count_as_their_kind() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE a (b TEXT UNIQUE)")
        connection.execute("INSERT INTO a VALUES ('x')")
        with pytest.raises(sqlite3.IntegrityError) as caught:
            connection.execute("INSERT INTO a VALUES ('x')")
    assert caught.value.sqlite_errorcode > 0xFF
    ours = translated(caught.value)
    assert ours is not None
    assert ours.code == "conflict"


def test_an_exception_of_the_module_itself_is_a_bug() -> None:
    connection = sqlite3.connect(":memory:")
    connection.close()
    with pytest.raises(sqlite3.ProgrammingError) as caught:
        connection.execute("SELECT 1")
    assert translated(caught.value) is None


async def test_what_the_database_cannot_hold_is_too_large(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "quire.db", prepare)
    await store.write(lambda tx: tx.connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1_000))  # type: ignore[attr-defined]
    with pytest.raises(TooLarge):
        await store.write(add("x" * 2_000))
    await store.close()


async def test_a_database_that_stays_locked_is_timed_out(tmp_path: Path) -> None:
    path = tmp_path / "quire.db"
    store = SqliteStore(path, prepare)
    await store.write(lambda tx: tx.connection.execute("PRAGMA busy_timeout = 50"))  # type: ignore[attr-defined]
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(TimedOut, match="busy for too long"):
            await store.write(add("1"))
        assert await store.read(lambda tx: tx.one("person_called", called="1")) is None
        other.execute("ROLLBACK")
    assert await store.write(add("1")) == 1
    await store.close()


async def test_a_look_up_needs_no_thread_and_what_takes_longer_gets_one(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "quire.db", prepare)
    await store.write(add("1"))
    here, threads = threading.current_thread(), []

    def rows(tx: Tx, most: int) -> int:
        threads.append(threading.current_thread())
        count = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT count(*) FROM n"
        number: int = tx.connection.execute(count, (most,)).fetchone()[0]  # type: ignore[attr-defined]
        return number

    assert await store.look_up(lambda tx: rows(tx, 10)) == 10
    assert threads == [here]
    assert await store.look_up(lambda tx: rows(tx, 100_000)) == 100_000
    assert len(threads) == 3
    assert threads[2] is not here
    await store.close()


async def test_what_was_counted_is_counted_again_once_someone_has_committed(tmp_path: Path) -> None:
    store, other = (SqliteStore(tmp_path / "quire.db", prepare) for _ in range(2))

    def put(id: str) -> Callable[[Tx], int]:
        return lambda tx: tx.run("insert_event", notebook_id="n", kind="k", subject_id=id, at=0) and count(tx)

    def count(tx: Tx) -> int:
        statements: list[str] = []
        tx.connection.set_trace_callback(statements.append)  # type: ignore[attr-defined]
        number = tx.count("waiting_jobs")
        tx.connection.set_trace_callback(None)  # type: ignore[attr-defined]
        asked.append(sum("job" in one for one in statements))
        return number

    asked: list[int] = []
    for writer in (store, other):
        asked.clear()
        await writer.write(put("1"))
        assert [await store.read(count) for _ in range(3)] == [0, 0, 0]
        assert asked == [1, 1, 0, 0]
    await store.close()
    await other.close()


async def test_look_ups_that_fail_leave_their_connection_usable_however_many(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "quire.db", prepare)

    def failing(tx: Tx) -> None:
        raise LookupError

    try:
        await store.check()
        for _ in range(4_000):
            with pytest.raises(LookupError):
                await store.look_up(failing)
        assert await store.look_up(lambda tx: tx.one("person_called", called="nobody")) is None
    finally:
        await store.close()
