"""`quire mcp` with tools of the tests' own: `python fixture_process.py HOME [LINE_LIMIT [LAST_CALLS]]`."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from fixture_server import FixtureTool
from musing import musing_library, musing_tools

from quire.entry.mcp.offer import Offer
from quire.entry.mcp.prompts import PROMPTS
from quire.entry.mcp.selection import Selection
from quire.entry.mcp.server import McpServer
from quire.entry.mcp.stdio import LAST_CALLS_SECONDS, LINE_LIMIT, serve
from quire.entry.mcp.toolbox import Toolbox, all_tools
from quire.entry.mcp.tools import Call, Tool
from quire.entry.resources import NoteResources


async def printing(call: Call, arguments: dict[str, Any]) -> str:
    """Tries every way to reach stdout."""
    print("printed")
    sys.stdout.flush()
    os.write(1, b"written\n")
    subprocess.run(["echo", "said by a child"], check=True)
    return f"stdin is empty: {sys.stdin.read() == ''}"


async def surrogate(call: Call, arguments: dict[str, Any]) -> str:
    return "\ud800"


async def breaking(call: Call, arguments: dict[str, Any]) -> str:
    raise ValueError("a secret that no client may see")


async def endless(call: Call, arguments: dict[str, Any]) -> str:
    await call.library.context.report(1, None, "begun")
    await asyncio.Event().wait()
    return "never"


async def main() -> None:
    home = Path(sys.argv[1])
    line_limit = int(sys.argv[2]) if len(sys.argv) > 2 else LINE_LIMIT
    last_calls = float(sys.argv[3]) if len(sys.argv) > 3 else LAST_CALLS_SECONDS
    own: list[Tool] = [FixtureTool(body.__name__, body) for body in (printing, surrogate, breaking, endless)]
    async with musing_library(home) as library:
        tools = [tool for tool in all_tools(library.capabilities) if tool.toolset == "notes"]
        toolbox = Toolbox(Selection.of("all"), lambda: [*tools, *own, *musing_tools()])
        offer = Offer(library, toolbox, [NoteResources()])
        await serve(McpServer(lambda: offer, PROMPTS, local=True), line_limit, last_calls)


if __name__ == "__main__":
    asyncio.run(main())
