"""Stores as the adapters make them, and an S3 server of our own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from quire.adapters.sql.postgres import PostgresStore
from quire.adapters.sql.sqlite import SqliteStore
from quire.ports.store import Store, Tx


def prepare(tx: Tx) -> None:
    """What a new store begins with."""
    tx.run("insert_person", id="owner", name="owner", email=None, at=0)


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def make_store(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., Store]:
    if request.param == "memory":
        return lambda **options: SqliteStore(":memory:", prepare, **options)
    return lasting(request, tmp_path)


@pytest.fixture(params=["sqlite", "postgres"])
def make_lasting(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., Store]:
    """Makes a store on the same place each time it is called."""
    return lasting(request, tmp_path)


def lasting(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., Store]:
    if request.param == "postgres":
        url = request.getfixturevalue("postgres_url")
        return lambda **options: PostgresStore(url, prepare, **options)
    return lambda **options: SqliteStore(tmp_path / "quire.db", prepare, **options)


@pytest.fixture
async def store(make_store: Callable[..., Store]) -> AsyncIterator[Store]:
    store = make_store()
    yield store
    await store.close()


@pytest.fixture(scope="session")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an S3 server on loopback, with the bucket `quire`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = (tmp_path_factory.mktemp("s3") / "log").open("wb")
    command = [sys.executable, "-c", "from moto.server import main; main()", "-H", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(command, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    authorization = (
        "AWS4-HMAC-SHA256 Credential=key/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=x"
    )
    made = urllib.request.Request(f"{address}/quire", method="PUT", headers={"Authorization": authorization})
    give_up = time.monotonic() + 120
    while True:
        try:
            with urllib.request.urlopen(made, timeout=30) as answer:
                assert answer.status == 200
            break
        except urllib.error.URLError:
            assert server.poll() is None
            assert time.monotonic() < give_up
            time.sleep(0.05)
    yield address
    server.terminate()
    server.wait(30)
    log.close()


@pytest.fixture
def s3_keys() -> Iterator[None]:
    """Credentials where S3 tools look for them."""
    kept = {name: os.environ.get(name) for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")}
    os.environ.update({"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"})
    yield
    for name, value in kept.items():
        if value is None:
            del os.environ[name]
        else:
            os.environ[name] = value


@pytest.fixture
def run() -> Callable[..., Any]:
    """Runs a program of Python in a process of its own and returns what it printed."""

    def program(text: str, *arguments: object) -> str:
        done = subprocess.run(
            [sys.executable, "-c", text, *map(str, arguments)], capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return program
