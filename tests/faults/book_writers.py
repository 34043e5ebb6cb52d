"""Writers of one book in a process of their own: `book_writers.py HOME STORE NAME COUNT`.

Each line on stdin is the hash that all of them write with; the answer is a line of JSON with what each got.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from quire.api.library import Library
from quire.domain.errors import Conflict
from quire.entry.bootstrap import build
from quire.entry.settings import load

BOOK = "team-book"
LESSON = "lessons/part-1/shared.md"


async def write(library: Library, text: str, file_hash: str) -> tuple[str, str]:
    try:
        written = await library.books.write_content(BOOK, LESSON, text, file_hash)
        return "won", written.file_hash
    except Conflict as error:
        return "lost", error.details["current_hash"]


async def main(home: str, store: str, name: str, count: int) -> None:
    async with build(load({"home": Path(home), "store": store}, {})) as library:
        await library.books.list()
        print("ready", flush=True)
        number = 0
        while file_hash := (await asyncio.to_thread(sys.stdin.readline)).strip():
            number += 1
            texts = [f"round {number}, process {name}, writer {writer}\n" * 20 for writer in range(count)]
            print(json.dumps(await asyncio.gather(*(write(library, text, file_hash) for text in texts))), flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))
