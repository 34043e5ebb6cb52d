"""Copies of sources in another notebook: the same text, cut in the same way, and the same original."""

from __future__ import annotations

import asyncio
import uuid

from quire.api.context import Context
from quire.api.engine import Subject
from quire.domain.errors import NotFound, QuireError
from quire.domain.pages import Page
from quire.domain.sharing import Actor, Role
from quire.domain.sources import CopiedSource
from quire.local.check_role import check_role
from quire.local.files import use
from quire.local.job_queue import JobQueue
from quire.local.job_run import Finished, Run
from quire.local.scope import Scope, SystemScope
from quire.local.source_jobs import SourceReading
from quire.local.source_rows import one_source, source_row
from quire.local.transfer.sources import prepared_again, version_in_force
from quire.local.workers import job
from quire.ports.store import Tx

CARRIED = ("title", "kind", "url", "blob", "given", "file_name", "media_type", "whole")


class SourceCopies:
    def __init__(self, system: SystemScope, jobs: JobQueue, reading: SourceReading) -> None:
        self._system = system
        self._jobs = jobs
        self._reading = reading

    async def copy(self, scope: Scope, source_ids: list[str], into: str) -> list[tuple[str, str, str]]:
        """The id of each source, of its copy, and of the job that fills the copy, in the order that was asked for."""

        def work(tx: Tx) -> list[tuple[str, str, str]]:
            target = check_role(tx, scope.actor_id, Subject("notebook", into), Role.EDITOR)
            tx.one("lock_notebook", id=target)
            copies = [self._begin(tx, scope, id, target) for id in dict.fromkeys(source_ids)]
            tx.run("touch_notebook", id=target, at=scope.now())
            return copies

        copies = await scope.write(work)
        self._jobs.workers.wake()
        return copies

    def _begin(self, tx: Tx, scope: Scope, origin: str, target: str) -> tuple[str, str, str]:
        row = source_row(tx, origin)
        if row["notebook_id"] != scope.notebook_id:
            raise NotFound("source", origin)
        id = str(uuid.uuid4())
        if row["version"]:
            payload = {"source_id": id, "origin": origin}
            job_id = self._jobs.add(tx, target, scope.actor_id, "copy_source", payload)
        else:
            # There is no text to copy: the copy is read from its own original.
            url = row["url"] if row["blob"] is None else None
            job_id = self._reading.read_later(tx, target, scope.actor_id, id, titled=True, url=url)
        at = scope.now()
        values = {name: row[name] for name in CARRIED} | {"created_at": at, "updated_at": at}
        tx.run("insert_moved_source", id=id, notebook_id=target, state="processing", error=None, version=0, **values)
        tx.run("read_source_again", id=id, job_id=job_id, at=at)
        if row["blob"]:
            use(tx, row["blob"], "source", id)
        self._system.event(tx, target, "source.created", id)
        return origin, id, job_id

    @job("copy_source")
    async def run_copy(self, run: Run) -> Finished:
        """For as long as whoever asked may read the source."""
        source_id, origin = run.payload["source_id"], run.payload["origin"]
        try:
            context = Context(actor=Actor(id=run.person_id), door="job")
            scope = self._system.call(context, Subject("source", origin), Role.VIEWER)
            version = await scope.read(lambda tx: version_in_force(tx, origin))
            row = await run.read(lambda tx: source_row(tx, source_id))
            prepared = await asyncio.to_thread(prepared_again, version, row["title"])
        except QuireError as error:
            await self._reading.failed(run, source_id, error)
            raise
        return await self._reading.settled(run, row, prepared, row["kind"])

    async def told(self, scope: Scope, copies: list[tuple[str, str, str]]) -> Page[CopiedSource]:
        def work(tx: Tx) -> Page[CopiedSource]:
            items = [CopiedSource(original_id=origin, source=one_source(tx, id)) for origin, id, _ in copies]
            return Page(items=items, total=len(items))

        return await scope.read(work)
