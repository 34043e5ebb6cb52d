"""Real servers to test against: HTTP on a free loopback port, stdio as a process."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ErrorData

from quire.api.library import Library
from quire.domain.sharing import hash_of
from quire.entry.bootstrap import build
from quire.entry.http.app import Server, create_app, listen
from quire.entry.mcp import door
from quire.entry.mcp.http import HttpDoor
from quire.entry.mcp.selection import Selection
from quire.entry.mcp.server import McpServer
from quire.entry.settings import load
from quire.local.people import add_person
from warm_start import warm_python

HERE = Path(__file__).parent
ERAS = {"2025": "legacy", "2026": "auto"}
VERSIONS = {"2025": "2025-11-25", "2026": "2026-07-28"}
PATIENCE = 60.0

# Each transport and each era once; all four pairs in the full round.
each_once = pytest.mark.parametrize(
    ("wire", "era"),
    [
        ("http", "2025"),
        ("stdio", "2026"),
        pytest.param("http", "2026", marks=pytest.mark.long),
        pytest.param("stdio", "2025", marks=pytest.mark.long),
    ],
)


@asynccontextmanager
async def serving(
    home: Path, make: Callable[[Library], McpServer] | None = None, **settings: Any
) -> AsyncIterator[tuple[str, Library]]:
    """The address of /mcp of a running server, and its library."""
    chosen = load({"home": home, "workers": 1, **settings}, {})
    selection = Selection.of(chosen.toolsets)
    listening = listen("127.0.0.1", 0)
    with listening:
        async with build(chosen) as library:
            made = make(library) if make else door(library, selection, local=False, timeout=chosen.timeout)
            server = Server(create_app(library, chosen, HttpDoor(made, chosen)))
            running = asyncio.create_task(server.serve([listening]))
            while not server.started:
                assert not running.done(), running.exception()
                await asyncio.sleep(0.005)
            try:
                yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp", library
            finally:
                server.should_exit = True
                await running


@asynccontextmanager
async def over_http(url: str, era: str, token: str = "", **options: Any) -> AsyncIterator[Client]:
    """The official client, connected; `token` says who it is."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(PATIENCE), trust_env=False) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, mode=ERAS[era], read_timeout_seconds=PATIENCE, **options) as client:
            yield client


def command(home: Path, *arguments: str, python: tuple[str, ...] = ()) -> list[str]:
    """What starts `quire mcp` on a home; warm, unless `python` is given."""
    return [*(python or warm_python()), "-m", "quire", "mcp", "--home", str(home), *arguments]


def environment() -> dict[str, str]:
    """The machine's own, without settings of Quire's."""
    return {name: value for name, value in os.environ.items() if not name.startswith("QUIRE_")}


@asynccontextmanager
async def over_stdio(argv: list[str], era: str, errors: Path, **options: Any) -> AsyncIterator[Client]:
    """The official client on a process of its own, whose stderr goes to a file."""
    parameters = StdioServerParameters(command=argv[0], args=argv[1:], env=environment())
    with errors.open("w") as stderr:
        transport = stdio_client(parameters, errlog=stderr)
        async with Client(transport, mode=ERAS[era], read_timeout_seconds=PATIENCE, **options) as client:
            yield client


@asynccontextmanager
async def connected(wire: str, era: str, home: Path, toolsets: str = "", **options: Any) -> AsyncIterator[Client]:
    """The official client on `quire serve` (http) or `quire mcp` (stdio) at a home."""
    if wire == "http":
        async with serving(home, toolsets=toolsets) as (url, _), over_http(url, era, **options) as client:
            yield client
        return
    errors = home.parent / "stderr.txt"
    async with over_stdio(command(home, "--toolsets", toolsets), era, errors, **options) as client:
        yield client
    assert errors.read_text() == ""


async def add_user(library: Library, id: str, token: str) -> None:
    """A second person, with an inbox of its own."""
    at = library.engine.parts.clock.now()
    await library.engine.system.write(lambda tx: add_person(tx, id, id, hash_of(token.encode()), at))


async def until(condition: Callable[[], Any], what: str) -> Any:
    """The condition's value once it is true; fails with `what` when that takes too long."""
    for _ in range(int(PATIENCE / 0.01)):
        if value := condition():
            return value
        await asyncio.sleep(0.01)
    raise AssertionError(f"never came: {what}")


async def refusal(call: Awaitable[Any]) -> ErrorData:
    """The JSON-RPC error that a call ends with.

    `pytest.raises` fails with a BaseException, which inside a client's task group ends the whole run.
    """
    try:
        await call
    except MCPError as error:
        return error.error
    raise AssertionError("it was not refused")
