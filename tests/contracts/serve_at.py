"""`quire mcp` in a process of its own, with a clock that a test sets: `serve_at.py HOME CLOCK`.

CLOCK is a file that holds microseconds since 1970. All else is what `quire mcp` runs.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from quire.entry.bootstrap import build
from quire.entry.mcp import door
from quire.entry.mcp.selection import Selection
from quire.entry.mcp.stdio import serve
from quire.entry.settings import load

TOOLSETS = "notes,notebooks,books,books_more,scratch"


class FileClock:
    def __init__(self, path: Path) -> None:
        self._path = path

    def now(self) -> int:
        return int(self._path.read_text())


async def main(home: str, clock: str) -> None:
    async with build(load({"home": home}, {}), FileClock(Path(clock))) as library:
        await serve(door(library, Selection.of(TOOLSETS), local=True))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
