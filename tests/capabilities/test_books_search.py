"""Searching books: nested and hidden files, changes from outside, pages, and only what the caller may read."""

from __future__ import annotations

from pathlib import Path

import pytest
from trials import on_one_store

from quire.api.library import Library
from quire.domain.errors import InvalidInput, NotFound

pytestmark = pytest.mark.anyio

BOOK = "my-book"
FILES = {
    "lessons/part-1/chapter-01/lesson-01.md": "# One\n\nOpenDAL is a storage layer.\n",
    "lessons/part-1/chapter-01/lesson-02.md": "# Two\n\nNothing of note.\nWe use OpenDAL here.\n",
    "lessons/top.md": "OpenDAL OpenDAL\r\nopendal\r\n",
    "lessons/other.txt": "OpenDAL",
}


@pytest.fixture
async def books(library: Library) -> Library:
    await library.books.create(BOOK, "My book")
    for path, text in FILES.items():
        await library.books.write_content(BOOK, path, text)
    await library.books.write_summary(BOOK, "chapter-01", "A summary of OpenDAL.\n")
    return library


def on_disk(library: Library, path: str) -> Path:
    found = library.engine.parts.books.storages.get("fs").path(f"books/{BOOK}/{path}")
    assert found
    return Path(found)


def indexed(library: Library) -> Library:
    """The same library once the index has taken up all texts."""
    library.engine.parts.books.texts.settle()  # type: ignore[attr-defined]
    return library


async def grep(library: Library, pattern: str, **more: object) -> list[tuple[str, int]]:
    page = await library.books.grep_search(BOOK, pattern, **more)  # type: ignore[arg-type]
    return [(found.file_path.removeprefix(f"books/{BOOK}/"), found.line_number) for found in page]


async def test_a_glob_finds_nested_and_hidden_files_in_order(books: Library) -> None:
    page = await books.books.glob_search(BOOK, "**/*.md")
    assert page.items == [
        "books/my-book/chapters/chapter-01/.summary.md",
        "books/my-book/lessons/part-1/chapter-01/lesson-01.md",
        "books/my-book/lessons/part-1/chapter-01/lesson-02.md",
        "books/my-book/lessons/top.md",
    ]
    assert (page.total, page.truncated) == (4, False)
    assert (await books.books.glob_search(BOOK, "*")).items == ["books/my-book/book.yaml"]


async def test_a_glob_comes_in_pages(books: Library) -> None:
    first = await books.books.glob_search(BOOK, "**/*.md", limit=3)
    assert (len(first), first.total, first.truncated) == (3, 4, True)
    second = await books.books.glob_search(BOOK, "**/*.md", limit=3, cursor=first.cursor)
    assert (second.items, second.total, second.truncated) == (["books/my-book/lessons/top.md"], 4, False)


async def test_lines_are_found_with_their_numbers_in_markdown_only(books: Library) -> None:
    page = await indexed(books).books.grep_search(BOOK, "OpenDAL")
    assert [(found.file_path, found.line_number, found.matched_line) for found in page] == [
        ("books/my-book/chapters/chapter-01/.summary.md", 1, "A summary of OpenDAL."),
        ("books/my-book/lessons/part-1/chapter-01/lesson-01.md", 3, "OpenDAL is a storage layer."),
        ("books/my-book/lessons/part-1/chapter-01/lesson-02.md", 4, "We use OpenDAL here."),
        ("books/my-book/lessons/top.md", 1, "OpenDAL OpenDAL"),
    ]
    assert (page.total, page.truncated, page.cursor) == (4, False, None)


async def test_exactly_as_many_as_asked_for_is_not_truncated(books: Library) -> None:
    assert not (await books.books.grep_search(BOOK, "OpenDAL", max_results=4)).truncated
    page = await books.books.grep_search(BOOK, "OpenDAL", max_results=3)
    assert page.truncated
    assert [found.line_number for found in page] == [1, 3, 4]
    rest = await books.books.grep_search(BOOK, "OpenDAL", max_results=3, cursor=page.cursor)
    assert [found.file_path for found in rest] == ["books/my-book/lessons/top.md"]
    assert not rest.truncated


async def test_a_page_can_end_inside_a_file(books: Library) -> None:
    await books.books.write_content(BOOK, "many.md", "line\n" * 10)
    first = await books.books.grep_search(BOOK, "^line$", max_results=4)
    second = await books.books.grep_search(BOOK, "^line$", max_results=6, cursor=first.cursor)
    assert [found.line_number for found in [*first, *second]] == list(range(1, 11))
    assert (first.truncated, second.truncated) == (True, False)


