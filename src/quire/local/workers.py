"""Workers: long work that survives a crash and ends once.

A worker claims a job with a lease and keeps it by a heart-beat. Every step commits together with
the place to go on from, and only while the claim still stands; so a job that changes hands neither
repeats nor loses a step.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from quire.api.capability import methods_of
from quire.api.context import Context
from quire.api.guard import masked
from quire.domain.errors import QuireError
from quire.domain.files import Upload
from quire.domain.sharing import Actor
from quire.local.files import put_blob, sweep, use_blob
from quire.local.finish_anyway import outlast, sheltered
from quire.local.service import Parts
from quire.ports.store import Row, Tx

if TYPE_CHECKING:
    from quire.api.library import Library

log = logging.getLogger("quire.jobs")

LEASE = 30.0
ATTEMPTS = 3
BACKOFF = (1.0, 5.0)
IDLE = 1.0
SWEEP_EVERY = 3600.0
FILE_LIMIT = 2 * 1024**3
KEPT_EVENTS = 7 * 24 * 3600 * 1_000_000

Handler = TypeVar("Handler", bound=Callable[..., Awaitable["Finished"]])


@dataclass(frozen=True)
class Finished:
    """What a job came to: facts, and a file where it made one."""

    result: dict[str, Any]
    file: Upload | None = None
    media_type: str = "application/octet-stream"


def job(kind: str) -> Callable[[Handler], Handler]:
    """Makes a method of a service the one that runs jobs of this kind."""

    def declare(method: Handler) -> Handler:
        method.runs = kind  # type: ignore[attr-defined]
        return method

    return declare


class Stopped(Exception):
    """The job was cancelled, or is no longer this worker's."""


class Run:
    """One attempt at a job, by one worker."""

    def __init__(self, parts: Parts, row: Row) -> None:
        self.parts = parts
        self.id: str = row["id"]
        self.kind: str = row["kind"]
        self.notebook_id: str = row["notebook_id"]
        self.person_id: str = row["person_id"]
        self.payload: dict[str, Any] = json.loads(row["payload"])
        self.place: str | None = row["place"]
        self.attempts: int = row["attempts"]
        self.interrupted = False
        self.task: asyncio.Task[tuple[Finished, dict[str, Any] | None]] | None = None
        self.mine = {"id": self.id, "worker": row["worker"]}

    async def advance(
        self, done: int, total: int | None, message: str, place: str | None, work: Callable[[Tx], None] | None = None
    ) -> None:
        """Commits a step: what it did and the place to go on from, or neither."""

        def step(tx: Tx) -> None:
            lease = self.lease_until()
            # The job's row comes before what the step does: the order in which everyone else takes locks.
            if not tx.run(
                "advance_job", done=done, total=total, message=message, place=place, lease_until=lease, **self.mine
            ):
                raise Stopped
            if work:
                work(tx)

        await self.parts.store.write(step)
        if (place or "") != (self.place or ""):
            self.place, self.attempts = place, 1

    async def hold(self) -> bool:
        """Extends the lease when a third of it is gone; False when the job was cancelled or taken over."""
        row = await self.parts.store.read(lambda tx: tx.one("job_by_id", id=self.id))
        if row is None or row["worker"] != self.mine["worker"] or row["cancelled"]:
            return False
        lease = self.lease_until()
        if lease - row["lease_until"] < self.parts.workers.lease * 1e6 / 3:
            return True
        return bool(await self.parts.store.write(lambda tx: tx.run("hold_job", lease_until=lease, **self.mine)))

    def interrupt(self) -> None:
        """Ends the attempt here and now; whether the job is over is decided by its row."""
        self.interrupted = True
        if self.task:
            self.task.cancel()

    def lease_until(self) -> int:
        return self.parts.clock.now() + int(self.parts.workers.lease * 1e6)

    async def end(self, state: str, *, result: Any = None, error: Any = None, file: Any = None) -> None:
        def work(tx: Tx) -> None:
            ended = tx.run(
                "end_job",
                state=state,
                result=None if result is None else json.dumps(result),
                error=None if error is None else json.dumps(error),
                file=None if file is None else json.dumps(file),
                now=self.parts.clock.now(),
                **self.mine,
            )
            if ended:
                if file is not None:
                    use_blob(tx, file["sha256"], "job", self.id)
                told(tx, self.parts, self.notebook_id, "job.ended", self.id)

        await self.parts.store.write(work)

    async def put_back(self, *, error: dict[str, Any] | None = None, wait: float = 0) -> None:
        """Queues the job again, or ends it where it was cancelled. Without an error the attempt does not count."""

        def work(tx: Tx) -> None:
            now = self.parts.clock.now()
            row = tx.one(
                "requeue_job",
                now=now,
                run_after=now + int(wait * 1e6),
                error=None if error is None else json.dumps(error),
                uncounted=1 if error is None else 0,
                **self.mine,
            )
            if row is not None and row["state"] == "cancelled":
                told(tx, self.parts, self.notebook_id, "job.ended", self.id)

        await self.parts.store.write(work)


