"""Processes that are killed or stopped in the middle of writing notes and running jobs."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from stores import files_first
from toiler import open_library

from quire.api.library import Library
from quire.domain.jobs import Job

TOILER = Path(__file__).with_name("toiler.py")


def toil(home: Path, store: str, name: str, size: int) -> subprocess.Popen[str]:
    command = [sys.executable, str(TOILER), str(home), store, name, str(size)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def size_of(store: str) -> int:
    """How many notes a job imports: enough for several steps of a hundred, which PostgreSQL takes longer for."""
    return 450 if store else 1_250


def killed(home: Path, store: str, name: str, lines: int) -> list[str]:
    """What a process acknowledged before it was killed, in the middle of whatever came next."""
    process = toil(home, store, name, size_of(store))
    assert process.stdout is not None
    seen = [process.stdout.readline() for _ in range(lines)]
    process.kill()
    rest = process.stdout.read()
    process.stdout.close()
    assert process.wait(60) == -9
    # A line that was cut off was not acknowledged in full.
    return [line for line in "".join([*seen, rest]).split("\n")[:-1] if line]


async def all_jobs(library: Library) -> list[Job]:
    jobs: list[Job] = []
    cursor = None
    while True:
        page = await library.jobs.list(limit=500, cursor=cursor)
        jobs += page
        cursor = page.cursor
        if cursor is None:
            return jobs


async def all_titles(library: Library) -> list[str]:
    titles: list[str] = []
    cursor = None
    while True:
        page = await library.notes.list(limit=1_000, cursor=cursor)
        titles += [note.title for note in page]
        cursor = page.cursor
        if cursor is None:
            return titles


async def check(home: Path, store: str, acknowledged: list[str]) -> None:
    """Lets a last process end what is left, and looks at everything."""
    async with open_library(str(home), store) as library:
        library.engine.serve(2)
        while any(not job.ended for job in await all_jobs(library)):
            await asyncio.sleep(0.1)
        jobs = await all_jobs(library)
        titles = Counter(await all_titles(library))
        rows = await library.engine.system.read(
            lambda tx: {job.id: tx.one("job_by_id", id=job.id) for job in jobs}  # type: ignore[misc]
        )
        events = await library.engine.system.read(lambda tx: tx.all("events_after", after=0, limit=1_000_000))

    assert [title for title, times in titles.items() if times != 1] == []
    for line in acknowledged:
        if line.startswith("note "):
            assert titles[line] == 1, f"{line} was acknowledged and is not there"

    ends = Counter(event["subject_id"] for event in events if event["kind"] == "job.ended")
    assert ends == {job.id: 1 for job in jobs}
    queued = {json.loads(row["payload"])["name"].removesuffix(".md") for row in rows.values()}
    assert {line.removeprefix("job ") for line in acknowledged if line.startswith("job ")} <= queued
    for job in jobs:
        key = json.loads(rows[job.id]["payload"])["name"].removesuffix(".md")
        made = [title for title in titles if title.startswith(f"{key} ")]
        if job.state == "failed":
            # Killed three times within one step: given up, with what was done by then.
            assert job.error is not None
            assert "died each time" in job.error["message"]
        else:
            assert job.state == "done"
            assert job.result == {"notes": size_of(store)}
        assert len(made) == job.done
    assert Counter(job.state for job in jobs)["done"] > len(jobs) / 2

    created = [event["subject_id"] for event in events if event["kind"] == "note.created"]
    assert len(created) == len(set(created)) == titles.total()
    assert [event["seq"] for event in events] == sorted(event["seq"] for event in events)


def rounds(home: Path, store: str, count: int, seed: int) -> None:
    chance = random.Random(seed)
    acknowledged: list[str] = []
    for number in range(count):
        acknowledged += killed(home, store, f"r{number}", chance.randint(1, 25))
        if not store:
            sound(home)
    asyncio.run(check(home, store, acknowledged))


def sound(home: Path) -> None:
    with closing(sqlite3.connect(home / "quire.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


@files_first
def test_what_a_killed_process_acknowledged_is_kept_and_its_jobs_end_once(home: Path, store: str) -> None:
    rounds(home, store, 4, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("seed", [2])
def test_fifty_kills_lose_nothing(home: Path, seed: int) -> None:
    rounds(home, "", 50, seed)


@pytest.mark.long
def test_twenty_kills_of_clients_of_postgres_lose_nothing(home: Path, postgres_url: str) -> None:
    rounds(home, postgres_url, 20, seed=3)


@files_first
def test_a_job_whose_process_is_stopped_goes_on_in_another(home: Path, store: str) -> None:
    size = 2_000 if store else 6_000

    async def half_done() -> Job:
        async with open_library(str(home), store) as library:
            while True:
                for job in await library.jobs.list():
                    if job.done:
                        return job
                await asyncio.sleep(0.005)

    async def gone_on(id: str) -> tuple[Job, Job, Counter[str]]:
        async with open_library(str(home), store) as library:
            before = await library.jobs.get(id)
            after = await library.jobs.wait(id)
            return before, after, Counter(await all_titles(library))

    process = toil(home, store, "stopped", size)
    assert process.stdout is not None
    key = process.stdout.readline().split()[1]
    job = asyncio.run(half_done())
    process.terminate()
    process.stdout.read()
    process.stdout.close()
    assert process.wait(60) == 0
    before, after, titles = asyncio.run(gone_on(job.id))
    assert before.state == "queued"
    assert job.done <= before.done < size
    assert before.attempts == 0
    assert (after.state, after.done, after.attempts) == ("done", size, 1)
    made = {title: times for title, times in titles.items() if title.startswith(f"{key} ")}
    assert made == {f"{key} {place}": 1 for place in range(size)}
