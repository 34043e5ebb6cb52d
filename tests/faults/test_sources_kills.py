"""Processes that are killed in the middle of adding and reading sources."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from source_toiler import PARAGRAPHS, content, open_library
from stores import files_first

from quire.api.library import Library
from quire.domain.sources import Source

TOILER = Path(__file__).with_name("source_toiler.py")
DIED = "Its worker died each time it was tried."
READING_SECONDS = 600


def killed(home: Path, store: str, name: str, lines: int) -> list[str]:
    """What a process acknowledged before it was killed, in the middle of whatever came next."""
    command = [sys.executable, str(TOILER), str(home), store, name]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    seen = [process.stdout.readline() for _ in range(lines)]
    process.kill()
    rest = process.stdout.read()
    process.stdout.close()
    assert process.wait(60) == -9
    # A line that was cut off was not acknowledged in full.
    return [line for line in "".join([*seen, rest]).split("\n")[:-1] if line]


async def all_sources(library: Library) -> list[Source]:
    sources: list[Source] = []
    cursor = None
    while True:
        page = await library.sources.list(None, limit=500, cursor=cursor)
        sources += page
        cursor = page.cursor
        if cursor is None:
            return sources


async def settled(library: Library) -> list[Source]:
    """All sources, once none of them is being read any more."""
    async with asyncio.timeout(READING_SECONDS):
        while "processing" in {source.state for source in await all_sources(library)}:
            await asyncio.sleep(0.1)
    return await all_sources(library)


async def check(home: Path, store: str, acknowledged: list[str]) -> None:
    """Lets a last process end what is left, and looks at everything."""
    async with open_library(str(home), store) as library:
        library.engine.serve(2)
        sources = {source.id: source for source in await settled(library)}
        for line in acknowledged:
            kind, id, word = line.split()
            assert id in sources, f"{line} was acknowledged and is not there"
            await sound(library, sources[id], kind, word)
        # What was not acknowledged is whole or not there: it is in a state that tells.
        assert Counter(source.state for source in sources.values()).keys() <= {"ready", "failed"}
        died = [source for source in sources.values() if source.error == DIED]
        assert len(died) <= len(sources) / 10


async def sound(library: Library, source: Source, kind: str, word: str) -> None:
    if source.state == "failed":
        assert source.error
        assert kind == "broken" or (kind == "file" and source.error == DIED)
        return
    assert kind != "broken"
    text = content(word)
    whole = await library.sources.get_fulltext(None, source.id)
    assert whole.text.split() == text.split()
    assert source.version == 1
    hits = await library.sources.search(None, word, limit=100)
    assert {hit.passage.source_id for hit in hits} == {source.id}
    assert len(hits) == source.passages
    assert sum(hit.passage.text.count(f"about {word} alone") for hit in hits) >= PARAGRAPHS


def rounds(home: Path, store: str, count: int, seed: int) -> None:
    chance = random.Random(seed)
    acknowledged: list[str] = []
    for number in range(count):
        acknowledged += killed(home, store, f"r{number}", chance.randint(1, 12))
        if not store:
            with closing(sqlite3.connect(home / "quire.db")) as connection:
                assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
                assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    asyncio.run(check(home, store, acknowledged))


@files_first
def test_sources_that_a_killed_process_acknowledged_are_read_or_say_why_not(home: Path, store: str) -> None:
    rounds(home, store, 3, seed=1)


@pytest.mark.long
def test_fifty_kills_lose_no_source(home: Path) -> None:
    rounds(home, "", 50, seed=2)


@pytest.mark.long
def test_twenty_kills_of_clients_of_postgres_lose_no_source(home: Path, postgres_url: str) -> None:
    rounds(home, postgres_url, 20, seed=3)
