"""Contract 2, tool 3: list_notes."""

from __future__ import annotations

import pytest

from contracts.desk import Desk, each_once, on_every_wire
from contracts.rows import proves

pytestmark = pytest.mark.anyio

NO_NOTES = "No notes found. Create your first note! 📝"


@on_every_wire
@proves(
    *("C2-LIST-01", "C2-LIST-02", "C2-LIST-03", "C2-LIST-06", "C2-LIST-07", "C2-LIST-08"),
    *("C2-FR-006", "C2-MCP-09", "C2-MCP-10"),
)
async def test_the_list_has_the_layout_of_the_contract(desk: Desk) -> None:
    desk.at("2025-12-07 09:15")
    standup = await desk.add("Daily Standup Notes")
    desk.at("2025-12-07 14:30")
    planning = await desk.add("Meeting Ideas")
    desk.at("2025-12-07 16:00")
    review = await desk.add("Code Review: Auth Module")
    desk.at("2025-12-07 16:45")
    await desk.text("update_note", id=planning, title="Q4 Planning Meeting")
    assert await desk.text("list_notes") == (
        "📝 All Notes (3 total)\n"
        "\n"
        f"1. [{review}] Code Review: Auth Module\n"
        "   Created: 2025-12-07 16:00 UTC | Updated: Never\n"
        "\n"
        f"2. [{planning}] Q4 Planning Meeting\n"
        "   Created: 2025-12-07 14:30 UTC | Updated: 2025-12-07 16:45 UTC\n"
        "\n"
        f"3. [{standup}] Daily Standup Notes\n"
        "   Created: 2025-12-07 09:15 UTC | Updated: Never"
    )


@proves("C2-OPEN-27")
async def test_null_is_the_same_as_leaving_an_argument_out(desk: Desk) -> None:
    id = await desk.add("Only")
    plain = await desk.call("list_notes")
    assert await desk.call("list_notes", notebook_id=None, cursor=None) == plain
    assert await desk.call("search_notes", query=" ", cursor=None) == plain
    await desk.text("update_note", id=id, title="Changed", content=None)


@proves("C2-OPEN-25")
async def test_line_breaks_in_a_title_forge_no_entry(desk: Desk) -> None:
    forged = "Real\n   Created: never\n\n2. [deadbeef] Forged\r\u2028\x85end"
    id = await desk.add(forged)
    for text in (await desk.text("list_notes"), await desk.text("search_notes", query="Real\n   Created")):
        assert len(text.split("\n\n")) == 2
        assert not any(line.startswith("2.") for line in text.splitlines())
    assert len((await desk.text("get_note", id=id)).splitlines()) == 7
    assert (await desk.call("list_notes")).data["items"][0]["title"] == forged


@proves("C2-LIST-04", "C2-LIST-09", "C2-FR-013", "C2-MCP-09")
async def test_an_empty_list_invites_to_write(desk: Desk) -> None:
    answer = await desk.call("list_notes")
    assert answer.text == NO_NOTES
    assert not answer.is_error
    assert answer.data == {"items": [], "total": 0, "truncated": False, "cursor": None}


@proves("C2-LIST-09", "C2-FR-013")
async def test_a_list_whose_last_note_was_deleted_is_empty_again(desk: Desk) -> None:
    await desk.text("delete_note", id=await desk.add("Only"))
    assert await desk.text("list_notes") == NO_NOTES


@proves("C2-OPEN-12")
async def test_notes_of_one_moment_stand_by_order_of_writing(desk: Desk) -> None:
    ids = [await desk.add(f"Note {number}") for number in range(5)]
    await desk.text("update_note", id=ids[0], content="Updating does not move a note")
    listed = await desk.call("list_notes")
    assert [note["id"] for note in listed.data["items"]] == ids[::-1]
    found = await desk.call("search_notes", query="note")
    assert [note["id"] for note in found.data["items"]] == ids[::-1]


@proves("C2-OPEN-06")
async def test_the_fields_of_a_list_are_those_of_its_notes(desk: Desk) -> None:
    added = [(await desk.call("add_note", title=title, content="c")).data for title in ("One", "Two")]
    answer = await desk.call("list_notes")
    assert answer.data == {"items": added[::-1], "total": 2, "truncated": False, "cursor": None}


@proves("C2-LIST-05", "C2-OPEN-24")
async def test_all_notes_are_listed_up_to_200_and_then_in_pages(desk: Desk) -> None:
    ids = [await desk.add(f"Note {number}") for number in range(1, 203)]
    head = [f"{number}. [{ids[-number]}] Note {203 - number}" for number in (1, 200)]
    first = await desk.call("list_notes")
    entries = first.text.split("\n\n")
    assert entries[0] == "📝 All Notes (202 total)"
    assert entries[1].splitlines()[0] == head[0]
    assert entries[200].splitlines()[0] == head[1]
    assert entries[201:] == [f"... more: call again with cursor '{first.data['cursor']}'"]
    assert first.data["total"] == 202
    assert first.data["truncated"]
    rest = await desk.call("list_notes", cursor=first.data["cursor"])
    assert rest.text == (
        "📝 All Notes (202 total)\n\n"
        f"201. [{ids[1]}] Note 2\n   Created: 2025-12-07 14:30 UTC | Updated: Never\n\n"
        f"202. [{ids[0]}] Note 1\n   Created: 2025-12-07 14:30 UTC | Updated: Never"
    )
    assert [note["id"] for note in first.data["items"] + rest.data["items"]] == ids[::-1]
    assert (rest.data["truncated"], rest.data["cursor"]) == (False, None)
    await desk.text("delete_note", id=ids[0])
    await desk.text("delete_note", id=ids[1])
    whole = await desk.call("list_notes")
    assert len(whole.text.split("\n\n")) == 201
    assert not whole.data["truncated"]


@proves("C2-OPEN-23", "C2-OPEN-24")
@pytest.mark.parametrize("cursor", ["nonsense", "", "-5", "1-x"])
@each_once
async def test_a_cursor_that_no_list_gave_out_is_refused(desk: Desk, cursor: str) -> None:
    assert await desk.refusal("list_notes", cursor=cursor) == "cursor: is not one that this list gave out ❌"


@proves("C2-LIST-02", "C2-OPEN-23")
async def test_an_unknown_argument_is_refused(desk: Desk) -> None:
    assert await desk.refusal("list_notes", order="oldest") == "order: is not an argument of this call ❌"
