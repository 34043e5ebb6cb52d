"""Contract 2, tool 2: get_note."""

from __future__ import annotations

import pytest

from contracts.desk import Desk, each_once, on_every_wire
from contracts.rows import proves

pytestmark = pytest.mark.anyio


@on_every_wire
@proves("C2-GET-01", "C2-GET-04", "C2-GET-08", "C2-GET-10", "C2-FR-005", "C2-MCP-09", "C2-MCP-10")
async def test_a_note_is_shown_in_the_layout_of_the_contract(desk: Desk) -> None:
    id = await desk.add("Meeting Ideas", "Discuss Q4 roadmap, review team capacity")
    assert await desk.text("get_note", id=id) == (
        f"📝 Note {id}\n"
        "\n"
        "Title: Meeting Ideas\n"
        "Content: Discuss Q4 roadmap, review team capacity\n"
        "\n"
        "Created: 2025-12-07 14:30 UTC\n"
        "Updated: Never"
    )


@proves("C2-GET-09", "C2-OPEN-08")
async def test_an_updated_note_shows_when_and_times_are_cut_to_the_minute(desk: Desk) -> None:
    desk.at("2025-12-07 14:30:59.999999")
    id = await desk.add("Meeting Ideas", "Discuss Q4 roadmap")
    desk.at("2025-12-07 16:45:01")
    await desk.text("update_note", id=id, title="Q4 Planning Meeting")
    assert await desk.text("get_note", id=id) == (
        f"📝 Note {id}\n\nTitle: Q4 Planning Meeting\nContent: Discuss Q4 roadmap\n\n"
        "Created: 2025-12-07 14:30 UTC\nUpdated: 2025-12-07 16:45 UTC"
    )


@proves("C2-GET-07")
async def test_the_id_chooses_among_several_notes(desk: Desk) -> None:
    ids = {title: await desk.add(title, f"About {title}") for title in ("One", "Two", "Three")}
    for title, id in ids.items():
        assert (await desk.call("get_note", id=id)).data["title"] == title


@proves("C2-GET-06", "C2-GET-11", "C2-FR-012", "C2-MCP-05")
@pytest.mark.parametrize("id", ["", " ", "\n\t"])
@each_once
async def test_a_blank_id_is_refused(desk: Desk, id: str) -> None:
    assert await desk.refusal("get_note", id=id) == "Note ID cannot be empty ❌"


@proves("C2-GET-02")
async def test_an_absent_id_is_refused_like_an_empty_one(desk: Desk) -> None:
    assert await desk.refusal("get_note") == "Note ID cannot be empty ❌"


@proves("C2-GET-03", "C2-GET-05", "C2-GET-12", "C2-FR-012", "C2-MCP-09")
@pytest.mark.parametrize("id", ["xyz999", "ffffffff", "%", "' OR 1=1 --", "日本語", "x" * 200])
@each_once
async def test_a_missing_note_is_named_by_the_id_that_was_asked_for(desk: Desk, id: str) -> None:
    await desk.add("Another")
    assert await desk.refusal("get_note", id=id) == f"Note with ID '{id}' not found ❌"


@proves("C2-OPEN-26")
async def test_an_unknown_id_is_not_found_however_long(desk: Desk) -> None:
    for tool in ("get_note", "delete_note", "update_note"):
        told = await desk.refusal(tool, id="x" * 100_000)
        assert told == f"Note with ID '{'x' * 1_000}' not found ❌"


@proves("C2-OPEN-04")
async def test_the_whole_uuid_is_an_id_too(desk: Desk) -> None:
    added = await desk.call("add_note", title="Meeting Ideas", content="Discuss Q4 roadmap")
    by_long = await desk.call("get_note", id=added.data["note_id"])
    assert by_long == await desk.call("get_note", id=added.data["id"])
    assert by_long.text.startswith(f"📝 Note {added.data['id']}\n")


@proves("C2-OPEN-06")
async def test_the_fields_hold_the_whole_note(desk: Desk) -> None:
    added = await desk.call("add_note", title="Meeting Ideas", content="Discuss Q4 roadmap")
    desk.at("2025-12-07 16:45:00.5")
    await desk.text("update_note", id=added.data["id"], content="Discuss Q1 roadmap")
    assert (await desk.call("get_note", id=added.data["id"])).data == {
        "id": added.data["id"],
        "note_id": added.data["note_id"],
        "notebook_id": added.data["notebook_id"],
        "title": "Meeting Ideas",
        "content": "Discuss Q1 roadmap",
        "created_at": "2025-12-07T14:30:00+00:00",
        "updated_at": "2025-12-07T16:45:00.500000+00:00",
    }


@on_every_wire
@proves("C2-OPEN-07", "C2-MCP-07")
async def test_an_error_has_its_message_and_code_as_fields(desk: Desk) -> None:
    missing = await desk.call("get_note", id="xyz999")
    assert missing.data == {
        "code": "not_found",
        "message": "Note with ID 'xyz999' not found",
        "retriable": False,
        "noun": "note",
        "id": "xyz999",
    }
    empty = await desk.call("get_note", id="")
    assert empty.data == {"code": "invalid_input", "message": "Note ID cannot be empty", "retriable": False}


@proves("C2-OPEN-23")
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"id": 12345678}, "id: must be a string ❌"),
        ({"id": None}, "id: must be a string ❌"),
        ({"id": "a3f7b2c1", "title": "t"}, "title: is not an argument of this call ❌"),
        ({"id": "a\0b"}, "id: must not contain NUL characters ❌"),
    ],
    ids=["number", "null", "unknown", "nul"],
)
@each_once
async def test_arguments_of_another_type_or_name_are_told(desk: Desk, arguments: dict[str, object], text: str) -> None:
    assert await desk.refusal("get_note", **arguments) == text
