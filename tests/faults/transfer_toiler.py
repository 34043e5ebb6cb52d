"""A process that exports and imports one notebook again and again, until it is killed.

    python transfer_toiler.py HOME STORE NOTEBOOK

It prints a line for each step that it hears of, and for each notebook that was imported and acknowledged.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace

from source_toiler import open_library, tell

from quire.domain.files import Upload


async def step(done: float, total: float | None, message: str) -> None:
    tell(f"step {message} {done}")


async def main(home: str, store: str, notebook: str) -> None:
    async with open_library(home, store) as opened:
        opened.engine.serve(2)
        library = opened.within(replace(opened.context, report=step))
        while True:
            file = await library.notebooks.export(notebook)
            made = await library.notebooks.import_(Upload.of(await file.read(), "notebook.quire"))
            tell(made.id)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
