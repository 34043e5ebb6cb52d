"""PostgreSQL's own: the schema, lost connections, locks, and what goes wrong with it."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sqlite3
import threading
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, closing

import psycopg
import pytest
from psycopg import errors

from quire.adapters.sql import sqlite
from quire.adapters.sql.named import migrations
from quire.adapters.sql.postgres import FOREIGN, PostgresStore, translated
from quire.domain.errors import InvalidInput, QuireError, Unsupported, Upstream
from quire.ports.store import Tx

pytestmark = pytest.mark.anyio


def prepare(tx: Tx) -> None:
    tx.run("insert_person", id="owner", name="owner", email=None, at=0)


def add(name: str) -> Callable[[Tx], int]:
    return lambda tx: tx.run("insert_person", id=name, name=name, email=name, at=0)


def event(tx: Tx) -> None:
    tx.run("insert_event", notebook_id="n", kind="k", subject_id="s", at=0)


@pytest.fixture
async def store(postgres_url: str) -> AsyncIterator[PostgresStore]:
    store = PostgresStore(postgres_url, prepare)
    yield store
    await store.close()


async def test_the_schema_is_the_same_as_on_sqlite(store: PostgresStore, postgres_url: str) -> None:
    await store.check()
    with psycopg.connect(postgres_url) as connection:
        rows = connection.execute(
            "SELECT table_name, column_name, is_nullable = 'NO', data_type FROM information_schema.columns "
            "WHERE table_schema = current_schema() AND table_name NOT IN ('quire_schema', 'passage_words', 'reader')"
        ).fetchall()
    words = {"bigint": "BIGINT", "text": "TEXT", "bytea": "BLOB", "USER-DEFINED": "BLOB"}
    theirs = {(table, column): (required, words[kind]) for table, column, required, kind in rows}
    ours = {}
    with closing(sqlite3.connect(":memory:")) as connection:
        for _, script in migrations(sqlite.WORDS):
            sqlite.run_script(connection, script)
        tables = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table'"
            " AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%words%'"
        )
        for (table,) in tables.fetchall():
            for _, column, kind, required, _, key in connection.execute(f"PRAGMA table_info({table})"):
                word = "BIGINT" if kind == "INTEGER" else kind
                ours[table, column] = (bool(required or key), word)
    assert ours == theirs


async def test_calls_go_on_after_every_connection_was_cut(store: PostgresStore, postgres_url: str) -> None:
    await asyncio.gather(*[store.write(add(str(number))) for number in range(8)])
    cut(postgres_url)
    assert await store.read(lambda tx: tx.one("person_called", called="3")) is not None
    assert await store.write(add("after")) == 1


def cut(url: str) -> None:
    """Ends every other connection of this test, as a server that restarts would."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND application_name = current_setting('application_name')"
        )


@pytest.fixture
def postgres_url(postgres_url: str) -> str:
    """The same with a name that tells our connections from those of other tests."""
    return f"{postgres_url}&application_name={uuid.uuid4().hex}"


async def test_a_listener_whose_connection_was_cut_listens_again(store: PostgresStore, postgres_url: str) -> None:
    async with aclosing(store.changes()) as changes:  # type: ignore[type-var]
        await asyncio.wait_for(anext(changes), 30)
        heard = asyncio.ensure_future(anext(changes))
        await asyncio.sleep(0)
        cut(postgres_url)
        await asyncio.wait_for(heard, 30)
        heard = asyncio.ensure_future(anext(changes))
        await asyncio.sleep(0)
        await store.write(event)
        await asyncio.wait_for(heard, 30)


async def test_a_transaction_in_whose_middle_the_connection_is_cut_fails_and_leaves_nothing(
    store: PostgresStore, postgres_url: str
) -> None:
    def work(tx: Tx) -> None:
        add("1")(tx)
        cut(postgres_url)
        add("2")(tx)

    with pytest.raises(Upstream, match="could not be reached"):
        await store.write(work)
    assert await store.read(lambda tx: tx.one("person_called", called="1")) is None
    assert await store.write(add("1")) == 1


async def test_two_transactions_that_wait_for_each_other_both_end(store: PostgresStore) -> None:
    await store.write(add("1"))
    await store.write(add("2"))
    both = threading.Barrier(2)
    tries: list[str] = []

    def locked(first: str, second: str) -> Callable[[Tx], None]:
        def work(tx: Tx) -> None:
            tries.append(first)
            connection = tx.connection  # type: ignore[attr-defined]
            connection.execute("UPDATE person SET name = name || 'x' WHERE id = %s", [first])
            if len(tries) <= 2:
                both.wait(30)
            connection.execute("UPDATE person SET name = name || 'x' WHERE id = %s", [second])

        return work

    await asyncio.gather(store.write(locked("1", "2")), store.write(locked("2", "1")))
    rows = await store.read(lambda tx: [tx.one("person_called", called=id) for id in "12"])
    assert [row["name"] for row in rows if row] == ["1xx", "2xx"]
    assert len(tries) > 2


