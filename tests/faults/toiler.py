"""A process that writes notes and runs jobs until it is killed, or asked to stop.

    python toiler.py HOME STORE NAME NOTES_A_JOB

It prints a line for each thing once it was acknowledged: `note TITLE` or `job NAME`. On SIGTERM it closes the
library and ends.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from itertools import count

from quire.adapters.machine import SystemClock
from quire.api.library import Library
from quire.domain.files import Upload
from quire.entry.bootstrap import make_parts
from quire.entry.settings import load
from quire.local.engine import LocalEngine

LEASE = 1.0


def open_library(home: str, store: str) -> Library:
    """A library whose jobs change hands soon after their worker has died."""
    return Library(LocalEngine(make_parts(load({"home": home, "store": store}, {}), SystemClock()), LEASE))


def tell(line: str) -> None:
    os.write(1, f"{line}\n".encode())


async def toil(library: Library, name: str, size: int) -> None:
    for number in count():
        if number % 8 == 0:
            key = f"{name}-{number}"
            text = "".join(f"# {key} {place}\n\ntext\n\n" for place in range(size))
            await library.notes.import_(None, Upload.of(text, f"{key}.md"), wait=False)
            tell(f"job {key}")
        note = await library.notes.create(None, f"note {name}-{number}", "text")
        tell(note.title)


async def main(home: str, store: str, name: str, size: int) -> None:
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    async with open_library(home, store) as library:
        library.engine.serve(2)
        toiling = asyncio.create_task(toil(library, name, size))
        stopping = asyncio.create_task(stop.wait())
        done, _ = await asyncio.wait({toiling, stopping}, return_when=asyncio.FIRST_COMPLETED)
        for task in (toiling, stopping):
            task.cancel()
        if toiling in done:
            toiling.result()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))
