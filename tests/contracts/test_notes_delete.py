"""Contract 2, tool 6: delete_note."""

from __future__ import annotations

import pytest

from contracts.desk import Desk, on_every_wire
from contracts.rows import proves

pytestmark = pytest.mark.anyio


@on_every_wire
@proves("C2-DEL-04", "C2-DEL-07", "C2-FR-009", "C2-MCP-09")
async def test_deleting_answers_with_the_title_the_note_had(desk: Desk) -> None:
    added = await desk.call("add_note", title="Meeting Ideas", content="Discuss Q4 roadmap")
    answer = await desk.call("delete_note", id=added.data["id"])
    assert answer.text == f"Deleted note 'Meeting Ideas' (ID: {added.data['id']}) ✅"
    assert answer.data == added.data


@proves("C2-DEL-01", "C2-DEL-06")
async def test_a_deleted_note_is_found_by_no_tool_and_the_others_stay(desk: Desk) -> None:
    kept = await desk.add("Kept", "roadmap")
    gone = await desk.add("Gone", "roadmap")
    await desk.text("delete_note", id=gone)
    missing = f"Note with ID '{gone}' not found ❌"
    assert await desk.refusal("get_note", id=gone) == missing
    assert await desk.refusal("update_note", id=gone, title="Back") == missing
    assert [note["id"] for note in (await desk.call("list_notes")).data["items"]] == [kept]
    assert [note["id"] for note in (await desk.call("search_notes", query="roadmap")).data["items"]] == [kept]
    assert await desk.text("get_note", id=kept) == (
        f"📝 Note {kept}\n\nTitle: Kept\nContent: roadmap\n\nCreated: 2025-12-07 14:30 UTC\nUpdated: Never"
    )


@proves("C2-DEL-03", "C2-DEL-09", "C2-FR-012")
async def test_deleting_twice_is_not_found(desk: Desk) -> None:
    id = await desk.add("Once")
    await desk.text("delete_note", id=id)
    assert await desk.refusal("delete_note", id=id) == f"Note with ID '{id}' not found ❌"


@proves("C2-DEL-05", "C2-DEL-09", "C2-FR-012")
async def test_a_missing_note_is_named_by_the_id_that_was_asked_for(desk: Desk) -> None:
    assert await desk.refusal("delete_note", id="xyz999") == "Note with ID 'xyz999' not found ❌"


@proves("C2-DEL-08", "C2-FR-012", "C2-MCP-05")
@pytest.mark.parametrize("arguments", [{"id": ""}, {"id": "  "}, {}], ids=["empty", "blank", "absent"])
async def test_a_blank_id_is_refused(desk: Desk, arguments: dict[str, str]) -> None:
    assert await desk.refusal("delete_note", **arguments) == "Note ID cannot be empty ❌"


@proves("C2-DEL-02", "C2-OPEN-23")
async def test_an_id_that_is_no_string_is_refused(desk: Desk) -> None:
    assert await desk.refusal("delete_note", id=["a3f7b2c1"]) == "id: must be a string ❌"
