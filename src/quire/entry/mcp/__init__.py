"""The MCP door: stdio and streamable HTTP, both protocol eras.

Only the standard library, pydantic and the MCP SDK load before `initialize` is answered.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from quire.domain.errors import InvalidInput, QuireError
from quire.entry.settings import Settings, load

if TYPE_CHECKING:
    from quire.api.library import Library
    from quire.entry.mcp.http import HttpDoor
    from quire.entry.mcp.selection import Selection
    from quire.entry.mcp.server import McpServer
    from quire.entry.resources import Resources


def main(argv: list[str]) -> int:
    """`quire mcp`: serves one client over stdin and stdout."""
    arguments = parser().parse_args(argv)
    try:
        if sys.stdin is None or sys.stdout is None:
            raise InvalidInput("stdin and stdout must be open: they are the way to the client.")
        flags = {name: getattr(arguments, name) for name in ("home", "store", "toolsets", "log_level", "log_file")}
        settings = load(flags)
        from quire.entry.mcp.selection import Selection

        selection = Selection.of(
            settings.toolsets, arguments.tools or "", arguments.exclude_tools or "", arguments.read_only
        )
        return asyncio.run(_serve(settings, selection))
    except QuireError as error:
        sys.stderr.write(f"Error: {error.message}\n" + (f"Hint: {error.hint}\n" if error.hint else ""))
        return error.exit_code


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="quire mcp",
        description="Serve Quire to an MCP client over stdin and stdout.",
        epilog="In a client's configuration: command `quire`, arguments `mcp`.",
    )
    made.add_argument("--home", help="where everything is kept (QUIRE_HOME, ~/.quire)")
    made.add_argument("--store", help="a PostgreSQL URL, `memory`, or a file")
    made.add_argument("--toolsets", help="offer all tools of these toolsets, e.g. notes,books; `all` for every one")
    made.add_argument("--tools", help="offer these tools besides, with commas")
    made.add_argument("--exclude-tools", help="never offer these tools, with commas")
    made.add_argument("--read-only", action="store_true", help="offer only tools that change nothing")
    made.add_argument("--log-level", choices=["debug", "info", "warning", "error"])
    made.add_argument("--log-file", help="where logs go; stderr by default")
    return made


async def _serve(settings: Settings, selection: Selection) -> int:
    from quire.entry import logs
    from quire.entry.bootstrap import build
    from quire.entry.mcp.stdio import serve

    async with build(settings, lingers=True) as library:
        made = door(library, selection, local=True, timeout=settings.timeout)
        logs.start(settings)
        await serve(made)
    return 0


def door(library: Library, selection: Selection, *, local: bool, timeout: float = 0) -> McpServer:
    """An MCP server of a library, with the tools that were selected."""
    from quire.entry.mcp.prompts import PROMPTS
    from quire.entry.mcp.server import McpServer
    from quire.entry.mcp.toolbox import Toolbox, all_tools

    toolbox = Toolbox(selection, lambda: all_tools(library.capabilities, timeout))
    toolbox.check()
    return McpServer(library, toolbox, list(_families(library, selection)), PROMPTS, local=local)


def _families(library: Library, selection: Selection) -> Iterator[Resources]:
    """The resources of what this library's engine can do."""
    offered = {capability.service for capability in library.capabilities}
    if "notes" in offered:
        from quire.entry.resources import NoteResources

        yield NoteResources()
    if "books" in offered:
        from quire.entry.book_resources import BookResources

        yield BookResources()
    if "scratch" in offered and selection.names("scratch"):
        from quire.entry.scratch_resources import ScratchResources

        yield ScratchResources()


def http_door(library: Library, settings: Settings) -> HttpDoor:
    """What `quire serve` mounts at /mcp."""
    from quire.entry.mcp.http import HttpDoor
    from quire.entry.mcp.selection import Selection

    return HttpDoor(door(library, Selection.of(settings.toolsets), local=False, timeout=settings.timeout), settings)
