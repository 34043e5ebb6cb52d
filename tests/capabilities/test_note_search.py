"""Finding notes: literal, whatever the case, newest first."""

from __future__ import annotations

import pytest
from trials import on_one_store

from quire.api.library import Library
from quire.domain.errors import InvalidInput

pytestmark = pytest.mark.anyio


async def found(library: Library, query: str) -> list[str]:
    return [hit.note.title for hit in await library.notes.search(None, query)]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Roadmap", "ROADMAP"),
        ("die Straße", "STRASSE"),
        ("die STRASSE", "straße"),
        ("ﬁnally", "FINALLY"),
        ("İstanbul", "i\u0307stanbul"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("ÉCOLE", "école"),
        ("\N{CAT FACE}\N{ZERO WIDTH JOINER}x", "\N{CAT FACE}"),
        ("日本語の本", "語の"),
        ("100% sure", "0% s"),
        ("snake_case", "e_c"),
        ("a.*b", ".*"),
        ("[a-z]+(x|y)?", "+(x|"),
        (r"back\slash", "K\\S"),
        ('it\'s "quoted"', "'S \""),
        ("two\nlines", "O\nL"),
    ],
)
async def test_a_query_is_literal_and_its_case_does_not_matter(library: Library, text: str, query: str) -> None:
    await library.notes.create(title="in content", content=f"before {text} after")
    await library.notes.create(title=f"in title {text}", content="nothing")
    await library.notes.create(title="elsewhere", content="nothing")
    titles = await found(library, query)
    assert len(titles) == 2
    assert titles[1] == "in content"


@pytest.mark.parametrize("query", ["%", "_", ".", "a%b", "c_d", "*", "\\", "i", "ss"])
async def test_a_query_finds_nothing_else_than_itself(library: Library, query: str) -> None:
    await library.notes.create(title="axb", content="cxd")
    assert await found(library, query) == []


async def test_hits_are_newest_first_in_pages_that_go_on(library: Library) -> None:
    for number in range(5):
        await library.notes.create(title=f"apple {number}")
        await library.notes.create(title=f"pear {number}")
    first = await library.notes.search(None, "APPLE", limit=2)
    assert (len(first), first.total, first.truncated) == (2, 5, True)
    rest = await library.notes.search(None, "APPLE", limit=10, cursor=first.cursor)
    assert (rest.total, rest.truncated, rest.cursor) == (5, False, None)
    assert [hit.note.title for hit in [*first, *rest]] == [f"apple {number}" for number in (4, 3, 2, 1, 0)]


@on_one_store
async def test_a_hit_shows_where_it_matched(library: Library) -> None:
    await library.notes.create(title="Planning", content="far " * 40 + "from the roadmap\nof all " + "things " * 40)
    (hit,) = await library.notes.search(None, "ROADMAP")
    assert hit.field == "content"
    assert "far from the **roadmap** of all things" in hit.excerpt
    assert hit.excerpt.startswith("...")
    assert hit.excerpt.endswith("...")
    assert len(hit.excerpt) < 120


@on_one_store
async def test_a_hit_in_the_title_shows_the_title(library: Library) -> None:
    await library.notes.create(title="2025 Product Roadmap Draft", content="nothing of it")
    (hit,) = await library.notes.search(None, "roadmap")
    assert (hit.field, hit.excerpt) == ("title", "2025 Product **Roadmap** Draft")


@on_one_store
async def test_the_content_is_shown_before_the_title(library: Library) -> None:
    await library.notes.create(title="roadmap", content="the roadmap itself")
    (hit,) = await library.notes.search(None, "roadmap")
    assert (hit.field, hit.excerpt) == ("content", "the **roadmap** itself")


async def test_an_updated_note_is_found_by_what_it_says_now(library: Library) -> None:
    note = await library.notes.create(title="old title", content="old content")
    await library.notes.update(None, note.id, content="new content")
    assert await found(library, "old content") == []
    assert await found(library, "NEW") == ["old title"]
    await library.notes.delete(None, note.id)
    assert await found(library, "new") == []


async def test_a_search_stays_in_its_notebook(library: Library) -> None:
    other = await library.notebooks.create("Other")
    await library.notes.create(other.id, "apple there")
    await library.notes.create(None, "apple here")
    assert await found(library, "apple") == ["apple here"]
    assert [hit.note.title for hit in await library.notes.search(other.id, "apple")] == ["apple there"]


@on_one_store
async def test_an_empty_query_is_refused(library: Library) -> None:
    with pytest.raises(InvalidInput, match="query"):
        await library.notes.search(None, "")
