"""Processes that are killed while they export and import a notebook: each import is whole in the end, or not there."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from pathlib import Path

import pytest
from source_toiler import content, open_library
from stores import files_first

from quire.api.library import Library

TOILER = Path(__file__).with_name("transfer_toiler.py")
SECONDS = 120


async def made(home: Path, store: str) -> str:
    """A notebook that takes an import several steps."""
    async with open_library(str(home), store) as library:
        notebook = (await library.notebooks.create("Whole")).id
        for number in range(4):
            await library.sources.add_text(notebook, f"Text {number}", content(f"w{number}"))
        for number in range(30):
            await library.notes.create(notebook, f"Note {number}", "Words")
        return notebook


def killed(home: Path, store: str, notebook: str, lines: int) -> list[str]:
    """The notebooks that a process acknowledged before it was killed, after so many lines."""
    command = [sys.executable, str(TOILER), str(home), store, notebook]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    seen = [process.stdout.readline() for _ in range(lines)]
    process.kill()
    rest = process.stdout.read()
    process.stdout.close()
    assert process.wait(60) == -9
    found = "".join([*seen, rest]).split("\n")[:-1]
    return [line for line in found if line and not line.startswith("step")]


async def counts(library: Library, notebook: str) -> tuple[int, int, int]:
    sources = await library.sources.list(notebook)
    hits = await library.sources.search(notebook, "alone", limit=100)
    return len(sources), len(await library.notes.list(notebook)), len(hits)


async def check(home: Path, store: str, notebook: str, acknowledged: list[str]) -> None:
    """Lets what was begun come to its end; then every notebook is whole, and none is half there."""
    async with open_library(str(home), store) as library:
        library.engine.serve(2)
        async with asyncio.timeout(SECONDS):
            while any(not job.ended for job in await library.jobs.list(limit=1_000)):
                await asyncio.sleep(0.1)
        await library.engine.importing.take_away_left_overs()
        whole = await counts(library, notebook)
        there = {one.id for one in await library.notebooks.list(limit=1_000) if not one.inbox}
        assert there >= {notebook, *acknowledged}
        for one in there:
            assert await counts(library, one) == whole


def rounds(home: Path, store: str, count: int, seed: int) -> None:
    notebook = asyncio.run(made(home, store))
    chance = random.Random(seed)
    acknowledged: list[str] = []
    for _ in range(count):
        acknowledged += killed(home, store, notebook, chance.randint(2, 14))
    asyncio.run(check(home, store, notebook, acknowledged))


@files_first
def test_imports_of_a_killed_process_are_whole_or_not_there(home: Path, store: str) -> None:
    rounds(home, store, 1, seed=1)


@pytest.mark.long
def test_thirty_kills_leave_no_half_notebook(home: Path) -> None:
    rounds(home, "", 30, seed=2)
