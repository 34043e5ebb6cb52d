"""The official Python client, in both eras and over both transports."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp import Client
from mcp_serving import VERSIONS, connected, each_once, refusal, until

import quire

NOTE_TOOLS = {"add_note", "get_note", "list_notes", "search_notes", "update_note", "delete_note"}
PROMPTS = {"quick_note", "summarize_notes", "find_topic_notes", "meeting_notes", "code_review_note"}
MANY = "".join(f"# Note {number}\n\nText {number}\n\n" for number in range(30_000))

pytestmark = pytest.mark.anyio


async def text(client: Client, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    assert not result.is_error, content.text
    return content.text


async def added(client: Client, title: str, content: str = "Something") -> str:
    """The id of a new note."""
    return (await text(client, "add_note", title=title, content=content)).split()[-2]


@each_once
async def test_a_client_meets_the_server_and_uses_its_tools(home: Path, wire: str, era: str) -> None:
    async with connected(wire, era, home) as client:
        assert client.protocol_version == VERSIONS[era]
        assert client.server_info is not None
        assert (client.server_info.name, client.server_info.version) == ("quire", quire.__version__)
        assert "notebook" in (client.instructions or "")
        capabilities = client.server_capabilities
        assert capabilities.resources is not None
        assert (capabilities.resources.subscribe, capabilities.resources.list_changed) == (True, True)
        assert capabilities.tools is not None
        assert not capabilities.tools.list_changed

        assert {tool.name for tool in (await client.list_tools()).tools} >= NOTE_TOOLS
        id = await added(client, "Plan", "Discuss the roadmap")
        assert "Discuss the roadmap" in await text(client, "get_note", id=id)
        assert await text(client, "update_note", id=id, title="New plan") == f"Updated note 'New plan' (ID: {id}) ✅"
        assert "**roadmap**" in await text(client, "search_notes", query="ROADMAP")
        assert "All Notes (1 total)" in await text(client, "list_notes")
        assert await text(client, "delete_note", id=id) == f"Deleted note 'New plan' (ID: {id}) ✅"

        refused = await client.call_tool("get_note", {"id": id})
        assert refused.is_error
        assert refused.structured_content is not None
        assert refused.structured_content["code"] == "not_found"


@each_once
async def test_aliases_are_taken_but_not_listed_and_unknown_tools_are_refused(home: Path, wire: str, era: str) -> None:
    async with connected(wire, era, home) as client:
        assert "Added note 'A'" in await text(client, "AddNote", title="A", content="b")
        assert not {tool.name for tool in (await client.list_tools()).tools} & {"AddNote", "import_notes"}
        for unknown in ("no_such_tool", "import_notes", ""):
            error = await refusal(client.call_tool(unknown, {}))
            assert error.code == types.INVALID_PARAMS
            assert error.message.startswith("Unknown tool")
        assert "All Notes (1 total)" in await text(client, "list_notes")


@each_once
async def test_prompts_resources_and_completions(home: Path, wire: str, era: str) -> None:
    async with connected(wire, era, home) as client:
        assert {prompt.name for prompt in (await client.list_prompts()).prompts} >= PROMPTS
        prompt = await client.get_prompt("quick_note", {"thought": "Buy milk"})
        (message,) = prompt.messages
        assert isinstance(message.content, types.TextContent)
        assert "Buy milk" in message.content.text
        for name, arguments in (("quick_note", {}), ("no_such_prompt", {})):
            assert (await refusal(client.get_prompt(name, arguments))).code == types.INVALID_PARAMS

        id = await added(client, "Milk", "Two bottles")
        (resource,) = (await client.list_resources()).resources
        assert (resource.uri, resource.title) == (f"note://{id}", "Milk")
        (content,) = (await client.read_resource(f"note://{id}")).contents
        assert isinstance(content, types.TextResourceContents)
        assert (content.uri, content.mime_type, content.text) == (
            f"note://{id}",
            "text/markdown",
            "# Milk\n\nTwo bottles\n",
        )
        assert resource.size == len(content.text)
        templates = (await client.list_resource_templates()).resource_templates
        assert "note://{id}" in {template.uri_template for template in templates}
        reference = types.ResourceTemplateReference(uri="note://{id}")
        completion = (await client.complete(reference, {"name": "id", "value": id[:3]})).completion
        assert completion.values == [id]
        of_prompt = types.PromptReference(name="quick_note")
        assert (await client.complete(of_prompt, {"name": "thought", "value": "B"})).completion.values == []
        unknown = types.ResourceTemplateReference(uri="no://{such}")
        error = await refusal(client.complete(unknown, {"name": "such", "value": ""}))
        assert error.code == types.INVALID_PARAMS

        for missing in ("note://00000000", "no-such://thing", "note://%F0%9F%93%9D", "note://a%00b"):
            assert (await refusal(client.read_resource(missing))).code == types.INVALID_PARAMS, missing
        assert (await refusal(client.read_resource("note://00000000"))).data == {"uri": "note://00000000"}


async def test_a_long_list_of_resources_comes_in_pages(home: Path) -> None:
    async with connected("http", "2026", home, "notes") as client:
        await client.call_tool("import_notes", {"text": MANY[:10_000]})
        first = await client.list_resources()
        assert len(first.resources) == 200
        second = await client.list_resources(cursor=first.next_cursor)
        assert not {one.uri for one in first.resources} & {one.uri for one in second.resources}
        for bad in ("9:", "x", "9" * 5000, "0:no-number", "٣"):
            assert (await refusal(client.list_resources(cursor=bad))).code == types.INVALID_PARAMS, bad


@each_once
async def test_a_job_reports_progress_that_only_grows(home: Path, wire: str, era: str) -> None:
    heard: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))

    async with connected(wire, era, home, "notes,jobs") as client:
        size = MANY.index("# Note 2000")
        result = await client.call_tool("import_notes", {"text": MANY[:size]}, progress_callback=hear)
        assert result.structured_content is not None
        assert (result.structured_content["state"], result.structured_content["result"]) == ("done", {"notes": 2000})
        assert "(2000 total)" in await text(client, "list_notes")
        steps = [progress for progress, _, _ in heard]
        assert steps == sorted(set(steps))
        assert steps[-1] == 2000
        assert heard[-1][1] == 2000


@each_once
async def test_a_cancelled_call_cancels_its_job(home: Path, wire: str, era: str) -> None:
    begun = asyncio.Event()

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        if progress > 0:
            begun.set()

    async with connected(wire, era, home, "notes,jobs") as client:
        call = asyncio.create_task(client.call_tool("import_notes", {"text": MANY}, progress_callback=hear))
        async with asyncio.timeout(30):
            await begun.wait()
        call.cancel()
        await asyncio.wait({call})
        assert call.cancelled()

        async def job() -> dict[str, Any]:
            listed = await client.call_tool("list_jobs", {})
            assert listed.structured_content is not None
            (only,) = listed.structured_content["items"]
            return dict(only)

        seen = [await job()]
        for _ in range(200):
            if seen[-1]["state"] in ("cancelled", "done"):
                break
            await asyncio.sleep(0.05)
            seen.append(await job())
        assert seen[-1]["state"] == "cancelled"
        assert 0 < seen[-1]["done"] < 30_000
        assert f"({seen[-1]['done']} total)" in await text(client, "list_notes")


async def test_a_stream_is_a_call_that_ends_with_what_it_saw(home: Path, era: str) -> None:
    heard: list[str | None] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(message)

    async with connected("http", era, home, "notes") as client:
        watching = asyncio.create_task(
            client.call_tool("watch_notes", {"after": 0, "limit": 2, "seconds": 20}, progress_callback=hear)
        )
        ids = [await added(client, title) for title in ("First", "Second")]
        result = await watching
        assert result.structured_content is not None
        assert result.structured_content["changes"] == 2
        await until(lambda: len(heard) == 2, "two reports")
        assert [re.findall(r'"short_id":"(\w+)"', message or "") for message in heard] == [[id] for id in ids]


@pytest.mark.parametrize("wire", ["http", "stdio"])
async def test_a_path_is_read_where_the_server_is_local_only(home: Path, tmp_path: Path, wire: str) -> None:
    file = tmp_path / "some.md"
    file.write_text("# One\n\nText\n")
    async with connected(wire, "2026", home, "notes") as client:
        result = await client.call_tool("import_notes", {"path": str(file)})
        if wire == "http":
            assert result.is_error
            assert "(1 total)" not in str(await client.call_tool("list_notes", {}))
            return
        assert not result.is_error
        assert "One" in await text(client, "list_notes")
        for bad in (str(tmp_path), str(tmp_path / "none.md"), "x" * 5000, "~nobody-here/x", ""):
            refused = await client.call_tool("import_notes", {"path": bad})
            assert refused.is_error
            assert refused.structured_content is not None
            assert refused.structured_content["code"] == "invalid_input", bad
