"""The MCP door: stdio and streamable HTTP, both protocol eras.

Only the standard library, pydantic and the MCP SDK load before `initialize` is answered. Over stdio a client
waits for that, so the library, whose declarations take longest to load, is made with the first call.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import textwrap
from contextlib import AsyncExitStack
from functools import cache
from typing import TYPE_CHECKING

from quire.domain.errors import InvalidInput, QuireError
from quire.entry.settings import Settings, load

if TYPE_CHECKING:
    from quire.api.library import Library
    from quire.entry.mcp.http import HttpDoor
    from quire.entry.mcp.offer import Offer
    from quire.entry.mcp.selection import Selection
    from quire.entry.mcp.server import McpServer


def main(argv: list[str]) -> int:
    """`quire mcp`: serves one client over stdin and stdout."""
    arguments = parser().parse_args(argv)
    try:
        if sys.stdin is None or sys.stdout is None:
            raise InvalidInput("stdin and stdout must be open: they are the way to the client.")
        flags = {
            name: getattr(arguments, name) for name in ("home", "engine", "store", "toolsets", "log_level", "log_file")
        }
        settings = load(flags)
        from quire.entry.mcp.selection import Selection

        selection = Selection.of(
            settings.toolsets, arguments.tools or "", arguments.exclude_tools or "", arguments.read_only
        )
        return asyncio.run(_serve(settings, selection))
    except QuireError as error:
        sys.stderr.write(f"Error: {error.message}\n" + (f"Hint: {error.hint}\n" if error.hint else ""))
        return error.exit_code


class Parser(argparse.ArgumentParser):
    """Names the toolsets only where its help is asked for: the declarations take long to load."""

    def format_help(self) -> str:
        from quire.entry.bootstrap import offered

        names = ", ".join(dict.fromkeys(capability.toolset for capability in offered()))
        return f"{super().format_help()}\n{textwrap.fill(f'Toolsets: {names}.')}\n"


def parser() -> argparse.ArgumentParser:
    made = Parser(
        prog="quire mcp",
        description="Serve Quire to an MCP client over stdin and stdout.",
        epilog="In a client's configuration: command `quire`, arguments `mcp`.",
    )
    made.add_argument("--home", help="where everything is kept (QUIRE_HOME, ~/.quire)")
    made.add_argument("--engine", choices=["local", "notebooklm"], help="what does the work (QUIRE_ENGINE, local)")
    made.add_argument("--store", help="a PostgreSQL URL, `memory`, or a file")
    made.add_argument("--toolsets", help="offer all tools of these toolsets, e.g. notes,books; `all` for every one")
    made.add_argument("--tools", help="offer these tools besides, with commas")
    made.add_argument("--exclude-tools", help="never offer these tools, with commas")
    made.add_argument("--read-only", action="store_true", help="offer only tools that change nothing")
    made.add_argument("--log-level", choices=["debug", "info", "warning", "error"])
    made.add_argument("--log-file", help="where logs go; stderr by default")
    return made


async def _serve(settings: Settings, selection: Selection) -> int:
    """Settings that cannot work and names that do not exist are refused before anything is served."""
    from quire.entry import logs
    from quire.entry.bootstrap import library_of, make_parts
    from quire.entry.mcp.instructions import INSTRUCTIONS, instructions
    from quire.entry.mcp.prompts import PROMPTS
    from quire.entry.mcp.server import McpServer
    from quire.entry.mcp.stdio import serve

    parts = make_parts(settings)
    async with AsyncExitStack() as stack:

        @cache
        def offer() -> Offer:
            from quire.entry.mcp.offer import offer_of

            library = library_of(parts, settings, lingers=True)
            stack.push_async_callback(library.close)
            return offer_of(library, selection, settings.timeout)

        told = INSTRUCTIONS if selection.is_default else instructions(offer().toolbox.names)
        made = McpServer(offer, PROMPTS, local=True, instructions=told)
        logs.start(settings)
        await serve(made)
    return 0


def door(library: Library, selection: Selection, *, local: bool, timeout: float = 0) -> McpServer:
    """An MCP server of a library, with the tools that were selected."""
    from quire.entry.mcp.instructions import instructions
    from quire.entry.mcp.offer import offer_of
    from quire.entry.mcp.prompts import PROMPTS
    from quire.entry.mcp.server import McpServer

    offer = offer_of(library, selection, timeout)
    return McpServer(lambda: offer, PROMPTS, local=local, instructions=instructions(offer.toolbox.names))


def http_door(library: Library, settings: Settings) -> HttpDoor:
    """What `quire serve` mounts at /mcp."""
    from quire.entry.mcp.http import HttpDoor
    from quire.entry.mcp.selection import Selection

    return HttpDoor(door(library, Selection.of(settings.toolsets), local=False, timeout=settings.timeout), settings)
