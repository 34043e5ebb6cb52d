"""Homes of earlier versions: opened by this one, they hold what they held and can do what a new one can."""

from __future__ import annotations

import hashlib
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from quire.adapters.sql import postgres, sqlite
from quire.adapters.sql.named import migrations
from quire.entry.bootstrap import build
from quire.entry.settings import load

HOMES = sorted((Path(__file__).parents[1] / "homes").glob("*.zip"))
# Those that homes can have; migrations that came together made one.
SCHEMAS = {1, 2, 3, 4, 5, 9, 10, 11}
BOOK, LESSON = "my-book", "lessons/one.md"

# What each migration is on SQLite and on PostgreSQL. One that is on main is never edited; the next one is added here.
MIGRATIONS = {
    1: ("8d99e2bb88d97a3c", "10320abec0a30305"),
    2: ("e0cb8a2be79cf15c", "2c001d55c087fed5"),
    3: ("5359ef96dbb3c81f", "cc05a3983d946f34"),
    4: ("4622267d471b3903", "793dd7464da73010"),
    5: ("bf3ae02435554188", "bf3ae02435554188"),
    6: ("f01961c0cb929418", "654b474095f0f302"),
    7: ("b226c710eda4dffc", "b226c710eda4dffc"),
    8: ("a42bbee8dd89a248", "a42bbee8dd89a248"),
    9: ("4976656dd4c9e9c3", "4976656dd4c9e9c3"),
    10: ("33ffb60add30e28c", "33ffb60add30e28c"),
    11: ("077a3a0b5aba150b", "d23a544409a91f08"),
    12: ("fd60737601cb83f8", "85e55a6c5309a6aa"),
    13: ("0c64184edc42c555", "599affc9af2e4ebe"),
    14: ("d69e19c7fd898e68", "d69e19c7fd898e68"),
    15: ("2863dbc045a6947c", "84ddfaf67a97c8b1"),
    16: ("1a3b22c7e8c8648f", "1a3b22c7e8c8648f"),
    17: ("c88ffb198cbb6ef0", "c88ffb198cbb6ef0"),
    18: ("a372cc3ef64949e4", "8de09759a6a99e93"),
}


def schema_of(home: Path) -> int:
    return int(home.stem.split("-")[1])


def shape(home: Path) -> dict[str, set[tuple[object, ...]]]:
    """Tables with their columns, and indexes, as a store has them; those of single notebooks aside."""
    with closing(sqlite3.connect(home / "quire.db")) as connection:
        names = connection.execute("SELECT name, type FROM sqlite_master WHERE name NOT LIKE 'notebook_words%'")
        return {
            name: {row[1:4] for row in connection.execute(f"PRAGMA table_info({name})")} if kind == "table" else set()
            for name, kind in names.fetchall()
        }


def test_no_migration_was_edited() -> None:
    sqlites = migrations(sqlite.WORDS)
    postgreses = migrations(postgres.WORDS | {"vector": "halfvec"})
    found = {
        number: tuple(hashlib.sha256(text.encode()).hexdigest()[:16] for text in (ours, theirs))
        for (number, ours), (_, theirs) in zip(sqlites, postgreses, strict=True)
    }
    assert found == MIGRATIONS


def test_there_is_a_home_of_every_earlier_schema() -> None:
    assert {schema_of(home) for home in HOMES} == SCHEMAS


@pytest.mark.anyio
@pytest.mark.parametrize("home", HOMES, ids=lambda home: home.stem)
async def test_a_home_of_an_earlier_version_is_whole(home: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(home) as archive:
        archive.extractall(tmp_path / "old")
    has_books, has_sources = schema_of(home) > 1, schema_of(home) > 2
    async with build(load({"home": tmp_path / "new", "embedder": "none"}, {})) as library:
        await library.notebooks.list()
    async with build(load({"home": tmp_path / "old", "embedder": "none"}, {})) as library:
        notebook = next(one for one in await library.notebooks.list() if one.title == "Plants")
        assert [note.title for note in await library.notes.list(notebook.id)] == ["Shopping"]
        if has_sources:
            source = next(one for one in await library.sources.list(notebook.id) if one.title == "Photosynthesis")
            found = await library.sources.search(notebook.id, "chlorophyll")
            assert [hit.passage.source_id for hit in found] == [source.id]
            assert (await library.sources.get_guide(notebook.id, source.id)).summary
        added = await library.sources.add_text(notebook.id, "Cacti", "Cacti keep their water in thick stems.")
        answer = await library.chat.ask(notebook.id, "Where do cacti keep their water?")
        assert [citation.source_id for citation in answer.citations] == [added.id]
        if not has_books:
            await library.books.create(BOOK, "My book")
            await library.books.write_content(BOOK, LESSON, "# One\n\nOld words.\n")
            await library.books.write_content(BOOK, LESSON, "# One\n\nNew words.\n")
        assert "New words" in (await library.books.read_content(BOOK, LESSON)).content
        assert (await library.books.write_content(BOOK, LESSON, "Newer words.\n")).revision == 3
        assert "Old words" in (await library.books.diff_content(BOOK, LESSON, 1)).diff
        await library.books.update(BOOK, overlays=True)
        await library.books.write_overlay(BOOK, LESSON, "Mine.\n")
        assert (await library.books.plan_build(BOOK)).total == 2
        assert (await library.books.verify_audit(BOOK)).valid
        if not any(one.kind == "book" for one in await library.sources.list(notebook.id)):
            await library.books.add_to_notebook(BOOK, notebook.id)
        await library.notebooks.delete(notebook.id)
    assert shape(tmp_path / "old") == shape(tmp_path / "new")
