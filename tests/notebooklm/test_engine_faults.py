"""What the engine does when Google fails: what may not be repeated is done once, and its outcome is said."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from unruly_google import AFTER, BEFORE, FAULTS, Unruly, unruly_google

from quire.api.library import Library
from quire.domain.errors import LimitReached, NotAllowed, NotSignedIn, QuireError, Upstream, WireDrift
from quire.notebooklm.methods import BY_NAME

CREATE, LIST = BY_NAME["CREATE_NOTEBOOK"].id, BY_NAME["LIST_NOTEBOOKS"].id


@pytest.fixture(scope="module")
def google(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Unruly]:
    with unruly_google(tmp_path_factory.mktemp("unruly")) as made:
        yield made


def made_of(google: Unruly, title: str) -> int:
    """How many notebooks of this title the server has."""
    page = google.server.run(google.server.library.notebooks.list(limit=1_000))
    return [one.title for one in page].count(title)


def planned(google: Unruly, rpc_id: str, faults: list[str]) -> None:
    """These faults for the first calls of a method, and none for all others."""
    left = list(faults)
    google.relay.choose = lambda asked: left.pop(0) if asked == rpc_id and left else "pass"
    google.relay.seen.clear()


async def created(google: Unruly, title: str) -> QuireError | None:
    async with google.library() as library:
        try:
            await library.notebooks.create(title)
        except QuireError as error:
            return error
    return None


@pytest.mark.parametrize("fault", FAULTS)
def test_a_read_is_made_again_whatever_fails_once(google: Unruly, fault: str) -> None:
    planned(google, LIST, [fault])

    async def listed() -> int:
        async with google.library() as library:
            return len(await library.notebooks.list())

    if fault == "garbage after":
        with pytest.raises(WireDrift):
            asyncio.run(listed())
    else:
        assert asyncio.run(listed()) >= 0
        assert google.relay.seen == [f"{LIST} {fault}", f"{LIST} pass"]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_notebook_is_never_made_twice(google: Unruly, fault: str) -> None:
    title = f"Once, {fault}"
    planned(google, CREATE, [fault])
    error = asyncio.run(created(google, title))
    calls = [one for one in google.relay.seen if one.startswith(CREATE)]
    if fault in AFTER:
        assert error is None, "it was looked up"
        assert calls == [f"{CREATE} {fault}"]
        assert made_of(google, title) == 1
    elif fault in ("cut before", "503 before"):
        assert error is not None
        assert error.details["outcome"] == "unknown"
        assert calls == [f"{CREATE} {fault}"], "what may have been done is not tried again"
        assert made_of(google, title) == 0
    else:
        assert fault in BEFORE
        assert error is None
        assert made_of(google, title) == 1


@pytest.mark.parametrize(
    ("fault", "kind"), [("401", NotSignedIn), ("403", NotAllowed), ("429", LimitReached), ("503 before", Upstream)]
)
def test_what_does_not_pass_is_told(google: Unruly, fault: str, kind: type[QuireError]) -> None:
    planned(google, LIST, [fault] * 10)

    async def listed() -> None:
        async with google.library() as library:
            await library.notebooks.list()

    with pytest.raises(kind):
        asyncio.run(listed())
    tries = [one for one in google.relay.seen if one.startswith(LIST)]
    assert len(tries) == (2 if fault in ("401", "403") else 4)


@pytest.mark.parametrize("examples", [12, pytest.param(300, marks=[pytest.mark.long, pytest.mark.timeout(1200)])])
def test_whatever_fails_nothing_is_done_twice_and_the_outcome_is_true(google: Unruly, examples: int) -> None:
    number = iter(range(1_000_000))

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.sampled_from([*FAULTS, "pass"]), min_size=1, max_size=5), st.sampled_from(["notebook", "text"]))
    def tried(faults: list[str], what: str) -> None:
        title = f"Thing {next(number)} of {examples}"
        outcome, count = asyncio.run(outcome_of(google, what, title, faults))
        assert count <= 1
        if outcome == "done":
            assert count == 1
        elif outcome == "rejected":
            assert count == 0
        else:
            assert outcome == "unknown"

    tried()


async def outcome_of(google: Unruly, what: str, title: str, faults: list[str]) -> tuple[str, int]:
    """What a call that meets these faults says became of it, and how often it was done."""
    async with google.library() as library:
        if what == "notebook":
            planned(google, CREATE, faults)
            outcome = await said(library.notebooks.create(title))
            planned(google, CREATE, [])
            return outcome, [one.title for one in await library.notebooks.list(limit=1_000)].count(title)
        notebook = await at(library)
        planned(google, BY_NAME["ADD_SOURCE"].id, faults)
        outcome = await said(library.sources.add_text(notebook, title, f"A text about {title}."))
        planned(google, CREATE, [])
        return outcome, [one.title for one in await library.sources.list(notebook, limit=1_000)].count(title)


async def at(library: Library) -> str:
    found = [one.id for one in await library.notebooks.list(limit=1_000) if one.title == "Shelf"]
    return found[0] if found else (await library.notebooks.create("Shelf")).id


async def said(call: object) -> str:
    try:
        await call  # type: ignore[misc]
    except QuireError as error:
        return str(error.details.get("outcome"))
    return "done"
