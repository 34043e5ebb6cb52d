"""Copies of notebooks: a file without originals, which becomes a notebook of its own."""

from __future__ import annotations

import uuid

from quire.api.context import Context
from quire.api.engine import Subject
from quire.domain.errors import NotFound
from quire.domain.files import Upload
from quire.domain.sharing import Actor, Role
from quire.local.files import Files, use
from quire.local.job_queue import JobQueue
from quire.local.job_run import Finished, Run
from quire.local.scope import Scope, SystemScope
from quire.local.transfer.importing import FILE_LIMIT, NotebookImport
from quire.local.transfer.packing import Packing
from quire.local.transfer.part import Whose
from quire.local.transfer.table import PARTS
from quire.local.workers import job
from quire.ports.store import Tx

COPIED = tuple(part for part in PARTS if part.copied)
LONGEST_TITLE = 1_000


class NotebookCopy:
    def __init__(self, system: SystemScope, files: Files, jobs: JobQueue, importing: NotebookImport) -> None:
        self._system = system
        self._files = files
        self._jobs = jobs
        self._importing = importing

    async def copy(self, scope: Scope, title: str | None) -> str:
        """The id of the copy, once it is whole."""
        return await self._importing.ended(scope, lambda tx: self._begin(tx, scope, title))

    def _begin(self, tx: Tx, scope: Scope, title: str | None) -> str:
        """The job is in the caller's inbox: it outlives the notebook that is copied, and clears up after itself."""
        row = tx.one("notebook_to_move", id=scope.notebook_id)
        if row is None:
            raise NotFound("notebook", scope.notebook_id)
        named = (title or "").strip() or f"Copy of {row['title']}"[:LONGEST_TITLE]
        target = self._importing.hidden(tx, str(uuid.uuid4()))
        payload = {"target": target, "fresh": True, "origin": scope.notebook_id, "title": named}
        return self._importing.queued(tx, scope.actor_id, "copy_notebook", payload)

    @job("copy_notebook")
    async def run_copy(self, run: Run) -> Finished:
        """What is copied is what the notebook was when the job began, however often it is resumed."""
        if run.place is None:
            origin = run.payload["origin"]
            context = Context(actor=Actor(id=run.person_id), door="job")
            scope = self._system.call(context, Subject("notebook", origin), Role.VIEWER)
            packing = Packing(COPIED, Whose(origin, run.person_id), self._files, whole=False)
            await scope.read(packing.read)
            sha256, _ = await self._files.put(Upload("notebook.quire", packing.chunks), FILE_LIMIT)
            await run.advance(0, None, "copying", f"{sha256} 0", lambda tx: use(tx, sha256, "job", run.id))
        assert run.place is not None
        sha256 = run.place.partition(" ")[0]
        async with self._importing.opened(sha256, COPIED) as file:
            return await self._importing.filled(run, file, run.payload["title"], f"{sha256} ")
