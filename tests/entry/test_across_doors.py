"""Several notebooks at once, through the command line, MCP and HTTP."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest
from mcp import Client

from quire.entry.bootstrap import build
from quire.entry.cli import main
from quire.entry.mcp import door
from quire.entry.mcp.selection import Selection
from quire.entry.settings import load
from serving import served

TEXTS = {"Bees": "Bees make honey from the nectar of flowers.", "Wasps": "Wasps build nests of paper."}


def test_the_command_line_asks_all_notebooks_or_some(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    (tmp_path / "quire.toml").write_text('embedder = "none"\n')

    def run(*line: str) -> tuple[int, bytes, bytes]:
        return main(["--home", str(tmp_path), *line]), *capsysbinary.readouterr()

    for title, text in TEXTS.items():
        run("notebook", "create", title)
        run("source", "add", "--notebook", title, "--text", text, "--title", f"On {title}")
    code, printed, _ = run("ask", "--all", "What do wasps build nests of?")
    assert code == 0
    assert "Wasps / On Wasps" in printed.decode()
    assert "quire ask --all -c" in printed.decode()
    code, printed, _ = run("ask", "--in", "Bees", "What do wasps build nests of?", "--json")
    assert json.loads(printed)["grounded"] is False
    code, printed, _ = run("ask", "--all", "-c", "What do bees make honey from?", "--json")
    assert [citation["notebook_title"] for citation in json.loads(printed)["citations"]] == ["Bees"]
    code, _, refused = run("ask", "--all", "--in", "Bees", "Why?")
    assert (code, b"stand for the notebook" in refused) == (2, True)
    with served(tmp_path, embedder="none") as server:
        found = httpx.get(f"{server.url}/api/source/search-across", params={"query": "nectar"}, trust_env=False).json()
        assert [hit["notebook_title"] for hit in found["items"]] == ["Bees"]


@pytest.mark.anyio
async def test_mcp_asks_notebooks_by_their_names(tmp_path: Path) -> None:
    async with build(load({"home": tmp_path, "store": "memory", "embedder": "none"}, {})) as library:
        for title, text in TEXTS.items():
            notebook = await library.notebooks.create(title)
            await library.sources.add_text(notebook.id, f"On {title}", text)
        async with Client(door(library, Selection.of("across"), local=False).server) as client:
            asked = {"question": "What do wasps build nests of?", "notebook_ids": ["Wasps"]}
            result = await client.call_tool("ask_across", asked)
            assert not result.is_error, result.content
            assert result.structured_content is not None
            assert [one["notebook_title"] for one in result.structured_content["citations"]] == ["Wasps"]
