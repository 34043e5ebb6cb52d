"""Whose job is worked on next: reading before vectors, nobody's instead of everybody else's, and clocks that jump."""

from __future__ import annotations

from pathlib import Path

import pytest
from trials import LocalTrial, Trials, moved, on_one_store, until

from pages import serving_pages
from quire.adapters.memory import FixedClock
from quire.adapters.web import Web
from quire.domain.files import Upload
from quire.entry.bootstrap import build
from quire.entry.settings import load
from quire.local.job_run import EMBED, FETCH, WORK, Stopped
from quire.local.people import add_person
from quire.local.workers import ANYTHING, FETCHES, LEARNING, RESERVED, Lane
from variants import with_parts

pytestmark = pytest.mark.anyio


async def queue(trials: Trials, turn: int, host: str | None = None, person: str = "owner", act: str = "steps") -> str:
    """A job in the queue, as one that came by a call."""
    inbox = (await trials.notebooks.list())[0].id
    jobs = trials.engine.jobs
    payload = {"act": act, "steps": 3}
    return await trials.engine.system.write(
        lambda tx: jobs.add(tx, inbox, person, "trial", payload, turn=turn, host=host)
    )


async def claimed(trials: Trials, lane: Lane) -> str | None:
    row = await trials.engine.workers._claim("", lane)
    return None if row is None else row["id"]


async def guest(trials: Trials) -> str:
    await trials.notes.create(None, "so that there is an inbox")
    await trials.engine.system.write(lambda tx: add_person(tx, "guest", "A guest", None, 0))
    return "guest"


async def test_what_is_read_goes_before_vectors_that_were_queued_earlier(trials: Trials) -> None:
    await guest(trials)
    vectors, work = await queue(trials, EMBED), await queue(trials, WORK)
    assert await claimed(trials, ANYTHING) == work
    assert await claimed(trials, ANYTHING) == vectors
    assert await claimed(trials, ANYTHING) is None


async def test_the_person_of_whom_least_is_worked_on_comes_first(trials: Trials) -> None:
    other = await guest(trials)
    mine = [await queue(trials, WORK) for _ in range(3)]
    theirs = await queue(trials, WORK, person=other)
    assert [await claimed(trials, ANYTHING) for _ in range(4)] == [mine[0], theirs, *mine[1:]]


async def test_a_place_is_kept_for_whoever_has_nothing_worked_on(trials: Trials) -> None:
    other = await guest(trials)
    for _ in range(3):
        await queue(trials, WORK)
    assert await claimed(trials, RESERVED)
    assert await claimed(trials, RESERVED) is None
    theirs = await queue(trials, WORK, person=other)
    assert await claimed(trials, RESERVED) == theirs


