"""kill -9 in the midst of writing: each file is the old or the new text, whole, and its row says so."""

from __future__ import annotations

import asyncio
import hashlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from book_nursery import BOOK, FILES, number_of
from stores import files_first

from quire.api.library import Library
from quire.entry.bootstrap import build
from quire.entry.settings import load

PROGRAM = Path(__file__).parent / "book_nursery.py"
Process = subprocess.Popen[str]


@contextmanager
def nursery(home: Path, store: str) -> Iterator[Process]:
    with subprocess.Popen(
        [sys.executable, PROGRAM, home, store],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        yield process
        assert process.stdin
        process.stdin.close()
        assert process.wait(60) == 0


def one_round(process: Process, start: int, chance: random.Random) -> tuple[dict[str, int], dict[str, int]]:
    """Lets a child write, kills it somewhere, and returns what it had begun and what it had been told is done."""
    assert process.stdin
    assert process.stdout
    process.stdin.write(f"{start}\n")
    process.stdin.flush()
    pid = int(process.stdout.readline().split()[1])
    tried: dict[str, int] = {}
    done: dict[str, int] = {}
    patience = chance.randint(0, 12)
    killed = False
    for line in process.stdout:
        word, *rest = line.split()
        if word == "gone":
            break
        (tried if word == "try" else done)[rest[0]] = int(rest[1])
        patience -= word == "done"
        if patience < 0 and not killed:
            # Somewhere within the next write: that is the point of this test, and not a way to wait for something.
            time.sleep(chance.random() * 0.04)
            os.kill(pid, signal.SIGKILL)
            killed = True
    assert killed
    return tried, done


async def check(
    library: Library, home: Path, versions: dict[str, int], tried: dict[str, int], done: dict[str, int]
) -> None:
    for file in FILES:
        before = versions.get(file, 0)
        allowed = {max(before, done.get(file, 0)), max(before, tried.get(file, 0))} - {0}
        disk = home / "shelf/books" / BOOK / file
        if not allowed:
            assert not disk.exists()
            continue
        if not disk.exists():
            assert not before
            assert file not in done
            continue
        content = await library.books.read_content(BOOK, file)
        versions[file] = number_of(file, content.content)
        assert versions[file] in allowed
        assert content.file_hash_sha256 == hashlib.sha256(disk.read_bytes()).hexdigest()
        assert content.file_size == disk.stat().st_size
    await library.engine.books.sweeper.sweep()
    assert await library.engine.books.sweeper.sweep() == 0
    verdict = await library.books.verify_audit(BOOK)
    assert verdict.valid, verdict.reason
    storage = library.engine.parts.books.storages.get("fs")
    rows = await library.engine.system.read(lambda tx: tx.all("files_under", book_id=BOOK, prefix=""))
    found = {key: storage.read(key) for key, _ in storage.walk(f"books/{BOOK}")}
    assert {f"books/{BOOK}/{row['path']}" for row in rows} == set(found)
    for row in rows:
        read = found[f"books/{BOOK}/{row['path']}"]
        assert read is not None
        assert hashlib.sha256(read[0]).hexdigest() == row["sha256"]


def kill(home: Path, store: str, rounds: int, seed: int) -> None:
    settings = load({"home": home, "store": store}, {})
    chance = random.Random(seed)
    versions: dict[str, int] = {}

    async def begin() -> None:
        async with build(settings) as library:
            await library.books.create(BOOK, "A book of hard times")

    async def look(tried: dict[str, int], done: dict[str, int]) -> None:
        async with build(settings) as library:
            await check(library, home, versions, tried, done)

    asyncio.run(begin())
    with nursery(home, store) as process:
        for number in range(rounds):
            tried, done = one_round(process, number * 1_000, chance)
            asyncio.run(look(tried, done))
    assert set(versions) <= set(FILES)
    assert versions


@files_first
def test_a_killed_writer_leaves_old_or_new_files(store: str, home: Path) -> None:
    kill(home, store, 6, seed=5)


@pytest.mark.long
def test_a_hundred_killed_writers_leave_old_or_new_files(store: str, home: Path) -> None:
    kill(home, store, 100, seed=random.randrange(2**32))
