"""Books beside notebooks, files that other programs name, and books that come and go by hand."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from trials import on_one_store

from quire.api.library import Library
from quire.domain.errors import Conflict, InvalidInput, NotFound, TooLarge

pytestmark = pytest.mark.anyio

SUMMARY = "chapters/chapter-01/.summary.md"
LARGE = "x" * (100 * 1024 + 1)
ROW = """  - book_id: by-hand
    title: By hand
    storage_backend: fs
    created_at: "2025-01-01T00:00:00Z"
    status: active
"""


def shelf_of(library: Library) -> Path:
    path = library.engine.parts.books.storages.get("fs").path("books")  # type: ignore[attr-defined]
    assert path is not None
    return Path(path).parent


@on_one_store
async def test_a_book_is_no_notebook_of_its_own(library: Library) -> None:
    before = (await library.notebooks.list()).total
    book = await library.books.create("my-book", "Mine")
    listed = await library.notebooks.list()
    assert (listed.total, len(listed)) == (before, before)
    with pytest.raises(Conflict) as renamed:
        await library.notebooks.rename(book.notebook_id, "Other")
    with pytest.raises(Conflict) as deleted:
        await library.notebooks.delete(book.notebook_id)
    assert "update_book" in (renamed.value.hint or "")
    assert "delete_book" in (deleted.value.hint or "")
    await library.books.update("my-book", title="Ours")
    assert (await library.notebooks.get(book.notebook_id)).title == "Ours"


@on_one_store
async def test_a_deleted_book_is_gone_with_its_files_and_its_id_is_free(library: Library) -> None:
    book = await library.books.create("my-book", "Mine")
    await library.books.write_content("my-book", "lessons/one.md", "first")
    await library.books.write_content("my-book", "lessons/one.md", "second")
    note = await library.notes.create(book.notebook_id, "Kept with the book")
    assert (await library.books.delete("my-book")).title == "Mine"
    assert (await library.books.list()).total == 0
    for gone in (library.books.read_content("my-book", "lessons/one.md"), library.books.delete("my-book")):
        with pytest.raises(NotFound):
            await gone
    assert [file for file in (shelf_of(library) / "books" / "my-book").rglob("*") if file.is_file()] == []
    assert "my-book" not in (shelf_of(library) / "registry.yaml").read_text()
    again = await library.books.create("my-book", "Anew")
    assert (await library.books.list()).items == [again]
    with pytest.raises(NotFound):
        await library.notes.get(None, note.id)
    with pytest.raises(NotFound):
        await library.books.read_content("my-book", "lessons/one.md")
    assert [one.operation for one in await library.books.audit("my-book")][-1] == "create_book"
    assert (await library.books.verify_audit("my-book")).valid


@on_one_store
async def test_a_summary_keeps_its_limit_whichever_tool_writes_it(library: Library) -> None:
    await library.books.create("my-book", "Mine")
    await library.books.write_content("my-book", "long.md", LARGE)
    await library.books.update("my-book", overlays=True)
    await library.books.write_summary("my-book", "chapter-01", "x" * (100 * 1024))
    (shelf_of(library) / "books" / "my-book" / SUMMARY).write_text(LARGE)
    outside = (await library.books.read_content("my-book", SUMMARY)).revision
    await library.books.write_summary("my-book", "chapter-01", "x" * (100 * 1024))
    for refused in (
        library.books.restore_content("my-book", SUMMARY, outside),
        library.books.write_content("my-book", SUMMARY, LARGE),
        library.books.edit_content("my-book", SUMMARY, "append", "xx"),
        library.books.write_overlay("my-book", SUMMARY, LARGE),
        library.books.move_content("my-book", "long.md", "chapters/chapter-02/.summary.md"),
    ):
        with pytest.raises(TooLarge):
            await refused


@on_one_store
async def test_every_asset_that_is_listed_can_be_had_by_the_name_it_is_listed_with(library: Library) -> None:
    await library.books.create("my-book", "Mine")
    await library.books.upload_asset("my-book", "images", "my photo.png", "iVBORw0KGgo=")
    folder = shelf_of(library) / "books" / "my-book" / "assets"
    for name in ("images/deep/er.png", "images/-dash.png", "images/.hidden.png", "fonts/a.ttf"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"\x89PNG\r\n\x1a\n")
    listed = (await library.books.list_assets("my-book")).items
    assert {one.filename for one in listed} == {"my_photo.png", "deep/er.png", "-dash.png", ".hidden.png"}
    for one in listed:
        assert await library.books.get_asset("my-book", one.asset_type, one.filename) == one  # type: ignore[arg-type]
    found = await library.books.get_asset("my-book", "images", "my photo.png")
    assert found.filename == "my_photo.png"


@on_one_store
async def test_files_with_names_of_their_own_are_found_and_read(library: Library) -> None:
    await library.books.create("my-book", "Mine")
    folder = shelf_of(library) / "books" / "my-book"
    for name in ("my file.md", "ünï.md"):
        (folder / name).write_text(f"roadmap in {name}\n", encoding="utf-8")
    found = await library.books.glob_search("my-book", "*.md")
    assert found.items == ["books/my-book/my file.md", "books/my-book/ünï.md"]
    first = await library.books.grep_search("my-book", "roadmap", max_results=1)
    rest = await library.books.grep_search("my-book", "roadmap", cursor=first.cursor)
    assert [line.file_path for line in [*first.items, *rest.items]] == found.items
    for name in ("my file.md", "ünï.md"):
        assert (await library.books.read_content("my-book", name)).content == f"roadmap in {name}\n"
    for name in ("no such.md", "../my file.md", "a\\b.md", "my file.md/"):
        with pytest.raises(InvalidInput):
            await library.books.read_content("my-book", name)
    with pytest.raises(InvalidInput):
        await library.books.write_content("my-book", "my file.md", "not by us")


@on_one_store
@pytest.mark.parametrize("others", [0, 1])
async def test_a_row_put_below_the_registry_registers_a_book_with_its_yaml(library: Library, others: int) -> None:
    await library.books.create("first-book", "First")
    if not others:
        await library.books.delete("first-book")
    file = shelf_of(library) / "registry.yaml"
    file.write_text(file.read_text() + ROW)
    listed = await library.books.list()
    assert listed.problems == []
    assert [book.book_id for book in listed] == ["first-book", "by-hand"][-1 - others :]
    exported = await library.books.export_book("by-hand")
    data = b"".join([chunk async for chunk in exported.chunks()])
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert b"title: By hand" in archive.read("book.yaml")
    assert "book.yaml" in [one.path for one in await library.books.plan_build("by-hand")]
