"""Jobs: follow long work, cancel it, fetch what it made."""

from __future__ import annotations

from quire.domain.errors import Conflict
from quire.domain.files import Download
from quire.domain.jobs import Job
from quire.domain.pages import Page, page, position
from quire.local.job_queue import JobQueue, job_row
from quire.local.scope import Scope
from quire.ports.store import Tx


class LocalJobs:
    def __init__(self, queue: JobQueue) -> None:
        self._queue = queue

    async def list(self, scope: Scope, notebook_id: str | None, limit: int, cursor: str | None) -> Page[Job]:
        def work(tx: Tx) -> Page[Job]:
            where = {"person_id": scope.actor_id, "notebook_id": notebook_id or ""}
            rows = tx.all("jobs_of", before=position(cursor), limit=limit + 1, **where)
            return page(
                rows,
                limit,
                tx.count("count_jobs_of", **where),
                lambda row: self._queue.job_of(row, scope.context),
            )

        return await scope.read(work)

    async def get(self, scope: Scope, job_id: str) -> Job:
        return await scope.look_up(lambda tx: self._queue.job_of(job_row(tx, job_id), scope.context))

    async def wait(self, scope: Scope, job_id: str) -> Job:
        await scope.check()
        return await self._queue.finish(scope, job_id, ours=False)

    async def cancel(self, scope: Scope, job_id: str) -> Job:
        row = await scope.write(lambda tx: self._queue.cancel(tx, job_id))
        self._queue.workers.interrupt(job_id)
        return self._queue.job_of(row, scope.context)

    async def file(self, scope: Scope, job_id: str) -> Download:
        job = await self.get(scope, job_id)
        if job.file is None:
            raise Conflict(f"The job is {job.state} and has no file.")
        return job.file
