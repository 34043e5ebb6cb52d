"""How long the server's loop is held up while each door takes its largest input: `python benchmarks/loop_delay.py`.

For every door, one call with as much as it takes, of a text that is bad for careless patterns (blanks, line breaks,
marks of Markdown). Shown are the CPU time of the loop's thread, its longest piece of work without a pause, and how
late a timer came at most; the first row is the same on an idle server. `--json FILE` writes the figures too.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import httpx

from quire.entry.bootstrap import build
from quire.entry.http.app import Server, create_app, listen
from quire.entry.mcp import http_door
from quire.entry.settings import Settings

TICK = 0.001
IDLE_SECONDS = 2.0
GOAL = 0.05
BAD = " \t  \n# a `[b](*c* **"
MCP = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}


@dataclass(frozen=True)
class Delay:
    """Milliseconds: of the loop's thread in all, its longest piece, and the latest timer."""

    door: str
    cpu: float
    longest: float
    latest: float


class Watch:
    """A timer on the loop that notes how late it comes, and what the loop's thread has worked since the last time."""

    def restart(self) -> None:
        """On the loop's own thread, whose time it is."""
        self.began = self._cpu = time.thread_time()
        self.longest = self.latest = 0.0

    async def run(self) -> None:
        self.restart()
        while True:
            due = time.perf_counter() + TICK
            await asyncio.sleep(TICK)
            self.latest = max(self.latest, time.perf_counter() - due)
            cpu = time.thread_time()
            self.longest = max(self.longest, cpu - self._cpu)
            self._cpu = cpu


class Loop:
    """A server on a thread of its own, and what its loop does meanwhile."""

    def __init__(self, url: str, loop: asyncio.AbstractEventLoop, watch: Watch) -> None:
        self.url = url
        self._loop = loop
        self._watch = watch

    def during(self, door: str, work: Callable[[], object]) -> Delay:
        self._on_loop(self._watch.restart)
        work()
        # A piece of work is over, and seen, once the timer has come twice more.
        time.sleep(10 * TICK)
        return self._on_loop(lambda: self._seen(door))

    def _seen(self, door: str) -> Delay:
        watch = self._watch
        figures = (time.thread_time() - watch.began, watch.longest, watch.latest)
        return Delay(door, *(round(1000 * one, 2) for one in figures))

    def _on_loop(self, work: Callable[[], Any]) -> Any:
        async def run() -> Any:
            return work()

        return asyncio.run_coroutine_threadsafe(run(), self._loop).result(60)


@contextmanager
def watched_server(home: Path) -> Iterator[Loop]:
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    settings = Settings.model_validate({"home": home, "port": port, "embedder": "none", "toolsets": "all"})
    ready = threading.Event()
    made: dict[str, Any] = {}

    async def run() -> None:
        async with build(settings) as library:
            server = Server(create_app(library, settings, http_door(library, settings)))
            watch = Watch()
            watching = asyncio.ensure_future(watch.run())
            made.update(loop=asyncio.get_running_loop(), server=server, watch=watch)
            ready.set()
            await server.serve([listening])
            watching.cancel()

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    ready.wait()
    try:
        yield Loop(f"http://127.0.0.1:{port}", made["loop"], made["watch"])
    finally:
        made["server"].should_exit = True
        thread.join()


