"""Taking away what was deleted: at once, or where it is long in steps, so that others can write in between.

What lies in a notebook without members is seen by nobody. So a long notebook loses its members, and a long source moves
into a notebook of its own that never had any; a job takes away what is there, a step at a time, and last the notebook.
"""

from __future__ import annotations

import uuid

from quire.domain.errors import NotFound
from quire.domain.sharing import OWNER_ID
from quire.local.job_queue import JobQueue
from quire.local.job_run import EMBED, Finished, Run
from quire.local.scope import SystemScope
from quire.local.source_versions import STEP, drop_source, take_away_passages
from quire.local.workers import job, sweep
from quire.ports.search import Index
from quire.ports.store import Tx

# What is taken away after the passages, and how many rows in one transaction: a version has a whole text.
PARTS = {"delete_some_versions": 1, "delete_some_turns": STEP, "delete_some_notes": STEP}


class Removal:
    def __init__(self, system: SystemScope, jobs: JobQueue, index: Index) -> None:
        self._system = system
        self._jobs = jobs
        self._index = index

    def source(self, tx: Tx, notebook_id: str, person_id: str, source_id: str) -> str | None:
        """Has a source seen by nobody any more. The job that does the rest, if there is one; see `go_on`."""
        job_id = None
        if len(tx.all("some_passages_of_source", source_id=source_id, limit=STEP + 1)) <= STEP:
            drop_source(tx, self._index, notebook_id, source_id)
            tx.run("delete_source", id=source_id)
        else:
            own = str(uuid.uuid4())
            tx.run("hide_source", source_id=source_id)
            tx.run("insert_notebook", id=own, title="", inbox_of=None, at=self._system.now())
            tx.run("move_source", id=source_id, notebook_id=own)
            job_id = self._begin(tx, own, person_id)
        tx.run("release_blobs", kind="source", subject_id=source_id)
        tx.run("next_generation", notebook_id=notebook_id)
        return job_id

    def notebook(self, tx: Tx, notebook_id: str, person_id: str) -> str | None:
        """Has a notebook and all that is in it seen by nobody any more. The job that does the rest, if there is one."""
        if tx.count("count_up_to_in_notebook", notebook_id=notebook_id, limit=STEP + 1) <= STEP:
            self._last(tx, notebook_id)
            return None
        tx.run("delete_members", notebook_id=notebook_id)
        # Whoever works on one of them is stopped at the next step.
        tx.run("delete_jobs", notebook_id=notebook_id)
        return self._begin(tx, notebook_id, person_id)

    async def go_on(self, job_id: str | None) -> None:
        """Where nobody works in this process beside the calls, the call that began it does the rest."""
        workers = self._jobs.workers
        workers.wake()
        if job_id is not None and not (workers.serving or workers.lingering):
            await workers.take(job_id)

    @job("take_away")
    async def run_take_away(self, run: Run) -> Finished:
        steps, left = 0, True

        def step(tx: Tx) -> None:
            nonlocal left
            left = self._step(tx, run.notebook_id)

        while left:
            steps += 1
            await run.advance(steps, None, "taking away", str(steps), step)
        return Finished({"steps": steps})

    @sweep
    async def begin_again(self) -> None:
        """What could not be taken away is tried again."""

        def work(tx: Tx) -> None:
            for row in tx.all("left_over_notebooks"):
                tx.run("delete_jobs", notebook_id=row["notebook_id"])
                self._begin(tx, row["notebook_id"], OWNER_ID)

        await self._system.write(work)

    def _begin(self, tx: Tx, notebook_id: str, person_id: str) -> str:
        # Nothing of it follows a book or gets vectors any more.
        tx.run("empty_sources", notebook_id=notebook_id)
        return self._jobs.add(tx, notebook_id, person_id, "take_away", {}, turn=EMBED)

    def _step(self, tx: Tx, notebook_id: str) -> bool:
        """Whether something is left."""
        if rows := tx.all("some_passages_to_take_away", notebook_id=notebook_id, limit=STEP):
            take_away_passages(tx, self._index, rows)
            return True
        if any(tx.run(query, notebook_id=notebook_id, limit=limit) for query, limit in PARTS.items()):
            return True
        self._last(tx, notebook_id)
        return False

    def _last(self, tx: Tx, notebook_id: str) -> None:
        self._index.drop(tx, notebook_id)
        if not tx.run("delete_notebook", id=notebook_id):
            raise NotFound("notebook", notebook_id)
