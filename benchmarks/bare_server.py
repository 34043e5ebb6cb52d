"""The least that an MCP server can be on the same SDK: one tool, `get_note`, with a fixed answer.

`bare_server.py` serves stdin and stdout, `bare_server.py PORT` streamable HTTP with JSON replies.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import mcp_types as types
from mcp.server.lowlevel.server import Server

TEXT = "📝 Note a3f7b2c1\n\nTitle: Bare\nContent: Fixed\n\nCreated: 2025-12-07 14:30 UTC\nUpdated: Never"
SCHEMA = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}


async def list_tools(context: Any, params: Any) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[types.Tool(name="get_note", input_schema=SCHEMA)])


async def call_tool(context: Any, params: Any) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=TEXT)])


def server() -> Server[Any]:
    return Server("bare", version="1", on_list_tools=list_tools, on_call_tool=call_tool)


async def serve_stdio() -> None:
    from mcp.server.stdio import stdio_server

    bare = server()
    async with stdio_server() as (read, write):
        await bare.run(read, write, bare.create_initialization_options())


def serve_http(port: int) -> None:
    import uvicorn

    app = server().streamable_http_app(json_response=True)
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", access_log=False)


if __name__ == "__main__":
    if sys.argv[1:]:
        serve_http(int(sys.argv[1]))
    else:
        asyncio.run(serve_stdio())
