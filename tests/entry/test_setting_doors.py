"""Settings of a person through the command line, MCP and HTTP."""

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


def test_the_command_line_and_http_share_a_setting(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--home", str(tmp_path), "setting", "set-language", "Deutsch"]) == 0
    assert "Deutsch" in capsys.readouterr().out
    with served(tmp_path, embedder="none") as server:
        told = httpx.get(f"{server.url}/api/setting/language", trust_env=False).json()
        assert told == {"code": "de", "name": "Deutsch"}
        limits = httpx.get(f"{server.url}/api/setting/limits", trust_env=False).json()
        assert limits["disk_free"] > 0
    assert main(["--home", str(tmp_path), "setting", "set-language", "", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["code"] is None


@pytest.mark.anyio
async def test_mcp_offers_settings_as_a_toolset(tmp_path: Path) -> None:
    async with (
        build(load({"home": tmp_path, "store": "memory", "embedder": "none"}, {})) as library,
        Client(door(library, Selection.of("settings"), local=False).server) as client,
    ):
        result = await client.call_tool("set_output_language", {"language": "fr"})
        assert result.structured_content == {"code": "fr", "name": "Français"}
        refused = await client.call_tool("set_output_language", {"language": "nowhere"})
        assert refused.is_error
