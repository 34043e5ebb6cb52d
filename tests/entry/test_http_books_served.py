"""Books from a `quire serve` of their own: archives that another process made, and lines as they are found."""

from __future__ import annotations

import hashlib
import io
import json
import os
import socket
import subprocess
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from command_line import quire_here

from serving import until
from warm_start import warm_python

BOOK = "my-book"
LINES = {"Accept": "application/x-ndjson"}


class Shop:
    """A running `quire serve`, and the command line on the same home."""

    def __init__(self, home: Path, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.home = home
        kept = {name: value for name, value in os.environ.items() if not name.startswith("QUIRE_")}
        self.environment = kept | {"QUIRE_HOME": str(home), "QUIRE_PORT": str(port)}

    def quire(self, *arguments: str) -> Any:
        done = quire_here(self.home, *arguments, "--json", QUIRE_PORT=self.environment["QUIRE_PORT"])
        assert done.returncode == 0, done.stderr
        *_, last = done.stdout.splitlines()
        return json.loads(last)

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=30, trust_env=False)

    def answers(self) -> bool:
        try:
            with self.client() as client:
                return client.get("/api/book/list").status_code == 200
        except httpx.TransportError:
            return False


@contextmanager
def running(home: Path) -> Iterator[Shop]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    shop = Shop(home, port)
    with subprocess.Popen(
        [*warm_python(), "-m", "quire", "serve"], env=shop.environment, stderr=subprocess.DEVNULL
    ) as process:
        try:
            until(shop.answers)
            yield shop
        finally:
            process.terminate()
            assert process.wait(30) == 0


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with running(tmp_path_factory.mktemp("shop") / "home") as running_shop:
        running_shop.quire("book", "create", BOOK, "Mine")
        for number in range(3):
            text = f"# Lesson {number}\nwhere OpenDAL is told of\n"
            running_shop.quire("book", "write", BOOK, f"lessons/{number}.md", text)
        yield running_shop


def test_an_archive_that_the_command_line_made_is_downloaded_from_the_server(shop: Shop) -> None:
    made = shop.quire("book", "archive", BOOK)
    assert made["archive_url"].startswith(shop.url)
    with shop.client() as client:
        answer = client.get(made["archive_url"])
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/zip")
        assert hashlib.sha256(answer.content).hexdigest() == made["sha256"]
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            found = {name: archive.read(name) for name in archive.namelist() if not name.startswith(".quire/")}
        root = shop.home / "shelf/books" / BOOK
        assert found == {
            path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()
        }
        rest = client.get(made["archive_url"], headers={"Range": "bytes=100-"})
        assert (rest.status_code, rest.content) == (206, answer.content[100:])
        forged = made["archive_url"][:-4] + ("AAAA" if not made["archive_url"].endswith("AAAA") else "BBBB")
        assert client.get(forged).status_code in (401, 403, 404)


def test_an_archive_that_the_server_made_is_downloaded_whole_and_as_a_delta(shop: Shop) -> None:
    with shop.client() as client:
        made = client.get("/api/book/archive", params={"book_id": BOOK}).json()
        assert client.get(made["archive_url"]).content[:2] == b"PK"
        shop.quire("book", "write", BOOK, "lessons/new.md", "new text")
        since = {"book_id": BOOK, "since": made["manifest_hash"]}
        part = client.get("/api/book/archive", params=since).json()
        assert (part["delta"], part["file_count"]) == (True, 1)
        with zipfile.ZipFile(io.BytesIO(client.get(part["archive_url"]).content)) as archive:
            assert archive.read("lessons/new.md") == b"new text"
        progress = client.get("/api/book/archive", params={"book_id": BOOK}, headers=LINES)
        *_, last = map(json.loads, progress.text.splitlines())
        assert last["file_count"] >= 4
        saved = client.get("/api/book/export", params={"book_id": BOOK})
        assert saved.headers["content-disposition"].startswith("attachment")
        assert zipfile.ZipFile(io.BytesIO(saved.content)).testzip() is None


def test_lines_are_streamed_as_they_are_found(shop: Shop) -> None:
    asked = {"book_id": BOOK, "pattern": "OpenDAL"}
    with shop.client() as client:
        with client.stream("GET", "/api/book/scan", params=asked, headers=LINES) as answer:
            assert answer.headers["content-type"].startswith("application/x-ndjson")
            *lines, last = map(json.loads, answer.iter_lines())
        assert [(line["file_path"], line["line_number"]) for line in lines] == [
            (f"books/{BOOK}/lessons/{number}.md", 2) for number in range(3)
        ]
        assert last == {"lines": 3, "files": 3}
        told = client.get("/api/book/scan", params=asked).text
        assert (told.count("event: item"), told.count("event: result")) == (3, 1)
        assert client.get("/api/book/scan", params=asked | {"pattern": "("}, headers=LINES).status_code == 400
        assert client.get("/api/book/scan", params=asked | {"book_id": "no-book"}, headers=LINES).status_code == 404


def test_lines_of_the_command_line_are_a_json_each(shop: Shop) -> None:
    done = subprocess.run(
        [*warm_python(), "-m", "quire", "book", "scan", BOOK, "OpenDAL", "--json"],
        capture_output=True, text=True, timeout=60, env=shop.environment,
    )  # fmt: skip
    *lines, last = map(json.loads, done.stdout.splitlines())
    assert [line["matched_line"] for line in lines] == ["where OpenDAL is told of"] * 3
    assert last == {"lines": 3, "files": 3}
    plain = subprocess.run(
        [*warm_python(), "-m", "quire", "book", "scan", BOOK, "OpenDAL"],
        capture_output=True, text=True, timeout=60, env=shop.environment,
    )  # fmt: skip
    assert plain.stdout.splitlines()[0] == f"books/{BOOK}/lessons/0.md:2:where OpenDAL is told of"
    assert (len(plain.stdout.splitlines()), plain.stderr) == (3, "")
