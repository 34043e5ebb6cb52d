"""A file that was just read is given out again quickly, and never once anything about it has changed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from quire.api.context import Context
from quire.api.engine import Subject
from quire.api.library import Library
from quire.domain.errors import NotFound
from quire.domain.sharing import Actor, Role

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
    return Path(library.engine.parts.books.storages.get("fs").path(path) or "")


async def test_a_second_read_needs_no_transaction(books: Library, store: str) -> None:
    cache = books.engine.books.files.read_cache

    def found(actor_id: str, needs: Role = Role.VIEWER, book_id: str = BOOK) -> Any:
        scope = books.engine.scope(Context(actor=Actor(id=actor_id)), Subject("book", book_id), needs)
        read = cache.find(scope, BOOK, LESSON)
        if read is None:
            with pytest.raises(RuntimeError):
                scope.confirm()
        else:
            scope.confirm()
        return read

    if store.startswith("postgres"):
        assert found("owner") is None
        return
    assert bytes(found("owner").data) == b"one"
    assert found("guest") is None
    assert found("owner", Role.EDITOR) is None
    assert found("owner", book_id="another") is None
    await books.notes.create(title="Anything", content="")
    assert found("owner") is None


async def test_what_the_engine_reads_for_itself_is_not_kept_for_anyone(books: Library) -> None:
    """A source that is made of a book is read for whoever changed it last, who need not have a role in the book."""
    files = books.engine.books.files
    files.read_cache._known.clear()
    await files.read(books.engine.system, BOOK, LESSON)
    assert files.read_cache._known == {}


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
