"""Workers: long work that survives a crash and ends once.

A worker claims a job with a lease and keeps it by a heart-beat. Every step commits together with
the place to go on from, and only while the lease is still its own; so a job that changes hands
neither repeats nor loses a step.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from quire.domain.errors import QuireError
from quire.domain.files import Upload
from quire.domain.sharing import Actor
from quire.services.context import Context
from quire.services.files import put_blob, sweep, use_blob
from quire.services.guard import masked
from quire.services.ports import Row, Tx
from quire.services.service import Parts

if TYPE_CHECKING:
    from quire.services.library import Library

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

    def __init__(self, parts: Parts, worker: str, row: Row) -> None:
        self.parts = parts
        self.id: str = row["id"]
        self.kind: str = row["kind"]
        self.notebook_id: str = row["notebook_id"]
        self.person_id: str = row["person_id"]
        self.payload: dict[str, Any] = json.loads(row["payload"])
        self.place: str | None = row["place"]
        self.attempts: int = row["attempts"]
        self.mine = {"id": self.id, "worker": worker, "attempts": self.attempts}

    async def advance(
        self, done: int, total: int | None, message: str, place: str | None, work: Callable[[Tx], None] | None = None
    ) -> None:
        """Commits a step: what it did and the place to go on from, or neither."""

        def step(tx: Tx) -> None:
            if work:
                work(tx)
            lease = self.parts.clock.now() + int(LEASE * 1e6)
            if not tx.run(
                "advance_job", done=done, total=total, message=message, place=place, lease_until=lease, **self.mine
            ):
                raise Stopped

        await self.parts.store.write(step)

    async def hold(self) -> bool:
        """Extends the lease; False when the job was cancelled or taken over."""
        lease = self.parts.clock.now() + int(LEASE * 1e6)
        row = await self.parts.store.write(lambda tx: tx.one("hold_job", lease_until=lease, **self.mine))
        return row is not None and not row["cancelled"]

    async def end(self, state: str, *, result: Any = None, error: Any = None, file: Any = None) -> None:
        def work(tx: Tx) -> None:
            ended = tx.run(
                "end_job",
                state=state,
                result=None if result is None else json.dumps(result),
                error=None if error is None else json.dumps(error),
                file=None if file is None else json.dumps(file),
                message="",
                now=self.parts.clock.now(),
                **self.mine,
            )
            if ended:
                if file is not None:
                    use_blob(tx, file["sha256"], "job", self.id)
                told(tx, self.parts, self.notebook_id, "job.ended", self.id)

        await self.parts.store.write(work)

    async def again(self, error: dict[str, Any]) -> None:
        wait = BACKOFF[min(self.attempts, len(BACKOFF)) - 1]
        run_after = self.parts.clock.now() + int(wait * 1e6)
        await self.parts.store.write(
            lambda tx: tx.run("requeue_job", run_after=run_after, error=json.dumps(error), **self.mine)
        )


class Workers:
    """The workers of this process, and the way to run one job without them."""

    def __init__(self) -> None:
        self.name = f"worker-{secrets.token_hex(8)}"
        self.serving = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._wake = asyncio.Event()

    def serve(self, library: Library, count: int = 2) -> None:
        """Starts workers that take whatever is queued, until `stop`."""
        self.serving = True
        for _ in range(count):
            self._tasks.add(asyncio.create_task(self._work(library)))
        self._tasks.add(asyncio.create_task(self._sweep(library)))

    def wake(self) -> None:
        self._wake.set()

    async def stop(self) -> None:
        """Ends the workers; what they had in hand is queued again and goes on from its place."""
        self.serving = False
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()

    async def take(self, library: Library, only: str = "") -> bool:
        """Claims one job (or the one named) and runs it to its end; False when there was none to claim."""
        parts = library.parts
        now = parts.clock.now()
        row = await parts.store.write(
            lambda tx: tx.one("claim_job", worker=self.name, lease_until=now + int(LEASE * 1e6), now=now, only=only)
        )
        if row is None:
            return False
        await self._execute(library, Run(parts, self.name, row), bool(row["cancelled"]))
        return True

    async def _work(self, library: Library) -> None:
        while True:
            try:
                if await self.take(library):
                    continue
            except QuireError as error:
                log.warning("a worker could not reach the store: %s", error.message)
            self._wake.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(IDLE):
                    await self._wake.wait()

    async def _sweep(self, library: Library) -> None:
        while True:
            before = library.parts.clock.now() - KEPT_EVENTS
            try:
                await library.parts.store.write(lambda tx: tx.run("sweep_events", before=before))  # noqa: B023
                await sweep(library.parts)
            except QuireError as error:
                log.warning("sweeping was put off: %s", error.message)
            await asyncio.sleep(SWEEP_EVERY)

    async def _execute(self, library: Library, run: Run, cancelled: bool) -> None:
        if cancelled:
            await run.end("cancelled")
            return
        if run.attempts > ATTEMPTS:
            await run.end("failed", error=QuireError("Its worker died each time it was tried.").body())
            return
        task = asyncio.ensure_future(self._handle(library, run))
        held = asyncio.create_task(self._hold(run, task))
        try:
            finished = await task
            file = await _stored(run.parts, finished)
            await run.end("done", result=finished.result, file=file)
        except Stopped:
            await run.end("cancelled")
        except asyncio.CancelledError:
            if task.cancelled() and held.done() and not held.cancelled():
                await run.end("cancelled")
                return
            task.cancel()
            await asyncio.shield(asyncio.ensure_future(run.again({"code": "stopped", "message": "Worker stopped."})))
            raise
        except QuireError as error:
            await self._failed(run, error, error.retriable)
        except Exception as error:
            await self._failed(run, masked(error, run.id), True)
        finally:
            held.cancel()

    async def _failed(self, run: Run, error: QuireError, retriable: bool) -> None:
        if retriable and run.attempts < ATTEMPTS:
            await run.again(error.body())
        else:
            await run.end("failed", error=error.body())

    async def _handle(self, library: Library, run: Run) -> Finished:
        actor = library.within(Context(actor=Actor(id=run.person_id), door="job"))
        for name, service in type(library).services().items():
            for method_name, method in vars(service).items():
                if getattr(method, "runs", None) == run.kind:
                    finished: Finished = await getattr(getattr(actor, name), method_name)(run)
                    return finished
        raise QuireError(f"This version of Quire does not know jobs of the kind '{run.kind}'.")

    async def _hold(self, run: Run, task: asyncio.Future[Finished]) -> None:
        """The heart-beat: looks for a cancel every second, extends the lease as it does."""
        while not task.done():
            await asyncio.sleep(IDLE)
            if not await run.hold():
                task.cancel()
                return


async def _stored(parts: Parts, finished: Finished) -> dict[str, Any] | None:
    if finished.file is None:
        return None
    sha256, size = await put_blob(parts, finished.file, FILE_LIMIT)
    return {"name": finished.file.name, "media_type": finished.media_type, "size": size, "sha256": sha256}


def told(tx: Tx, parts: Parts, notebook_id: str, kind: str, subject_id: str) -> None:
    tx.run("insert_event", notebook_id=notebook_id, kind=kind, subject_id=subject_id, at=parts.clock.now())
