"""Who may do what, for every capability that is declared: the table of roles, cell by cell."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from trials import on_one_store

from every_thing import all_declared, answer, arguments, each, let_in, own_things, things
from quire.api.library import Library
from quire.domain.errors import NotAllowed, NotFound, QuireError
from quire.domain.sharing import Actor, Role
from quire.entry.bootstrap import build
from quire.entry.role_table import OWN, STANDINGS, Standing, outcome
from quire.entry.settings import load
from quire.local.people import add_person

pytestmark = pytest.mark.anyio

ALL = all_declared()
# What runs code or waits for more than its own call is tried with scratch notebooks and jobs themselves.
SLOW = ("run_cell", "run_scratch", "run_all_cells", "wait_for_source", "start_research", "wait_for_research")


@pytest.fixture
async def maker(library: Library, guest: Library) -> Library:
    """A third person, who has what the calls are about; neither the guest nor the owner of the server."""
    await add_maker(library)
    return library.as_actor(Actor(id="maker", name="A maker"))


async def add_maker(library: Library) -> None:
    """Nothing happens where there is one."""
    await library.engine.system.write(lambda tx: add_person(tx, "maker", "A maker", None, 0, "maker@example.com"))


async def ended(call: Any) -> QuireError | None:
    try:
        await call
    except QuireError as error:
        return error
    return None


def as_in_the_table(said: QuireError | None, expected: str, kind: str, id: str) -> bool:
    """What is allowed may fail for reasons of its own, but not for who called."""
    if expected == "yes":
        hidden = isinstance(said, NotFound) and (said.details["noun"], said.details["id"]) == (kind, id)
        return not hidden and not isinstance(said, NotAllowed)
    return isinstance(said, NotFound if expected == "hidden" else NotAllowed) and "Shared" not in str(said.body())


@on_one_store
@pytest.mark.parametrize("standing", STANDINGS, ids=lambda standing: standing.name)
async def test_what_is_another_persons_is_reached_as_the_table_says(
    library: Library, guest: Library, maker: Library, standing: Standing
) -> None:
    caller = library if standing.owns_server else guest
    ids = await things(maker, standing.role)
    wrong: dict[str, Any] = {}
    async for capability in each(ALL):
        if capability.facts.of is None:
            continue
        kind = capability.facts.of[0]
        expected = outcome(capability.facts, standing)
        if expected == "yes" and (capability.tool in SLOW or kind == "server"):
            continue
        said = await ended(answer(capability, caller, arguments(capability, ids)))
        if not as_in_the_table(said, expected, kind, ids[kind]):
            wrong[capability.tool] = (expected, said)
        if expected == "yes" and capability.facts.effect == "destroy":
            await add_maker(library)
            ids = await things(maker, standing.role)
    assert wrong == {}
    if standing.role is None or standing.role < Role.EDITOR:
        assert (await maker.notes.get(None, ids["note"])).content == "b"
        assert (await maker.notebooks.get(ids["notebook"])).title == "Shared"


@on_one_store
@pytest.mark.parametrize("role", [Role.CHAT_ONLY, Role.VIEWER, Role.EDITOR])
async def test_what_is_ones_own_is_reached_as_the_table_says(
    library: Library, guest: Library, maker: Library, role: Role
) -> None:
    standing = Standing("", role)

    async def own() -> dict[str, str]:
        ids = await things(maker, Role.VIEWER)
        asked = await guest.chat.ask(ids["notebook"], "Who makes honey?")
        await let_in(maker, ids["notebook"], role, "guest")
        return ids | await own_things(guest) | {"conversation": asked.conversation_id, "answer": asked.id}

    ids = await own()
    wrong: dict[str, Any] = {}
    async for capability in each(ALL):
        if capability.facts.of is None or capability.tool in SLOW:
            continue
        kind = capability.facts.of[0]
        if kind in (*OWN, "person", "token"):
            expected = outcome(capability.facts, standing, own=True)
            said = await ended(answer(capability, guest, arguments(capability, ids)))
            if not as_in_the_table(said, expected, kind, ids[kind]):
                wrong[capability.tool] = (expected, said)
            if expected == "yes" and capability.facts.effect == "destroy":
                ids = await own()
    assert wrong == {}


async def test_a_viewer_is_chat_only_by_the_notebooks_view_level(library: Library, guest: Library) -> None:
    ids = await things(library, Role.VIEWER)
    await library.sharing.set_view_level(ids["notebook"], "chat")
    wrong: dict[str, Any] = {}
    async for capability in each(ALL):
        if capability.facts.of is None or capability.facts.of[0] in (*OWN, "book", "server", "person", "token"):
            continue
        expected = outcome(capability.facts, STANDINGS[1])
        if expected == "no":
            said = await ended(answer(capability, guest, arguments(capability, ids)))
            if not as_in_the_table(said, expected, "", ""):
                wrong[capability.tool] = (expected, said)
    assert wrong == {}


async def test_there_is_a_thing_of_every_kind_that_a_capability_is_about(two: tuple[Library, Library]) -> None:
    kinds = {one.facts.of[0] for one in ALL.values() if one.facts.of}
    assert (await things(two[0], None)).keys() == kinds


@pytest.fixture
async def two(tmp_path: Path) -> AsyncIterator[tuple[Library, Library]]:
    async with build(load({"home": tmp_path, "store": "memory", "embedder": "none"}, {})) as library:
        await library.engine.system.write(lambda tx: add_person(tx, "guest", "A guest", None, 0))
        yield library, library.as_actor(Actor(id="guest"))


async def test_what_is_about_nothing_tells_of_ones_own_only(two: tuple[Library, Library]) -> None:
    library, guest = two
    ids = await things(library, None)
    told = {}
    for capability in ALL.values():
        if capability.facts.of is None and capability.facts.effect == "read" and capability.tool not in SLOW:
            with suppress(QuireError):
                told[capability.tool] = str(await answer(capability, guest, arguments(capability, ids)))
    assert {"list_notebooks", "list_books", "list_jobs", "list_collections", "list_scratch"} <= told.keys()
    hidden = [id for id in ids.values() if id not in ("", "owner")] + ["Shared", "Who makes honey"]
    assert {tool: id for tool, text in told.items() for id in hidden if id in text} == {}
