"""Which store and which blobs the settings ask for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from quire.adapters.blobs import FileBlobs
from quire.adapters.machine import SystemClock
from quire.adapters.memory import MemoryBlobs
from quire.adapters.remote_blobs import RemoteBlobs
from quire.adapters.sql.postgres import PostgresStore
from quire.adapters.sql.sqlite import SqliteStore
from quire.domain.errors import InvalidInput
from quire.entry.bootstrap import make_blobs, make_store
from quire.entry.settings import Settings, load


def settings(tmp_path: Path, **flags: str) -> Settings:
    return load({"home": tmp_path, **flags}, {})


@pytest.mark.parametrize(
    ("store", "kind"),
    [
        ("", SqliteStore),
        ("memory", SqliteStore),
        ("some/file.db", SqliteStore),
        ("postgres://host/db", PostgresStore),
        ("postgresql://host/db", PostgresStore),
    ],
)
def test_the_store_is_of_the_kind_that_is_named(tmp_path: Path, store: str, kind: type) -> None:
    assert type(make_store(settings(tmp_path, store=store), SystemClock())) is kind
    assert list(tmp_path.iterdir()) == []


def test_a_store_of_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="The setting 'store'"):
        make_store(settings(tmp_path, store="mysql://host/db"), SystemClock())


@pytest.mark.parametrize(
    ("flags", "kind"),
    [
        ({}, FileBlobs),
        ({"store": "memory"}, MemoryBlobs),
        ({"blobs": "s3://bucket"}, RemoteBlobs),
        ({"store": "memory", "blobs": "s3://bucket"}, RemoteBlobs),
        ({"store": "postgres://host/db"}, FileBlobs),
    ],
)
def test_the_blobs_are_of_the_kind_that_is_named(tmp_path: Path, flags: dict[str, str], kind: type) -> None:
    assert type(make_blobs(settings(tmp_path, **flags))) is kind
    assert list(tmp_path.iterdir()) == []


WITHOUT = """
import sys
sys.modules["psycopg"] = None
from quire.domain.errors import Unsupported
from quire.entry.bootstrap import build
from quire.entry.settings import load
try:
    build(load({"home": sys.argv[1], "store": "postgres://host/db"}, {}))
except Unsupported as error:
    print(error.message, error.hint)
"""


def test_without_the_extra_it_says_what_to_install(tmp_path: Path, run: Callable[..., str]) -> None:
    assert run(WITHOUT, tmp_path) == "PostgreSQL needs an extra. quire extras add postgres\n"
