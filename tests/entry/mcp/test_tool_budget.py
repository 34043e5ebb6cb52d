"""What a model is shown of the tools, and how a person chooses among them."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import mcp_types as types
import pytest
from mcp_serving import connected

from quire.domain.errors import InvalidInput
from quire.entry.bootstrap import offered as capabilities
from quire.entry.mcp import toolbox
from quire.entry.mcp.selection import Selection
from quire.entry.mcp.tools import Tool

NOTES = {"add_note", "get_note", "list_notes", "search_notes", "update_note", "delete_note"}
MORE_NOTES = {"import_notes", "export_notes", "watch_notes"}


def all_tools() -> list[Tool]:
    return list(toolbox.all_tools(capabilities()))


def box(*selection: Any, **more: Any) -> toolbox.Toolbox:
    made = toolbox.Toolbox(Selection.of(*selection, **more), all_tools)
    made.check()
    return made


EVERYTHING = box("all").declarations


def tokens(tools: list[types.Tool]) -> int:
    """About what a model reads: a token is four characters of compact JSON."""
    shown = [{"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema} for tool in tools]
    return len(json.dumps(shown, separators=(",", ":"), ensure_ascii=False)) // 4


def result_tokens(tools: list[types.Tool]) -> int:
    return len(json.dumps([tool.output_schema for tool in tools if tool.output_schema], separators=(",", ":"))) // 4


def offered(*selection: Any, **more: Any) -> set[str]:
    return {tool.name for tool in box(*selection, **more).declarations}


def test_the_default_list_is_small() -> None:
    default = box().declarations
    assert {tool.name for tool in default} >= NOTES
    assert len(default) <= 25
    assert {tool.name for tool in default} >= {"add_source", "upload_source", "ask", "save_answer", "search_sources"}
    assert tokens(default) <= 4_000
    assert result_tokens(default) <= 4_000


@pytest.mark.parametrize("toolset", sorted({tool.toolset for tool in all_tools()}))
def test_each_toolset_is_small(toolset: str) -> None:
    tools = box(toolset).declarations
    assert tokens(tools) <= 2_500
    assert result_tokens(tools) <= 2_500


def test_all_offers_every_tool() -> None:
    assert {tool.name for tool in EVERYTHING} == {tool.name for tool in all_tools()}


def test_annotations_tell_the_truth() -> None:
    hints = {tool.name: tool.annotations for tool in EVERYTHING if tool.annotations}
    reaching = {name for name, hint in hints.items() if hint.open_world_hint}
    assert reaching >= {"add_source", "refresh_source", "check_source", "refresh_stale_sources"}
    assert not reaching & {"add_note", "ask", "search_sources", "read_content", "get_source_text"}
    destructive = {name for name, hint in hints.items() if hint.destructive_hint}
    assert destructive >= {"write_content", "write_summary", "edit_content", "restore_content", "delete_notebook"}
    assert not destructive & {"add_source", "add_note", "ask", "create_notebook", "read_content"}


@pytest.mark.parametrize("tool", EVERYTHING, ids=lambda tool: tool.name)
def test_each_tool_is_one_that_every_client_takes(tool: types.Tool) -> None:
    assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", tool.name)
    assert tool.description
    assert tool.description.endswith(".")
    assert tool.annotations is not None
    assert None not in (tool.annotations.read_only_hint, tool.annotations.destructive_hint)
    schema = tool.input_schema
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert not {"oneOf", "anyOf", "allOf", "not", "$ref"} & set(schema)
    assert set(schema.get("required", [])) <= set(schema["properties"])
    if tool.output_schema is not None:
        jsonschema.Draft202012Validator.check_schema(tool.output_schema)
        assert tool.output_schema["type"] == "object"


def test_names_and_aliases_are_unique() -> None:
    names = Counter(name for tool in all_tools() for name in (tool.name, *tool.aliases))
    assert [name for name, count in names.items() if count > 1] == []


def test_every_tool_is_in_a_toolset_that_can_be_chosen() -> None:
    for toolset in {tool.toolset for tool in all_tools()}:
        assert offered(toolset)


def test_a_toolset_that_offers_nothing_is_refused_with_those_that_do() -> None:
    with pytest.raises(InvalidInput, match="no toolset 'dreams'") as caught:
        box("notes,dreams")
    known = dict.fromkeys(capability.toolset for capability in capabilities())
    assert caught.value.hint == f"Toolsets: {', '.join(known)}, all."


def test_toolsets_offer_all_of_theirs() -> None:
    assert offered("notes") >= NOTES | MORE_NOTES
    assert offered(" jobs , ") & {"get_job", "add_note"} == {"get_job"}
    assert offered("notes,jobs") == offered("notes") | offered("jobs")
    assert not offered() & MORE_NOTES


def test_single_tools_are_added_and_taken_away() -> None:
    assert offered("", "import_notes") == offered() | {"import_notes"}
    taken = offered("notes", "list_jobs", "add_note,watch_notes")
    assert taken == (offered("notes") | {"list_jobs"}) - {"add_note", "watch_notes"}
    assert "add_note" not in offered("", "add_note", "add_note")


def test_read_only_leaves_what_changes_nothing() -> None:
    kept = box("all", read_only=True).declarations
    assert {tool.name for tool in kept} >= {"get_note", "list_notes", "search_notes", "list_jobs", "ask"}
    assert all(tool.annotations and tool.annotations.read_only_hint for tool in kept)
    assert "add_note" not in offered("", "add_note", "", True)


def test_a_tool_that_is_not_offered_cannot_be_called_by_any_of_its_names() -> None:
    made = box("", "", "add_note")
    assert made.find("add_note") is None
    assert made.find("AddNote") is None
    assert made.find("GetNote") is made.find("get_note")


def test_a_name_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(InvalidInput, match="no toolset 'nots'"):
        box("nots")
    with pytest.raises(InvalidInput, match="no tool 'no_such'"):
        box("", "no_such")


@pytest.mark.anyio
async def test_structured_results_are_as_their_schemas_say(home: Path) -> None:
    """The official client checks every result against the tool's output schema, and raises."""
    async with connected("http", "2026", home, "all") as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {tool.name for tool in EVERYTHING}
        await client.call_tool("import_notes", {"text": "# One\n\nText\n", "name": "n.md"})
        exported = await client.call_tool("export_notes", {})
        notebook = (await client.call_tool("create_notebook", {"title": "New"})).structured_content
        assert exported.structured_content is not None
        assert notebook is not None
        job = {"job_id": exported.structured_content["id"]}
        calls: list[tuple[str, dict[str, Any]]] = [
            ("list_notebooks", {}),
            ("get_notebook", {"notebook_id": notebook["id"]}),
            ("rename_notebook", {"notebook_id": notebook["id"], "title": "Newer"}),
            ("delete_notebook", {"notebook_id": notebook["id"]}),
            ("list_jobs", {}),
            ("get_job", job),
            ("wait_for_job", job),
            ("cancel_job", job),
            ("get_job_file", job),
            ("watch_notes", {"after": 0, "limit": 1}),
        ]
        for name, arguments in calls:
            result = await client.call_tool(name, arguments)
            assert not result.is_error, (name, result.content)
            assert tools[name].output_schema is not None
            text = result.content[0]
            assert isinstance(text, types.TextContent)
            assert json.loads(text.text) == result.structured_content
        file = await client.call_tool("get_job_file", job)
        assert isinstance(file.content[-1], types.ResourceLink)
