"""Jobs: start long work, follow it, cancel it, fetch what it made."""

from __future__ import annotations

import asyncio
import json
import uuid
from contextlib import suppress
from typing import Annotated, Any

from pydantic import Field

from quire.api.capability import capability
from quire.domain.errors import Conflict, NotFound, QuireError, error_from
from quire.domain.files import Download
from quire.domain.jobs import ENDED, Job
from quire.domain.notebooks import InNotebook
from quire.domain.pages import Page
from quire.local.files import download, use_blob
from quire.local.finish_anyway import outlast
from quire.local.service import Parts, Service, cursor_at, moment, optional_moment, position
from quire.local.workers import told
from quire.ports.store import Row, Tx

POLL = 0.1

Id = Annotated[str, Field(max_length=200, description="The job's id.")]


async def start(
    service: Service, kind: str, payload: dict[str, Any], *, blob: str | None = None, wait: bool = True
) -> Job:
    """Queues a job in the notebook of the call; with `wait`, stays until it has ended."""

    def work(tx: Tx) -> Row:
        return _row(tx, queue(tx, service, kind, payload, blob=blob))

    row, cancelled = await outlast(service.write(work))
    if cancelled:
        if wait:
            await _withdraw(service.parts, row["id"])
        raise asyncio.CancelledError
    service.parts.workers.wake()
    return await finish(service, row["id"], ours=True) if wait else job_of(service.parts, row, service.context.local)


def queue(
    tx: Tx,
    service: Service,
    kind: str,
    payload: dict[str, Any],
    *,
    blob: str | None = None,
    notebook_id: str | None = None,
) -> str:
    """Queues a job in the transaction that makes it necessary; wake the workers after it has committed."""
    id = str(uuid.uuid4())
    notebook = notebook_id or service.notebook_id
    tx.run(
        "insert_job",
        id=id,
        kind=kind,
        notebook_id=notebook,
        person_id=service.context.actor.id,
        payload=json.dumps(payload),
        at=service.now(),
    )
    if blob:
        use_blob(tx, blob, "job", id)
    service.event(tx, "job.queued", id, notebook)
    return id


async def finish(service: Service, id: str, *, ours: bool) -> Job:
    """Waits until a job has ended, reporting its progress; works on it where no worker runs in this process.

    When the wait is cancelled, a job that is ours is cancelled with it; another's is left to whoever takes it next.
    A failed job raises its error.
    """
    from quire.api.library import Library

    parts = service.parts
    library = Library(parts, service.context)
    working: asyncio.Task[bool] | None = None
    shown: tuple[int, int | None, str] | None = None
    try:
        while True:
            row = await parts.store.read(lambda tx: _row(tx, id))
            if (row["done"], row["total"], row["message"]) != shown:
                shown = (row["done"], row["total"], row["message"])
                await service.context.report(*shown)
            if row["state"] in ENDED:
                return _ended(service, row)
            if working is not None and working.done():
                if not working.cancelled():
                    working.result()
                working = None
            if working is None and not parts.workers.serving and _free(row, parts.clock.now()):
                working = parts.workers.begin(library, id)
            if working is not None:
                await asyncio.wait({working}, timeout=POLL)
            else:
                await asyncio.sleep(POLL)
    except asyncio.CancelledError:
        if ours:
            await _withdraw(parts, id)
        raise
    finally:
        if working is not None:
            working.cancel()
            await outlast(_left(working))


def go_on(service: Service) -> None:
    """Sees to it that a worker runs in this process, for what a call has to leave undone."""
    from quire.api.library import Library

    if not service.parts.workers.serving:
        service.parts.workers.serve(Library(service.parts), 1)


def _cancel(tx: Tx, parts: Parts, id: str) -> Row:
    """Marks a job as cancelled: one that waits is over, one that is worked on ends where it is."""
    row = tx.one("cancel_job", id=id, now=parts.clock.now())
    job = _row(tx, id)
    if row is not None and row["state"] == "cancelled":
        told(tx, parts, job["notebook_id"], "job.ended", id)
    return job


async def _withdraw(parts: Parts, id: str) -> None:
    """Cancels a job whose caller has gone; where the store cannot be reached, the job just goes on."""
    with suppress(QuireError):
        await outlast(parts.store.write(lambda tx: _cancel(tx, parts, id)))
        parts.workers.interrupt(id)


async def _left(task: asyncio.Task[bool]) -> None:
    await asyncio.wait({task})


def _free(row: Row, now: int) -> bool:
    """Whether a job can be claimed."""
    if row["state"] == "queued":
        return bool(row["run_after"] <= now)
    return bool(row["lease_until"] < now)


class Jobs(Service):
    noun = "job"
    toolset = "jobs"

    @capability("list_jobs", "read")
    async def list(
        self,
        notebook_id: InNotebook | None = None,
        limit: Annotated[int, Field(ge=1, le=1_000)] = 50,
        cursor: str | None = None,
    ) -> Page[Job]:
        """List long-running work, newest first: of one notebook, or of all of yours."""

        def work(tx: Tx) -> Page[Job]:
            where = {"person_id": self.context.actor.id, "notebook_id": notebook_id or ""}
            rows = tx.all("jobs_of", before=position(cursor), limit=limit + 1, **where)
            total = tx.one("count_jobs_of", **where)
            more = len(rows) > limit
            rows = rows[:limit]
            return Page(
                items=[job_of(self.parts, row, self.context.local) for row in rows],
                total=total["total"] if total else 0,
                truncated=more,
                cursor=cursor_at(rows[-1]) if more else None,
            )

        return await self.read(work)

    @capability("get_job", "read", of=("job", "job_id"))
    async def get(self, job_id: Id) -> Job:
        """See how far a job is, and what came of it."""
        return await self.read(lambda tx: job_of(self.parts, _row(tx, job_id), self.context.local))

    @capability("wait_for_job", "read", of=("job", "job_id"), timeout=3600)
    async def wait(self, job_id: Id) -> Job:
        """Wait until a job has ended, with progress. A failed job is an error here."""
        await self.read(lambda tx: None)
        return await finish(self, job_id, ours=False)

    @capability("cancel_job", "write", of=("job", "job_id"), idempotent=True)
    async def cancel(self, job_id: Id) -> Job:
        """Stop a job. What it has done so far is kept."""
        row = await self.write(lambda tx: _cancel(tx, self.parts, job_id))
        self.parts.workers.interrupt(job_id)
        return job_of(self.parts, row, self.context.local)

    @capability("get_job_file", "read", of=("job", "job_id"), verb="file")
    async def file(self, job_id: Id) -> Download:
        """Get the file that a job made."""
        job = await self.read(lambda tx: job_of(self.parts, _row(tx, job_id), self.context.local))
        if job.file is None:
            raise Conflict(f"The job is {job.state} and has no file.")
        return job.file


def _row(tx: Tx, id: str) -> Row:
    row = tx.one("job_by_id", id=id)
    if row is None:
        raise NotFound("job", id)
    return row


def _ended(service: Service, row: Row) -> Job:
    if row["state"] == "failed":
        raise error_from(json.loads(row["error"]) | {"job_id": row["id"]})
    return job_of(service.parts, row, service.context.local)


def job_of(parts: Parts, row: Row, local: bool) -> Job:
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
        file=download(parts, file, local=local) if file else None,
        created_at=moment(row["created_at"]),
        started_at=optional_moment(row["started_at"]),
        finished_at=optional_moment(row["finished_at"]),
    )
