"""Contract 2, tool 1: add_note."""

from __future__ import annotations

import re

import pytest

from contracts.desk import Desk, each_once, on_every_wire
from contracts.rows import proves

pytestmark = pytest.mark.anyio

BLANKS = ["", " ", "\t\r\n", "\u00a0\u2003"]


@on_every_wire
@proves("C2-ADD-01", "C2-ADD-06", "C2-ADD-07", "C2-ADD-14", "C2-FR-004", "C2-MCP-09")
async def test_adding_a_note_answers_with_its_title_and_id(desk: Desk) -> None:
    answer = await desk.call("add_note", title="Meeting Ideas", content="Discuss Q4 roadmap")
    id = answer.data["id"]
    assert answer.text == f"Added note 'Meeting Ideas' with ID {id} ✅"
    assert not answer.is_error


@proves("C2-ADD-09", "C2-OPEN-03")
async def test_ids_are_eight_hexadecimal_digits_and_differ(desk: Desk) -> None:
    answers = [await desk.call("add_note", title="Same", content="Same") for _ in range(30)]
    ids = [answer.data["id"] for answer in answers]
    assert len(set(ids)) == 30
    for answer, id in zip(answers, ids, strict=True):
        assert re.fullmatch(r"[0-9a-f]{8}", id)
        assert answer.data["note_id"].startswith(id)
        assert re.fullmatch(
            r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", answer.data["note_id"]
        )


@proves("C2-ADD-10", "C2-ADD-11", "C2-ADD-12", "C2-ADD-13")
async def test_an_added_note_is_found_under_its_id_with_the_time_of_the_call(desk: Desk) -> None:
    desk.at("2026-02-28 23:59")
    text = await desk.text("add_note", title="Late", content="Almost March")
    id = text.removeprefix("Added note 'Late' with ID ").removesuffix(" ✅")
    desk.at("2026-03-01 00:05")
    assert await desk.text("get_note", id=id) == (
        f"📝 Note {id}\n\nTitle: Late\nContent: Almost March\n\nCreated: 2026-02-28 23:59 UTC\nUpdated: Never"
    )


@proves("C2-ADD-03", "C2-ADD-07", "C2-ADD-15", "C2-MCP-05", "C2-MCP-09")
@pytest.mark.parametrize("title", BLANKS)
@each_once
async def test_a_blank_title_is_refused(desk: Desk, title: str) -> None:
    assert await desk.refusal("add_note", title=title, content="Discuss Q4 roadmap") == "Title cannot be empty ❌"


@proves("C2-ADD-05", "C2-ADD-07", "C2-ADD-16", "C2-MCP-05", "C2-MCP-09")
@pytest.mark.parametrize("content", BLANKS)
@each_once
async def test_a_blank_content_is_refused(desk: Desk, content: str) -> None:
    assert await desk.refusal("add_note", title="Meeting Ideas", content=content) == "Content cannot be empty ❌"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        pytest.param({"content": "c"}, "Title cannot be empty ❌", marks=proves("C2-ADD-02"), id="no-title"),
        pytest.param({"title": "t"}, "Content cannot be empty ❌", marks=proves("C2-ADD-04"), id="no-content"),
        pytest.param({}, "Title cannot be empty ❌", marks=proves("C2-ADD-08"), id="nothing"),
        pytest.param({"title": " ", "content": ""}, "Title cannot be empty ❌", marks=proves("C2-ADD-08"), id="blank"),
        pytest.param(
            {"title": 7, "content": "c"}, "title: must be a string ❌", marks=proves("C2-OPEN-23"), id="title-type"
        ),
        pytest.param(
            {"title": "t", "content": ["c"]},
            "content: must be a string ❌",
            marks=proves("C2-OPEN-23"),
            id="content-type",
        ),
        pytest.param(
            {"title": "t", "content": "c", "id": "a3f7b2c1"},
            "id: is not an argument of this call ❌",
            marks=proves("C2-ADD-01", "C2-OPEN-23"),
            id="own-id",
        ),
    ],
)
async def test_what_is_not_valid_is_told_and_nothing_is_stored(
    desk: Desk, arguments: dict[str, object], text: str
) -> None:
    assert await desk.refusal("add_note", **arguments) == text
    assert await desk.text("list_notes") == "No notes found. Create your first note! 📝"


@proves("C2-OPEN-09")
async def test_titles_are_trimmed(desk: Desk) -> None:
    answer = await desk.call("add_note", title="  Meeting Ideas\n", content="c")
    assert answer.text == f"Added note 'Meeting Ideas' with ID {answer.data['id']} ✅"
    assert answer.data["title"] == "Meeting Ideas"


@proves("C2-OPEN-10")
@pytest.mark.parametrize(
    "content",
    [
        "  kept  ",
        "\r\nline\r\n\r\n",
        "\ttab\t",
        "e\u0301 and é",
        "👩‍👩‍👧‍👦 𝔘 \u2028",
        "a" * 100_000,
        '"\\u0041" \x7f\x1b',
    ],
    ids=["spaces", "crlf", "tab", "accents", "planes", "long", "escapes"],
)
@each_once
async def test_contents_are_kept_byte_for_byte(desk: Desk, content: str) -> None:
    id = await desk.add("Kept", content)
    answer = await desk.call("get_note", id=id)
    assert answer.data["content"] == content
    assert answer.text == (
        f"📝 Note {id}\n\nTitle: Kept\nContent: {content}\n\nCreated: 2025-12-07 14:30 UTC\nUpdated: Never"
    )


@proves("C2-OPEN-06", "C2-ADD-10", "C2-ADD-11")
async def test_the_fields_hold_the_same_facts_with_full_times(desk: Desk) -> None:
    desk.at("2025-12-07 14:30:59.123456")
    answer = await desk.call("add_note", title="Meeting Ideas", content="Discuss Q4 roadmap")
    assert answer.data == {
        "id": answer.data["note_id"][:8],
        "note_id": answer.data["note_id"],
        "notebook_id": answer.data["notebook_id"],
        "title": "Meeting Ideas",
        "created_at": "2025-12-07T14:30:59.123456+00:00",
        "updated_at": None,
    }
