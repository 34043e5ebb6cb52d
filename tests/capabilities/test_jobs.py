"""Jobs through the library: started, followed, cancelled, tried again, ended once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from trials import LocalTrial, Trials, moved, until

from quire.adapters.memory import FixedClock
from quire.api.context import Context
from quire.api.library import Library
from quire.domain.errors import Conflict, InvalidInput, NotFound, QuireError
from quire.domain.files import Upload
from quire.entry.bootstrap import build
from quire.entry.settings import load
from quire.local.engine import LocalEngine

pytestmark = pytest.mark.anyio

MANY = "".join(f"# note {number}\n\ntext\n\n" for number in range(250))


async def test_a_call_works_on_its_own_job_and_tells_how_far_it_is(library: Library) -> None:
    heard: list[tuple[float, float | None, str]] = []

    async def report(done: float, total: float | None, message: str) -> None:
        heard.append((done, total, message))

    job = await library.within(Context(report=report)).notes.import_(None, Upload.of(MANY))
    assert (job.state, job.result, job.done, job.total, job.attempts) == ("done", {"notes": 250}, 250, 250, 1)
    assert job.started_at is not None
    assert job.finished_at is not None
    assert [step[0] for step in heard] == sorted(step[0] for step in heard)
    assert heard[-1][:2] == (250, 250)


async def test_a_job_can_be_left_and_waited_for_later(library: Library) -> None:
    job = await library.notes.import_(None, Upload.of(MANY), wait=False)
    assert (job.state, job.started_at, job.result) == ("queued", None, None)
    assert await library.jobs.get(job.id) == job
    ended = await library.jobs.wait(job.id)
    assert (ended.state, ended.result) == ("done", {"notes": 250})
    assert await library.jobs.wait(job.id) == ended
    assert (await library.notes.list()).total == 250


async def test_workers_take_what_is_queued(library: Library) -> None:
    jobs = [await library.notes.import_(None, Upload.of(f"# {number}\n"), wait=False) for number in range(5)]
    library.engine.serve(3)
    jobs.append(await library.notes.import_(None, Upload.of("# a\n"), wait=False))
    ended = await asyncio.gather(*[library.jobs.wait(job.id) for job in jobs])
    assert [(job.state, job.attempts) for job in ended] == [("done", 1)] * 6
    assert (await library.notes.list()).total == 6


async def test_jobs_are_listed_newest_first_in_pages(library: Library) -> None:
    other = await library.notebooks.create("Other")
    ids = [(await library.notes.export(other.id, wait=False)).id for _ in range(3)]
    inbox = await library.notes.export(wait=False)
    first = await library.jobs.list(limit=2)
    rest = await library.jobs.list(limit=2, cursor=first.cursor)
    assert [job.id for job in [*first, *rest]] == [inbox.id, *reversed(ids)]
    assert (first.total, first.truncated, rest.truncated) == (4, True, False)
    assert [job.id for job in await library.jobs.list(other.id)] == ids[::-1]


async def test_an_unknown_job_is_not_found(library: Library) -> None:
    for call in (library.jobs.get, library.jobs.wait, library.jobs.cancel, library.jobs.file):
        with pytest.raises(NotFound):
            await call("nothing")


async def test_the_file_of_a_job_can_be_fetched(trials: Trials) -> None:
    trials.serve()
    job = await trials.trial.start("makes_a_file")
    file = await trials.jobs.file(job.id)
    assert (file.name, file.media_type, file.size) == ("made.bin", "application/x-made", 5)
    assert await file.read() == b"bytes"
    assert job.file is not None
    assert job.file.sha256 == file.sha256


async def test_a_job_without_a_file_says_so(library: Library) -> None:
    job = await library.notes.import_(None, Upload.of("# a\n"))
    with pytest.raises(Conflict, match="done and has no file"):
        await library.jobs.file(job.id)


async def test_a_queued_job_that_is_cancelled_never_runs(trials: Trials) -> None:
    job = await trials.trial.start("steps", wait=False)
    cancelled = await trials.jobs.cancel(job.id)
    assert (cancelled.state, cancelled.finished_at is not None) == ("cancelled", True)
    assert await trials.jobs.cancel(job.id) == cancelled
    trials.serve()
    other = await trials.trial.start("makes_a_file")
    assert other.state == "done"
    assert LocalTrial.runs[job.id] == 0
    assert await trials.events("job.ended") == [job.id, other.id]


async def test_a_running_job_that_is_cancelled_keeps_what_it_has_done(trials: Trials) -> None:
    trials.serve()
    job = await trials.trial.start("steps", wait=False)
    await trials.reached(job.id, 1)
    assert (await trials.jobs.cancel(job.id)).state == "running"
    ended = await trials.jobs.wait(job.id)
    assert (ended.state, ended.done, ended.result) == ("cancelled", 1, None)
    assert await trials.titles() == ["step 0"]
    assert await trials.events("job.ended") == [job.id]


async def test_a_cancelled_call_cancels_the_job_it_began(trials: Trials) -> None:
    trials.serve()
    call = asyncio.create_task(trials.trial.start("steps"))
    (job,) = await until(lambda: trials.jobs.list())
    await trials.reached(job.id, 1)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert (await trials.jobs.wait(job.id)).state == "cancelled"
    assert await trials.titles() == ["step 0"]


async def test_a_cancelled_call_that_works_itself_leaves_the_job_cancelled(library: Library) -> None:
    """No workers run here, so what is cancelled is the work itself, wherever it is."""
    for stage in range(12):
        call = asyncio.create_task(library.notes.import_(None, Upload.of(MANY.replace("note", f"note {stage}"))))
        for _ in range(stage):
            await asyncio.sleep(0.002)
        call.cancel()
        outcome = (await asyncio.gather(call, return_exceptions=True))[0]
        for job in await library.jobs.list():
            assert job.state in ("cancelled", "done")
            assert job.done in (0, 100, 200, 250)
        assert isinstance(outcome, asyncio.CancelledError) or outcome.state == "done"
    done = sum(job.done for job in await library.jobs.list())
    assert (await library.notes.list()).total == done


async def test_a_cancelled_wait_leaves_the_job_alone(trials: Trials) -> None:
    trials.serve()
    job = await trials.trial.start("steps", wait=False)
    await trials.reached(job.id, 1)
    wait = asyncio.create_task(trials.jobs.wait(job.id))
    await asyncio.sleep(0)
    wait.cancel()
    with pytest.raises(asyncio.CancelledError):
        await wait
    LocalTrial.gate(job.id).set()
    assert (await trials.jobs.wait(job.id)).state == "done"


async def test_a_job_that_is_refused_fails_with_the_reason(trials: Trials) -> None:
    trials.serve()
    with pytest.raises(InvalidInput) as caught:
        await trials.trial.start("refuses")
    assert (caught.value.message, caught.value.hint) == ("This cannot be worked on.", "Try another.")
    assert caught.value.details["page"] == 7
    job = await trials.jobs.get(caught.value.details["job_id"])
    assert (job.state, job.attempts, job.result) == ("failed", 1, None)
    assert job.error is not None
    assert job.error["code"] == "invalid_input"
    assert await trials.events("job.ended") == [job.id]
    with pytest.raises(InvalidInput):
        await trials.jobs.wait(job.id)


async def tried_again(trials: Trials, clock: FixedClock, job_id: str) -> None:
    """Lets the time pass that lies between two attempts."""
    while (await trials.row(job_id))["finished_at"] is None:
        row = await trials.row(job_id)
        if row["state"] == "queued" and row["run_after"] > clock.now():
            clock.move(seconds=10)
            trials.engine.workers.wake()
        await asyncio.sleep(0.01)


async def test_a_job_that_could_succeed_later_is_tried_again(trials: Trials, clock: FixedClock) -> None:
    trials.serve()
    job = await trials.trial.start("comes_back", wait=False)
    waiting = await until(lambda: put_back(trials, job.id))
    assert (waiting["state"], waiting["attempts"]) == ("queued", 1)
    assert waiting["run_after"] > clock.now()
    await tried_again(trials, clock, job.id)
    ended = await trials.jobs.wait(job.id)
    assert (ended.state, ended.result, ended.error) == ("done", {"attempts": 2}, None)


async def put_back(trials: Trials, job_id: str) -> object:
    row = await trials.row(job_id)
    return row if row["state"] == "queued" and row["attempts"] else None


async def test_a_job_that_never_succeeds_fails_after_three_attempts(trials: Trials, clock: FixedClock) -> None:
    trials.serve()
    job = await trials.trial.start("unreachable", wait=False)
    await tried_again(trials, clock, job.id)
    ended = await trials.jobs.get(job.id)
    assert (ended.state, ended.attempts, LocalTrial.runs[job.id]) == ("failed", 3, 3)
    assert ended.error is not None
    assert ended.error["message"] == "The other side is down."


@pytest.mark.parametrize("act", ["is_broken", "gives_up"])
async def test_a_bug_in_a_job_is_masked_and_the_worker_lives_on(trials: Trials, clock: FixedClock, act: str) -> None:
    trials.serve()
    job = await trials.trial.start(act, wait=False)
    await tried_again(trials, clock, job.id)
    ended = await trials.jobs.get(job.id)
    assert (ended.state, ended.attempts) == ("failed", 3)
    assert "secret" not in str(ended.error)
    with pytest.raises(QuireError, match=rf"log id {job.id}" if act == "is_broken" else "interrupted"):
        await trials.jobs.wait(job.id)
    assert (await trials.trial.start("makes_a_file")).state == "done"


async def test_a_job_whose_workers_die_each_time_fails(trials: Trials, clock: FixedClock) -> None:
    job = await trials.trial.start("makes_a_file", wait=False)
    for attempt in (1, 2, 3):
        now = trials.engine.system.lease_clock()
        claim = {"worker": f"dead {attempt}", "lease_until": now + 1, "now": now}
        claimed = await trials.engine.system.write(
            lambda tx, claim=claim: tx.one("claim_this_job", id=job.id, far=2**62, **claim)
        )
        assert claimed is not None
        clock.move(seconds=1)
    with pytest.raises(QuireError, match="died each time"):
        await trials.jobs.wait(job.id)
    assert LocalTrial.runs[job.id] == 0


async def test_an_attempt_that_got_further_is_not_held_against_a_job(trials: Trials, clock: FixedClock) -> None:
    job = await trials.trial.start("steps", wait=False, steps=9)
    for step in range(8):
        claim = {"worker": f"dead {step}", "lease_until": clock.now() + 1, "now": clock.now()}
        await trials.engine.system.write(
            lambda tx, claim=claim: tx.one("claim_this_job", id=job.id, far=2**62, **claim)
        )
        place = {"done": step, "total": 9, "message": "", "place": str(step + 1), "lease_until": clock.now() + 1}
        mine = {"id": job.id, "worker": f"dead {step}"}
        await trials.engine.system.write(lambda tx, place=place, mine=mine: tx.run("advance_job", **place, **mine))
        clock.move(seconds=1)
    trials.serve()
    ended = await trials.jobs.wait(job.id)
    assert (ended.state, ended.attempts) == ("done", 1)
    assert await trials.titles() == ["step 8"]


async def test_a_stopped_worker_puts_its_job_back_and_another_goes_on(trials: Trials) -> None:
    job = await trials.trial.start("steps", wait=False)
    for _ in range(5):
        trials.serve()
        await until(lambda: LocalTrial.runs[job.id])
        await trials.reached(job.id, 1)
        await trials.engine.workers.stop()
        LocalTrial.runs[job.id] = 0
        row = await trials.row(job.id)
        assert (row["state"], row["place"], row["attempts"], row["worker"]) == ("queued", "1", 0, None)
    LocalTrial.gate(job.id).set()
    trials.serve()
    assert (await trials.jobs.wait(job.id)).state == "done"
    assert await trials.titles() == ["step 0", "step 1", "step 2"]
    assert await trials.events("job.ended") == [job.id]


async def test_a_worker_can_be_stopped_at_any_moment(trials: Trials) -> None:
    jobs = [await trials.trial.start("makes_a_file", wait=False) for _ in range(20)]
    for moment in range(12):
        trials.serve(2)
        for _ in range(moment):
            await asyncio.sleep(0.001)
        await trials.engine.workers.stop()
        rows = [await trials.row(job.id) for job in jobs]
        assert {row["state"] for row in rows} <= {"queued", "done"}
    trials.serve(2)
    for job in jobs:
        assert (await trials.jobs.wait(job.id)).state == "done"
    assert sorted(await trials.events("job.ended")) == sorted(job.id for job in jobs)


async def test_a_worker_that_lost_its_lease_changes_nothing_more(trials: Trials, clock: FixedClock) -> None:
    """The first worker sleeps too long; the second finishes the job; then the first wakes up."""
    first = trials
    second = moved(trials, lease=60)
    job = await first.trial.start("steps", wait=False)
    late = moved(trials, lease=3600)  # Its heart-beat comes late.
    claimed = asyncio.create_task(late.engine.workers.take(job.id))
    await first.reached(job.id, 1)
    clock.move(seconds=7200)
    taken = asyncio.create_task(second.engine.workers.take(job.id))
    await until(lambda: LocalTrial.runs[job.id] == 2)
    LocalTrial.gate(job.id).set()
    assert await asyncio.gather(claimed, taken) == [True, True]
    ended = await first.jobs.get(job.id)
    assert (ended.state, ended.result, ended.done) == ("done", {"steps": 3}, 3)
    assert await first.titles() == ["step 0", "step 1", "step 2"]
    assert await first.events("job.ended") == [job.id]


async def test_a_heart_beat_keeps_the_lease(trials: Trials, clock: FixedClock) -> None:
    trials.serve()
    job = await trials.trial.start("steps", wait=False)
    before = (await trials.reached(job.id, 1))["lease_until"]
    clock.move(seconds=0.5)
    await until(lambda: extended(trials, job.id, before))
    assert not await moved(trials).engine.workers.take(job.id)
    LocalTrial.gate(job.id).set()
    assert (await trials.jobs.wait(job.id)).attempts == 1


async def extended(trials: Trials, job_id: str, before: int) -> bool:
    return bool((await trials.row(job_id))["lease_until"] > before)


async def test_a_job_of_an_unknown_kind_fails(trials: Trials) -> None:
    job = await trials.trial.start("steps", wait=False)
    with pytest.raises(QuireError, match="does not know jobs of the kind 'trial'"):
        await Library(LocalEngine(trials.engine.parts), trials.context).jobs.wait(job.id)


async def test_a_job_whose_notebook_is_deleted_meanwhile_is_gone(trials: Trials) -> None:
    trials.serve()
    notebook = await trials.notebooks.create("Short-lived")
    job = await trials.trial.start("steps", notebook.id, wait=False)
    await trials.reached(job.id, 1)
    wait = asyncio.create_task(trials.jobs.wait(job.id))
    await asyncio.sleep(0)
    await trials.notebooks.delete(notebook.id)
    LocalTrial.gate(job.id).set()
    with pytest.raises(NotFound):
        await wait
    assert (await trials.trial.start("makes_a_file")).state == "done"


@pytest.fixture
async def pair(shared_store: str, tmp_path: Path) -> AsyncIterator[tuple[Trials, Trials]]:
    """Two libraries on one store, as two processes would have them."""
    settings = load({"home": tmp_path / "home", "store": shared_store}, {})
    async with moved(build(settings)) as one, moved(build(settings)) as two:
        yield one, two


async def test_a_job_is_cancelled_from_elsewhere_by_its_heart_beat(pair: tuple[Trials, Trials]) -> None:
    here, there = pair
    here.serve()
    job = await here.trial.start("steps", wait=False)
    await here.reached(job.id, 1)
    assert (await there.jobs.cancel(job.id)).state == "running"
    assert (await there.jobs.wait(job.id)).state == "cancelled"
    assert await there.titles() == ["step 0"]


async def test_of_many_workers_one_takes_each_job(pair: tuple[Trials, Trials]) -> None:
    here, there = pair
    jobs = [await here.trial.start("makes_a_file", wait=False) for _ in range(24)]
    here.serve(3)
    there.serve(3)
    for job in jobs:
        assert (await there.jobs.wait(job.id)).attempts == 1
    assert [LocalTrial.runs[job.id] for job in jobs] == [1] * 24
    assert sorted(await here.events("job.ended")) == sorted(job.id for job in jobs)


async def test_a_wait_takes_over_the_job_of_a_worker_that_is_gone(pair: tuple[Trials, Trials]) -> None:
    here, there = pair
    job = await here.notes.import_(None, Upload.of(MANY), wait=False)
    now = here.engine.parts.clock.now()
    claim = {"worker": "gone", "lease_until": now + 500_000, "now": now}
    await here.engine.system.write(lambda tx: tx.one("claim_this_job", id=job.id, far=2**62, **claim))
    ended = await there.jobs.wait(job.id)
    assert (ended.state, ended.done, ended.attempts) == ("done", 250, 1)
