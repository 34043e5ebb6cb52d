"""A file that was just read is given out again quickly, and never once anything about it has changed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from quire.api.library import Library
from quire.domain.errors import NotFound
from quire.domain.sharing import Role

pytestmark = pytest.mark.anyio

BOOK = "my-book"
LESSON = "lessons/one.md"


@pytest.fixture
async def books(library: Library) -> Library:
    await library.books.create(BOOK, "My book")
    await library.books.write_content(BOOK, LESSON, "one")
    for _ in range(3):
        assert (await library.books.read_content(BOOK, LESSON)).content == "one"
    return library


def on_disk(library: Library, path: str) -> Path:
    return Path(library.engine.parts.shelves.get("fs").path(path) or "")


async def test_a_second_read_needs_no_transaction(books: Library, store: str) -> None:
    version = books.engine.parts.store.version()
    found = books.engine.parts.shelves.glances.find(version, "owner", BOOK, LESSON)
    if store.startswith("postgres"):
        assert (version, found) == (None, None)
    else:
        assert found is not None
        assert bytes(found[1]) == b"one"
        assert books.engine.parts.shelves.glances.find(version, "guest", BOOK, LESSON) is None
        assert books.engine.parts.shelves.glances.find((version or 0) + 1, "owner", BOOK, LESSON) is None


def edited(library: Library) -> None:
    on_disk(library, f"books/{BOOK}/{LESSON}").write_text("two")


def exchanged(library: Library) -> None:
    file = on_disk(library, f"books/{BOOK}/{LESSON}")
    file.with_name("new").write_text("two")
    os.replace(file.with_name("new"), file)


def removed(library: Library) -> None:
    on_disk(library, f"books/{BOOK}/{LESSON}").unlink()


def linked(library: Library) -> None:
    file = on_disk(library, f"books/{BOOK}/{LESSON}")
    file.rename(file.with_name("moved.md"))
    file.symlink_to("moved.md")


def unregistered(library: Library) -> None:
    registry = on_disk(library, "registry.yaml")
    registry.write_text(yaml.safe_dump(yaml.safe_load(registry.read_text()) | {"books": []}))


@pytest.mark.parametrize("change", [edited, exchanged, removed, linked, unregistered])
async def test_what_others_do_is_seen_at_once(books: Library, change: Callable[[Library], None]) -> None:
    change(books)
    try:
        result: Any = (await books.books.read_content(BOOK, LESSON)).content
    except Exception as error:
        result = type(error).__name__
    expected = {edited: "two", exchanged: "two", removed: "NotFound", linked: "InvalidInput", unregistered: "NotFound"}
    assert result == expected[change]


async def test_a_role_that_was_taken_away_is_gone_at_once(books: Library, guest: Library) -> None:
    (book,) = await books.books.list()
    member = {"notebook_id": book.notebook_id, "person_id": "guest"}
    await books.engine.system.write(lambda tx: tx.run("insert_member", role=int(Role.VIEWER), **member))
    for _ in range(3):
        assert (await guest.books.read_content(BOOK, LESSON)).content == "one"
    await books.engine.system.write(lambda tx: tx.run("unregister_book", book_id=BOOK))
    with pytest.raises(NotFound):
        await guest.books.read_content(BOOK, LESSON)


async def test_writes_of_another_library_are_seen_at_once(shared_store: str, tmp_path: Path) -> None:
    from quire.entry.bootstrap import build
    from quire.entry.settings import load

    settings = load({"home": tmp_path / "home", "store": shared_store}, {})
    async with build(settings) as one, build(settings) as two:
        await one.books.create(BOOK, "Mine")
        for number in range(20):
            written = await one.books.write_content(BOOK, LESSON, str(number))
            content = await two.books.read_content(BOOK, LESSON)
            assert (content.content, content.file_hash_sha256) == (str(number), written.file_hash)
            assert (await two.books.read_content(BOOK, LESSON)).content == str(number)


async def test_an_empty_file_is_given_out_too(books: Library) -> None:
    await books.books.write_content(BOOK, LESSON, "")
    for _ in range(3):
        assert (await books.books.read_content(BOOK, LESSON)).content == ""
