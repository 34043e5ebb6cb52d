"""A library with one more service, whose jobs do as the test tells them; and a way to wait for things."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property
from typing import Any, ClassVar

import pytest
from at_google_table import LOOP

from quire.api.capability import capability
from quire.api.library import Library
from quire.api.noun import Noun
from quire.domain.errors import InvalidInput, Upstream
from quire.domain.files import Upload
from quire.domain.jobs import Job
from quire.domain.notebooks import NotebookId
from quire.local.engine import LocalEngine
from quire.local.job_queue import JobQueue
from quire.local.job_run import Finished, Run
from quire.local.notes import insert
from quire.local.scope import Scope
from quire.local.workers import job
from quire.ports.store import Row, Tx

LEASE = 0.6

# What is refused before it reaches the store, or done beside it, is the same on all of them.
on_one_store = pytest.mark.parametrize(
    "store",
    ["memory", *(pytest.param(name, marks=pytest.mark.long) for name in ("sqlite", "postgres")), LOOP],
    indirect=True,
)


async def until(condition: Callable[[], Any] | Callable[[], Awaitable[Any]], seconds: float = 30) -> Any:
    """Waits for something to become true, and returns it."""
    give_up = time.monotonic() + seconds
    while True:
        seen = condition()
        if isinstance(seen, Awaitable):
            seen = await seen
        if seen:
            return seen
        assert time.monotonic() < give_up, "it did not happen"
        await asyncio.sleep(0.01)


class Trial(Noun):
    noun = "trial"
    toolset = "trials"

    @capability("start_trial", "write", of=("notebook", "notebook_id"), timeout=60)
    async def start(self, act: str, notebook_id: NotebookId | None = None, wait: bool = True, steps: int = 3) -> Job:
        """Run a trial."""


class LocalTrial:
    """Jobs of the kind `trial`: the payload's `act` names the method that runs."""

    runs: ClassVar[Counter[str]] = Counter()
    gates: ClassVar[dict[str, asyncio.Event]] = {}

    def __init__(self, jobs: JobQueue) -> None:
        self._jobs = jobs

    async def start(self, scope: Scope, act: str, wait: bool, steps: int) -> Job:
        return await self._jobs.start(scope, "trial", {"act": act, "steps": steps}, wait=wait)

    @job("trial")
    async def run(self, run: Run) -> Finished:
        LocalTrial.runs[run.id] += 1
        finished: Finished = await getattr(self, run.payload["act"])(run)
        return finished

    async def steps(self, run: Run) -> Finished:
        """A note for each step; before the second it waits for the test."""
        for step in range(int(run.place or 0), run.payload["steps"]):
            if step == 1:
                await LocalTrial.gate(run.id).wait()

            def work(tx: Tx, step: int = step) -> None:
                insert(tx, run.notebook_id, str(uuid.uuid4()), f"step {step}", "", run.now())

            await run.advance(step + 1, run.payload["steps"], f"step {step}", str(step + 1), work)
        return Finished({"steps": run.payload["steps"]})

    async def refuses(self, run: Run) -> Finished:
        raise InvalidInput("This cannot be worked on.", hint="Try another.", page=7)

    async def unreachable(self, run: Run) -> Finished:
        raise Upstream("The other side is down.")

    async def comes_back(self, run: Run) -> Finished:
        if run.attempts == 1:
            raise Upstream("The other side is down.")
        return Finished({"attempts": run.attempts})

    async def is_broken(self, run: Run) -> Finished:
        raise ZeroDivisionError("the secret of the inside")

    async def gives_up(self, run: Run) -> Finished:
        raise asyncio.CancelledError

    async def makes_a_file(self, run: Run) -> Finished:
        return Finished({}, Upload.of(b"bytes", "made.bin"), "application/x-made")

    @classmethod
    def gate(cls, job_id: str) -> asyncio.Event:
        return cls.gates.setdefault(job_id, asyncio.Event())


class TrialEngine(LocalEngine):
    nouns: ClassVar[Mapping[str, type]] = {**LocalEngine.nouns, "trial": LocalTrial}

    def _made(self) -> dict[str, Any]:
        return {**super()._made(), "trial": LocalTrial(self.jobs)}


class Trials(Library):
    nouns = {**Library.nouns, "trial": Trial}  # noqa: RUF012

    @cached_property
    def trial(self) -> Trial:
        return self._noun("trial", Trial)

    def serve(self, count: int = 1) -> None:
        self.engine.serve(count)

    async def reached(self, job_id: str, done: int) -> Row:
        """Waits until a job has done so many steps."""
        return await until(lambda: self._at(job_id, done))

    async def ended(self, job_id: str) -> Row:
        return await until(lambda: self._ended(job_id))

    async def row(self, job_id: str) -> Row:
        row = await self.engine.system.read(lambda tx: tx.one("job_by_id", id=job_id))
        assert row is not None
        return row

    async def events(self, kind: str) -> list[str]:
        rows = await self.engine.system.read(lambda tx: tx.all("events_after", after=0, limit=1_000))
        return [row["subject_id"] for row in rows if row["kind"] == kind]

    async def titles(self) -> list[str]:
        return [note.title for note in await self.notes.list(limit=1_000)][::-1]

    async def _at(self, job_id: str, done: int) -> Row | None:
        row = await self.row(job_id)
        return row if row["done"] >= done else None

    async def _ended(self, job_id: str) -> Row | None:
        row = await self.row(job_id)
        return row if row["finished_at"] is not None else None


def moved(library: Library, lease: float = LEASE) -> Trials:
    """The same library with trials, and with workers of its own."""
    return Trials(TrialEngine(library.engine.parts, lease), library.context)
