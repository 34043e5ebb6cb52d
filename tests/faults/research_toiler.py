"""A process that begins a deep run and works on it until it is killed.

    python research_toiler.py HOME STORE FINDER PAGES QUERY

It prints the run's id once it is acknowledged.
"""

from __future__ import annotations

import asyncio
import os
import sys

from quire.adapters.machine import SystemClock
from quire.api.library import Library
from quire.entry.bootstrap import make_parts
from quire.entry.settings import load
from quire.local.engine import LocalEngine

LEASE = 1.0


def open_library(home: str, store: str, finder: str) -> Library:
    """A library whose jobs change hands soon after their worker has died."""
    finding = {"finders": "searxng", "finder_urls": f"searxng={finder}", "fetch_allow": "127.0.0.1"}
    settings = load({"home": home, "store": store, "embedder": "none", **finding}, {})
    return Library(LocalEngine(make_parts(settings, SystemClock()), LEASE))


async def main(home: str, store: str, finder: str, pages: str, query: str) -> None:
    async with open_library(home, store, finder) as library:
        begun = await library.research.start(None, query, mode="deep", pages=int(pages))
        os.write(1, f"{begun.id}\n".encode())
        await library.research.wait(None, begun.id)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
