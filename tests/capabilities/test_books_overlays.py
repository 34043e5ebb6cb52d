"""Overlays: a reader's own copies of files, where the book allows them, and where they must never show."""

from __future__ import annotations

import hashlib
import io
import zipfile

import pytest
from trials import on_one_store

from quire.api.library import Library
from quire.domain.errors import Conflict, InvalidInput, NotFound
from quire.domain.overlays import MOST_OVERLAYS
from quire.domain.sharing import Role
from quire.ports.store import Tx

pytestmark = pytest.mark.anyio

BOOK = "my-book"


@pytest.fixture
async def books(library: Library, guest: Library) -> Library:
    """A book of the owner's with overlays, which the guest may read."""
    book = await library.books.create(BOOK, "Mine")
    await library.books.update(BOOK, overlays=True)
    await library.books.write_content(BOOK, "lessons/a.md", "of all\n")
    await library.books.write_content(BOOK, "lessons/b.md", "of all, too\n")
    member = {"notebook_id": book.notebook_id, "person_id": "guest", "role": int(Role.VIEWER)}
    await library.engine.system.write(lambda tx: tx.run("insert_member", **member))
    return library


async def test_a_copy_is_read_in_place_of_the_file_by_its_owner_alone(books: Library, guest: Library) -> None:
    written = await guest.books.write_overlay(BOOK, "lessons/a.md", "mine\n")
    base = await books.books.read_content(BOOK, "lessons/a.md")
    assert (written.mode, written.base_hash) == ("created", base.file_hash_sha256)
    own = await guest.books.read_content(BOOK, "lessons/a.md", overlay=True)
    assert (own.content, own.overlay, own.file_size) == ("mine\n", True, 5)
    assert own.file_hash_sha256 == hashlib.sha256(b"mine\n").hexdigest() == written.file_hash
    assert await guest.books.read_content(BOOK, "lessons/a.md") == base
    assert await books.books.read_content(BOOK, "lessons/a.md", overlay=True) == base
    other = await guest.books.read_content(BOOK, "lessons/b.md", overlay=True)
    assert (other.content, other.overlay) == ("of all, too\n", False)


async def test_a_copy_needs_no_file_and_outlives_it(books: Library, guest: Library) -> None:
    await guest.books.write_overlay(BOOK, "notes/own.md", "mine alone")
    await guest.books.write_overlay(BOOK, "lessons/a.md", "mine")
    await books.books.delete_content(BOOK, "lessons/a.md")
    assert (await guest.books.read_content(BOOK, "lessons/a.md", overlay=True)).content == "mine"
    assert (await guest.books.read_content(BOOK, "notes/own.md", overlay=True)).content == "mine alone"
    for path in ("lessons/a.md", "notes/own.md"):
        with pytest.raises(NotFound):
            await guest.books.read_content(BOOK, path)
        with pytest.raises(NotFound):
            await books.books.read_content(BOOK, path, overlay=True)


async def test_searches_show_copies_to_their_owner_alone_and_only_when_asked(books: Library, guest: Library) -> None:
    await guest.books.write_overlay(BOOK, "lessons/a.md", "secret words\n")
    await guest.books.write_overlay(BOOK, "lessons/aa.md", "secret too\n")
    await guest.books.write_overlay(BOOK, "zz.txt", "secret as well\n")
    assert [line.file_path for line in await guest.books.grep_search(BOOK, "secret", overlay=True)] == [
        "books/my-book/lessons/a.md",
        "books/my-book/lessons/aa.md",
    ]
    assert [line.file_path for line in await guest.books.grep_search(BOOK, "of all", overlay=True)] == [
        "books/my-book/lessons/b.md"
    ]
    assert [line.file_path for line in await guest.books.grep_search(BOOK, "of all|secret", True, overlay=True)] == [
        "books/my-book/lessons/a.md",
        "books/my-book/lessons/aa.md",
        "books/my-book/lessons/b.md",
    ]
    assert list(await guest.books.glob_search(BOOK, "**", overlay=True)) == [
        "books/my-book/book.yaml",
        "books/my-book/lessons/a.md",
        "books/my-book/lessons/aa.md",
        "books/my-book/lessons/b.md",
        "books/my-book/zz.txt",
    ]
    for library, overlay in ((guest, False), (books, False), (books, True)):
        assert list(await library.books.grep_search(BOOK, "secret", overlay=overlay)) == []
        assert len(await library.books.grep_search(BOOK, "of all", overlay=overlay)) == 2
        found = list(await library.books.glob_search(BOOK, "**", overlay=overlay))
        assert "books/my-book/lessons/aa.md" not in found
        assert [event async for event in library.books.scan_book(BOOK, "secret", overlay=overlay)][:-1] == []
    streamed = [event async for event in guest.books.scan_book(BOOK, "secret", overlay=True)]
    assert (streamed[-1].lines, streamed[-1].files) == (2, 2)  # type: ignore[union-attr]


