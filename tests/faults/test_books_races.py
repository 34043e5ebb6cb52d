"""Twenty writers with one hash, in four processes: one winner a round, and nothing that won is lost."""

from __future__ import annotations

import asyncio
import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from book_writers import BOOK, LESSON
from stores import files_first

from quire.entry.bootstrap import build
from quire.entry.settings import load
from quire.local.books.file_records import KEPT_VERSIONS

PROCESSES, WRITERS = 4, 5
PROGRAM = Path(__file__).parent / "book_writers.py"

Process = subprocess.Popen[str]


@contextmanager
def writers(home: Path, store: str) -> Iterator[list[Process]]:
    started = [
        subprocess.Popen(
            [sys.executable, PROGRAM, home, store, str(number), str(WRITERS)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for number in range(PROCESSES)
    ]  # fmt: skip
    try:
        for process in started:
            assert line_from(process) == "ready"
        yield started
    finally:
        for process in started:
            process.communicate(timeout=60)
            assert process.returncode == 0


def line_from(process: Process) -> str:
    assert process.stdout
    return process.stdout.readline().strip()


def one_round(processes: list[Process], file_hash: str) -> str:
    for process in processes:
        assert process.stdin
        process.stdin.write(file_hash + "\n")
        process.stdin.flush()
    results = [tuple(result) for process in processes for result in json.loads(line_from(process))]
    assert len(results) == PROCESSES * WRITERS
    won = [hash for outcome, hash in results if outcome == "won"]
    assert len(won) == 1
    assert {hash for outcome, hash in results if outcome == "lost"} == {won[0]}
    return won[0]


def race(home: Path, store: str, rounds: int) -> None:
    settings = load({"home": home, "store": store}, {})

    async def begin() -> str:
        async with build(settings) as library:
            await library.books.create(BOOK, "A book of many")
            return (await library.books.write_content(BOOK, LESSON, "start")).file_hash

    async def check(hashes: list[str]) -> None:
        async with build(settings) as library:
            content = await library.books.read_content(BOOK, LESSON)
            assert content.file_hash_sha256 == hashes[-1]
            assert hashlib.sha256(content.content.encode()).hexdigest() == hashes[-1]
            assert content.revision == len(hashes)
            logged: list[str | None] = []
            cursor = None
            while True:
                page = await library.books.audit(BOOK, path=LESSON, limit=1000, cursor=cursor)
                logged += [entry.after_hash for entry in page]
                cursor = page.cursor
                if cursor is None:
                    break
            assert logged[::-1] == hashes
            assert (await library.books.verify_audit(BOOK)).valid
            # All that the sweeper finds to do are versions beyond the bound.
            assert await library.engine.books.sweeper.sweep() == max(0, len(hashes) - KEPT_VERSIONS)
            assert await library.engine.books.sweeper.sweep() == 0

    hashes = [asyncio.run(begin())]
    with writers(home, store) as processes:
        for _ in range(rounds):
            hashes.append(one_round(processes, hashes[-1]))
    asyncio.run(check(hashes))


@files_first
def test_one_of_twenty_wins_each_round(store: str, home: Path) -> None:
    race(home, store, 8)


@pytest.mark.long
def test_one_of_twenty_wins_each_of_two_hundred_rounds(store: str, home: Path) -> None:
    race(home, store, 200)