def largest(size: int, unit: str = BAD) -> str:
    return (unit * (size // len(unit) + 1))[:size]


def doors(http: httpx.Client, share: float = 1.0) -> dict[str, Callable[[], object]]:
    """A call through each door with so large a part of what it takes at most."""

    def api(path: str, /, **arguments: Any) -> Any:
        answer = http.post(f"/api{path}", json=arguments)
        assert answer.status_code == 200, (path, answer.status_code, answer.text[:300])
        return answer.json()

    def large(size: int) -> str:
        return largest(int(size * share))

    notebook = api("/notebook/create", title="Loop")["id"]
    book = api("/book/create", title="Loop", book_id=f"loop-{time.monotonic_ns()}")["book_id"]
    note = api("/note/add", title="Large", content=large(1_000_000))["id"]
    scratch = api("/scratch/new", title="Loop")["id"]
    session = _mcp_session(http)

    def tool(name: str, **arguments: Any) -> None:
        call = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        answer = http.post("/mcp", headers=MCP | session, json=call)
        assert answer.status_code == 200, (name, answer.status_code, answer.text[:300])

    def post(path: str, **options: Any) -> None:
        answer = http.post(path, **options)
        assert answer.status_code < 400, (path, answer.status_code, answer.text[:300])

    def get(path: str, **options: Any) -> None:
        assert http.get(path, **options).status_code < 400, path

    data = base64.b64encode(b"%PDF-1.7\n" + large(7_000_000).encode()).decode()
    sheet = f'<!-- srcbook:{{"language":"javascript"}} -->\n\n# Loop\n\n{large(900_000).replace("#", "##")}'
    return {
        "add_source, a pasted text": lambda: api(
            "/source/add", notebook_id=notebook, source_type="text", text=large(500_000)
        ),
        "add_source, blanks only but a letter": lambda: api(
            "/source/add", notebook_id=notebook, source_type="text", text=largest(int(499_999 * share), " ") + "a"
        ),
        "add_note": lambda: api("/note/add", title="Large", content=large(1_000_000)),
        "get_note": lambda: get("/api/note/get", params={"note_id": note}),
        "search_notes": lambda: get("/api/note/search", params={"query": "a `[b]"}),
        "ask": lambda: api("/chat/ask", notebook_id=notebook, question=large(10_000)),
        "search_sources": lambda: get("/api/source/search", params={"notebook_id": notebook, "query": large(1_500)}),
        "write_content": lambda: api("/book/write", book_id=book, path="lessons/a.md", content=large(1_048_000)),
        "edit_content": lambda: api("/book/edit", book_id=book, path="lessons/a.md", mode="append", text=large(90)),
        "upload_asset, base64": lambda: api(
            "/book/upload-asset", book_id=book, asset_type="slides", filename="a.pdf", binary_data=data
        ),
        "import_scratch": lambda: api("/scratch/import", format="srcmd", text=sheet),
        "add_cell": lambda: api("/scratch/add", notebook_id=scratch, type="markdown", source=large(1_000_000)),
        "upload_source, a file": lambda: post(
            "/api/source/upload",
            params={"notebook_id": notebook, "name": "a.txt", "wait": "false"},
            content=large(20_000_000),
        ),
        "import_notes, a file": lambda: post("/api/note/import", params={"name": "a.md"}, content=large(4_000_000)),
        "a refused call of 15 MB": lambda: http.post(
            "/api/note/add", json={"title": "a", "content": large(15_000_000)}
        ),
        "the page's form": lambda: post("/notes", data={"title": "Large", "content": large(1_000_000)}),
        "the page, with large notes": lambda: get("/"),
        "a note's page": lambda: get(f"/notes/{note}"),
        "MCP add_note": lambda: tool("add_note", title="Large", content=large(1_000_000)),
        "MCP get_note": lambda: tool("get_note", note_id=note),
        "MCP add_source": lambda: tool("add_source", notebook_id=notebook, source_type="text", text=large(500_000)),
    }


def _mcp_session(http: httpx.Client) -> dict[str, str]:
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "loop", "version": "1"}}
    begin = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
    answer = http.post("/mcp", headers=MCP, json=begin)
    session = {"mcp-session-id": answer.headers["mcp-session-id"]} if "mcp-session-id" in answer.headers else {}
    http.post("/mcp", headers=MCP | session, json={"jsonrpc": "2.0", "method": "notifications/initialized"})
    return session


def measure() -> list[Delay]:
    """The loop's delay on an idle server, and while each door takes its largest input."""
    with (
        tempfile.TemporaryDirectory() as home,
        watched_server(Path(home)) as server,
        httpx.Client(base_url=server.url, timeout=600, trust_env=False) as http,
    ):
        for work in doors(http, 0.001).values():
            work()  # Much is imported when it is first used.
        made = doors(http)
        rows = [server.during("idle", lambda: time.sleep(IDLE_SECONDS))]
        return rows + [server.during(door, work) for door, work in made.items()]


def table(rows: list[Delay]) -> str:
    lines = [f"{'door':40}{'CPU ms':>10}{'longest ms':>12}{'latest ms':>12}"]
    lines += [f"{row.door:40}{row.cpu:>10.2f}{row.longest:>12.2f}{row.latest:>12.2f}" for row in rows]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    given = parser.parse_args()
    rows = measure()
    print(table(rows))
    worst = max(rows, key=lambda row: row.longest)
    print(
        f"The longest piece of work on the loop: {worst.longest} ms ({worst.door}); the goal is {1000 * GOAL:.0f} ms."
    )
    if given.json:
        given.json.write_text(json.dumps([asdict(row) for row in rows], indent=2), encoding="utf-8")
    return 0 if worst.longest <= 1000 * GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
