"""What the engine does when Google fails: what may not be repeated is done once, and its outcome is said."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from unruly_google import AFTER, BEFORE, FAULTS, UPLOAD_BYTES, UPLOAD_START, Unruly, unruly_google

from quire.api.library import Library
from quire.domain.errors import LimitReached, NotAllowed, NotSignedIn, QuireError, Upstream, WireDrift
from quire.domain.files import Upload
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


def planned(google: Unruly, requests: str | list[str], faults: list[str]) -> None:
    """These faults for the first calls of these methods, and none for all others."""
    left = list(faults)
    among = [requests] if isinstance(requests, str) else requests
    google.relay.choose = lambda asked: left.pop(0) if asked in among and left else "pass"
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


class Trial:
    """One write: what it does, which requests it makes, and how often it was done, as the server tells."""

    def __init__(self, *requests: str) -> None:
        self.requests = [BY_NAME[name].id if name in BY_NAME else name for name in requests]

    async def prepare(self, library: Library, shelf: str, title: str) -> Any:
        return None

    async def act(self, library: Library, shelf: str, title: str, thing: Any) -> None:
        raise AssertionError

    async def count(self, library: Library, shelf: str, title: str, thing: Any) -> int:
        raise AssertionError


class Notebook(Trial):
    async def act(self, library: Library, shelf: str, title: str, thing: Any) -> None:
        await library.notebooks.create(title)

    async def count(self, library: Library, shelf: str, title: str, thing: Any) -> int:
        return [one.title for one in await library.notebooks.list(limit=1_000)].count(title)


class Text(Trial):
    async def act(self, library: Library, shelf: str, title: str, thing: Any) -> None:
        await library.sources.add_text(shelf, title, f"A text about {title}.")

    async def count(self, library: Library, shelf: str, title: str, thing: Any) -> int:
        return [one.title for one in await library.sources.list(shelf, limit=1_000)].count(title)


class File(Text):
    async def act(self, library: Library, shelf: str, title: str, thing: Any) -> None:
        await library.sources.add_file(shelf, Upload.of(f"A file about {title}.", title), wait=False)


class Note(Trial):
    async def act(self, library: Library, shelf: str, title: str, thing: Any) -> None:
        await library.notes.create(shelf, title, "Words")

    async def count(self, library: Library, shelf: str, title: str, thing: Any) -> int:
        return [one.title for one in await library.notes.list(shelf, limit=1_000)].count(title)


class Label(Trial):
    async def act(self, library: Library, shelf: str, title: str, thing: Any) -> None:
        await library.labels.create(shelf, title)

    async def count(self, library: Library, shelf: str, title: str, thing: Any) -> int:
        return [one.name for one in await library.labels.list(shelf, limit=1_000)].count(title)


class Collection(Trial):
    async def act(self, library: Library, shelf: str, title: str, thing: Any) -> None:
        await library.collections.create(title)

    async def count(self, library: Library, shelf: str, title: str, thing: Any) -> int:
        return [one.name for one in await library.collections.list(limit=1_000)].count(title)


class Appended(Trial):
    async def prepare(self, library: Library, shelf: str, title: str) -> Any:
        return (await library.sources.add_text(shelf, title, f"A text about {title}.")).id

    async def act(self, library: Library, shelf: str, title: str, thing: Any) -> None:
        await library.sources.append_text(shelf, thing, f"More of {title}!")

    async def count(self, library: Library, shelf: str, title: str, thing: Any) -> int:
        return (await library.sources.get_fulltext(shelf, thing)).text.count(f"More of {title}!")


class Renamed(Trial):
    async def prepare(self, library: Library, shelf: str, title: str) -> Any:
        return (await library.sources.add_text(shelf, f"Old {title}", f"A text about {title}.")).id

    async def act(self, library: Library, shelf: str, title: str, thing: Any) -> None:
        await library.sources.rename(shelf, thing, title)

    async def count(self, library: Library, shelf: str, title: str, thing: Any) -> int:
        return int((await library.sources.get(shelf, thing)).title == title)


class Deleted(Trial):
    async def prepare(self, library: Library, shelf: str, title: str) -> Any:
        return (await library.notes.create(shelf, title, "Words")).id

    async def act(self, library: Library, shelf: str, title: str, thing: Any) -> None:
        await library.notes.delete(shelf, thing)

    async def count(self, library: Library, shelf: str, title: str, thing: Any) -> int:
        return int(thing not in [one.id for one in await library.notes.list(shelf, limit=1_000)])


class Artifact(Trial):
    async def prepare(self, library: Library, shelf: str, title: str) -> Any:
        notebook = (await library.notebooks.create(f"Of {title}")).id
        await library.sources.add_text(notebook, title, "A strong hive holds 50,000 bees in summer.")
        return notebook

    async def act(self, library: Library, shelf: str, title: str, thing: Any) -> None:
        await library.artifacts.generate(thing, "report", wait=False)

    async def count(self, library: Library, shelf: str, title: str, thing: Any) -> int:
        return (await library.artifacts.list(thing)).total


class Copied(Trial):
    async def prepare(self, library: Library, shelf: str, title: str) -> Any:
        return (await library.notebooks.create(title)).id

    async def act(self, library: Library, shelf: str, title: str, thing: Any) -> None:
        await library.notebooks.copy(thing)

    async def count(self, library: Library, shelf: str, title: str, thing: Any) -> int:
        titles = [one.title for one in await library.notebooks.list(limit=1_000) if one.id != thing]
        return sum(one.endswith(title) for one in titles)


class Shared(Trial):
    async def prepare(self, library: Library, shelf: str, title: str) -> Any:
        return (await library.notebooks.create(title)).id

    async def act(self, library: Library, shelf: str, title: str, thing: Any) -> None:
        await library.sharing.add_user(thing, "ann@example.com")

    async def count(self, library: Library, shelf: str, title: str, thing: Any) -> int:
        return [one.email for one in (await library.sharing.get_status(thing)).users].count("ann@example.com")


TRIALS: dict[str, Trial] = {
    "notebook": Notebook("CREATE_NOTEBOOK"),
    "text": Text("ADD_SOURCE"),
    "upload, announced": File("ADD_SOURCE_FILE"),
    "upload, begun": File(UPLOAD_START),
    "upload, sent": File(UPLOAD_BYTES),
    "upload": File("ADD_SOURCE_FILE", UPLOAD_START, UPLOAD_BYTES),
    "note": Note("CREATE_NOTE"),
    "note, filled": Note("UPDATE_NOTE"),
    "label": Label("CREATE_LABEL"),
    "collection": Collection("CREATE_LABEL"),
    "more text": Appended("APPEND_SOURCE"),
    "title": Renamed("UPDATE_SOURCE"),
    "deletion": Deleted("DELETE_NOTE"),
    "artifact": Artifact("CREATE_ARTIFACT"),
    "copy": Copied("COPY_NOTEBOOK"),
    "share": Shared("SHARE_NOTEBOOK"),
}


@pytest.mark.parametrize("what", TRIALS)
@pytest.mark.parametrize("fault", ["cut after", pytest.param("all", marks=pytest.mark.long)])
def test_cut_in_any_phase_a_write_is_done_once_at_most_and_its_outcome_is_true(
    google: Unruly, what: str, fault: str
) -> None:
    for one in FAULTS if fault == "all" else (fault,):
        assert_true(*asyncio.run(outcome_of(google, what, f"{what} {one} {fault}", [one])))


def test_tokens_refused_on_the_last_try_are_renewed_and_cost_no_try(google: Unruly) -> None:
    faults = ["429", "429", "429", "403"]
    assert asyncio.run(outcome_of(google, "more text", "Late tokens", faults)) == ("done", 1)
    assert asyncio.run(outcome_of(google, "more text", "Never taken", [*faults, "403"])) == ("rejected", 0)


@pytest.mark.parametrize("examples", [12, pytest.param(300, marks=[pytest.mark.long, pytest.mark.timeout(1200)])])
def test_whatever_fails_nothing_is_done_twice_and_the_outcome_is_true(google: Unruly, examples: int) -> None:
    number = iter(range(1_000_000))

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.sampled_from([*FAULTS, "pass"]), min_size=1, max_size=5), st.sampled_from([*TRIALS]))
    def tried(faults: list[str], what: str) -> None:
        assert_true(*asyncio.run(outcome_of(google, what, f"Thing {next(number)} of {examples}", faults)))

    tried()


def assert_true(outcome: str, count: int) -> None:
    """What an outcome says, and how often it was done."""
    assert count <= 1
    if outcome in ("done", "confirmed"):
        assert count == 1
    elif outcome == "rejected":
        assert count == 0
    else:
        assert outcome == "unknown"


async def outcome_of(google: Unruly, what: str, title: str, faults: list[str]) -> tuple[str, int]:
    """What a call that meets these faults says became of it, and how often it was done."""
    trial = TRIALS[what]
    planned(google, [], [])
    async with google.library() as library:
        shelf = await at(library)
        thing = await trial.prepare(library, shelf, title)
        planned(google, trial.requests, faults)
        outcome = await said(trial.act(library, shelf, title, thing))
        planned(google, [], [])
        return outcome, await trial.count(library, shelf, title, thing)


async def at(library: Library) -> str:
    found = [one.id for one in await library.notebooks.list(limit=1_000) if one.title == "Shelf"]
    return found[0] if found else (await library.notebooks.create("Shelf")).id


async def said(call: Awaitable[None]) -> str:
    try:
        await call
    except QuireError as error:
        return str(error.details.get("outcome"))
    return "done"
