"""What a member of a book may do, and what others see of it: nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from trials import on_one_store

from quire.api.library import Library
from quire.domain.errors import NotAllowed, NotFound
from quire.domain.files import Upload
from quire.domain.sharing import Role

pytestmark = pytest.mark.anyio

Call = Callable[[Any], Awaitable[Any]]
BOOK = "my-book"


async def first(stream: Any) -> Any:
    try:
        return await anext(stream)
    finally:
        await stream.aclose()


# What each call needs, by the name of its tool.
CALLS: dict[str, tuple[Role, Call]] = {
    "read_content": (Role.VIEWER, lambda books: books.read_content(BOOK, "a.md")),
    "read_summary": (Role.VIEWER, lambda books: books.read_summary(BOOK, "chapter-01")),
    "get_asset": (Role.VIEWER, lambda books: books.get_asset(BOOK, "images", "a.png")),
    "download_asset": (Role.VIEWER, lambda books: books.download_asset(BOOK, "images", "a.png")),
    "list_assets": (Role.VIEWER, lambda books: books.list_assets(BOOK)),
    "get_content_history": (Role.VIEWER, lambda books: books.content_history(BOOK, "a.md")),
    "diff_content": (Role.VIEWER, lambda books: books.diff_content(BOOK, "a.md", 1)),
    "query_book_audit": (Role.VIEWER, lambda books: books.audit(BOOK)),
    "verify_book_audit": (Role.VIEWER, lambda books: books.verify_audit(BOOK)),
    "glob_search": (Role.VIEWER, lambda books: books.glob_search(BOOK, "**")),
    "grep_search": (Role.VIEWER, lambda books: books.grep_search(BOOK, "text")),
    "scan_book": (Role.VIEWER, lambda books: first(books.scan_book(BOOK, "text"))),
    "plan_build": (Role.VIEWER, lambda books: books.plan_build(BOOK)),
    "get_book_archive": (Role.VIEWER, lambda books: books.get_book_archive(BOOK)),
    "export_book": (Role.VIEWER, lambda books: books.export_book(BOOK)),
    "list_overlays": (Role.VIEWER, lambda books: books.list_overlays(BOOK)),
    "write_overlay": (Role.VIEWER, lambda books: books.write_overlay(BOOK, "a.md", "mine")),
    "delete_overlay": (Role.VIEWER, lambda books: books.delete_overlay(BOOK, "a.md")),
    "write_content": (Role.EDITOR, lambda books: books.write_content(BOOK, "a.md", "new")),
    "edit_content": (Role.EDITOR, lambda books: books.edit_content(BOOK, "a.md", "append", "new")),
    "restore_content": (Role.EDITOR, lambda books: books.restore_content(BOOK, "a.md", 1)),
    "write_summary": (Role.EDITOR, lambda books: books.write_summary(BOOK, "chapter-01", "new")),
    "delete_summary": (Role.EDITOR, lambda books: books.delete_summary(BOOK, "chapter-01")),
    "upload_asset": (Role.EDITOR, lambda books: books.upload_asset(BOOK, "images", "b.png", "AAAA")),
    "add_asset": (Role.EDITOR, lambda books: books.add_asset(BOOK, "images", Upload.of(b"x", "c.png"))),
    "delete_asset": (Role.EDITOR, lambda books: books.delete_asset(BOOK, "images", "a.png")),
    "move_content": (Role.EDITOR, lambda books: books.move_content(BOOK, "a.md", "b.md")),
    "delete_content": (Role.EDITOR, lambda books: books.delete_content(BOOK, "a.md")),
    "update_book": (Role.OWNER, lambda books: books.update(BOOK, title="New")),
}


@on_one_store
@pytest.mark.parametrize("tool", CALLS)
async def test_a_role_in_a_book_allows_what_it_says(library: Library, guest: Library, tool: str) -> None:
    needs, call = CALLS[tool]
    book = await library.books.create(BOOK, "Secret title")
    await library.books.update(BOOK, overlays=True)
    await library.books.write_content(BOOK, "a.md", "text")
    await library.books.write_summary(BOOK, "chapter-01", "text")
    await library.books.upload_asset(BOOK, "images", "a.png", "AAAA")
    before = await library.books.audit(BOOK)
    with pytest.raises(NotFound) as caught:
        await call(guest.books)
    assert "Secret" not in str(caught.value.body())
    member = {"notebook_id": book.notebook_id, "person_id": "guest"}
    await library.engine.system.write(lambda tx: tx.run("insert_member", role=int(needs) - 1 or 1, **member))
    if needs > Role.VIEWER:
        with pytest.raises(NotAllowed):
            await call(guest.books)
        assert await library.books.audit(BOOK) == before
        assert (await library.books.read_content(BOOK, "a.md")).content == "text"
        await library.notebooks.get(book.notebook_id)
        await library.engine.system.write(lambda tx: promote(tx, needs, member))
    await call(guest.books)


def promote(tx: Any, role: Role, member: dict[str, str]) -> None:
    connection = getattr(tx, "connection", None) or tx._connection
    connection.execute(
        f"UPDATE member SET role = {int(role)} WHERE person_id = '{member['person_id']}'"
        f" AND notebook_id = '{member['notebook_id']}'"
    )