async def test_archives_histories_logs_and_plans_know_nothing_of_copies(books: Library, guest: Library) -> None:
    plan = await books.books.plan_build(BOOK)
    log = await books.books.audit(BOOK)
    await guest.books.write_overlay(BOOK, "lessons/a.md", "secret")
    await guest.books.write_overlay(BOOK, "lessons/own.md", "secret")
    for library in (books, guest):
        file = await library.books.export_book(BOOK)
        with zipfile.ZipFile(io.BytesIO(await file.read())) as archive:
            assert "lessons/own.md" not in archive.namelist()
            assert all(b"secret" not in archive.read(name) for name in archive.namelist())
        assert await library.books.plan_build(BOOK) == plan
        assert await library.books.audit(BOOK) == log
        assert len(await library.books.content_history(BOOK, "lessons/a.md")) == 1
        with pytest.raises(NotFound):
            await library.books.content_history(BOOK, "lessons/own.md")


async def test_copies_have_hashes_and_conflicts_of_their_own(books: Library, guest: Library) -> None:
    first = await guest.books.write_overlay(BOOK, "lessons/a.md", "one")
    with pytest.raises(Conflict) as caught:
        await guest.books.write_overlay(BOOK, "lessons/a.md", "two", "0" * 64)
    assert caught.value.details["current_hash"] == first.file_hash
    second = await guest.books.write_overlay(BOOK, "lessons/a.md", "two", first.file_hash)
    assert second.mode == "updated"
    with pytest.raises(NotFound):
        await guest.books.write_overlay(BOOK, "lessons/none.md", "x", first.file_hash)
    with pytest.raises(Conflict):
        await guest.books.delete_overlay(BOOK, "lessons/a.md", first.file_hash)
    gone = await guest.books.delete_overlay(BOOK, "lessons/a.md", second.file_hash)
    assert (gone.existed, gone.message) == (True, "Overlay deleted")
    assert not (await guest.books.delete_overlay(BOOK, "lessons/a.md")).existed
    assert (await guest.books.read_content(BOOK, "lessons/a.md", overlay=True)).content == "of all\n"


async def test_copies_are_listed_with_whether_the_file_has_changed(books: Library, guest: Library) -> None:
    await guest.books.write_overlay(BOOK, "lessons/a.md", "one")
    await guest.books.write_overlay(BOOK, "lessons/b.md", "two")
    await books.books.write_content(BOOK, "lessons/b.md", "another text")
    listed = await guest.books.list_overlays(BOOK)
    assert [(one.path, one.base_changed) for one in listed] == [
        ("books/my-book/lessons/a.md", False),
        ("books/my-book/lessons/b.md", True),
    ]
    page = await guest.books.list_overlays(BOOK, limit=1)
    assert (len(page), page.total, page.truncated) == (1, 2, True)
    assert [one.path for one in await guest.books.list_overlays(BOOK, cursor=page.cursor)] == [listed[1].path]
    assert list(await books.books.list_overlays(BOOK)) == []


async def test_a_book_that_allows_none_takes_and_shows_none(books: Library, guest: Library) -> None:
    await guest.books.write_overlay(BOOK, "lessons/a.md", "mine")
    await books.books.update(BOOK, overlays=False)
    with pytest.raises(InvalidInput, match="takes no overlays"):
        await guest.books.write_overlay(BOOK, "lessons/a.md", "more")
    assert (await guest.books.read_content(BOOK, "lessons/a.md", overlay=True)).content == "of all\n"
    assert len(await guest.books.grep_search(BOOK, "mine", overlay=True)) == 0
    await books.books.update(BOOK, overlays=True, status="archived")
    assert (await guest.books.read_content(BOOK, "lessons/a.md", overlay=True)).content == "mine"
    with pytest.raises(InvalidInput, match="archived"):
        await guest.books.write_overlay(BOOK, "lessons/a.md", "more")


@on_one_store
@pytest.mark.parametrize("path", ["../a.md", "/a.md", "a//b.md", "book.yaml", "x" * 256, "a b.md"])
async def test_paths_of_copies_obey_the_rules_of_files(books: Library, guest: Library, path: str) -> None:
    with pytest.raises(InvalidInput):
        await guest.books.write_overlay(BOOK, path, "x")


async def test_copies_are_limited_in_size(books: Library, guest: Library) -> None:
    with pytest.raises(InvalidInput):
        await guest.books.write_overlay(BOOK, "a.md", "ä" * (512 * 1024) + "x")
    await guest.books.write_overlay(BOOK, "a.md", "ä" * (512 * 1024))


async def test_copies_are_limited_in_number(books: Library, guest: Library) -> None:
    def fill(tx: Tx) -> None:
        for number in range(MOST_OVERLAYS):
            row = {"book_id": BOOK, "person_id": "guest", "path": f"{number}.md", "content": "", "sha256": ""}
            tx.run("put_book_overlay", size=0, base_hash=None, at=0, **row)

    await books.engine.system.write(fill)
    with pytest.raises(InvalidInput, match="1,000 overlays"):
        await guest.books.write_overlay(BOOK, "more.md", "x")
    await guest.books.write_overlay(BOOK, "7.md", "x")
