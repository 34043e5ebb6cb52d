"""Which books there are: rows and registry.yaml, in step both ways."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from trials import on_one_store

from quire.api.library import Library
from quire.domain.errors import Conflict, InvalidInput, NotFound, Unsupported
from quire.entry.bootstrap import build
from quire.entry.settings import Settings, load

pytestmark = pytest.mark.anyio

ENTRY = {
    "book_id": "ai-native-python",
    "title": "AI-Native Python Development",
    "storage_backend": "fs",
    "created_at": "2025-01-01T00:00:00Z",
    "status": "active",
}


def registry(library: Library) -> Path:
    return Path(library.engine.parts.books.storages.get("fs").path("registry.yaml") or "")


def write(library: Library, books: Any, **more: Any) -> None:
    registry(library).parent.mkdir(parents=True, exist_ok=True)
    registry(library).write_text(yaml.safe_dump({"books": books, **more}))


def entries(library: Library) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.safe_load(registry(library).read_text())["books"]
    return found


async def test_a_new_book_is_in_the_registry_and_has_its_own_file(library: Library) -> None:
    book = await library.books.create("my-book", "  My book  ")
    assert (book.title, book.storage_backend, book.status) == ("My book", "fs", "active")
    (entry,) = entries(library)
    assert list(entry) == ["book_id", "title", "storage_backend", "created_at", "status"]
    assert entry["created_at"].endswith("Z")
    own = Path(library.engine.parts.books.storages.get("fs").path("books/my-book/book.yaml") or "")
    assert yaml.safe_load(own.read_text()) == entry
    assert "title: My book" in (await library.books.read_content("my-book", "book.yaml")).content
    assert (await library.notebooks.get(book.notebook_id)).title == "My book"


@on_one_store
@pytest.mark.parametrize(
    "book_id", ["ab", "a" * 51, "-ab", "ab-", "a--b", "Ab-c", "a_b", "a.b", "a/b", "..", "äbc", "abc\n"]
)
async def test_an_id_that_is_none_is_refused(library: Library, book_id: str) -> None:
    for call in (
        library.books.create(book_id, "x"),
        library.books.read_content(book_id, "a.md"),
        library.books.write_content(book_id, "a.md", "x"),
    ):
        with pytest.raises((InvalidInput, NotFound)) as caught:
            await call
        assert isinstance(caught.value, InvalidInput) or "\n" in book_id
    assert not registry(library).exists()


@on_one_store
@pytest.mark.parametrize("book_id", ["abc", "a" * 50, "1-2-3", "a1-b2"])
async def test_ids_within_the_rules_are_taken(library: Library, book_id: str) -> None:
    assert (await library.books.create(book_id, "x")).book_id == book_id


async def test_an_id_is_given_once(library: Library, guest: Library) -> None:
    await library.books.create("my-book", "Mine")
    for caller in (library, guest):
        with pytest.raises(Conflict):
            await caller.books.create("my-book", "Again")
    assert len(entries(library)) == 1


async def test_a_backend_must_be_known_and_a_title_given(library: Library) -> None:
    with pytest.raises(InvalidInput, match="no storage backend 'gcs'"):
        await library.books.create("my-book", "Mine", "gcs")
    with pytest.raises(InvalidInput, match="title"):
        await library.books.create("my-book", " ")
    assert list(await library.books.list()) == []


async def test_what_people_write_into_the_registry_is_taken_over(library: Library) -> None:
    write(library, [ENTRY])
    (book,) = await library.books.list()
    assert (book.book_id, book.title) == ("ai-native-python", "AI-Native Python Development")
    assert book.created_at.isoformat() == "2025-01-01T00:00:00+00:00"
    await library.books.write_content("ai-native-python", "a.md", "x")
    write(library, [ENTRY | {"status": "archived", "title": "Old"}])
    with pytest.raises(InvalidInput, match="archived"):
        await library.books.write_content("ai-native-python", "a.md", "y")
    assert (await library.books.read_content("ai-native-python", "a.md")).content == "x"
    assert [book.title for book in await library.books.list()] == ["Old"]
    assert (await library.books.verify_audit("ai-native-python")).valid


async def test_a_book_written_into_the_registry_can_be_used_at_once(library: Library) -> None:
    write(library, [ENTRY])
    assert (await library.books.write_content("ai-native-python", "a.md", "x")).mode == "created"


async def test_a_bad_entry_is_reported_and_kept(library: Library) -> None:
    bad = {"book_id": "Bad Id", "title": "x"}
    write(library, [bad, ENTRY, ENTRY, "what", ENTRY | {"book_id": "good-id", "status": "sleeping"}])
    listed = await library.books.list()
    assert [book.book_id for book in listed] == ["ai-native-python"]
    assert len(listed.problems) == 4
    assert all(f"entry {number}" in text for number, text in zip((1, 3, 4, 5), listed.problems, strict=True))
    await library.books.create("my-book", "Mine")
    assert entries(library)[0] == bad
    assert {entry["book_id"] for entry in entries(library) if isinstance(entry, dict)} >= {"my-book", "good-id"}
    assert len((await library.books.list()).problems) == 4


async def test_a_registry_that_cannot_be_read_is_reported_and_never_written_over(library: Library) -> None:
    await library.books.create("my-book", "Mine")
    for text in ("books: [", "books: 7", "just text", "- 1"):
        registry(library).write_text(text)
        listed = await library.books.list()
        assert [book.book_id for book in listed] == ["my-book"]
        assert len(listed.problems) == 1
        assert (await library.books.write_content("my-book", "a.md", text)).status == "success"
        for call in (library.books.create("other-book", "Other"), library.books.update("my-book", title="New")):
            with pytest.raises(Unsupported):
                await call
        assert registry(library).read_text() == text


async def test_a_book_taken_out_of_the_registry_is_gone_until_it_is_back(library: Library) -> None:
    await library.books.create("my-book", "Mine")
    await library.books.create("other-book", "Other")
    await library.books.write_content("my-book", "a.md", "x")
    before = yaml.safe_load(registry(library).read_text())
    write(library, before["books"][1:], known=before["known"])
    assert [book.book_id for book in await library.books.list()] == ["other-book"]
    with pytest.raises(NotFound):
        await library.books.read_content("my-book", "a.md")
    write(library, before["books"], known=yaml.safe_load(registry(library).read_text())["known"])
    assert (await library.books.read_content("my-book", "a.md")).content == "x"


async def test_a_registry_that_was_lost_is_written_again(library: Library) -> None:
    await library.books.create("my-book", "Mine")
    registry(library).unlink()
    assert [book.book_id for book in await library.books.list()] == ["my-book"]
    assert [entry["book_id"] for entry in entries(library)] == ["my-book"]


async def test_a_registry_of_another_machine_learns_of_new_books(shared_store: str, tmp_path: Path) -> None:
    def at(name: str) -> Settings:
        store = shared_store or str(tmp_path / "shared.db")
        return load({"home": tmp_path / name, "store": store}, {})

    async with build(at("one")) as one, build(at("two")) as two:
        await one.books.create("my-book", "Mine")
        await two.books.create("other-book", "Other")
        for library in (one, two):
            assert [book.book_id for book in await library.books.list()] == ["my-book", "other-book"]
        assert [entry["book_id"] for entry in entries(two)] == ["my-book", "other-book"]


async def test_an_old_registry_does_not_undo_what_another_machine_changed(shared_store: str, tmp_path: Path) -> None:
    def at(name: str) -> Settings:
        store = shared_store or str(tmp_path / "shared.db")
        return load({"home": tmp_path / name, "store": store}, {})

    async with build(at("one")) as one, build(at("two")) as two:
        await one.books.create("my-book", "Mine")
        await one.books.create("other-book", "Other")
        await two.books.list()
        await one.books.update("my-book", title="Ours", status="archived")
    async with build(at("two")) as two:
        assert {entry["title"] for entry in entries(two)} == {"Mine", "Other"}
        assert [(book.title, book.status) for book in await two.books.list()] == [
            ("Ours", "archived"),
            ("Other", "active"),
        ]
        assert entries(two)[0]["title"] == "Ours"
        write(two, entries(two)[:1], known=yaml.safe_load(registry(two).read_text())["known"])
        assert [book.book_id for book in await two.books.list()] == ["my-book"]
    async with build(at("one")) as one:
        assert [book.book_id for book in await one.books.list()] == ["my-book"]
        assert [entry["book_id"] for entry in entries(one)] == ["my-book"]


async def test_a_storage_that_is_not_here_is_reported(library: Library) -> None:
    write(library, [ENTRY | {"storage_backend": "gcs"}])
    listed = await library.books.list()
    assert [book.storage_backend for book in listed] == ["gcs"]
    assert "no storage 'gcs'" in listed.problems[0]
    with pytest.raises(InvalidInput, match="no storage backend 'gcs'"):
        await library.books.read_content("ai-native-python", "a.md")
    await library.engine.books.sweeper.sweep()


async def test_the_notebook_of_a_book_cannot_be_deleted(library: Library) -> None:
    book = await library.books.create("my-book", "Mine")
    with pytest.raises(Conflict):
        await library.notebooks.delete(book.notebook_id)
    assert (await library.books.write_content("my-book", "a.md", "x")).mode == "created"


async def test_other_keys_of_the_registry_stay(library: Library) -> None:
    write(library, [ENTRY | {"language": "en"}], version=1)
    await library.books.list()
    await library.books.create("my-book", "Mine")
    assert entries(library)[0] == ENTRY | {"language": "en"}
    assert yaml.safe_load(registry(library).read_text())["version"] == 1


async def test_a_book_can_be_renamed_archived_and_opened_again(library: Library) -> None:
    await library.books.create("my-book", "Mine")
    assert (await library.books.update("my-book", title="Ours", status="archived")).status == "archived"
    assert (entries(library)[0]["title"], entries(library)[0]["status"]) == ("Ours", "archived")
    for call in (
        library.books.write_content("my-book", "a.md", "x"),
        library.books.write_summary("my-book", "chapter-01", "x"),
        library.books.upload_asset("my-book", "images", "a.png", "AAAA"),
        library.books.upload_asset("my-book", "images", "a.png", file_size=20_000_000),
        library.books.delete_content("my-book", "a.md"),
    ):
        with pytest.raises(InvalidInput, match="archived"):
            await call
    await library.books.update("my-book", status="migrating")
    with pytest.raises(InvalidInput, match="migrating"):
        await library.books.write_content("my-book", "a.md", "x")
    await library.books.update("my-book", status="active")
    await library.books.write_content("my-book", "a.md", "x")
    assert (await library.books.verify_audit("my-book")).valid


async def test_books_are_there_after_a_restart(tmp_path: Path) -> None:
    settings = load({"home": tmp_path}, {})
    async with build(settings) as library:
        await library.books.create("my-book", "Mine")
        await library.books.write_content("my-book", "a.md", "x")
    async with build(settings) as library:
        assert [book.book_id for book in await library.books.list()] == ["my-book"]
        assert (await library.books.read_content("my-book", "a.md")).content == "x"


async def test_a_tree_that_was_there_before_is_registered_with_its_files(library: Library) -> None:
    folder = Path(library.engine.parts.books.storages.get("fs").path("books/old-book") or "")
    (folder / "lessons").mkdir(parents=True)
    (folder / "lessons/a.md").write_text("old")
    (folder / "book.yaml").write_text("mine: true\n")
    await library.books.create("old-book", "Old")
    assert (await library.books.read_content("old-book", "lessons/a.md")).content == "old"
    assert (folder / "book.yaml").read_text() == "mine: true\n"


async def test_the_default_backend_is_a_setting(tmp_path: Path) -> None:
    settings = load({"home": tmp_path / "home", "shelves": f"nas={tmp_path / 'nas'}", "shelf": "nas"}, {})
    async with build(settings) as library:
        await library.books.create("far-book", "Far")
        await library.books.create("near-book", "Near", "fs")
        for book_id in ("far-book", "near-book"):
            await library.books.write_content(book_id, "a.md", book_id)
        assert (await library.books.read_content("far-book", "a.md")).storage_backend == "nas"
    assert (tmp_path / "nas/books/far-book/a.md").read_text() == "far-book"
    assert (tmp_path / "home/shelf/books/near-book/a.md").read_text() == "near-book"
    assert (tmp_path / "home/shelf/registry.yaml").exists()


async def test_a_book_whose_backend_is_changed_by_hand_is_looked_for_there(tmp_path: Path) -> None:
    settings = load({"home": tmp_path / "home", "shelves": f"nas={tmp_path / 'nas'}"}, {})
    async with build(settings) as library:
        await library.books.create("my-book", "Mine")
        await library.books.write_content("my-book", "a.md", "here")
        (tmp_path / "nas/books").mkdir(parents=True)
        (tmp_path / "home/shelf/books/my-book").rename(tmp_path / "nas/books/my-book")
        write(library, [entry | {"storage_backend": "nas"} for entry in entries(library)])
        content = await library.books.read_content("my-book", "a.md")
        assert (content.content, content.storage_backend, content.revision) == ("here", "nas", 1)


@pytest.mark.parametrize("shelves", ["fs", "=x", "Fs=/x", "a b=/x", "s3="])
def test_shelves_that_are_none_are_refused(shelves: str) -> None:
    with pytest.raises(InvalidInput, match="shelves"):
        load({"shelves": shelves}, {})


def test_a_default_that_is_no_shelf_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="shelf"):
        build(load({"home": tmp_path, "shelf": "s3"}, {}))