class Workers:
    """The workers of this process, and the way to run one job without them."""

    def __init__(self, lease: float = LEASE) -> None:
        self.lease = lease
        self.serving = False
        self._tasks: set[asyncio.Task[Any]] = set()
        self._runs: set[Run] = set()
        self._wake = asyncio.Event()

    def serve(self, library: Library, count: int = 2) -> None:
        """Starts workers that take whatever is queued, until `stop`."""
        self.serving = True
        for _ in range(count):
            self._start(self._work(library))
        self._start(self._sweep(library))

    def wake(self) -> None:
        """Something was queued. Each worker waits on the event that it saw before it last looked."""
        seen, self._wake = self._wake, asyncio.Event()
        seen.set()

    def interrupt(self, job_id: str) -> None:
        """Ends the work on a cancelled job that this process has in hand; others see it by their heart-beat."""
        for run in self._runs:
            if run.id == job_id:
                run.interrupt()

    async def stop(self) -> None:
        """Ends the workers; what they had in hand is queued again and goes on from its place."""
        self.serving = False
        while self._tasks:
            for task in self._tasks:
                task.cancel()
            await sheltered(_ended(set(self._tasks)))

    def begin(self, library: Library, job_id: str) -> asyncio.Task[bool]:
        """Takes one job as a task of its own; when that is cancelled, the job is queued again."""
        return self._start(self.take(library, job_id))

    async def take(self, library: Library, only: str = "") -> bool:
        """Claims one job (or the one named) and runs it to its end; False when there was none to claim."""
        parts = library.parts
        row, stopping = await outlast(self._claim(parts, only))
        if row is None:
            return False
        run = Run(parts, row)
        if stopping:
            await sheltered(run.put_back())
            raise asyncio.CancelledError
        if row["cancelled"]:
            await sheltered(run.put_back())
        elif run.attempts > ATTEMPTS:
            died = QuireError("Its worker died each time it was tried.")
            await sheltered(run.end("failed", error=died.body()))
        else:
            await self._execute(library, run)
        return True

    async def _claim(self, parts: Parts, only: str) -> Row | None:
        now = parts.clock.now()
        if not only and await parts.store.read(lambda tx: tx.one("job_to_claim", now=now)) is None:
            return None
        claim = {"worker": secrets.token_hex(16), "lease_until": now + int(self.lease * 1e6), "now": now}
        return await parts.store.write(lambda tx: tx.one("claim_job", only=only, **claim))

    async def _work(self, library: Library) -> None:
        task = asyncio.current_task()
        assert task is not None
        while not task.cancelling():
            queued = self._wake
            try:
                if await self.take(library):
                    continue
            except QuireError as error:
                log.warning("a worker could not reach the store: %s", error.message)
            except Exception as error:
                log.error("a worker met what it does not know", exc_info=error)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(IDLE):
                    await queued.wait()

    async def _sweep(self, library: Library) -> None:
        while True:
            before = library.parts.clock.now() - KEPT_EVENTS
            try:
                await library.parts.store.write(lambda tx: tx.run("sweep_events", before=before))  # noqa: B023
                await sweep(library.parts)
                await library.books.sweep()
                await library.source_jobs.mend()
                await library.scratch.sweep()
            except QuireError as error:
                log.warning("sweeping was put off: %s", error.message)
            await asyncio.sleep(SWEEP_EVERY)

    async def _execute(self, library: Library, run: Run) -> None:
        run.task = asyncio.create_task(self._handle(library, run))
        self._runs.add(run)
        beat = self._start(self._hold(run))
        stopping = False
        try:
            await asyncio.wait({run.task})
        except asyncio.CancelledError:
            stopping = run.interrupted = True
            run.task.cancel()
            await outlast(_ended({run.task}))
        finally:
            self._runs.discard(run)
            beat.cancel()
        await sheltered(self._settle(run, run.task))
        if stopping:
            raise asyncio.CancelledError

    async def _settle(self, run: Run, task: asyncio.Task[tuple[Finished, dict[str, Any] | None]]) -> None:
        """Writes down how an attempt came out; does nothing where the job has changed hands."""
        error = QuireError("It was interrupted.") if task.cancelled() else task.exception()
        if error is None:
            finished, file = task.result()
            await run.end("done", result=finished.result, file=file)
        elif isinstance(error, Stopped) or (task.cancelled() and run.interrupted):
            await run.put_back()
        else:
            assert isinstance(error, Exception)
            ours = error if isinstance(error, QuireError) else masked(error, run.id)
            retriable = ours.retriable or ours is not error or task.cancelled()
            if retriable and run.attempts < ATTEMPTS:
                await run.put_back(error=ours.body(), wait=BACKOFF[min(run.attempts, len(BACKOFF)) - 1])
            else:
                await run.end("failed", error=ours.body())

    async def _handle(self, library: Library, run: Run) -> tuple[Finished, dict[str, Any] | None]:
        actor = library.within(Context(actor=Actor(id=run.person_id), door="job"))
        for name, service in type(library).services().items():
            for method_name in methods_of(service):
                if getattr(getattr(service, method_name), "runs", None) == run.kind:
                    finished: Finished = await getattr(getattr(actor, name), method_name)(run)
                    return finished, await _stored(run.parts, finished)
        raise QuireError(f"This version of Quire does not know jobs of the kind '{run.kind}'.")

    async def _hold(self, run: Run) -> None:
        """The heart-beat: looks for a cancel every second, and keeps the lease."""
        while True:
            await asyncio.sleep(min(IDLE, self.lease / 6))
            try:
                if not await run.hold():
                    run.interrupt()
                    return
            except QuireError as error:
                log.warning("the heart-beat of job %s failed: %s", run.id, error.message)

    def _start(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) and not isinstance(error, QuireError):
            log.error("a worker broke off", exc_info=error)


async def _ended(tasks: set[asyncio.Task[Any]]) -> None:
    while tasks := {task for task in tasks if not task.done()}:
        await asyncio.wait(tasks)


async def _stored(parts: Parts, finished: Finished) -> dict[str, Any] | None:
    if finished.file is None:
        return None
    sha256, size = await put_blob(parts, finished.file, FILE_LIMIT)
    return {"name": finished.file.name, "media_type": finished.media_type, "size": size, "sha256": sha256}


def told(tx: Tx, parts: Parts, notebook_id: str, kind: str, subject_id: str) -> None:
    tx.run("insert_event", notebook_id=notebook_id, kind=kind, subject_id=subject_id, at=parts.clock.now())
