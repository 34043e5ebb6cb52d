"""Artifacts, copies and research whose answers are lost: found again where they were begun, and never begun twice."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from unruly_google import Unruly, unruly_google

from quire.api.library import Library
from quire.domain.errors import QuireError
from quire.notebooklm.methods import BY_NAME

BEES = "A honey bee visits about 100 flowers on a flight. It flies up to five kilometres from its hive."
Make = Callable[[Library, str], Awaitable[Any]]
Count = Callable[[Library, str], Awaitable[int]]


async def reports(library: Library, notebook: str) -> int:
    return (await library.artifacts.list(notebook)).total


async def copies(library: Library, notebook: str) -> int:
    return [one.title for one in await library.notebooks.list(limit=1_000)].count("Twin")


async def runs(library: Library, notebook: str) -> int:
    return (await library.research.list(notebook)).total


CALLS: dict[str, tuple[Make, Count]] = {
    "CREATE_ARTIFACT": (lambda one, id: one.artifacts.generate(id, "report", wait=False), reports),
    "COPY_NOTEBOOK": (lambda one, id: one.notebooks.copy(id, "Twin"), copies),
    "START_FAST_RESEARCH": (lambda one, id: one.research.start(id, "how bees fly"), runs),
}


@pytest.fixture(scope="module")
def google(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Unruly]:
    nobody = {"finders": "searxng", "finder_urls": "searxng=http://127.0.0.1:9"}
    with unruly_google(tmp_path_factory.mktemp("lost"), **nobody) as made:
        yield made


async def tried(google: Unruly, name: str, fault: str) -> tuple[str, int, int]:
    """What a call says became of it, how many things more there are, and how often it was sent."""
    make, count = CALLS[name]
    rpc_id = BY_NAME[name].id
    async with google.library() as library:
        notebook = (await library.notebooks.create(f"{name} {fault}")).id
        await library.sources.add_text(notebook, "Flights", BEES)
        before = await count(library, notebook)
        left = [fault]
        google.relay.choose = lambda asked: left.pop(0) if asked == rpc_id and left else "pass"
        google.relay.seen.clear()
        try:
            await make(library, notebook)
            outcome = "done"
        except QuireError as error:
            outcome = str(error.details.get("outcome"))
        sent = [one for one in google.relay.seen if one.startswith(rpc_id)]
        return outcome, await count(library, notebook) - before, len(sent)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(
    "fault",
    [
        "cut after",
        pytest.param("garbage after", marks=pytest.mark.long),
        pytest.param("cut inside", marks=pytest.mark.long),
    ],
)
def test_what_was_begun_is_found_again(google: Unruly, name: str, fault: str) -> None:
    assert asyncio.run(tried(google, name, fault)) == ("done", 1, 1)


@pytest.mark.parametrize("name", CALLS)
def test_what_may_have_been_begun_is_not_tried_again(google: Unruly, name: str) -> None:
    assert asyncio.run(tried(google, name, "cut before")) == ("unknown", 0, 1)
