"""A crowd of processes that all open one library for the first time at the same moment, and add notes to it.

    python crowd.py HOME STORE PROCESSES NOTES

Each process prints the title and id of a note once it was acknowledged. Exits with 1 if any of them met an error.
"""

from __future__ import annotations

import asyncio
import os
import sys

from quire.api.library import Library
from quire.entry.bootstrap import build
from quire.entry.settings import load


async def add(library: Library, who: int, count: int) -> None:
    async with library:
        for number in range(count):
            note = await library.notes.create(None, f"{who}-{number}", "text")
            os.write(1, f"{note.title} {note.id}\n".encode())


def main(home: str, store: str, processes: int, count: int) -> int:
    settings = load({"home": home, "store": store}, {})
    build(settings)  # What this imports is shared by all; nothing is opened yet.
    gate, opener = os.pipe()
    children = []
    for who in range(processes):
        child = os.fork()
        if child == 0:
            os.close(opener)
            os.read(gate, 1)  # Ends for all of them when the parent closes the other side.
            asyncio.run(add(build(settings), who, count))
            os._exit(0)
        children.append(child)
    os.close(opener)
    statuses = [os.waitpid(child, 0)[1] for child in children]
    return int(any(statuses))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
