"""What every store does: transactions on threads, whatever becomes of their callers."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import aclosing
from typing import Any

import pytest

from quire.domain.errors import Conflict, NotFound, QuireError, Unsupported
from quire.ports.store import Store, Tx

pytestmark = pytest.mark.anyio

PEOPLE = "CREATE TABLE person (id TEXT PRIMARY KEY, name TEXT, email TEXT, created_at BIGINT)"


def add(name: str) -> Callable[[Tx], int]:
    return lambda tx: tx.run("insert_person", id=name, name=name, email=None, at=0)


async def people(store: Store) -> list[str]:
    names = ["owner", *(str(number) for number in range(10))]
    rows = await store.read(lambda tx: [tx.one("person_called", called=name) for name in names])
    return [row["id"] for row in rows if row is not None and row["email"] is not None]


def add_hashed(name: str) -> Callable[[Tx], int]:
    return lambda tx: tx.run("insert_person", id=name, name=name, email=name, at=0)


async def test_a_transaction_that_fails_leaves_nothing(store: Store) -> None:
    def work(tx: Tx) -> None:
        add_hashed("1")(tx)
        raise LookupError("no")

    with pytest.raises(LookupError, match="no"):
        await store.write(work)
    assert await people(store) == []
    assert await store.write(add_hashed("1")) == 1
    assert await people(store) == ["1"]


async def test_a_clash_is_a_conflict_and_leaves_nothing(store: Store) -> None:
    def work(tx: Tx) -> None:
        add_hashed("1")(tx)
        tx.run("insert_member", notebook_id="nothing", person_id="owner", role=1)

    with pytest.raises(Conflict, match="clashes"):
        await store.write(work)
    assert await people(store) == []


async def test_a_write_says_how_many_rows_it_touched(store: Store) -> None:
    assert await store.write(add("1")) == 1
    assert await store.write(add("1")) == 0


async def test_a_read_sees_one_state_from_its_first_query_on(store: Store) -> None:
    loop = asyncio.get_running_loop()
    await store.write(add_hashed("1"))
    between, go_on = asyncio.Event(), threading.Event()

    def twice(tx: Tx) -> list[Any]:
        first = tx.one("person_called", called="2")
        loop.call_soon_threadsafe(between.set)
        go_on.wait(30)
        return [first, tx.one("person_called", called="2")]

    reading = asyncio.create_task(store.read(twice))
    await between.wait()
    writing = asyncio.create_task(store.write(add_hashed("2")))
    await asyncio.wait({writing}, timeout=0.2)
    go_on.set()
    assert await reading == [None, None]
    assert await writing == 1


async def test_a_look_up_sees_what_was_written_and_leaves_no_transaction(store: Store) -> None:
    assert await store.look_up(lambda tx: tx.one("person_called", called="1")) is None
    await store.write(add_hashed("1"))
    row = await store.look_up(lambda tx: tx.one("person_called", called="1"))
    assert row is not None
    with pytest.raises(NotFound):
        await store.look_up(missing)
    assert await store.write(add_hashed("2")) == 1
    assert await store.look_up(lambda tx: tx.one("person_called", called="2")) is not None


def missing(tx: Tx) -> None:
    raise NotFound("person", "nobody")


async def test_a_queued_write_whose_caller_was_cancelled_does_not_run(store: Store) -> None:
    loop = asyncio.get_running_loop()
    busy, go_on = asyncio.Event(), threading.Event()

    def hold(tx: Tx) -> None:
        loop.call_soon_threadsafe(busy.set)
        go_on.wait(30)

    # PostgreSQL has several threads for writes; all are kept busy.
    holding = [asyncio.create_task(store.write(hold)) for _ in range(8)]
    await busy.wait()
    calls = [asyncio.create_task(store.write(add_hashed(str(number)))) for number in range(5)]
    await asyncio.sleep(0)
    for call in calls[1:]:
        call.cancel()
    await asyncio.gather(*calls[1:], return_exceptions=True)
    go_on.set()
    await asyncio.gather(*holding)
    assert await calls[0] == 1
    assert await people(store) == ["0"]


async def test_a_write_that_has_begun_is_finished_though_its_caller_is_cancelled(store: Store) -> None:
    loop = asyncio.get_running_loop()
    begun, go_on = asyncio.Event(), threading.Event()

    def work(tx: Tx) -> None:
        add_hashed("1")(tx)
        loop.call_soon_threadsafe(begun.set)
        go_on.wait(30)

    call = asyncio.create_task(store.write(work))
    await begun.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    go_on.set()
    assert await store.write(add_hashed("2")) == 1
    while await people(store) != ["1", "2"]:
        await asyncio.sleep(0.01)


async def test_a_cancelled_caller_never_leaves_a_transaction_open(store: Store) -> None:
    await store.check()
    for delay in range(30):
        calls = [asyncio.create_task(store.write(add(f"{delay}-{n}"))) for n in range(3)]
        calls += [asyncio.create_task(store.read(lambda tx: tx.one("last_event"))) for _ in range(3)]
        for _ in range(delay):
            await asyncio.sleep(0)
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
    assert await store.write(add("after")) == 1


async def test_a_transaction_that_ends_an_iteration_does_not_hang(store: Store) -> None:
    with pytest.raises(RuntimeError, match="StopIteration"):
        await store.write(lambda tx: next(iter(())))
    assert await store.write(add("1")) == 1


async def test_an_unknown_query_is_a_bug(store: Store) -> None:
    with pytest.raises(KeyError):
        await store.read(lambda tx: tx.one("no_such_query"))
    assert await store.write(add("1")) == 1


async def test_many_at_once_all_come_through(store: Store) -> None:
    done = await asyncio.gather(*[store.write(add(str(number))) for number in range(100)])
    assert done == [1] * 100


async def test_a_listener_hears_at_first_and_after_each_commit(store: Store) -> None:
    def event(tx: Tx) -> None:
        tx.run("insert_event", notebook_id="n", kind="k", subject_id="s", at=0)

    async with aclosing(store.changes()) as changes:  # type: ignore[type-var]
        await asyncio.wait_for(anext(changes), 30)
        for _ in range(3):
            heard = asyncio.ensure_future(anext(changes))
            await asyncio.sleep(0)
            await store.write(event)
            await asyncio.wait_for(heard, 30)
    # Whoever stopped listening is not waited for.
    await store.write(event)


async def test_a_store_is_closed_once_and_for_all(make_store: Callable[..., Store]) -> None:
    store = make_store()
    await store.write(add("1"))
    await asyncio.gather(store.close(), store.close())
    await store.close()
    with pytest.raises(QuireError, match=r"This library is closed\."):
        await store.read(lambda tx: tx.one("last_event"))
    assert [thread.name for thread in threading.enumerate() if thread.name.startswith("quire")] == []


async def test_what_was_written_is_there_when_it_is_opened_again(make_lasting: Callable[..., Store]) -> None:
    store = make_lasting()
    await store.write(add_hashed("1"))
    await store.close()
    again = make_lasting()
    assert await people(again) == ["1"]
    assert await again.write(add("owner")) == 0
    await again.close()


async def test_a_newer_schema_is_refused_with_a_message(make_lasting: Callable[..., Store]) -> None:
    newer = make_lasting(steps=[(999, PEOPLE)])
    await newer.write(add("1"))
    await newer.close()
    store = make_lasting()
    for _ in range(2):
        with pytest.raises(Unsupported, match=r"newer Quire \(schema 999, this one knows \d+\)") as caught:
            await store.read(lambda tx: tx.one("last_event"))
        assert caught.value.hint
    await store.close()


async def test_a_store_goes_from_schema_to_schema(make_lasting: Callable[..., Store]) -> None:
    old = make_lasting(steps=[(1, PEOPLE)])
    await old.write(add_hashed("1"))
    await old.close()
    steps = [(1, "this was done"), (2, "ALTER TABLE person ADD COLUMN colour TEXT"), (3, "CREATE TABLE extra (a TEXT)")]
    for _ in range(2):
        new = make_lasting(steps=steps)
        assert await people(new) == ["1"]
        await new.close()


async def test_a_migration_that_fails_changes_nothing(make_lasting: Callable[..., Store]) -> None:
    old = make_lasting(steps=[(1, PEOPLE)])
    await old.write(add_hashed("1"))
    await old.close()
    broken = make_lasting(steps=[(1, ""), (2, "ALTER TABLE person ADD COLUMN colour TEXT; THIS IS NOT SQL")])
    with pytest.raises(Exception, match="syntax"):
        await broken.read(lambda tx: tx.one("person_called", called="1"))
    await broken.close()
    again = make_lasting(steps=[(1, "")])
    assert await people(again) == ["1"]
    await again.close()


async def test_many_stores_can_be_opened_for_the_first_time_at_once(make_lasting: Callable[..., Store]) -> None:
    stores = [make_lasting() for _ in range(6)]
    done = await asyncio.gather(*[store.write(add(str(number))) for number, store in enumerate(stores)])
    assert done == [1] * 6
    await asyncio.gather(*[store.close() for store in stores])
