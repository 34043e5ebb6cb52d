"""Workers: long work that survives a crash and ends once.

A worker claims a job with a lease and keeps it by a heart-beat. Every step commits together with
the place to go on from, and only while the claim still stands; so a job that changes hands neither
repeats nor loses a step. What waits for others' servers has places of its own, so have vectors, and so has
whoever has nothing worked on yet.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from quire.api.guard import masked
from quire.domain.errors import QuireError
from quire.local.job_run import EMBED, FAR, FETCH, LEASE, WORK, Finished, MovedOn, Run, Stopped
from quire.local.scope import SystemScope
from quire.ports.background import work_in_background
from quire.ports.finish_anyway import finish_anyway, finish_despite_cancel
from quire.ports.store import Row, Tx

log = logging.getLogger("quire.jobs")

ATTEMPTS = 3
BACKOFF = (1.0, 5.0)
IDLE = 1.0
SWEEP_EVERY = 3600.0
FETCHES = 8
EVERYTHING = 1_000_000

KeepFile = Callable[[Finished], Awaitable[dict[str, Any] | None]]
Handler = Callable[[Run], Awaitable[Finished]]
Sweep = Callable[[], Awaitable[Any]]
Method = TypeVar("Method", bound=Callable[..., Any])


def job(kind: str) -> Callable[[Method], Method]:
    """Makes a method the one that runs jobs of this kind."""

    def declare(method: Method) -> Method:
        method.runs_jobs = kind  # type: ignore[attr-defined]
        return method

    return declare


def sweep(method: Method) -> Method:
    """Makes a method one that is called from time to time, to put away what nobody needs."""
    method.sweeps = True  # type: ignore[attr-defined]
    return method


@dataclass(frozen=True)
class Lane:
    """So many jobs at once, of some turns, of people who have less than `most` of them worked on."""

    first: int
    last: int
    places: int = 1
    most: int = EVERYTHING


ANYTHING = Lane(FETCH, EMBED)
READING = Lane(FETCH, WORK)
FETCHING = Lane(FETCH, FETCH, FETCHES, FETCHES // 2)
LEARNING = Lane(EMBED, EMBED)
RESERVED = Lane(WORK, WORK, most=1)


class Workers:
    """The workers of this process, and the way to run one job without them.

    Where it is `serving`, it takes whatever is queued; where it is `lingering`, only what calls have left over.
    """

    def __init__(self, system: SystemScope, lease: float = LEASE) -> None:
        self.lease = lease
        self.serving = False
        self.lingering = False
        self._system = system
        self._handlers: dict[str, Handler] = {}
        self._sweeps: list[Sweep] = []
        self._tasks: set[asyncio.Task[Any]] = set()
        self._runs: set[Run] = set()
        self._wake = asyncio.Event()

    def take_on(self, parts: Iterable[object], keep_file: KeepFile) -> None:
        """Collects what these parts do as jobs and as sweeps; `keep_file` stores what they make."""
        self._keep_file = keep_file
        for part in parts:
            for name in dir(type(part)):
                method = getattr(type(part), name)
                if kind := getattr(method, "runs_jobs", None):
                    self._handlers[kind] = getattr(part, name)
                if getattr(method, "sweeps", False):
                    self._sweeps.append(getattr(part, name))

    def serve(self, count: int = 2) -> None:
        """Starts workers that take whatever is queued, until `stop`."""
        self.serving = True
        if count:
            for lane in (Lane(WORK, WORK, count), RESERVED, FETCHING, LEARNING):
                self._start(self._work(lane))
        self._start(self._sweep())

    def linger(self, first: Sweep) -> None:
        """Makes the vectors that calls do not wait for, their own and those that others left, until `stop`.

        `first` queues those that nobody has queued: of passages whose embedder is a new one.
        """
        if not self.lingering and not self.serving:
            self.lingering = True
            self._start(self._put_away([first]))
            self._start(self._work(LEARNING))

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
        self.serving = self.lingering = False
        while self._tasks:
            for task in self._tasks:
                task.cancel()
            await finish_anyway(_ended(set(self._tasks)))

    def begin(self, job_id: str) -> asyncio.Task[bool]:
        """Takes one job as a task of its own; when that is cancelled, the job is queued again."""
        return self._start(self.take(job_id))

    async def take(self, only: str = "", lane: Lane = ANYTHING) -> bool:
        """Claims one job (or the one named) and runs it to its end; False when there was none to claim."""
        run = await self._claimed(only, lane)
        if run is not None:
            await self._carry_out(run)
        return run is not None

    async def _claimed(self, only: str, lane: Lane) -> Run | None:
        row, stopping = await finish_despite_cancel(self._claim(only, lane))
        run = None if row is None else Run(self._system, row, self.lease, gives_way=not only)
        if stopping:
            if run is not None:
                await finish_anyway(run.put_back())
            raise asyncio.CancelledError
        return run

    async def _claim(self, only: str, lane: Lane) -> Row | None:
        wanted = {"first": lane.first, "last": lane.last, "most": lane.most}

        def times() -> dict[str, int]:
            now = self._system.lease_clock()
            return {"now": now, "far": now + int(FAR * self.lease * 1e6)}

        def claim(tx: Tx) -> Row | None:
            # The lease begins when the writer's turn has come, however long that took.
            mine = times()
            mine["lease_until"] = mine["now"] + int(self.lease * 1e6)
            worker = secrets.token_hex(16)
            if only:
                return tx.one("claim_this_job", id=only, worker=worker, **mine)
            return tx.one("claim_job", worker=worker, **wanted, **mine)

        if not only and await self._system.read(lambda tx: tx.one("job_to_claim", **wanted, **times())) is None:
            return None
        return await self._system.write(claim)

    async def _carry_out(self, run: Run) -> None:
        if run.cancelled or run.interrupted:
            await finish_anyway(run.put_back())
        elif run.attempts > ATTEMPTS:
            died = QuireError("Its worker died each time it was tried.")
            await finish_anyway(run.end("failed", error=died.body()))
        else:
            await self._execute(run)

    async def _work(self, lane: Lane) -> None:
        """Takes jobs for as many places as the lane has; when it is stopped, they are queued again."""
        work_in_background()
        hands: dict[asyncio.Task[None], Run] = {}
        try:
            while True:
                queued = self._wake
                try:
                    if len(hands) < lane.places and (run := await self._claimed("", lane)) is not None:
                        hand = asyncio.create_task(self._carry_out(run))
                        hand.add_done_callback(self._finished)
                        hands[hand] = run
                        continue
                except QuireError as error:
                    log.warning("a worker could not reach the store: %s", error.message)
                except Exception as error:
                    log.error("a worker met what it does not know", exc_info=error)
                waking = asyncio.ensure_future(queued.wait())
                try:
                    await asyncio.wait({waking, *hands}, timeout=IDLE, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    waking.cancel()
                hands = {hand: run for hand, run in hands.items() if not hand.done()}
        finally:
            for run in hands.values():
                run.interrupt()
            await finish_anyway(_ended(set(hands)))

    async def _sweep(self) -> None:
        while True:
            await self._put_away(self._sweeps)
            await asyncio.sleep(SWEEP_EVERY)

    async def _put_away(self, sweeps: Iterable[Sweep]) -> None:
        work_in_background()
        try:
            for put_away in sweeps:
                await put_away()
        except QuireError as error:
            log.warning("sweeping was put off: %s", error.message)

    async def _execute(self, run: Run) -> None:
        run.task = asyncio.create_task(self._handle(run))
        self._runs.add(run)
        beat = self._start(self._hold(run))
        stopping = False
        try:
            await asyncio.wait({run.task})
        except asyncio.CancelledError:
            stopping = run.interrupted = True
            run.task.cancel()
            await finish_despite_cancel(_ended({run.task}))
        finally:
            self._runs.discard(run)
            beat.cancel()
        await finish_anyway(self._settle(run, run.task))
        if stopping:
            raise asyncio.CancelledError

    async def _settle(self, run: Run, task: asyncio.Task[tuple[Finished, dict[str, Any] | None]]) -> None:
        """Writes down how an attempt came out; does nothing where the job has changed hands."""
        error = QuireError("It was interrupted.") if task.cancelled() else task.exception()
        if error is None:
            finished, file = task.result()
            await run.end("done", result=finished.result, file=file)
        elif isinstance(error, Stopped) or (task.cancelled() and run.interrupted):
            await run.put_back(turn=error.turn if isinstance(error, MovedOn) else None)
            self.wake()
        else:
            assert isinstance(error, Exception)
            ours = error if isinstance(error, QuireError) else masked(error, run.id)
            retriable = ours.retriable or ours is not error or task.cancelled()
            if retriable and run.attempts < ATTEMPTS:
                await run.put_back(error=ours.body(), wait=BACKOFF[min(run.attempts, len(BACKOFF)) - 1])
            else:
                await run.end("failed", error=ours.body())

    async def _handle(self, run: Run) -> tuple[Finished, dict[str, Any] | None]:
        handler = self._handlers.get(run.kind)
        if handler is None:
            raise QuireError(f"This version of Quire does not know jobs of the kind '{run.kind}'.")
        finished = await handler(run)
        return finished, await self._keep_file(finished)

    async def _hold(self, run: Run) -> None:
        """The heart-beat: looks for a cancel every second, and keeps the lease. It waits for nobody's work."""
        work_in_background(False)
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