async def test_what_is_written_is_found_at_once_and_what_is_deleted_is_not(books: Library) -> None:
    indexed(books)
    assert await grep(books, "Nothing") == [("lessons/part-1/chapter-01/lesson-02.md", 3)]
    await books.books.write_content(BOOK, "lessons/top.md", "Nothing more\n")
    await books.books.delete_content(BOOK, "lessons/part-1/chapter-01/lesson-02.md")
    assert await grep(books, "Nothing") == [("lessons/top.md", 1)]
    indexed(books)
    assert await grep(books, "Nothing") == [("lessons/top.md", 1)]
    assert await grep(books, "opendal") == []


async def test_changes_by_another_program_are_found(books: Library) -> None:
    indexed(books)
    assert await grep(books, "foreign") == []
    on_disk(books, "lessons/top.md").write_text("a foreign hand\n")
    on_disk(books, "lessons/new.md").write_text("another foreign file\n")
    on_disk(books, "lessons/part-1/chapter-01/lesson-01.md").unlink()
    assert await grep(books, "foreign") == [("lessons/new.md", 1), ("lessons/top.md", 1)]
    assert "books/my-book/lessons/new.md" in (await books.books.glob_search(BOOK, "lessons/*")).items
    assert ("lessons/part-1/chapter-01/lesson-01.md", 3) not in await grep(books, "OpenDAL")


async def test_links_are_not_followed(books: Library, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("OpenDAL secret\n")
    on_disk(books, "lessons/link.md").symlink_to(tmp_path / "secret.md")
    on_disk(books, "lessons/folder").symlink_to(tmp_path)
    assert await grep(books, "secret") == []
    assert not [path for path in await books.books.glob_search(BOOK, "**") if "link" in path or "folder" in path]


async def test_all_books_are_those_of_the_caller(books: Library, guest: Library) -> None:
    await guest.books.create("their-book", "Theirs")
    await guest.books.write_content("their-book", "a.md", "OpenDAL\n")
    await books.books.create("more", "More")
    await books.books.write_content("more", "a.md", "OpenDAL\n")
    page = await books.books.grep_search(BOOK, "OpenDAL", all_books=True)
    assert {found.file_path.split("/")[1] for found in page} == {"more", BOOK}
    paths = (await books.books.glob_search(BOOK, "*.md", all_books=True)).items
    assert paths == ["books/more/a.md"]
    with pytest.raises(NotFound):
        await guest.books.grep_search(BOOK, "OpenDAL")


@on_one_store
@pytest.mark.parametrize("pattern", ["", "(", r"(a)\1", "x" * 1001])
async def test_a_bad_pattern_is_refused(books: Library, pattern: str) -> None:
    with pytest.raises(InvalidInput) as error:
        await books.books.grep_search(BOOK, pattern)
    assert error.value.details["field"] == "pattern"


@on_one_store
@pytest.mark.parametrize("most", [0, 1001])
async def test_the_number_of_results_has_limits(books: Library, most: int) -> None:
    with pytest.raises(InvalidInput):
        await books.books.grep_search(BOOK, "x", max_results=most)


@on_one_store
@pytest.mark.parametrize("cursor", ["", "x", "1:/etc/passwd", "-1:books/my-book/a.md"])
async def test_a_cursor_that_was_not_given_out_is_refused(books: Library, cursor: str) -> None:
    with pytest.raises(InvalidInput):
        await books.books.grep_search(BOOK, "x", cursor=cursor)
    with pytest.raises(InvalidInput):
        await books.books.glob_search(BOOK, "x", cursor=cursor)


async def test_an_unknown_book_is_not_found(books: Library) -> None:
    with pytest.raises(NotFound):
        await books.books.grep_search("other-book", "x")
    with pytest.raises(NotFound):
        await books.books.glob_search("other-book", "x")


async def test_the_total_of_lines_is_all_that_match_on_every_page(books: Library) -> None:
    for number in range(3):
        await books.books.write_content(BOOK, f"many/{number}.md", "needle\n" * 5)
    cursor, seen = None, []
    for left in (11, 7, 3, 0):
        page = await books.books.grep_search(BOOK, "^needle$", max_results=4, cursor=cursor)
        assert (page.total, page.truncated, page.at_least) == (15, left > 0, False)
        seen += [(line.file_path, line.line_number) for line in page]
        cursor = page.cursor
    assert seen == [(f"books/{BOOK}/many/{number}.md", line) for number in range(3) for line in range(1, 6)]


async def test_very_many_lines_are_counted_up_to_a_bound(books: Library) -> None:
    await books.books.write_content(BOOK, "many.md", "needle\n" * 12_000)
    page = await books.books.grep_search(BOOK, "^needle$")
    assert (len(page), page.total, page.at_least) == (100, 10_000, True)
