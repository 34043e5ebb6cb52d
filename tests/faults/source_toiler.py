"""A process that adds sources and reads them until it is killed.

    python source_toiler.py HOME STORE NAME

It prints a line for each source once it was acknowledged: `text ID WORD`, `file ID WORD` or `broken ID WORD`; WORD
stands in its text and in no other.
"""

from __future__ import annotations

import asyncio
import os
import sys
from itertools import count

from quire.adapters.machine import SystemClock
from quire.api.library import Library
from quire.domain.files import Upload
from quire.entry.bootstrap import make_parts
from quire.entry.settings import load
from quire.local.engine import LocalEngine

LEASE = 1.0
PARAGRAPHS = 60
KINDS = ("text", "file", "file", "broken", "file")


def open_library(home: str, store: str) -> Library:
    """A library whose jobs change hands soon after their worker has died."""
    return Library(
        LocalEngine(make_parts(load({"home": home, "store": store, "embedder": "none"}, {}), SystemClock()), LEASE)
    )


def tell(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def content(word: str) -> str:
    """A text of several passages, with the word in each."""
    return "\n\n".join(f"Paragraph {number} of this text is about {word} alone. " * 5 for number in range(PARAGRAPHS))


async def toil(library: Library, name: str) -> None:
    for number in count():
        kind, word = KINDS[number % len(KINDS)], f"{name}x{number}"
        if kind == "text":
            source = await library.sources.add_text(None, word, content(word))
        elif kind == "broken":
            source = await library.sources.add_file(None, Upload.of(b"%PDF-1.7 " + word.encode(), word), wait=False)
        else:
            source = await library.sources.add_file(None, Upload.of(content(word), f"{word}.txt"), wait=False)
        tell(f"{kind} {source.id} {word}")


async def main(home: str, store: str, name: str) -> None:
    async with open_library(home, store) as library:
        library.engine.serve(2)
        await toil(library, name)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