async def test_of_a_host_one_address_is_fetched_at_a_time_and_of_a_person_half_of_what_there_is(trials: Trials) -> None:
    other = await guest(trials)
    fetching = Lane(FETCH, FETCH, FETCHES, FETCHES // 2)
    slow = [await queue(trials, FETCH, "slow.example") for _ in range(3)]
    assert await claimed(trials, fetching) == slow[0]
    assert await claimed(trials, fetching) is None
    many = [await queue(trials, FETCH, f"{number}.example") for number in range(FETCHES)]
    assert [await claimed(trials, fetching) for _ in range(FETCHES // 2)] == [*many[: FETCHES // 2 - 1], None]
    theirs = await queue(trials, FETCH, "fast.example", person=other)
    assert await claimed(trials, fetching) == theirs


async def test_vectors_in_the_making_give_way_to_another_persons_and_go_on_from_there(trials: Trials) -> None:
    other = await guest(trials)
    vectors = await queue(trials, EMBED)
    run = await trials.engine.workers._claimed("", LEARNING)
    assert run is not None
    await queue(trials, EMBED)
    await run.let_others_pass()
    await run.advance(1, 3, "", "1")
    theirs = await queue(trials, EMBED, person=other)
    with pytest.raises(Stopped):
        await run.let_others_pass()
    await run.put_back()
    row = await trials.row(vectors)
    assert (row["state"], row["place"], row["attempts"], row["turn"]) == ("queued", "1", 0, EMBED)
    assert await claimed(trials, LEARNING) in (vectors, theirs)
    assert await claimed(trials, LEARNING) in (vectors, theirs)


async def test_a_lease_and_a_delay_of_a_clock_that_was_a_day_ahead_do_not_count(
    trials: Trials, clock: FixedClock
) -> None:
    await guest(trials)
    held, delayed = await queue(trials, WORK), await queue(trials, WORK)
    day = 24 * 3600.0
    clock.move(seconds=day)
    run = await trials.engine.workers._claimed(held, ANYTHING)
    again = await trials.engine.workers._claimed(delayed, ANYTHING)
    assert run is not None
    assert again is not None
    await again.put_back(error={"message": "not now"}, wait=5)
    clock.move(seconds=-day)
    assert {await claimed(trials, ANYTHING), await claimed(trials, ANYTHING)} == {held, delayed}


async def test_the_heart_beat_mends_a_lease_that_a_wrong_clock_wrote(trials: Trials, clock: FixedClock) -> None:
    await guest(trials)
    job = await queue(trials, WORK)
    clock.move(seconds=3600)
    run = await trials.engine.workers._claimed(job, ANYTHING)
    assert run is not None
    clock.move(seconds=-3600)
    assert await run.hold()
    assert (await trials.row(job))["lease_until"] < clock.now() + 60_000_000


async def test_on_postgres_leases_go_by_the_clock_of_the_database(postgres_url: str, tmp_path: Path) -> None:
    """A machine whose own clock is a day behind sees that a lease still holds."""
    settings = load({"home": tmp_path / "home", "store": postgres_url, "embedder": "none"}, {})
    async with moved(build(settings)) as here, moved(build(settings)) as there:
        await guest(here)
        job = await queue(here, WORK)
        assert await claimed(here, ANYTHING) == job
        await there.engine.system.read(lambda tx: None)
        store = there.engine.parts.store
        assert abs(store.clock_ahead()) < 60_000_000
        behind = FixedClock(there.engine.parts.clock.now() - 86_400_000_000)
        there.engine.system._clock = behind
        store._ahead = 86_400_000_000  # type: ignore[attr-defined]
        assert await claimed(there, ANYTHING) is None


@on_one_store
async def test_neither_addresses_that_never_answer_nor_vectors_hold_a_worker(trials: Trials) -> None:
    """There is one worker, which is free for a file while the page is waited for and the vectors are made."""
    local = moved(with_parts(trials, web=Web(("127.0.0.1/32",))))
    with serving_pages() as pages:
        source = await local.sources.add_url(None, pages.put("/slow", "A page.", "text/plain"))
        held = pages.hold("/slow")
        local.serve(1)
        await local.sources.refresh(None, source.id, wait=False)
        fetch = await until(lambda: fetching(local))
        vectors = await queue(local, EMBED)
        await local.reached(vectors, 1)
        file = await local.sources.add_file(None, Upload.of("# Bees\n\nBees make honey.", "bees.md"))
        assert file.state == "ready"
        rows = [await local.row(id) for id in (fetch, vectors)]
        assert [(row["state"], row["turn"]) for row in rows] == [("running", FETCH), ("running", EMBED)]
        held.set()
        assert (await local.jobs.wait(fetch)).state == "done"
        assert (await local.row(fetch))["turn"] == WORK
        LocalTrial.gate(vectors).set()
        assert (await local.jobs.wait(vectors)).state == "done"
        await local.engine.stop_serving()


async def fetching(trials: Trials) -> str | None:
    jobs = [job.id for job in await trials.jobs.list() if (job.state, job.message) == ("running", "fetching")]
    return jobs[0] if jobs else None
