"""Contract 2, tool 5: update_note."""

from __future__ import annotations

from typing import Any

import pytest

from contracts.desk import Desk, each_once, on_every_wire
from contracts.rows import proves

pytestmark = pytest.mark.anyio

OLD = ("Meeting Ideas", "Discuss Q4 roadmap, review team capacity")
NEW = ("Q4 Planning Meeting", "Discuss Q4 roadmap, review team capacity, assign action items")


@pytest.mark.parametrize(
    ("arguments", "title", "content"),
    [
        pytest.param(
            {"title": NEW[0], "content": None},
            NEW[0],
            OLD[1],
            marks=proves("C2-UPD-05", "C2-UPD-10", "C2-UPD-13", "C2-FR-015"),
            id="title-and-null",
        ),
        pytest.param(
            {"title": NEW[0]}, NEW[0], OLD[1], marks=proves("C2-UPD-05", "C2-UPD-10", "C2-FR-015"), id="title"
        ),
        pytest.param(
            {"content": NEW[1]}, OLD[0], NEW[1], marks=proves("C2-UPD-03", "C2-UPD-10", "C2-FR-015"), id="content"
        ),
        pytest.param(
            {"title": None, "content": NEW[1]},
            OLD[0],
            NEW[1],
            marks=proves("C2-UPD-03", "C2-UPD-10", "C2-FR-015"),
            id="content-and-null",
        ),
        pytest.param({"title": NEW[0], "content": NEW[1]}, *NEW, marks=proves("C2-UPD-01"), id="both"),
    ],
)
@proves("C2-UPD-07", "C2-UPD-11", "C2-UPD-12", "C2-FR-008", "C2-MCP-09")
async def test_what_is_given_changes_and_the_rest_stays(
    desk: Desk, arguments: dict[str, Any], title: str, content: str
) -> None:
    id = await desk.add(*OLD)
    other = await desk.call("add_note", title="Other", content="Untouched")
    desk.at("2025-12-07 16:45")
    assert await desk.text("update_note", id=id, **arguments) == f"Updated note '{title}' (ID: {id}) ✅"
    assert await desk.text("get_note", id=id) == (
        f"📝 Note {id}\n\nTitle: {title}\nContent: {content}\n\n"
        "Created: 2025-12-07 14:30 UTC\nUpdated: 2025-12-07 16:45 UTC"
    )
    assert (await desk.call("get_note", id=other.data["id"])).data == other.data | {"content": "Untouched"}


@proves("C2-OPEN-16")
async def test_an_update_that_changes_nothing_sets_the_time(desk: Desk) -> None:
    id = await desk.add(*OLD)
    desk.at("2025-12-07 16:45")
    assert await desk.text("update_note", id=id, title=OLD[0]) == f"Updated note 'Meeting Ideas' (ID: {id}) ✅"
    assert (await desk.text("get_note", id=id)).endswith("Updated: 2025-12-07 16:45 UTC")


@on_every_wire
@proves("C2-UPD-12")
async def test_each_update_sets_the_time_anew(desk: Desk) -> None:
    id = await desk.add(*OLD)
    for when in ("2025-12-07 16:45", "2025-12-08 08:00"):
        desk.at(when)
        await desk.text("update_note", id=id, content=f"Written {when}")
        assert (await desk.text("get_note", id=id)).endswith(f"Updated: {when} UTC")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        pytest.param(
            {"title": ""}, "Title cannot be empty ❌", marks=proves("C2-UPD-04", "C2-UPD-15"), id="empty-title"
        ),
        pytest.param(
            {"title": " \n", "content": "c"}, "Title cannot be empty ❌", marks=proves("C2-UPD-04"), id="blank-title"
        ),
        pytest.param(
            {"content": ""}, "Content cannot be empty ❌", marks=proves("C2-UPD-06", "C2-UPD-16"), id="empty-content"
        ),
        pytest.param(
            {"title": "t", "content": "\t "},
            "Content cannot be empty ❌",
            marks=proves("C2-UPD-06", "C2-UPD-16"),
            id="blank-content",
        ),
        pytest.param(
            {}, "At least one of title or content must be provided ❌", marks=proves("C2-UPD-17"), id="nothing"
        ),
        pytest.param(
            {"title": None, "content": None},
            "At least one of title or content must be provided ❌",
            marks=proves("C2-UPD-17", "C2-UPD-03", "C2-UPD-05"),
            id="nulls",
        ),
        pytest.param({"title": 5}, "title: must be a string ❌", marks=proves("C2-OPEN-23"), id="type"),
        pytest.param(
            {"title": "t", "created_at": "2020-01-01"},
            "created_at: is not an argument of this call ❌",
            marks=proves("C2-UPD-11", "C2-OPEN-23"),
            id="unknown",
        ),
    ],
)
@proves("C2-UPD-08", "C2-MCP-05")
@each_once
async def test_what_is_not_valid_is_told_and_nothing_changes(desk: Desk, arguments: dict[str, Any], text: str) -> None:
    id = await desk.add(*OLD)
    before = await desk.call("get_note", id=id)
    desk.at("2025-12-07 16:45")
    assert await desk.refusal("update_note", id=id, **arguments) == text
    assert await desk.call("get_note", id=id) == before


@proves("C2-OPEN-11")
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        pytest.param({"id": "", "title": ""}, "Note ID cannot be empty ❌", marks=proves("C2-FR-012"), id="empty-id"),
        pytest.param({"title": "t"}, "Note ID cannot be empty ❌", marks=proves("C2-UPD-02"), id="no-id"),
        pytest.param(
            {"id": "xyz999", "title": "t"},
            "Note with ID 'xyz999' not found ❌",
            marks=proves("C2-UPD-14", "C2-FR-012", "C2-UPD-01"),
            id="missing",
        ),
        pytest.param(
            {"id": "xyz999"}, "Note with ID 'xyz999' not found ❌", marks=proves("C2-UPD-09"), id="missing-first"
        ),
        pytest.param(
            {"id": "xyz999", "title": "", "content": ""},
            "Note with ID 'xyz999' not found ❌",
            marks=proves("C2-UPD-09"),
            id="missing-before-blank",
        ),
    ],
)
async def test_the_id_is_checked_first(desk: Desk, arguments: dict[str, Any], text: str) -> None:
    assert await desk.refusal("update_note", **arguments) == text


@proves("C2-OPEN-11")
async def test_an_empty_title_is_told_before_an_empty_content(desk: Desk) -> None:
    id = await desk.add(*OLD)
    assert await desk.refusal("update_note", id=id, content="", title="") == "Title cannot be empty ❌"


@proves("C2-OPEN-09", "C2-OPEN-10")
async def test_an_updated_title_is_trimmed_and_an_updated_content_is_not(desk: Desk) -> None:
    id = await desk.add(*OLD)
    text = await desk.text("update_note", id=id, title=" Trimmed ", content=" kept\r\n")
    assert text == f"Updated note 'Trimmed' (ID: {id}) ✅"
    assert (await desk.call("get_note", id=id)).data["content"] == " kept\r\n"


@proves("C2-OPEN-06")
async def test_the_fields_hold_the_note_as_it_is_now(desk: Desk) -> None:
    added = await desk.call("add_note", title="Old", content="c")
    desk.at("2025-12-07 16:45:30")
    updated = await desk.call("update_note", id=added.data["id"], title="New")
    assert updated.data == added.data | {"title": "New", "updated_at": "2025-12-07T16:45:30+00:00"}
