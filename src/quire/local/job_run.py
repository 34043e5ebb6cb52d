"""One attempt at a job."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from quire.domain.files import Upload
from quire.local.scope import SystemScope
from quire.ports.store import Row, Tx

LEASE = 30.0
# So many leases ahead a time cannot be: it was written by a clock that was wrong, and does not count.
FAR = 10

# Which jobs go first. What waits for others' servers fetches; it has places of its own, and so have vectors.
FETCH, WORK, EMBED = 0, 1, 2

Result = TypeVar("Result")


@dataclass(frozen=True)
class Finished:
    """What a job came to: facts, and a file where it made one."""

    result: dict[str, Any]
    file: Upload | None = None
    media_type: str = "application/octet-stream"


class Stopped(Exception):
    """The job was cancelled, or is no longer this worker's."""


class MovedOn(Stopped):
    """The rest of the job is for another turn: it is queued again as that."""

    def __init__(self, turn: int) -> None:
        self.turn = turn
        super().__init__(turn)


class Run:
    """One attempt at a job, by one worker. The role of whoever asked for the job was checked when it was queued."""

    def __init__(self, system: SystemScope, row: Row, lease: float = LEASE, *, gives_way: bool = False) -> None:
        self._system = system
        self._lease = lease
        self._gives_way = gives_way
        self.turn: int = row["turn"]
        self.id: str = row["id"]
        self.kind: str = row["kind"]
        self.notebook_id: str = row["notebook_id"]
        self.person_id: str = row["person_id"]
        self.payload: dict[str, Any] = json.loads(row["payload"])
        self.place: str | None = row["place"]
        self.attempts: int = row["attempts"]
        self.cancelled = bool(row["cancelled"])
        self.interrupted = False
        self.task: asyncio.Task[tuple[Finished, dict[str, Any] | None]] | None = None
        self.mine = {"id": self.id, "worker": row["worker"]}

    async def read(self, work: Callable[[Tx], Result]) -> Result:
        return await self._system.read(work)

    async def write(self, work: Callable[[Tx], Result]) -> Result:
        """A change that holds whether or not the job is still this worker's."""
        return await self._system.write(work)

    def now(self) -> int:
        return self._system.now()

    def event(self, tx: Tx, kind: str, subject_id: str) -> None:
        """Records what a step did."""
        self._system.event(tx, self.notebook_id, kind, subject_id)

    async def advance(
        self, done: int, total: int | None, message: str, place: str | None, work: Callable[[Tx], None] | None = None
    ) -> None:
        """Commits a step: what it did and the place to go on from, or neither."""

        def step(tx: Tx) -> None:
            lease = self._lease_until()
            # The job's row comes before what the step does: the order in which everyone else takes locks.
            if not tx.run(
                "advance_job", done=done, total=total, message=message, place=place, lease_until=lease, **self.mine
            ):
                raise Stopped
            if work:
                work(tx)

        await self._system.write(step)
        if (place or "") != (self.place or ""):
            self.place, self.attempts = place, 1

    async def let_others_pass(self) -> None:
        """Stops here, between two steps, for a person of whom nothing is worked on; the job goes on after theirs."""
        if self._gives_way:
            now = self._system.lease_clock()
            times = {"now": now, "far": now + int(FAR * self._lease * 1e6)}
            if await self._system.read(lambda tx: tx.one("job_before", turn=self.turn, **times)):
                raise Stopped

    async def hold(self) -> bool:
        """Extends the lease when a third of it is gone; False when the job was cancelled or taken over."""
        row = await self._system.read(lambda tx: tx.one("job_by_id", id=self.id))
        if row is None or row["worker"] != self.mine["worker"] or row["cancelled"]:
            return False
        lease = self._lease_until()
        # Further ahead than it should be is as bad: the clock was put back.
        if abs(lease - row["lease_until"]) < self._lease * 1e6 / 3:
            return True
        return bool(await self._system.write(lambda tx: tx.run("hold_job", lease_until=lease, **self.mine)))

    def interrupt(self) -> None:
        """Ends the attempt here and now; whether the job is over is decided by its row."""
        self.interrupted = True
        if self.task:
            self.task.cancel()

    async def end(self, state: str, *, result: Any = None, error: Any = None, file: Any = None) -> None:
        def work(tx: Tx) -> None:
            ended = tx.run(
                "end_job",
                state=state,
                result=None if result is None else json.dumps(result),
                error=None if error is None else json.dumps(error),
                file=None if file is None else json.dumps(file),
                now=self.now(),
                **self.mine,
            )
            if ended:
                if file is not None:
                    tx.run("use_blob", sha256=file["sha256"], kind="job", subject_id=self.id)
                self.event(tx, "job.ended", self.id)

        await self._system.write(work)

    async def put_back(self, *, error: dict[str, Any] | None = None, wait: float = 0, turn: int | None = None) -> None:
        """Queues the job again, or ends it where it was cancelled. Without an error the attempt does not count."""

        def work(tx: Tx) -> None:
            row = tx.one(
                "requeue_job",
                now=self.now(),
                run_after=self._system.lease_clock() + int(wait * 1e6),
                turn=self.turn if turn is None else turn,
                error=None if error is None else json.dumps(error),
                uncounted=1 if error is None else 0,
                **self.mine,
            )
            if row is not None and row["state"] == "cancelled":
                self.event(tx, "job.ended", self.id)

        await self._system.write(work)

    def _lease_until(self) -> int:
        return self._system.lease_clock() + int(self._lease * 1e6)
