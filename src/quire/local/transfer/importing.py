"""Notebooks out of files: looked through whole, then written in steps into a notebook that is seen after the last."""

from __future__ import annotations

import asyncio
import json
import tempfile
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from quire.domain.errors import Conflict, InvalidInput, NotFound
from quire.domain.files import Upload
from quire.domain.notebook_file.rows import FileRow
from quire.domain.sharing import Role
from quire.local.files import Files
from quire.local.job_queue import JobQueue
from quire.local.job_run import Finished, Run
from quire.local.removal import Removal
from quire.local.scope import Scope, SystemScope
from quire.local.source_vectors import SourceVectors
from quire.local.source_versions import STEP
from quire.local.transfer.notebook_file import NotebookFile, Seen
from quire.local.transfer.part import Into, Part, Step
from quire.local.transfer.table import PARTS
from quire.local.workers import job, sweep
from quire.ports.finish_anyway import finish_anyway
from quire.ports.search import Index
from quire.ports.store import Tx

FILE_LIMIT = 16 * 2**30
KIND = "import_notebook"
# What tells whether one of these ids is taken, by the kind of what has it.
TAKEN = {
    "notebook": "taken_of_notebook",
    "source": "taken_of_source",
    "label": "taken_of_label",
    "conversation": "taken_of_conversation",
    "turn": "taken_of_turn",
    "note": "taken_of_note",
    "artifact": "taken_of_artifact",
}


class NotebookImport:
    def __init__(
        self,
        system: SystemScope,
        files: Files,
        jobs: JobQueue,
        index: Index,
        vectors: SourceVectors,
        removal: Removal,
    ) -> None:
        self._system = system
        self._files = files
        self._jobs = jobs
        self._index = index
        self._vectors = vectors
        self._removal = removal

    async def import_(self, scope: Scope, file: Upload) -> str:
        """The id of the notebook that a file became, once it is whole."""
        sha256, _ = await self._files.put(file, FILE_LIMIT)
        try:
            seen = await self._checked(scope, sha256)
        except InvalidInput:
            await self._files.forget(sha256)
            raise
        return await self.ended(scope, lambda tx: self._begin(tx, scope.actor_id, sha256, seen))

    async def ended(self, scope: Scope, begin: Callable[[Tx], str]) -> str:
        """The notebook that a job has filled; where it has not, what it wrote is taken away."""
        job_id = await scope.write(begin)
        self._jobs.workers.wake()
        filled = None
        try:
            filled = (await self._jobs.finish(scope, job_id, ours=True)).result
            if filled is None:
                raise Conflict("It was cancelled, and nothing is left of it.")
            return str(filled["notebook_id"])
        finally:
            if filled is None:
                await finish_anyway(self.take_away_left_overs())

    async def _checked(self, scope: Scope, sha256: str) -> Seen:
        looked = 0

        def noted() -> None:
            nonlocal looked
            looked += 1

        seen = Seen()
        async with self.opened(sha256) as file:
            checking = asyncio.ensure_future(asyncio.to_thread(file.check, seen, noted))
            try:
                while not (await asyncio.wait({checking}, timeout=0.5))[0]:
                    await scope.context.report(looked, None, "checking")
            finally:
                await asyncio.wait({checking})
            await checking
        return seen

    def _begin(self, tx: Tx, person_id: str, sha256: str, seen: Seen) -> str:
        """The notebook that nobody sees yet, and the job that fills it: with the ids of the file, if all are free."""
        (notebook_id,) = seen.ids["notebook"]
        fresh = any(
            tx.one(query, ids=json.dumps(sorted(seen.ids.get(kind, set()) | seen.loose.get(kind, set()))))
            for kind, query in TAKEN.items()
        )
        target = str(uuid.uuid4()) if fresh else notebook_id
        payload = {"target": self.hidden(tx, target), "fresh": fresh, "sha256": sha256}
        return self.queued(tx, person_id, KIND, payload, blob=sha256)

    def hidden(self, tx: Tx, id: str) -> str:
        """A notebook that nobody sees."""
        tx.run("insert_notebook", id=id, title="", inbox_of=None, at=self._system.now())
        return id

    def queued(self, tx: Tx, person_id: str, kind: str, payload: dict[str, Any], *, blob: str | None = None) -> str:
        """A job in a person's inbox, which is there whatever becomes of other notebooks."""
        inbox = tx.one("role_in_inbox", person_id=person_id)
        if inbox is None:
            raise NotFound("notebook", "inbox")
        return self._jobs.add(tx, inbox["notebook_id"], person_id, kind, payload, blob=blob)

    @job(KIND)
    async def run_import(self, run: Run) -> Finished:
        async with self.opened(run.payload["sha256"]) as file:
            await self._put_originals(run, file)
            return await self.filled(run, file)

    async def filled(self, run: Run, file: NotebookFile, title: str | None = None, before: str = "") -> Finished:
        """Writes the rows, from where an attempt before has stopped, and shows the notebook.

        `before` stands before the number of the step in the job's place.
        """
        into = Into(run.payload["target"], run.person_id, run.payload["fresh"], run.now(), self._index)
        total = sum(part.rows for part in file.manifest.tables)
        done, number = int((run.place or "").removeprefix(before) or 0), 0
        steps = _steps(_rows(file, Mapping(run.id, into), title), into)
        while batch := await asyncio.to_thread(_next, steps):
            first, number = number, number + len(batch)
            left = [step for at, (_, step) in enumerate(batch, first) if at >= done]
            if left:

                def work(tx: Tx, left: list[Step] = left) -> None:
                    for step in left:
                        step.work(tx)

                await run.advance(batch[-1][0], total, "writing", f"{before}{number}", work)

        def show(tx: Tx) -> None:
            tx.run("insert_member", notebook_id=into.notebook_id, person_id=run.person_id, role=int(Role.OWNER))
            tx.run("next_generation", notebook_id=into.notebook_id)
            self._system.event(tx, into.notebook_id, "notebook.created", into.notebook_id)
            for source_id, language in into.languages.items():
                self._vectors.embed_later(tx, into.notebook_id, run.person_id, source_id, language)

        if done <= number:
            await run.advance(total, total, "writing", f"{before}{number + 1}", show)
        self._jobs.workers.wake()
        return Finished({"notebook_id": into.notebook_id, "same_ids": not into.fresh})

    async def _put_originals(self, run: Run, file: NotebookFile) -> None:
        """Stored before rows need them; the sweeper leaves alone what was just put."""
        if run.place is not None:
            return
        for number, sha256 in enumerate(file.originals()):
            if number % 50 == 0:
                await run.advance(number, len(file.originals()), "storing originals", None)
            await self._files.put(Upload(sha256, lambda one=sha256: _threaded(file.original(one))), FILE_LIMIT)  # type: ignore[misc]

    @sweep
    async def take_away_left_overs(self) -> None:
        """What an import that was cancelled or has failed had written."""

        def work(tx: Tx) -> None:
            for row in tx.all("failed_transfers"):
                target = json.loads(row["payload"])["target"]
                there = tx.one("notebook_to_move", id=target)
                if there is None or tx.one("in_use", notebook_id=target):
                    continue
                self._removal.notebook(tx, target, row["person_id"])

        await self._system.write(work)

    @asynccontextmanager
    async def opened(self, sha256: str, parts: tuple[Part[Any], ...] = PARTS) -> AsyncIterator[NotebookFile]:
        async with self._at_hand(sha256) as path:
            file = await asyncio.to_thread(NotebookFile, path, parts)
            try:
                yield file
            finally:
                file.close()

    @asynccontextmanager
    async def _at_hand(self, sha256: str) -> AsyncIterator[Path]:
        """A stored file on this machine: where it lies, or a copy for the time being."""
        upload = await self._files.upload(sha256, "notebook.quire")
        if upload.path is not None:
            yield upload.path
            return
        with tempfile.NamedTemporaryFile(prefix="quire-") as spool:
            async for chunk in upload.chunks():
                await asyncio.to_thread(spool.write, chunk)
            await asyncio.to_thread(spool.flush)
            yield Path(spool.name)


