"""Contract 2, tool 4: search_notes."""

from __future__ import annotations

import pytest

from contracts.desk import Desk, each_once, on_every_wire
from contracts.rows import proves

pytestmark = pytest.mark.anyio


async def titles(desk: Desk, query: str) -> list[str]:
    return [note["title"] for note in (await desk.call("search_notes", query=query)).data["items"]]


async def shown(desk: Desk, query: str) -> str:
    """The line of the only result that says where it matched."""
    text = await desk.text("search_notes", query=query)
    head, _, line, _ = text.split("\n   ")[0], *text.split("\n   ")
    assert head.startswith(f"Found 1 note(s) matching '{query}' 🔍\n\n1. [")
    return line


@on_every_wire
@proves(
    *("C2-SEARCH-01", "C2-SEARCH-04", "C2-SEARCH-05", "C2-SEARCH-07", "C2-SEARCH-09", "C2-SEARCH-10"),
    *("C2-SEARCH-11", "C2-SEARCH-12", "C2-FR-007", "C2-MCP-09", "C2-MCP-10"),
)
async def test_results_have_the_layout_of_the_contract(desk: Desk) -> None:
    desk.at("2025-12-06 11:20")
    vision = await desk.add("2025 Product Roadmap Draft", "What we aim for")
    desk.at("2025-12-06 12:00")
    await desk.add("Shopping", "Milk, bread")
    desk.at("2025-12-07 14:30")
    planning = await desk.add("Q4 Planning Meeting", "Discuss Q4 roadmap, review team capacity, assign action items")
    assert await desk.text("search_notes", query="roadmap") == (
        "Found 2 note(s) matching 'roadmap' 🔍\n"
        "\n"
        f"1. [{planning}] Q4 Planning Meeting\n"
        "   Content: Discuss Q4 **roadmap**, review team capacity...\n"
        "   Created: 2025-12-07 14:30 UTC\n"
        "\n"
        f"2. [{vision}] 2025 Product Roadmap Draft\n"
        "   Title: 2025 Product **Roadmap** Draft\n"
        "   Created: 2025-12-06 11:20 UTC"
    )


@proves("C2-SEARCH-06", "C2-SEARCH-14", "C2-FR-013", "C2-MCP-09")
@pytest.mark.parametrize("notes", [0, 2])
async def test_no_match_is_an_answer(desk: Desk, notes: int) -> None:
    for number in range(notes):
        await desk.add(f"Note {number}")
    answer = await desk.call("search_notes", query="Roadmap")
    assert answer.text == "No notes found matching 'Roadmap' 🔍"
    assert not answer.is_error
    assert answer.data == {"items": [], "total": 0, "truncated": False, "cursor": None}


@proves("C2-SEARCH-03")
@pytest.mark.parametrize("query", ["roadmap", "ROADMAP", "RoadMap", "oadma"])
@each_once
async def test_case_does_not_matter(desk: Desk, query: str) -> None:
    await desk.add("Plans", "The RoadMap")
    await desk.add("Other", "The road and the map")
    assert await titles(desk, query) == ["Plans"]


@proves("C2-OPEN-13")
@pytest.mark.parametrize(
    ("content", "query", "line"),
    [
        ("Hohe Straße 5", "STRASSE", "Content: Hohe **Straße** 5"),
        ("HOHE STRASSE 5", "straße", "Content: HOHE **STRASSE** 5"),
        ("Hohe Straße 5", "strass", "Content: Hohe **Straß**e 5"),
        ("a ﬁne day", "FINE", "Content: a **ﬁne** day"),
        ("ὁ ΣΊΣΥΦΟΣ", "σίσυφος", "Content: ὁ **ΣΊΣΥΦΟΣ**"),
        ("ПРИВЕТ мир", "привет", "Content: **ПРИВЕТ** мир"),
        ("明日の会議", "会議", "Content: 明日の**会議**"),
        ("party 🎉 time", "🎉", "Content: party **🎉** time"),
    ],
)
@each_once
async def test_case_is_folded_as_unicode_does(desk: Desk, content: str, query: str, line: str) -> None:
    await desk.add("Note", content)
    assert await shown(desk, query) == line


@proves("C2-SEARCH-08", "C2-OPEN-14")
async def test_a_note_that_matches_in_both_fields_is_listed_once_with_its_content(desk: Desk) -> None:
    await desk.add("Roadmap", "The roadmap of the roadmap")
    assert await shown(desk, "roadmap") == "Content: The **roadmap** of the roadmap"


@proves("C2-OPEN-14", "C2-SEARCH-10")
@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("roadmap", "Content: **roadmap**"),
        ("First line\n\n  second roadmap\tline\r\n", "Content: First line second **roadmap** line"),
        (
            "alpha " * 20 + "roadmap" + " omega" * 20,
            "Content: ...alpha alpha alpha alpha alpha alpha **roadmap** omega omega omega omega...",
        ),
        ("a" * 100 + "roadmap" + "b" * 100, f"Content: ...{'a' * 40}**roadmap**{'b' * 28}..."),
        ("x" * 41 + "roadmap", f"Content: ...{'x' * 40}**roadmap**"),
        ("x" * 40 + "roadmap" + "y" * 28, f"Content: {'x' * 40}**roadmap**{'y' * 28}"),
    ],
    ids=["whole", "lines", "words", "letters", "cut-before", "just-fits"],
)
@each_once
async def test_a_match_stands_on_one_line_cut_on_either_side(desk: Desk, content: str, line: str) -> None:
    await desk.add("Note", content)
    assert await shown(desk, "roadmap") == line


