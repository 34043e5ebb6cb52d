"""What a client does with the default tools: from a file to an answer that is kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_serving import command, connected, over_stdio

pytestmark = pytest.mark.anyio

FLIGHTS = "# Flights\n\nA honey bee visits about 100 flowers on a flight.\n"
LEDGER = "# Ledger\n\nThe roof was paid for in March.\n"


async def data(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return result.structured_content


async def test_a_file_becomes_an_answer_that_is_kept(home: Path, tmp_path: Path) -> None:
    for name, text in (("bees.md", FLIGHTS), ("ledger.md", LEDGER)):
        (tmp_path / name).write_text(text)
    async with connected("stdio", "2026", home) as client:
        notebook = (await data(client, "create_notebook", title="Bees"))["id"]
        for name in ("bees.md", "ledger.md"):
            source = await data(client, "upload_source", notebook_id=notebook, path=str(tmp_path / name))
            assert source["state"] == "ready"
        question = "How many flowers does a honey bee visit on a flight?"
        answer = await data(client, "ask", notebook_id=notebook, question=question)
        assert "100 flowers" in answer["answer"]
        note = await data(client, "save_answer", notebook_id=notebook, answer_id=answer["answer_id"])
        assert "100 flowers" in note["content"]

        by_name = await data(client, "get_source_text", notebook_id="bees", source_id="Flights")
        assert "100 flowers" in by_name["text"]
        assert (await data(client, "get_notebook", notebook_id=notebook[:8]))["id"] == notebook
        missed = await client.call_tool("ask", {"notebook_id": "Beess", "question": question})
        assert missed.is_error
        assert missed.structured_content is not None
        assert missed.structured_content["error"]["code"] == "NOT_FOUND"
        assert "Did you mean 'Bees'? list_notebooks lists" in missed.structured_content["error"]["message"]

        found = await client.call_tool("search_sources", {"notebook_id": notebook, "query": "flowers on a flight"})
        assert found.structured_content is not None
        (hit,) = found.structured_content["passages"]
        assert "100 flowers" in hit["text"]
        assert None not in hit.values()
        assert hit["score"] == round(hit["score"], 2)
        said = found.content[0].text  # type: ignore[union-attr]
        assert json.loads(said) == found.structured_content
        assert said.count("100 flowers") == 1


async def test_a_client_that_may_only_read_asks_and_leaves_no_trace(home: Path) -> None:
    async with connected("stdio", "2026", home) as client:
        notebook = (await data(client, "create_notebook", title="Bees"))["id"]
        await data(client, "add_source", notebook_id=notebook, source_type="text", text=FLIGHTS, title="Flights")
    reading = command(home, "--toolsets", "all", "--read-only")
    async with over_stdio(reading, "2026", home.parent / "stderr.txt") as client:
        names = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert "add_source" not in names
        assert names["ask"].annotations is not None
        assert names["ask"].annotations.read_only_hint
        answer = await data(client, "ask", notebook_id=notebook, question="How many flowers does a bee visit?")
        assert "100 flowers" in answer["answer"]
        assert not {"conversation_id", "answer_id"} & set(answer)
        assert (await data(client, "list_conversations", notebook_id=notebook))["total"] == 0
