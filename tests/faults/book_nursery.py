"""Children that write to a book until they are killed: `book_nursery.py HOME STORE`.

For every line on stdin a child is forked, which says its pid and then what it has done, a line each. All that
takes long to import is there before, so a round costs little.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from quire.domain.books import content_bytes
from quire.entry.bootstrap import build
from quire.entry.settings import load

BOOK = "hard-book"
FILES = ("a.md", "lessons/b.md", "lessons/deep/c.md")
LINES = 2_000


def text_of(file: str, number: int) -> str:
    """A text that shows by itself whether it is whole: every line says what it is part of."""
    return "".join(f"{file} version {number} line {line} of {LINES}\n" for line in range(LINES))


def number_of(file: str, text: str) -> int:
    """Which version a text is; an assertion fails where it is a mixture, or not whole."""
    number = int(text.split(" ", 3)[2])
    assert text == text_of(file, number)
    return number


def say(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


async def hammer(home: str, store: str, start: int) -> None:
    async with build(load({"home": Path(home), "store": store}, {})) as library:

        async def write(file: str) -> None:
            number = start
            while True:
                number += 1
                say("try", file, number)
                await library.books.write_content(BOOK, file, text_of(file, number))
                say("done", file, number)

        async def wander() -> None:
            """One file that is moved about, deleted and made again."""
            number = start
            await library.books.delete_content(BOOK, "wander/two.md")
            while True:
                number += 1
                await library.books.write_content(BOOK, "wander/one.md", text_of("wander", number))
                await library.books.move_content(BOOK, "wander/one.md", "wander/two.md")
                await library.books.edit_content(BOOK, "wander/two.md", "append", "and more")
                await library.books.delete_content(BOOK, "wander/two.md")

        await asyncio.gather(wander(), *map(write, FILES))


def main(home: str, store: str) -> None:
    content_bytes("imported")
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            say("pid", os.getpid())
            asyncio.run(hammer(home, store, int(line)))
        os.waitpid(child, 0)
        say("gone")


if __name__ == "__main__":
    main(*sys.argv[1:])
