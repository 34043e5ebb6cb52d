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
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "QUIRE_HOME": str(self.folder / "home"),
            "LANG": "C.UTF-8",
        }

    def run(self, command: list[str]) -> str:
        done = subprocess.run(
            command, capture_output=True, text=True, env=self.environment, cwd=self.folder, timeout=300
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


def test_make_run_sets_up_and_serves() -> None:
    (block,) = blocks("bash", "make run")
    command = [*block.split(), "--dry-run", "--no-print-directory", "ARGS=--port 9000"]
    outside_of_make = {"PATH": os.environ["PATH"]}
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=outside_of_make, timeout=60)
    assert done.stdout.splitlines() == ["scripts/setup run", "exec .venv/bin/quire serve --port 9000"]


# Two dozen programs start one after the other; each has a limit of its own.
@pytest.mark.timeout(600)
def test_it_runs_from_top_to_bottom_as_one_text(place: Place) -> None:
    """Every block after `make run`, in its order, in one shell that knows what the text has put into its PATH."""
    (start,) = blocks("bash", "make run")
    (configuration,) = blocks("json")
    said: list[str] = []
    path = ""
    for kind, text in BLOCKS:
        if text in (start, configuration):
            continue
        if text.startswith("export PATH="):
            path = text.replace("$PWD/.venv/bin", str(QUIRE.parent))
            continue
        at_hand = text.replace(ADDRESS, place.address)
        script = at_hand if kind == "bash" else f"python -W error - <<'PROGRAM'\n{at_hand}\nPROGRAM\n"
        said.append(place.run(["bash", "-euo", "pipefail", "-c", path + script]))
    asked, noted, bound, program, with_await, requested = said
    assert "A honey bee visits about 100 flowers on a flight. [1]" in asked
    assert "It flies up to five kilometres from its hive. [1]" in asked
    assert "Discuss the **roadmap**" in noted
    exported = (place.folder / "notes.md").read_text(encoding="utf-8")
    assert "# Q4 planning" in exported
    assert "a longer text" in exported
    assert "books/my-course/lessons/one.md:3:How OpenDAL works\n" in bound
    assert "+To be continued" in bound
    with zipfile.ZipFile(place.folder / "my-course.zip") as archive:
        assert archive.read("lessons/one.md").endswith(b"To be continued")
    assert program == "A honey bee visits about 100 flowers on a flight. [1]\n1 Flights 0 49 True\n"
    assert with_await == "['Chapter 1']\n"
    assert '"title":"Q4 planning"' in requested
    assert "/api/note/add" in requested


@pytest.mark.long
def test_the_page_on_books_runs(place: Place) -> None:
    page = (ROOT / "docs" / "books.md").read_text(encoding="utf-8")
    first, scan = re.findall(r"^```bash\n(.*?)^```$", page, re.M | re.S)
    path = f'PATH="{QUIRE.parent}:$PATH"\n'
    printed = place.run(["bash", "-euo", "pipefail", "-c", path + first])
    assert "books/my-book/lessons/one.md:3:The first lesson, about OpenDAL.\n" in printed
    assert "-The first lesson, about OpenDAL.\n" in printed
    assert place.run(["bash", "-euo", "pipefail", "-c", path + scan]).splitlines()[-1] == '{"lines":1,"files":1}'


def test_the_client_configuration_starts_a_server(place: Place) -> None:
    (block,) = blocks("json", "mcpServers")
    entry = json.loads(block)["mcpServers"]["quire"]
    assert entry["command"] == "/path/to/quire/.venv/bin/quire"
    server = StdioServerParameters(command=str(QUIRE), args=entry["args"], env=place.environment)

    async def use() -> tuple[int, int]:
        async with stdio_client(server) as (read, write), ClientSession(read, write) as client:
            await client.initialize()
            return len((await client.list_tools()).tools), len((await client.list_prompts()).prompts)

    assert asyncio.run(use()) == (25, 5)


def test_it_stays_short() -> None:
    assert len(README.splitlines()) <= 180


def test_links_lead_to_files() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    missing = [
        f"{page.name}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert missing == []