async def test_a_server_that_is_not_there_is_told_clearly() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    store = PostgresStore(f"postgresql://someone:hunter2@127.0.0.1:{port}/nothing", prepare)
    for call in (store.read(lambda tx: None), store.write(lambda tx: None), store.check()):
        with pytest.raises(Upstream, match=r"PostgreSQL could not be reached\.") as caught:
            await call
        assert "hunter2" not in str(caught.value.body())
    with pytest.raises(Upstream):
        await anext(store.changes())
    await store.close()


async def test_a_database_that_is_not_there_is_told_clearly(postgres_url: str) -> None:
    store = PostgresStore(postgres_url.replace("/postgres?", "/nothing?"), prepare)
    with pytest.raises(Upstream, match="could not be reached"):
        await store.check()
    await store.close()


@pytest.mark.parametrize("url", ["postgresql://host/db?nonsense=1", "postgres://%zz"])
async def test_a_url_that_is_none_is_refused(url: str) -> None:
    store = PostgresStore(url, prepare)
    with pytest.raises(InvalidInput, match="The PostgreSQL URL of the setting 'store' is not valid"):
        await store.check()
    await store.close()


async def test_a_user_who_may_not_is_told_clearly(postgres_url: str) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("DO $$ BEGIN CREATE ROLE quire_guest LOGIN; EXCEPTION WHEN OTHERS THEN NULL; END $$")
        (schema,) = connection.execute("SELECT current_schema()").fetchone() or ("",)
        connection.execute(f"GRANT USAGE ON SCHEMA {schema} TO quire_guest")
    store = PostgresStore(f"{postgres_url}&user=quire_guest", prepare)
    with pytest.raises(Unsupported, match="does not allow this"):
        await store.check()
    await store.close()


async def test_a_transaction_does_not_go_on_after_a_failure(store: PostgresStore) -> None:
    def work(tx: Tx) -> None:
        add("1")(tx)
        with contextlib.suppress(psycopg.Error):
            tx.connection.execute("SELECT 1 / 0")  # type: ignore[attr-defined]

    with pytest.raises(RuntimeError, match="went on after a query had failed"):
        await store.write(work)
    assert await store.write(add("1")) == 1


async def test_a_read_cannot_write(store: PostgresStore) -> None:
    with pytest.raises(Unsupported, match="read-only"):
        await store.read(add("1"))
    assert await store.write(add("1")) == 1


KINDS = {kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, psycopg.Error)}
# Wrong SQL, wrong values, wrong use of the driver: ours to mend, so they stay what they are and are masked.
# So do the few that have no kind but DatabaseError: they are of features that we do not use.
BUGS = (
    psycopg.ProgrammingError,
    psycopg.DataError,
    psycopg.InternalError,
    psycopg.NotSupportedError,
    psycopg.InterfaceError,
)


def test_every_exception_of_psycopg_is_one_of_ours_or_a_bug() -> None:
    assert len(KINDS) > 200
    for kind in KINDS:
        ours = translated(kind("text"))
        if ours is None:
            assert issubclass(kind, BUGS) or psycopg.DatabaseError in (kind, *kind.__bases__) or kind is psycopg.Error
        else:
            assert isinstance(ours, QuireError)
            assert not issubclass(kind, (psycopg.DataError, psycopg.InterfaceError))


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (errors.UniqueViolation, "conflict"),
        (errors.ForeignKeyViolation, "conflict"),
        (errors.AdminShutdown, "upstream"),
        (errors.TooManyConnections, "upstream"),
        (errors.ConnectionTimeout, "upstream"),
        (errors.QueryCanceled, "timed_out"),
        (errors.LockNotAvailable, "timed_out"),
        (errors.DiskFull, "unsupported"),
        (errors.InsufficientPrivilege, "unsupported"),
        (errors.ReadOnlySqlTransaction, "unsupported"),
        (errors.ProgramLimitExceeded, "too_large"),
    ],
)
def test_an_exception_becomes_the_first_that_fits(kind: type[psycopg.Error], code: str) -> None:
    ours = translated(kind("text"))
    assert ours is not None
    assert ours.code == code


def test_no_row_of_the_table_hides_a_later_one() -> None:
    kinds = [kind for kind, _, _ in FOREIGN]
    for place, kind in enumerate(kinds):
        assert not any(issubclass(kind, earlier) for earlier in kinds[:place]), kind
