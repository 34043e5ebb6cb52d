"""Files of a book: what is written is read, byte for byte, and never over what someone else wrote meanwhile."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

import pytest
from trials import on_one_store

from quire.api.library import Library
from quire.domain.errors import Conflict, InvalidInput, NotFound, TooLarge
from quire.domain.sharing import Actor, Role

pytestmark = pytest.mark.anyio

BOOK = "my-book"
LESSON = "lessons/part-1/chapter-01/lesson-01.md"


@pytest.fixture
async def books(library: Library) -> Library:
    await library.books.create(BOOK, "My book")
    return library


def on_disk(library: Library, path: str) -> Path:
    found = library.engine.parts.books.storages.get("fs").path(f"books/{BOOK}/{path}")
    assert found
    return Path(found)


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@on_one_store
@pytest.mark.parametrize(
    "text",
    ["", " \n", "a\r\nb\r\n", "no end", "é 🦜 漢字\n\n\n", "\ufeffmark", "\u2028 \x0b \x85", "---\ntitle: x\n---\n"],
)
async def test_a_text_comes_back_byte_for_byte(books: Library, text: str) -> None:
    written = await books.books.write_content(BOOK, LESSON, text)
    content = await books.books.read_content(BOOK, LESSON)
    assert content.content == text
    assert content.file_size == written.file_size == len(text.encode())
    assert content.file_hash_sha256 == written.file_hash == sha256(text)
    assert on_disk(books, LESSON).read_bytes() == text.encode()


async def test_a_write_creates_then_updates(books: Library) -> None:
    assert (await books.books.write_content(BOOK, LESSON, "one")).mode == "created"
    second = await books.books.write_content(BOOK, LESSON, "two")
    assert (second.mode, second.revision) == ("updated", 2)
    await books.books.delete_content(BOOK, LESSON)
    third = await books.books.write_content(BOOK, LESSON, "three")
    assert (third.mode, third.revision) == ("created", 4)


async def test_a_wrong_hash_is_a_conflict_that_names_the_current_one(books: Library) -> None:
    await books.books.write_content(BOOK, LESSON, "one")
    with pytest.raises(Conflict) as caught:
        await books.books.write_content(BOOK, LESSON, "two", sha256("other"))
    assert caught.value.details["current_hash"] == sha256("one")
    assert (await books.books.read_content(BOOK, LESSON)).content == "one"
    assert (await books.books.write_content(BOOK, LESSON, "two", sha256("one").upper())).file_hash == sha256("two")


async def test_a_hash_for_a_file_that_is_not_there_is_not_found(books: Library) -> None:
    with pytest.raises(NotFound):
        await books.books.write_content(BOOK, LESSON, "two", sha256("one"))
    assert not on_disk(books, LESSON).exists()


@on_one_store
@pytest.mark.parametrize("hash", ["", "abc", "g" * 64, "0" * 63, "0" * 65, "0" * 63 + "\n"])
async def test_a_hash_that_is_none_is_refused(books: Library, hash: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        await books.books.write_content(BOOK, LESSON, "two", hash)
    assert caught.value.details["field"] == "file_hash"


async def test_of_many_writers_with_one_hash_one_wins(books: Library) -> None:
    first = await books.books.write_content(BOOK, LESSON, "start")
    results = await asyncio.gather(
        *(books.books.write_content(BOOK, LESSON, f"writer {n}", first.file_hash) for n in range(20)),
        return_exceptions=True,
    )
    won = [one for one in results if not isinstance(one, BaseException)]
    lost = [one for one in results if isinstance(one, Conflict)]
    assert (len(won), len(lost)) == (1, 19)
    assert {error.details["current_hash"] for error in lost} == {won[0].file_hash}
    assert (await books.books.read_content(BOOK, LESSON)).file_hash_sha256 == won[0].file_hash


async def test_deleting_what_is_not_there_is_no_error(books: Library) -> None:
    await books.books.write_content(BOOK, LESSON, "one")
    assert (await books.books.delete_content(BOOK, LESSON)).existed
    again = await books.books.delete_content(BOOK, LESSON)
    assert (again.status, again.existed) == ("success", False)
    with pytest.raises(NotFound):
        await books.books.read_content(BOOK, LESSON)


async def test_a_deletion_leaves_no_empty_folders(books: Library) -> None:
    await books.books.write_content(BOOK, LESSON, "one")
    await books.books.write_content(BOOK, "lessons/other.md", "two")
    await books.books.delete_content(BOOK, LESSON)
    assert sorted(path.name for path in on_disk(books, "lessons").iterdir()) == ["other.md"]


@on_one_store
async def test_sizes_count_bytes_and_end_at_one_mebibyte(books: Library) -> None:
    limit = 1024 * 1024
    text = "é" * (limit // 2)
    assert (await books.books.write_content(BOOK, LESSON, text)).file_size == limit
    assert (await books.books.write_content(BOOK, LESSON, text[:-1] + "x")).file_size == limit - 1
    with pytest.raises(TooLarge):
        await books.books.write_content(BOOK, LESSON, text + "x")
    assert (await books.books.read_content(BOOK, LESSON)).file_size == limit - 1


@on_one_store
@pytest.mark.parametrize(
    "path", ["book.yaml", "BOOK.yaml", "registry.yaml", "archives/a.zip", ".audit/x", "audit/x.md"]
)
async def test_reserved_files_cannot_be_written(books: Library, path: str) -> None:
    for call in (
        books.books.write_content(BOOK, path, "x"),
        books.books.delete_content(BOOK, path),
        books.books.edit_content(BOOK, path, "append", "x"),
        books.books.move_content(BOOK, "a.md", path),
    ):
        with pytest.raises(InvalidInput):
            await call


async def test_a_book_that_is_not_registered_is_not_found(books: Library) -> None:
    for call in (books.books.read_content("other-book", "a.md"), books.books.write_content("other-book", "a.md", "x")):
        with pytest.raises(NotFound) as caught:
            await call
        assert caught.value.details["noun"] == "book"


async def test_a_file_cannot_be_where_a_folder_is_nor_under_a_file(books: Library) -> None:
    await books.books.write_content(BOOK, "a/b.md", "x")
    for path in ("a", "a/b.md/c.md"):
        with pytest.raises(InvalidInput) as caught:
            await books.books.write_content(BOOK, path, "y")
        assert caught.value.details["field"] == "path"
    with pytest.raises(InvalidInput):
        await books.books.read_content(BOOK, "a")


async def test_strangers_see_no_book_and_viewers_cannot_write(books: Library, guest: Library) -> None:
    await books.books.write_content(BOOK, LESSON, "one")
    assert list(await guest.books.list()) == []
    with pytest.raises(NotFound):
        await guest.books.read_content(BOOK, LESSON)
    (book,) = await books.books.list()
    await books.engine.system.write(
        lambda tx: tx.run("insert_member", notebook_id=book.notebook_id, person_id="guest", role=int(Role.VIEWER))
    )
    assert (await guest.books.read_content(BOOK, LESSON)).content == "one"
    from quire.domain.errors import NotAllowed

    for call in (
        guest.books.write_content(BOOK, LESSON, "two"),
        guest.books.delete_content(BOOK, LESSON),
        guest.books.upload_asset(BOOK, "images", "a.png", "AAAA"),
        guest.books.upload_asset(BOOK, "images", "a.png", file_size=20_000_000),
        guest.books.update(BOOK, status="archived"),
    ):
        with pytest.raises(NotAllowed):
            await call
    assert [one.book_id for one in await guest.books.list()] == [BOOK]


async def test_the_log_names_the_real_caller(books: Library, guest: Library) -> None:
    (book,) = await books.books.list()
    await books.engine.system.write(
        lambda tx: tx.run("insert_member", notebook_id=book.notebook_id, person_id="guest", role=int(Role.EDITOR))
    )
    await guest.books.write_content(BOOK, LESSON, "one")
    entry = (await books.books.audit(BOOK, path=LESSON))[0]
    assert (entry.actor, entry.operation, entry.after_hash) == ("guest", "write", sha256("one"))
    assert books.context.actor == Actor(id="owner", name="local owner")


async def test_two_libraries_on_one_store_agree(shared_store: str, tmp_path: Path) -> None:
    from quire.entry.bootstrap import build
    from quire.entry.settings import load

    settings = load({"home": tmp_path / "home", "store": shared_store}, {})
    async with build(settings) as one, build(settings) as two:
        await one.books.create(BOOK, "Mine")
        first = await one.books.write_content(BOOK, LESSON, "start")
        assert (await two.books.read_content(BOOK, LESSON)).content == "start"
        results = await asyncio.gather(
            *(
                library.books.write_content(BOOK, LESSON, f"{number} {name}", first.file_hash)
                for number in range(10)
                for name, library in (("one", one), ("two", two))
            ),
            return_exceptions=True,
        )
        won = [result for result in results if not isinstance(result, BaseException)]
        assert len(won) == 1
        assert all(isinstance(result, Conflict) for result in results if result is not won[0])
        assert (await one.books.read_content(BOOK, LESSON)).file_hash_sha256 == won[0].file_hash
        assert (await two.books.verify_audit(BOOK)).valid


async def test_names_that_differ_only_in_case_are_refused(library: Library) -> None:
    await library.books.create(BOOK, "My book")
    for path in ("lessons/part-1/one.md", "b.md", "moved.md"):
        await library.books.write_content(BOOK, path, "x")
    for path in ("lessons/part-1/One.md", "Lessons/two.md", "lessons/Part-1/two.md", "LESSONS", "B.md", "b.MD/c.md"):
        with pytest.raises(InvalidInput, match="path: differs only in case from books/"):
            await library.books.write_content(BOOK, path, "x")
        with pytest.raises(InvalidInput, match="new_path: differs only in case from books/"):
            await library.books.move_content(BOOK, "moved.md", path)
    for path in ("lessons/part-1/one.mdx", "lessons/part-10/one.md", "lessons/part-1/ones/one.md", "c/one.md"):
        await library.books.write_content(BOOK, path, "x")
