"""Vectors of every database: what is nearest, exactly, and by memory that is never behind."""

from __future__ import annotations

import asyncio
import random
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import numpy
import psycopg
import pytest
from filled import add_notebook, add_passages, add_source, vectors_of
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from quire.adapters.sql.postgres import PostgresStore
from quire.adapters.sql.sqlite import SqliteStore
from quire.adapters.sql.sqlite_vectors import SqliteVectors
from quire.ports.search import Vectors
from quire.ports.store import Store, Tx

pytestmark = pytest.mark.anyio

WIDTH = 64


def prepare(tx: Tx) -> None:
    tx.run("insert_person", id="owner", name="owner", email=None, at=0)


@pytest.fixture(scope="module")
def bare_database(postgres_server: Any) -> Iterator[str]:
    """A database whose owner may not install extensions."""
    name = f"bare_{uuid.uuid4().hex}"
    with psycopg.connect(postgres_server.get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {name} LOGIN")
        connection.execute(f"CREATE DATABASE {name} OWNER {name}")
    yield make_conninfo(**(conninfo_to_dict(postgres_server.get_uri()) | {"user": name, "dbname": name}))
    with psycopg.connect(postgres_server.get_uri(), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
        connection.execute(f"DROP ROLE {name}")


@pytest.fixture(params=["sqlite", "pgvector", "bare postgres"])
def make_place(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    """Makes a store on the same place each time it is called."""
    if request.param == "sqlite":
        return lambda: SqliteStore(tmp_path / "quire.db", prepare)
    if request.param == "pgvector":
        url = request.getfixturevalue("postgres_url")
        return lambda: PostgresStore(url, prepare)
    bare = request.getfixturevalue("bare_database")
    schema = f"s{uuid.uuid4().hex}"
    with psycopg.connect(bare, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
    return lambda: PostgresStore(make_conninfo(bare, options=f"-csearch_path={schema}"), prepare)


@pytest.fixture
async def place(make_place: Callable[[], Store]) -> AsyncIterator[Store]:
    store = make_place()
    yield store
    await store.close()


def drawn(count: int, seed: int = 0, width: int = WIDTH) -> Any:
    """Vectors of length one, as float16 tells them."""
    made = numpy.random.default_rng(seed).standard_normal((count, width)).astype(numpy.float32)
    made /= numpy.linalg.norm(made, axis=1, keepdims=True)
    return made.astype(numpy.float16).astype(numpy.float32)


def add(tx: Tx, vectors: Vectors, notebook_id: str, source_id: str, made: Any, model: str = "m") -> list[int]:
    add_source(tx, notebook_id, source_id)
    seqs = add_passages(tx, notebook_id, source_id, len(made))
    vectors.add(tx, model, list(zip(seqs, made, strict=True)))
    tx.run("next_generation", notebook_id=notebook_id)
    return seqs


async def fill(store: Store, vectors: Vectors, notebook_id: str, made: Any) -> list[int]:
    def work(tx: Tx) -> list[int]:
        add_notebook(tx, notebook_id)
        return add(tx, vectors, notebook_id, f"source of {notebook_id}", made)

    return await store.write(work)


async def nearest(
    store: Store, vectors: Vectors, notebook_id: str, vector: Any, limit: int = 10, sources: list[str] | None = None
) -> dict[int, float]:
    return await store.read(lambda tx: vectors.nearest(tx, notebook_id, "m", vector, sources=sources, limit=limit))


def expected(seqs: list[int], made: Any, vector: Any, limit: int = 10) -> dict[int, float]:
    scores = made @ vector
    return {seqs[at]: float(scores[at]) for at in numpy.argsort(-scores)[:limit]}


async def test_the_nearest_are_found_with_their_cosines(place: Store) -> None:
    vectors = vectors_of(place)
    made, asked = drawn(40), drawn(1, 1)[0]
    seqs = await fill(place, vectors, "one", made)
    await fill(place, vectors, "two", drawn(40, 2))
    found = await nearest(place, vectors, "one", asked)
    assert found == pytest.approx(expected(seqs, made, asked), abs=2e-3)
    assert len(await nearest(place, vectors, "one", asked, limit=100)) == 40
    assert await nearest(place, vectors, "none", asked) == {}


async def test_none_is_lost_however_small_the_part_of_its_notebook(place: Store) -> None:
    """An approximate index that is narrowed afterwards returns fewer, or nothing."""
    vectors = vectors_of(place)
    asked = drawn(1, 1)[0]

    def work(tx: Tx) -> list[int]:
        for number in range(3):
            add_notebook(tx, f"crowd {number}")
            close = drawn(200, number + 5) * 0.1 + asked
            add(tx, vectors, f"crowd {number}", f"source {number}", close / numpy.linalg.norm(close, axis=1)[:, None])
        add_notebook(tx, "one")
        return add(tx, vectors, "one", "few", -drawn(5, 3))

    seqs = await place.write(work)
    assert (await nearest(place, vectors, "one", asked)).keys() == set(seqs)


async def test_sources_narrow_the_nearest(place: Store) -> None:
    vectors = vectors_of(place)
    made, asked = drawn(20), drawn(1, 1)[0]
    await fill(place, vectors, "one", made)
    more = drawn(20, 2)
    seqs = await place.write(lambda tx: add(tx, vectors, "one", "more", more))
    found = await nearest(place, vectors, "one", asked, sources=["more"])
    assert found == pytest.approx(expected(seqs, more, asked), abs=2e-3)
    assert await nearest(place, vectors, "one", asked, sources=[]) == {}
    await fill(place, vectors, "two", drawn(3, 4))
    assert await nearest(place, vectors, "one", asked, sources=["source of two"]) == {}


async def test_the_mean_of_each_source_is_told(place: Store) -> None:
    vectors = vectors_of(place)
    made, more = drawn(5), drawn(3, 2)
    await fill(place, vectors, "one", made)
    await fill(place, vectors, "two", drawn(3, 4))

    def work(tx: Tx) -> None:
        add(tx, vectors, "one", "more", more)
        add_source(tx, "one", "without")
        for id in ("source of one", "more", "without"):
            tx.run("settle_source", id=id, version=1, title=id, kind="text", at=0)

    await place.write(work)
    found = await place.read(lambda tx: vectors.of_sources(tx, "one", "m"))
    assert found.keys() == {"source of one", "more"}
    for id, own in (("source of one", made), ("more", more)):
        mean = own.mean(axis=0)
        assert found[id] == pytest.approx(mean / numpy.linalg.norm(mean), abs=2e-3)
    assert await place.read(lambda tx: vectors.of_sources(tx, "one", "another")) == {}
    assert await place.read(lambda tx: vectors.of_sources(tx, "none", "m")) == {}


async def test_the_vectors_of_passages_are_given_as_they_were_taken(place: Store) -> None:
    vectors = vectors_of(place)
    made = drawn(5)
    seqs = await fill(place, vectors, "one", made)
    named = [seqs[3], seqs[1], max(seqs) + 1]
    found = await place.read(lambda tx: vectors.of(tx, "m", named))
    assert found.keys() == {seqs[1], seqs[3]}
    for at in (1, 3):
        assert found[seqs[at]] == pytest.approx(made[at], abs=2e-3)
    assert await place.read(lambda tx: vectors.of(tx, "none", named)) == {}
    assert await place.read(lambda tx: vectors.of(tx, "m", [])) == {}


async def test_models_do_not_mix(place: Store) -> None:
    vectors = vectors_of(place)
    seqs = await fill(place, vectors, "one", drawn(3))

    def work(tx: Tx) -> None:
        vectors.add(tx, "wide", [(seq, vector) for seq, vector in zip(seqs, drawn(3, 1, 2 * WIDTH), strict=True)])
        tx.run("next_generation", notebook_id="one")

    await place.write(work)
    assert len(await nearest(place, vectors, "one", drawn(1)[0])) == 3
    wide = drawn(1, 1, 2 * WIDTH)[0]
    found = await place.read(lambda tx: vectors.nearest(tx, "one", "wide", wide, sources=None, limit=9))
    assert found[seqs[0]] == pytest.approx(1, abs=2e-3)
    assert await place.read(lambda tx: vectors.nearest(tx, "one", "none", wide, sources=None, limit=9)) == {}


async def test_across_finds_in_the_notebooks_asked_for_and_in_no_other(place: Store) -> None:
    vectors = vectors_of(place)
    made = {name: drawn(30, seed) for seed, name in enumerate(("one", "two", "three"))}
    seqs = {name: await fill(place, vectors, name, own) for name, own in made.items()}
    asked = drawn(1, 9)[0]
    for names in (["one"], ["one", "three"], ["two", "none"], list(made)):
        known = [name for name in names if name in made]
        rows = [seq for name in known for seq in seqs[name]]
        wanted = expected(rows, numpy.concatenate([made[name] for name in known]), asked)

        def work(tx: Tx, names: list[str] = names) -> dict[int, float]:
            return vectors.nearest_across(tx, names, "m", asked, limit=10)

        assert await place.read(work) == pytest.approx(wanted, abs=2e-3)
    assert await place.read(lambda tx: vectors.nearest_across(tx, [], "m", asked, limit=10)) == {}


async def test_a_vector_for_a_passage_that_is_gone_or_has_one_is_passed_over(place: Store) -> None:
    vectors = vectors_of(place)
    made = drawn(2)
    seqs = await fill(place, vectors, "one", made)
    await place.write(lambda tx: vectors.add(tx, "m", [(seqs[0], -made[0]), (10**9, made[1])]))
    found = await nearest(place, vectors_of(place), "one", made[0])
    assert found.keys() == set(seqs)
    assert found[seqs[0]] == pytest.approx(1, abs=2e-3)


async def test_vectors_go_with_their_passages(place: Store) -> None:
    vectors = vectors_of(place)
    asked = drawn(1)[0]
    await fill(place, vectors, "one", drawn(3))
    assert len(await nearest(place, vectors, "one", asked)) == 3

    def work(tx: Tx) -> None:
        tx.run("delete_passages", source_id="source of one", version=1)
        tx.run("next_generation", notebook_id="one")

    await place.write(work)
    assert await nearest(place, vectors, "one", asked) == {}
    await fill(place, vectors, "two", drawn(3))
    await place.write(lambda tx: tx.run("delete_notebook", id="two"))
    assert await nearest(place, vectors, "two", asked) == {}
    assert await place.read(lambda tx: tx.all("vectors_of", notebook_id="two", model="m")) == []


async def test_vectors_of_a_hidden_version_are_not_found(place: Store) -> None:
    vectors = vectors_of(place)
    made = drawn(5)
    await fill(place, vectors, "one", made[:3])
    seqs = await fill(place, vectors, "two", made[3:])

    def work(tx: Tx) -> None:
        tx.run("hide_source", source_id="source of one")
        tx.run("next_generation", notebook_id="one")

    await place.write(work)
    assert await nearest(place, vectors, "one", made[0]) == {}
    across = await place.read(lambda tx: vectors.nearest_across(tx, ["one", "two"], "m", made[0], limit=9))
    assert across.keys() == set(seqs)


async def test_what_was_rolled_back_is_never_remembered(place: Store) -> None:
    vectors = vectors_of(place)
    made = drawn(6)
    await fill(place, vectors, "one", made[:2])

    def fails(tx: Tx) -> None:
        add(tx, vectors, "one", "failed", made[2:4])
        assert len(vectors.nearest(tx, "one", "m", made[0], sources=None, limit=9)) == 4
        raise LookupError

    with pytest.raises(LookupError):
        await place.write(fails)
    assert len(await nearest(place, vectors, "one", made[0])) == 2
    seqs = await place.write(lambda tx: add(tx, vectors, "one", "done", made[4:]))
    found = await nearest(place, vectors, "one", made[4])
    assert found.keys() > set(seqs)
    assert found[seqs[0]] == pytest.approx(1, abs=2e-3)


async def test_another_process_sees_each_change(make_place: Callable[[], Store]) -> None:
    here, there = make_place(), make_place()
    ours, theirs = vectors_of(here), vectors_of(there)
    made = drawn(4)
    await fill(here, ours, "one", made[:2])
    assert len(await nearest(there, theirs, "one", made[0])) == 2
    await here.write(lambda tx: add(tx, ours, "one", "more", made[2:]))
    assert len(await nearest(there, theirs, "one", made[0])) == 4
    await here.close()
    await there.close()


@pytest.mark.parametrize("seed", range(2))
async def test_after_any_changes_memory_equals_a_fresh_one(place: Store, seed: int) -> None:
    chance = random.Random(seed)
    kept = vectors_of(place)
    sources: list[str] = []
    await place.write(lambda tx: add_notebook(tx, "one"))
    for step in range(12):
        asked = drawn(1, step)[0]
        if sources and chance.random() < 0.4:
            gone = sources.pop(chance.randrange(len(sources)))

            def remove(tx: Tx, gone: str = gone) -> None:
                tx.run("delete_source", id=gone)
                tx.run("next_generation", notebook_id="one")

            await place.write(remove)
        else:
            sources.append(f"source {step}")
            made = drawn(chance.randint(1, 9), 100 + step)
            await place.write(lambda tx, made=made: add(tx, kept, "one", sources[-1], made))
        for limit in (3, 100):
            assert await nearest(place, kept, "one", asked, limit) == pytest.approx(
                await nearest(place, vectors_of(place), "one", asked, limit)
            )
            across = await place.read(
                lambda tx, asked=asked, limit=limit: kept.nearest_across(tx, ["one"], "m", asked, limit=limit)
            )
            assert across == pytest.approx(await nearest(place, kept, "one", asked, limit), abs=1e-5)


async def test_memory_is_bounded_and_what_it_lets_go_is_read_again(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "quire.db", prepare)
    one = 10 * (WIDTH * 4 + 8)
    vectors = SqliteVectors(limit=3 * one)
    made = {str(number): drawn(10, number) for number in range(8)}
    for name, own in made.items():
        await fill(store, vectors, name, own)
    for _ in range(2):
        for name, own in made.items():
            found = await nearest(store, vectors, name, own[3], limit=1)
            assert list(found.values()) == pytest.approx([1], abs=2e-3)
            assert vectors.held <= 3 * one
    await fill(store, vectors, "large", drawn(100))
    assert len(await nearest(store, vectors, "large", drawn(1)[0], limit=200)) == 100
    assert vectors.held <= 3 * one
    await store.close()


async def test_many_readers_at_once_share_a_small_memory(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "quire.db", prepare)
    vectors = SqliteVectors(limit=2 * 10 * (WIDTH * 4 + 8))
    made = {str(number): drawn(10, number) for number in range(6)}
    seqs = {name: await fill(store, vectors, name, own) for name, own in made.items()}
    names = [name for _ in range(30) for name in made]
    found = await asyncio.gather(*[nearest(store, vectors, name, made[name][7], limit=1) for name in names])
    assert [next(iter(one)) for one in found] == [seqs[name][7] for name in names]
    await store.close()


async def test_a_database_without_pgvector_keeps_bytes(bare_database: str, postgres_url: str) -> None:
    async def kind(url: str) -> str:
        store = PostgresStore(url, prepare)
        await store.check()
        await store.close()
        with psycopg.connect(url) as connection:
            row = connection.execute(
                "SELECT format_type(atttypid, NULL) FROM pg_attribute "
                "WHERE attrelid = 'passage_vector'::regclass AND attname = 'vector'"
            ).fetchone()
        assert row is not None
        return str(row[0]).rpartition(".")[2]

    assert await kind(bare_database) == "bytea"
    assert await kind(postgres_url) == "halfvec"
