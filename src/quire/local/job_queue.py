"""Starting long work, and waiting for it."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from quire.api.context import Context
from quire.domain.errors import NotFound, QuireError, error_from
from quire.domain.jobs import ENDED, Job
from quire.local.event_hub import Hub
from quire.local.files import Files, use
from quire.local.job_run import FAR, WORK
from quire.local.scope import Scope, SystemScope
from quire.local.timestamps import moment, optional_moment
from quire.local.workers import Workers
from quire.ports.finish_anyway import finish_despite_cancel
from quire.ports.store import Row, Tx

# The steps of a job that another machine works on are not told of; so they are looked up once a second.
LOOK_AGAIN = 1.0


class JobQueue:
    """Queues jobs; whoever waits for one works on it where no worker runs in this process."""

    def __init__(self, system: SystemScope, hub: Hub, workers: Workers, files: Files) -> None:
        self._system = system
        self._hub = hub
        self._files = files
        self.workers = workers

    def add(
        self,
        tx: Tx,
        notebook_id: str,
        person_id: str,
        kind: str,
        payload: dict[str, Any],
        *,
        blob: str | None = None,
        turn: int = WORK,
        host: str | None = None,
    ) -> str:
        """Queues a job in the transaction that makes it necessary; wake the workers after it has committed.

        `host` is where a job of the turn FETCH fetches from.
        """
        id = str(uuid.uuid4())
        job = {"kind": kind, "notebook_id": notebook_id, "person_id": person_id, "payload": json.dumps(payload)}
        times = {"at": self._system.now(), "run_after": self._system.lease_clock()}
        tx.run("insert_job", id=id, turn=turn, host=host, **times, **job)
        if blob:
            use(tx, blob, "job", id)
        self._system.event(tx, notebook_id, "job.queued", id)
        return id

    async def start(
        self, scope: Scope, kind: str, payload: dict[str, Any], *, blob: str | None = None, wait: bool = True
    ) -> Job:
        """Queues a job in the notebook of the call; with `wait`, stays until it has ended."""

        def work(tx: Tx) -> str:
            return self.add(tx, scope.notebook_id, scope.actor_id, kind, payload, blob=blob)

        return await self.started(scope, work, wait=wait)

    async def started(self, scope: Scope, add: Callable[[Tx], str], *, wait: bool) -> Job:
        """The same for a job that `add` queues, in a transaction of its own."""
        row, cancelled = await finish_despite_cancel(scope.write(lambda tx: job_row(tx, add(tx))))
        if cancelled:
            if wait:
                await self._withdraw(row["id"])
            raise asyncio.CancelledError
        self.workers.wake()
        return await self.finish(scope, row["id"], ours=True) if wait else self.job_of(row, scope.context)

    async def finish(self, scope: Scope, id: str, *, ours: bool) -> Job:
        """Waits until a job has ended, reporting its progress; works on it where no worker runs in this process.

        When the wait is cancelled, a job that is ours is cancelled with it; another's is left to whoever takes it
        next. A failed job raises its error.
        """
        working: asyncio.Task[bool] | None = None
        shown: tuple[int, int | None, str] | None = None
        try:
            with self._hub.commits() as heard:
                while True:
                    heard.clear()
                    row = await self._system.read(lambda tx: job_row(tx, id))
                    if (row["done"], row["total"], row["message"]) != shown:
                        shown = (row["done"], row["total"], row["message"])
                        await scope.context.report(*shown)
                    if row["state"] in ENDED:
                        return self._ended(row, scope.context)
                    if working is not None and working.done():
                        if not working.cancelled():
                            working.result()
                        working = None
                    seconds = self._until_free(row)
                    if working is None and not self.workers.serving and seconds <= 0:
                        working = self.workers.begin(id)
                    await self._something(heard, working, seconds if seconds > 0 else LOOK_AGAIN)
        except asyncio.CancelledError:
            if ours:
                await self._withdraw(id)
            raise
        finally:
            if working is not None:
                working.cancel()
                await finish_despite_cancel(_left(working))

    def go_on(self) -> None:
        """Sees to it that a worker runs in this process, for what a call has to leave undone."""
        if not self.workers.serving:
            self.workers.serve(1)

    def cancel(self, tx: Tx, id: str) -> Row:
        """Marks a job as cancelled: one that waits is over, one that is worked on ends where it is."""
        row = tx.one("cancel_job", id=id, now=self._system.now())
        job = job_row(tx, id)
        if row is not None and row["state"] == "cancelled":
            self._system.event(tx, job["notebook_id"], "job.ended", id)
        return job

    def job_of(self, row: Row, context: Context) -> Job:
        file = json.loads(row["file"]) if row["file"] else None
        return Job(
            id=row["id"],
            kind=row["kind"],
            notebook_id=row["notebook_id"],
            state=row["state"],
            done=row["done"],
            total=row["total"],
            message=row["message"],
            attempts=row["attempts"],
            result=json.loads(row["result"]) if row["result"] else None,
            error=json.loads(row["error"]) if row["error"] else None,
            file=self._files.download(file, context) if file else None,
            created_at=moment(row["created_at"]),
            started_at=optional_moment(row["started_at"]),
            finished_at=optional_moment(row["finished_at"]),
        )

    async def _withdraw(self, id: str) -> None:
        """Cancels a job whose caller has gone; where the store cannot be reached, the job just goes on."""
        with suppress(QuireError):
            await finish_despite_cancel(self._system.write(lambda tx: self.cancel(tx, id)))
            self.workers.interrupt(id)

    def _ended(self, row: Row, context: Context) -> Job:
        if row["state"] == "failed":
            raise error_from(json.loads(row["error"]) | {"job_id": row["id"]})
        return self.job_of(row, context)

    def _until_free(self, row: Row) -> float:
        """Seconds until a job can be claimed; none or fewer where it can be now."""
        at: int = row["run_after"] if row["state"] == "queued" else row["lease_until"] + 1
        seconds = (at - self._system.lease_clock()) / 1e6
        return seconds if seconds <= FAR * self.workers.lease else 0.0

    async def _something(self, heard: asyncio.Event, working: asyncio.Task[bool] | None, seconds: float) -> None:
        """Waits for a commit, for the end of our own work on the job, or for so long."""
        hearing = asyncio.ensure_future(heard.wait())
        tasks: set[asyncio.Future[Any]] = {hearing} if working is None else {hearing, working}
        try:
            await asyncio.wait(tasks, timeout=min(seconds, LOOK_AGAIN), return_when=asyncio.FIRST_COMPLETED)
        finally:
            hearing.cancel()


def job_row(tx: Tx, id: str) -> Row:
    row = tx.one("job_by_id", id=id)
    if row is None:
        raise NotFound("job", id)
    return row


async def _left(task: asyncio.Task[bool]) -> None:
    await asyncio.wait({task})
