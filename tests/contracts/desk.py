"""A desk with notes: the official MCP client, joined to our server by a real wire.

The SDK joins a client to a server in its own process without JSON in between; `texts` puts it
back, so that what is compared has been text on both ways. The other wire is a process and its pipes.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters
from mcp.shared.message import SessionMessage

from contracts.serve_at import TOOLSETS
from quire.adapters.memory import FixedClock
from quire.api.library import Library
from quire.entry.bootstrap import build
from quire.entry.mcp import door
from quire.entry.mcp.selection import Selection
from quire.entry.mcp.server import McpServer
from quire.entry.settings import load
from quire.ports.machine import Clock
from warm_start import warm_python

HERE = Path(__file__).parent
ERAS = {"2025": ("legacy", "2025-11-25"), "2026": ("auto", "2026-07-28")}
START = "2025-12-07 14:30"

WIRES = ("text_2025", "text_2026", "stdio_2025", "stdio_2026")


def wires(first: str, *others: str) -> list[Any]:
    """One wire, and others for the full round: what a tool says does not depend on what carries it."""
    return [first, *(pytest.param(other, marks=pytest.mark.long) for other in others)]


# For one test of each tool: that it works over every wire.
on_every_wire = pytest.mark.parametrize("desk", WIRES, indirect=True)
# For long tables: each era and each wire once, in place of all four pairs.
each_once = pytest.mark.parametrize("desk", wires("text_2026", "stdio_2025"), indirect=True)


@dataclass(frozen=True)
class Answer:
    text: str
    data: dict[str, Any]
    is_error: bool
    remarks: tuple[str, ...] = ()


class Desk:
    """Calls tools and sets the time. `home` is where the server keeps everything."""

    def __init__(self, client: Client, set_time: Callable[[int], object], home: Path = Path()) -> None:
        self.client = client
        self.home = home
        self._set_time = set_time

    def at(self, when: str) -> None:
        """It is now `when`, such as 2025-12-07 14:30 (UTC)."""
        moment = datetime.fromisoformat(when).replace(tzinfo=UTC)
        self._set_time(int(moment.timestamp() * 1_000_000))

    async def call(self, tool: str, /, **arguments: Any) -> Answer:
        """A call whose answer is one text and the same facts as fields, and maybe what the text cannot say."""
        result = await self.client.call_tool(tool, arguments)
        assert isinstance(result, types.CallToolResult)
        text, *remarks = [content.text for content in result.content if isinstance(content, types.TextContent)]
        assert len(remarks) + 1 == len(result.content)
        assert isinstance(result.structured_content, dict)
        return Answer(text, result.structured_content, bool(result.is_error), tuple(remarks))

    async def text(self, tool: str, /, **arguments: Any) -> str:
        """The text of a call that goes well."""
        answer = await self.call(tool, **arguments)
        assert not answer.is_error, answer.text
        assert not answer.remarks
        return answer.text

    async def refusal(self, tool: str, /, **arguments: Any) -> str:
        """The text of a call that does not."""
        answer = await self.call(tool, **arguments)
        assert answer.is_error, answer.text
        return answer.text

    async def add(self, title: str, content: str = "Something", **more: Any) -> str:
        """Adds a note and returns its id."""
        answer = await self.call("add_note", title=title, content=content, **more)
        assert not answer.is_error, answer.text
        id: str = answer.data["id"]
        return id

    async def clear(self) -> None:
        """Deletes all notes of the inbox."""
        while items := (await self.call("list_notes")).data["items"]:
            for note in items:
                await self.text("delete_note", id=note["id"])


@asynccontextmanager
async def desk_in_process(home: Path, era: str, toolsets: str) -> AsyncIterator[Desk]:
    """A library of its own in this process, on real SQLite."""
    clock = FixedClock()
    async with library_at(home, clock) as library, joined(library, era, toolsets=toolsets) as client:
        desk = Desk(client, lambda now: setattr(clock, "microseconds", now), home)
        desk.at(START)
        yield desk


@asynccontextmanager
async def desk_in_other_process(folder: Path, era: str) -> AsyncIterator[Desk]:
    """A server process of its own, with its clock in a file."""
    clock = folder / "clock"
    python, *options = warm_python()
    server = StdioServerParameters(
        command=python,
        args=[*options, str(HERE / "serve_at.py"), str(folder / "home"), str(clock)],
        env=dict(os.environ),
    )
    async with connected(server, era) as client:
        desk = Desk(client, lambda now: clock.write_text(str(now)), folder / "home")
        desk.at(START)
        yield desk


def library_at(home: Path, clock: Clock | None = None, store: str | None = None) -> Library:
    return build(load({"home": home, "store": store}, {}), clock)


@asynccontextmanager
async def joined(library: Library, era: str, timeout: float = 0, toolsets: str = TOOLSETS) -> AsyncIterator[Client]:
    """A client of a library in this process. It lists the tools before its first call, so few are soon listed."""
    server = door(library, Selection.of(toolsets), local=True, timeout=timeout)
    try:
        async with connected(texts(server), era) as client:
            yield client
    finally:
        await server.close()


@asynccontextmanager
async def connected(server: Any, era: str) -> AsyncIterator[Client]:
    mode, version = ERAS[era]
    async with Client(server, mode=mode, read_timeout_seconds=60) as client:
        assert client.protocol_version == version
        yield client


@asynccontextmanager
async def texts(server: McpServer) -> AsyncIterator[Any]:
    """The client's end of a wire that carries JSON text, with the server running at the other."""
    client_sends, from_client = anyio.create_memory_object_stream[SessionMessage](16)
    to_server, server_reads = anyio.create_memory_object_stream[SessionMessage | Exception](16)
    server_sends, from_server = anyio.create_memory_object_stream[SessionMessage](16)
    to_client, client_reads = anyio.create_memory_object_stream[SessionMessage | Exception](16)

    async def carry(source: Any, target: Any) -> None:
        # A notice that comes after the client has gone finds nobody at the end of the wire.
        async with source, target:
            with suppress(anyio.BrokenResourceError):
                async for sent in source:
                    line = sent.message.model_dump_json(by_alias=True, exclude_unset=True).encode()
                    message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
                    await target.send(SessionMessage(message))

    async with client_sends, client_reads, server_sends, server_reads, anyio.create_task_group() as group:
        group.start_soon(carry, from_client, to_server)
        group.start_soon(carry, from_server, to_client)
        group.start_soon(server.server.run, server_reads, server_sends, server.server.create_initialization_options())
        yield client_reads, client_sends
        group.cancel_scope.cancel()
