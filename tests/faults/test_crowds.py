"""Many processes on one library: nothing is lost, nobody meets an error, and watchers see it all in order."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

from quire.domain.notes import NoteChange
from quire.entry.bootstrap import build
from quire.entry.settings import load

CROWD = Path(__file__).with_name("crowd.py")


def crowd(home: Path, store: str, processes: int, notes: int) -> dict[str, str]:
    """What was acknowledged: ids by title."""
    command = [sys.executable, str(CROWD), str(home), store, str(processes), str(notes)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.stderr == ""
    assert done.returncode == 0
    return dict(line.split() for line in done.stdout.splitlines())


async def kept(home: Path, store: str) -> dict[str, str]:
    async with build(load({"home": home, "store": store}, {})) as library:
        page = await library.notes.list(limit=1_000)
        assert page.total == len(page)
        assert len({note.short_id for note in page}) == len(page)
        return {note.title: note.id for note in page}


def test_twenty_processes_that_open_a_fresh_home_at_once_lose_nothing(home: Path) -> None:
    acknowledged = crowd(home, "", 20, 10)
    assert len(acknowledged) == 200
    assert asyncio.run(kept(home, "")) == acknowledged


def test_processes_that_open_a_fresh_database_at_once_lose_nothing(home: Path, postgres_url: str) -> None:
    acknowledged = crowd(home, postgres_url, 8, 10)
    assert len(acknowledged) == 80
    assert asyncio.run(kept(home, postgres_url)) == acknowledged


def test_a_watcher_sees_what_others_do_once_and_in_order(home: Path, store: str) -> None:
    async def watch() -> list[NoteChange]:
        async with build(load({"home": home, "store": store}, {})) as library:
            changes = []
            async for change in library.notes.watch(after=0, limit=400):
                if isinstance(change, NoteChange):
                    changes.append(change)
            return changes

    async def both() -> tuple[list[NoteChange], dict[str, str]]:
        watching = asyncio.create_task(watch())
        acknowledged = await asyncio.to_thread(crowd, home, store, 4, 100)
        return await asyncio.wait_for(watching, 120), acknowledged

    changes, acknowledged = asyncio.run(both())
    numbers = [change.seq for change in changes]
    assert numbers == sorted(set(numbers))
    assert {change.note.title: change.note_id for change in changes if change.note} == acknowledged
    for who in range(4):
        titles = [change.note.title for change in changes if change.note and change.note.title.startswith(f"{who}-")]
        assert titles == [f"{who}-{number}" for number in range(100)]
