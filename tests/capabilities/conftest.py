"""Libraries on every store: SQLite in memory, SQLite in a file, PostgreSQL; and one whose work is done at Google.

There, `notebooklm` in the place of a store, calls go over the wire to Quire's own server and its local engine.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import at_google_table
import pytest
from trials import Trials, moved

from at_google import at_google
from quire.adapters.memory import FixedClock
from quire.api.library import Library
from quire.domain.sharing import Actor
from quire.entry.bootstrap import build
from quire.entry.settings import Settings, load
from quire.local.people import add_person


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What looks into the local engine is for that one alone; the rest is tried at Google too, as the table says."""
    dropped = [item for item in items if at_google_table.is_loop(item) and at_google_table.looks_inside(item)]
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = [item for item in items if item not in set(dropped)]
    for item in items:
        if at_google_table.is_loop(item):
            at_google_table.mark(item)


@pytest.fixture(params=["sqlite", "postgres", pytest.param("memory", marks=pytest.mark.long), at_google_table.LOOP])
def store(request: pytest.FixtureRequest) -> str:
    """The setting `store`: what every test of this folder runs on, one after the other.

    In memory it is SQLite too, with the same queries.
    """
    if request.param == "postgres":
        url: str = request.getfixturevalue("migrated_postgres_url")
        return url
    return {"memory": "memory", "sqlite": "", at_google_table.LOOP: at_google_table.LOOP}[request.param]


@pytest.fixture(params=["sqlite", "postgres"])
def shared_store(request: pytest.FixtureRequest) -> str:
    """A store that two libraries can open at once."""
    url: str = request.getfixturevalue("migrated_postgres_url") if request.param == "postgres" else ""
    return url


@pytest.fixture
def settings(store: str, tmp_path: Path) -> Settings:
    # Who is asked for pages does not answer: no test asks anybody on the web.
    nobody = {"finders": "searxng", "finder_urls": "searxng=http://127.0.0.1:9"}
    kept = "" if store == at_google_table.LOOP else store
    return load({"home": tmp_path / "home", "store": kept, "embedder": "none", "voice": "embedded", **nobody}, {})


@pytest.fixture
async def library(settings: Settings, store: str, tmp_path: Path) -> AsyncIterator[Library]:
    if store == at_google_table.LOOP:
        with at_google(tmp_path, settings, notebooklm_inbox="Inbox") as (library, _):
            async with library:
                yield library
        return
    async with build(settings) as library:
        yield library


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
async def timed(settings: Settings, clock: FixedClock) -> AsyncIterator[Library]:
    """A library whose time stands still until the test moves it."""
    async with build(settings, clock) as library:
        yield library


@pytest.fixture
async def trials(settings: Settings, clock: FixedClock) -> AsyncIterator[Trials]:
    """A library with jobs for tests, on the test's clock and with a lease that is checked often."""
    async with moved(build(settings, clock)) as library:
        yield library


@pytest.fixture
async def guest(library: Library) -> Library:
    """The same library for a second person, who has nothing but an inbox."""
    now = library.engine.parts.clock.now()
    await library.engine.system.write(lambda tx: add_person(tx, "guest", "A guest", None, now))
    return library.as_actor(Actor(id="guest", name="A guest"))