class Mapping:
    """The ids of a file as they are here: the same, or others that follow from them and the job alone."""

    def __init__(self, salt: str, into: Into) -> None:
        self._salt = uuid.UUID(salt)
        self._into = into

    def own(self, kind: str, id: str) -> str:
        if kind == "notebook":
            return self._into.notebook_id
        return str(uuid.uuid5(self._salt, f"{kind} {id.lower()}")) if self._into.fresh else id

    def there(self, kind: str, id: str) -> str:
        return self.own(kind, id)

    def perhaps(self, kind: str, id: str) -> str:
        return self.own(kind, id)


def _rows(file: NotebookFile, ids: Mapping, title: str | None) -> Iterator[tuple[int, Part[Any], FileRow]]:
    """Every row as it is to be written, counted from 1 on."""
    number = 0
    for part in file.held:
        for row in file.rows(part):
            number += 1
            if title is not None and part.name == "notebook":
                row = row.model_copy(update={"title": title, "collections": []})
            yield number, part, row.mapped(ids)


def _steps(rows: Iterator[tuple[int, Part[Any], FileRow]], into: Into) -> Iterator[tuple[int, Step]]:
    """What is to be done, each step with the number of its row."""
    for number, part, row in rows:
        for step in part.steps(row, into):
            yield number, step


def _next(steps: Iterator[tuple[int, Step]]) -> list[tuple[int, Step]]:
    """The next steps that go into one transaction."""
    batch: list[tuple[int, Step]] = []
    weight = 0
    for number, step in steps:
        batch.append((number, step))
        weight += step.weight
        if weight >= STEP:
            break
    return batch


async def _threaded(chunks: Iterator[bytes]) -> AsyncIterator[bytes]:
    while chunk := await asyncio.to_thread(next, chunks, b""):
        yield chunk
