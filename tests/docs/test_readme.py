"""Every block of the README, run as it stands against a server and a home of its own."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from mcp import ClientSession, StdioServerParameters, stdio_client

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.M | re.S)
QUIRE = Path(sys.executable).with_name("quire")
ADDRESS = "127.0.0.1:8765"


@dataclass
class Place:
    """Where a block runs: an empty folder, a home, and the address of a server on it."""

    folder: Path
    address: str

    @property
    def environment(self) -> dict[str, str]:
        path = f"{QUIRE.parent}{os.pathsep}{os.environ['PATH']}"
        return {"PATH": path, "HOME": str(self.folder), "QUIRE_HOME": str(self.folder / "home"), "LANG": "C.UTF-8"}

    def run(self, command: list[str]) -> str:
        done = subprocess.run(
            command, capture_output=True, text=True, env=self.environment, cwd=self.folder, timeout=120
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
        return done.stdout


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("readme")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    place = Place(folder, f"127.0.0.1:{port}")
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(
            [QUIRE, "serve", "--port", str(port)], env=place.environment, cwd=folder, stdout=log, stderr=log
        )
    try:
        wait_for(f"http://{place.address}/health", server)
        yield place
    finally:
        server.terminate()
        server.wait(30)


def wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.05)
    raise AssertionError(f"the server did not answer (exit code {server.poll()})")


def blocks(language: str, word: str = "") -> list[str]:
    return [text for kind, text in BLOCKS if kind == language and word in text]


def test_every_block_is_of_a_kind_that_is_run_here() -> None:
    run = [*blocks("bash", "make run"), *blocks("bash", "quire note add"), *blocks("bash", "curl")]
    run += blocks("bash", "quire ask")
    run += blocks("bash", "quire book")
    run += [*blocks("json", "mcpServers"), *blocks("python")]
    assert sorted(run) == sorted(text for _, text in BLOCKS)
    assert len(README.splitlines()) <= 160


def test_make_run_sets_up_and_serves() -> None:
    (block,) = blocks("bash", "make run")
    command = [*block.split(), "--dry-run", "--no-print-directory", "ARGS=--port 9000"]
    outside_of_make = {"PATH": os.environ["PATH"]}
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=outside_of_make, timeout=60)
    assert done.stdout.splitlines() == ["scripts/setup run", "exec .venv/bin/quire serve --port 9000"]


def test_the_commands_run(place: Place) -> None:
    (block,) = blocks("bash", "quire note add")
    printed = place.run(["bash", "-euo", "pipefail", "-c", block])
    assert "Discuss the **roadmap**" in printed
    exported = (place.folder / "notes.md").read_text(encoding="utf-8")
    assert "# Q4 planning" in exported
    assert "a longer text" in exported


def test_the_commands_that_ask_run(place: Place) -> None:
    (block,) = blocks("bash", "quire ask")
    printed = place.run(["bash", "-euo", "pipefail", "-c", block])
    assert "A honey bee visits about 100 flowers on a flight. [1]" in printed


def test_the_commands_of_books_run(place: Place) -> None:
    (block,) = blocks("bash", "quire book")
    printed = place.run(["bash", "-euo", "pipefail", "-c", block])
    assert "books/my-course/lessons/one.md:3:How OpenDAL works\n" in printed
    assert "+To be continued" in printed
    with zipfile.ZipFile(place.folder / "my-course.zip") as archive:
        assert archive.read("lessons/one.md").endswith(b"To be continued")


@pytest.mark.long
def test_the_page_on_books_runs(place: Place) -> None:
    page = (ROOT / "docs" / "books.md").read_text(encoding="utf-8")
    first, scan = re.findall(r"^```bash\n(.*?)^```$", page, re.M | re.S)
    printed = place.run(["bash", "-euo", "pipefail", "-c", first])
    assert "books/my-book/lessons/one.md:3:The first lesson, about OpenDAL.\n" in printed
    assert "-The first lesson, about OpenDAL.\n" in printed
    assert place.run(["bash", "-euo", "pipefail", "-c", scan]).splitlines()[-1] == '{"lines":1,"files":1}'


@pytest.mark.parametrize("block", blocks("python"), ids=["sync", "async"])
def test_the_programs_run(place: Place, block: str) -> None:
    printed = place.run([sys.executable, "-W", "error", "-c", block])
    assert printed in (
        "A honey bee visits about 100 flowers on a flight. [1]\n1 Flights 0 49 True\n",
        "['Chapter 1']\n",
    )


def test_the_requests_are_answered(place: Place) -> None:
    (block,) = blocks("bash", "curl")
    answers = [
        json.loads(place.run(["bash", "-c", command.replace(ADDRESS, place.address)]))
        for command in block.replace("\\\n", " ").splitlines()
    ]
    added, found, described = answers
    assert added["title"] == "Q4 planning"
    assert added["id"] in [hit["note"]["id"] for hit in found["items"]]
    assert "/api/note/add" in described["paths"]


def test_the_client_configuration_starts_a_server(place: Place) -> None:
    (block,) = blocks("json", "mcpServers")
    entry = json.loads(block)["mcpServers"]["quire"]
    assert entry["command"] == "/path/to/quire/.venv/bin/quire"
    server = StdioServerParameters(command=str(QUIRE), args=entry["args"], env=place.environment)

    async def use() -> tuple[int, int]:
        async with stdio_client(server) as (read, write), ClientSession(read, write) as client:
            await client.initialize()
            return len((await client.list_tools()).tools), len((await client.list_prompts()).prompts)

    assert asyncio.run(use()) == (19, 5)


def test_links_lead_to_files() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    missing = [
        f"{page.name}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert missing == []
