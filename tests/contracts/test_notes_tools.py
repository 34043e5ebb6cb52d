"""Contract 2: how the six tools are offered, named and described, and how errors of the inside look."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError

from contracts.desk import Desk, each_once, joined, library_at, on_every_wire
from contracts.rows import proves

pytestmark = pytest.mark.anyio

TOOLS: dict[str, tuple[list[str], list[str]]] = {
    "add_note": (["title", "content"], ["title", "content", "notebook_id"]),
    "get_note": (["id"], ["id"]),
    "list_notes": ([], ["notebook_id", "cursor"]),
    "search_notes": (["query"], ["query", "notebook_id", "cursor"]),
    "update_note": (["id"], ["id", "title", "content"]),
    "delete_note": (["id"], ["id"]),
}
ALIASES = {"".join(word.capitalize() for word in name.split("_")): name for name in TOOLS}


async def schemas(desk: Desk) -> dict[str, dict[str, Any]]:
    listed = await desk.client.list_tools()
    return {tool.name: tool.input_schema for tool in listed.tools if tool.name in TOOLS}


@on_every_wire
@proves("C2-OV-01", "C2-MCP-01", "C2-FR-010", "C2-OPEN-01")
async def test_all_six_tools_are_listed_by_their_wire_names(desk: Desk) -> None:
    assert set(await schemas(desk)) == set(TOOLS)


@proves("C2-OV-02", "C2-ADD-02", "C2-ADD-04", "C2-GET-02", "C2-SEARCH-02", "C2-UPD-02", "C2-UPD-03", "C2-UPD-05")
@proves("C2-DEL-02", "C2-LIST-02", "C2-MCP-04")
async def test_parameters_are_strings_and_required_as_the_contract_says(desk: Desk) -> None:
    found = await schemas(desk)
    for tool, (required, parameters) in TOOLS.items():
        schema = found[tool]
        assert list(schema["properties"]) == parameters, tool
        assert schema.get("required", []) == required, tool
        assert {parameter["type"] for parameter in schema["properties"].values()} == {"string"}, tool
        assert schema["additionalProperties"] is False, tool


@proves("C2-MCP-02", "C2-MCP-03")
async def test_every_tool_and_every_parameter_is_described(desk: Desk) -> None:
    for tool in (await desk.client.list_tools()).tools:
        if tool.name in TOOLS:
            assert tool.description, tool.name
            for name, parameter in tool.input_schema["properties"].items():
                assert parameter.get("description"), f"{tool.name} {name}"


@proves("C2-OPEN-02")
async def test_the_names_of_the_document_are_accepted_and_not_listed(desk: Desk) -> None:
    assert not set(ALIASES) & {tool.name for tool in (await desk.client.list_tools()).tools}
    added = await desk.call("AddNote", title="Meeting Ideas", content="Discuss Q4 roadmap")
    id = added.data["id"]
    assert added.text == f"Added note 'Meeting Ideas' with ID {id} ✅"
    for alias, arguments in (
        ("GetNote", {"id": id}),
        ("ListNotes", {}),
        ("SearchNotes", {"query": "roadmap"}),
        ("GetNote", {"id": "xyz999"}),
    ):
        assert await desk.call(alias, **arguments) == await desk.call(ALIASES[alias], **arguments)
    assert await desk.text("UpdateNote", id=id, title="Renamed") == f"Updated note 'Renamed' (ID: {id}) ✅"
    assert await desk.text("DeleteNote", id=id) == f"Deleted note 'Renamed' (ID: {id}) ✅"


@proves("C2-OPEN-01", "C2-OPEN-02")
@pytest.mark.parametrize("name", ["addNote", "add-note", "ADD_NOTE", ""])
@each_once
async def test_any_other_name_is_an_unknown_tool(desk: Desk, name: str) -> None:
    with pytest.raises(MCPError) as caught:
        await desk.client.call_tool(name, {"title": "t", "content": "c"})
    assert caught.value.error.code == -32602
    assert caught.value.error.message == f"Unknown tool: {name}"


@on_every_wire
@proves("C2-MCP-08", "C2-OPEN-06", "C2-OPEN-07")
async def test_every_answer_is_one_text_with_its_fields(desk: Desk) -> None:
    id = await desk.add("Meeting Ideas")
    calls: list[tuple[str, dict[str, Any]]] = [
        ("add_note", {"title": "t", "content": "c"}),
        ("get_note", {"id": id}),
        ("list_notes", {}),
        ("search_notes", {"query": "meeting"}),
        ("update_note", {"id": id, "title": "t"}),
        ("delete_note", {"id": id}),
        ("get_note", {"id": id}),
    ]
    for tool, arguments in calls:
        result = await desk.client.call_tool(tool, arguments)
        assert [content.type for content in result.content] == ["text"], tool
        assert result.structured_content, tool


@proves("C2-MCP-06", "C2-MCP-07")
@pytest.mark.parametrize("era", ["2025", "2026"])
async def test_an_error_of_the_service_is_told_in_words_of_the_service(era: str, tmp_path: Path) -> None:
    (tmp_path / "quire.db").write_bytes(b"this is no database, whatever its name says" * 50)
    async with library_at(tmp_path) as library, joined(library, era) as client:
        desk = Desk(client, lambda now: None)
        assert await desk.refusal("list_notes") == "The file is not a Quire database ❌"


class BrokenClock:
    def now(self) -> int:
        raise OSError("the quartz of /dev/rtc0 is cracked")


@proves("C2-MCP-06", "C2-MCP-07")
@pytest.mark.parametrize("era", ["2025", "2026"])
async def test_an_unforeseen_error_shows_an_id_and_nothing_of_the_inside(era: str, tmp_path: Path) -> None:
    async with library_at(tmp_path) as library:
        await library.notes.list()
    async with library_at(tmp_path, BrokenClock()) as library, joined(library, era) as client:
        desk = Desk(client, lambda now: None)
        answer = await desk.call("add_note", title="t", content="c")
        assert answer.is_error
        assert re.fullmatch(r"Something went wrong inside Quire \(log id [0-9a-f]{16}\) ❌", answer.text)
        assert "quartz" not in str(answer)
        assert await desk.text("list_notes") == "No notes found. Create your first note! 📝"