@proves("C2-SEARCH-15")
@pytest.mark.parametrize(
    ("query", "holds", "lacks"),
    [
        ("50%", "costs 50% more", "costs 500 more"),
        ("a_b", "the a_b test", "the axb test"),
        ("a.c", "see a.c", "see abc"),
        (".*", "the .* pattern", "anything"),
        ("[a-z]+", "match [a-z]+ here", "match here"),
        ("c:\\temp", "in C:\\Temp\\x", "in c:/temp"),
        ("it's", "it's here", "its here"),
        ('"quoted"', 'a "quoted" word', "a quoted word"),
        ("(x|y)", "f(x|y)", "f x y"),
        ("a*", "a* search", "a search"),
        ("$5?", "is it $5?", "is it 5"),
        ("**", "so **bold**", "so bold"),
        ("{id}", "the {id} here", "the id here"),
        ("a  b", "a  b", "a b"),
        (" x", "an x", "x"),
    ],
)
@each_once
async def test_special_characters_mean_themselves(desk: Desk, query: str, holds: str, lacks: str) -> None:
    await desk.add("Holds", holds)
    await desk.add("Lacks", lacks)
    assert await titles(desk, query) == ["Holds"]
    assert (await desk.text("search_notes", query=query)).startswith(f"Found 1 note(s) matching '{query}' 🔍\n\n")


@proves("C2-SEARCH-13", "C2-OPEN-15")
@pytest.mark.parametrize("query", ["", " ", "\t\n"])
@pytest.mark.parametrize("notes", [0, 3])
@each_once
async def test_a_blank_query_gives_exactly_the_list(desk: Desk, query: str, notes: int) -> None:
    for number in range(notes):
        await desk.add(f"Note {number}")
    assert await desk.call("search_notes", query=query) == await desk.call("list_notes")


@proves("C2-SEARCH-02", "C2-SEARCH-13")
async def test_an_absent_query_counts_as_a_blank_one(desk: Desk) -> None:
    await desk.add("Only")
    assert await desk.call("search_notes") == await desk.call("list_notes")


@proves("C2-SEARCH-02", "C2-OPEN-23")
@pytest.mark.parametrize("query", [None, 5, ["roadmap"]])
@each_once
async def test_a_query_that_is_no_string_is_refused(desk: Desk, query: object) -> None:
    assert await desk.refusal("search_notes", query=query) == "query: must be a string ❌"


@proves("C2-SEARCH-07", "C2-UPD-01")
async def test_search_sees_notes_as_they_are_now(desk: Desk) -> None:
    id = await desk.add("Plans", "The old word")
    await desk.text("update_note", id=id, content="The new word")
    assert await titles(desk, "old") == []
    assert await titles(desk, "new") == ["Plans"]
    await desk.text("update_note", id=id, title="Renamed")
    assert await titles(desk, "plans") == []
    assert await titles(desk, "renamed") == ["Renamed"]


@proves("C2-OPEN-06")
async def test_the_fields_of_a_result_say_where_it_matched(desk: Desk) -> None:
    added = (await desk.call("add_note", title="Plans", content="The roadmap")).data
    answer = await desk.call("search_notes", query="roadmap")
    assert answer.data == {
        "items": [added | {"field": "content", "excerpt": "The **roadmap**"}],
        "total": 1,
        "truncated": False,
        "cursor": None,
    }


@proves("C2-OPEN-24", "C2-SEARCH-05", "C2-SEARCH-07")
async def test_many_results_come_in_pages_that_tell_the_total(desk: Desk) -> None:
    ids = [await desk.add(f"Plan {number}", "The roadmap") for number in range(1, 203)]
    await desk.add("Other")
    first = await desk.call("search_notes", query="roadmap")
    entries = first.text.split("\n\n")
    assert entries[0] == "Found 202 note(s) matching 'roadmap' 🔍"
    assert entries[1].startswith(f"1. [{ids[-1]}] Plan 202\n")
    assert entries[201:] == [f"... more: call again with cursor '{first.data['cursor']}'"]
    rest = await desk.call("search_notes", query="roadmap", cursor=first.data["cursor"])
    assert rest.text == (
        "Found 202 note(s) matching 'roadmap' 🔍\n\n"
        f"201. [{ids[1]}] Plan 2\n   Content: The **roadmap**\n   Created: 2025-12-07 14:30 UTC\n\n"
        f"202. [{ids[0]}] Plan 1\n   Content: The **roadmap**\n   Created: 2025-12-07 14:30 UTC"
    )
    assert [note["id"] for note in first.data["items"] + rest.data["items"]] == ids[::-1]
