"""What asking costs while reading goes on: `python benchmarks/mixed.py [--small] [--json FILE]`.

One server, one run. `ask`, `search` and `get_note` are called over HTTP on a server that does nothing else, and again
while a folder of documents is being added: read, indexed and embedded. Then a small file is added on the idle server,
and again while a text of megabytes is embedded and eight addresses are fetched that never answer. Each row has the
median and the 95th percentile of both; the goals are for the ratios. The machine should be quiet: two processes of
one's own on two cores are half of all that is measured.
"""

from __future__ import annotations

import argparse
import http.client
import json
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from ingest import Writer
from wires import Post, free_port

MEDIAN_GOAL, P95_GOAL, SMALL_FILE_GOAL = 2.0, 4.0, 4.0
TARPITS = 8
PATIENCE = 600.0
BOUNDARY = "quire-benchmark"
ASKED = "Which harbour was built of granite in 1652, and who paid for it?"
FACT = "The harbour of Port Elm was built of granite in 1652. The guild of weavers paid for it with a tax on wool."


@dataclass(frozen=True)
class Sizes:
    """`megabytes` is what is embedded while a small file is read; `calls` are of each kind, `files` the small ones."""

    known: int
    documents: int
    characters: int
    megabytes: float
    calls: int
    files: int


FULL = Sizes(known=12, documents=200, characters=6_000, megabytes=2.0, calls=60, files=20)
SMALL = Sizes(known=1, documents=3, characters=1_500, megabytes=0.005, calls=3, files=2)


@dataclass(frozen=True)
class Row:
    """Milliseconds on the idle server and beside other work: the median and the 95th percentile."""

    name: str
    idle: float
    idle_p95: float
    busy: float
    busy_p95: float
    goal: float
    goal_p95: float | None

    @property
    def ratio(self) -> float:
        return self.busy / self.idle

    @property
    def ratio_p95(self) -> float:
        return self.busy_p95 / self.idle_p95

    @property
    def met(self) -> bool:
        return self.ratio <= self.goal and (self.goal_p95 is None or self.ratio_p95 <= self.goal_p95)


class Client:
    """Requests on one connection, which is made again where the server has closed it."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)

    def get(self, path: str, **arguments: Any) -> Any:
        return self._answer("GET", f"/api/{path}?{urlencode(arguments)}")

    def post(self, path: str, **arguments: Any) -> Any:
        return self._answer("POST", f"/api/{path}", json.dumps(arguments).encode(), "application/json")

    def upload(self, notebook_id: str, name: str, text: str, *, wait: bool) -> Any:
        fields = {"notebook_id": notebook_id, "wait": json.dumps(wait)}
        lines = [f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{fields[key]}' for key in fields]
        lines.append(
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
            f"Content-Type: text/markdown\r\n\r\n{text}\r\n--{BOUNDARY}--\r\n"
        )
        form = f"multipart/form-data; boundary={BOUNDARY}"
        return self._answer("POST", "/api/source/upload", "\r\n".join(lines).encode(), form)

    def _answer(self, method: str, path: str, body: bytes | None = None, media_type: str = "") -> Any:
        headers = {"Content-Type": media_type} if media_type else {}
        for attempt in (1, 2):
            try:
                self._connection.request(method, path, body, headers)
                response = self._connection.getresponse()
                break
            except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
                self._connection.close()
                if attempt == 2:
                    raise
        content = response.read()
        if response.status != 200:
            raise RuntimeError(f"{path} answered {response.status}: {content[:500]!r}")
        return json.loads(content)


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def row(name: str, idle: list[float], busy: list[float], goal: float, goal_p95: float | None) -> Row:
    return Row(name, statistics.median(idle), p95(idle), statistics.median(busy), p95(busy), goal, goal_p95)


def p95(times: list[float]) -> float:
    return sorted(times)[max(0, round(len(times) * 0.95) - 1)]


def settled(client: Client) -> None:
    """Waits until nothing is being read or embedded."""
    end = time.monotonic() + PATIENCE
    while busy(client):
        if time.monotonic() > end:
            raise RuntimeError("the server is still at work")
        time.sleep(0.2)


def busy(client: Client) -> bool:
    return any(job["state"] in ("queued", "running") for job in client.get("job/list", limit=200)["items"])


def asked(client: Client, notebook_id: str, note_id: str, calls: int) -> dict[str, list[float]]:
    """Times of the three calls, in turns."""
    kinds: dict[str, Callable[[], object]] = {
        "ask": lambda: client.post("chat/ask", notebook_id=notebook_id, question=ASKED),
        "search": lambda: client.get("source/search", notebook_id=notebook_id, query="granite harbour 1652"),
        "get_note": lambda: client.get("note/get", note_id=note_id),
    }
    times: dict[str, list[float]] = {name: [] for name in kinds}
    for _ in range(calls):
        for name, call in kinds.items():
            times[name].append(timed(call))
    return times


def beside_a_folder(port: int, sizes: Sizes, writer: Writer) -> Iterator[Row]:
    """The three calls, idle and while a folder is being added to another notebook."""
    client = Client(port)
    library = client.post("notebook/create", title="Harbours")["id"]
    for number in range(sizes.known):
        text = writer.text(sizes.characters) + ("\n\n" + FACT if not number else "")
        client.post("source/add", notebook_id=library, source_type="text", title=f"Known {number}", text=text)
    note = client.post("note/add", title="A note", content="Its text.")["id"]
    texts = [writer.text(sizes.characters) for _ in range(sizes.documents)]
    settled(client)
    asked(client, library, note, 3)
    idle = asked(client, library, note, sizes.calls)
    folder = client.post("notebook/create", title="A folder")["id"]

    def add() -> None:
        adding = Client(port)
        for number, text in enumerate(texts):
            adding.upload(folder, f"{number:04}.md", text, wait=False)

    adder = threading.Thread(target=add)
    adder.start()
    beside = asked(client, library, note, sizes.calls)
    adder.join()
    still = busy(client)
    if not still:
        print("the folder was added before the calls were over; the busy times are partly idle ones", file=sys.stderr)
    for name, times in idle.items():
        yield row(name, times, beside[name], MEDIAN_GOAL, P95_GOAL)


def a_small_file(port: int, sizes: Sizes, writer: Writer) -> Row:
    """A small file, added and waited for, idle and beside an embedding of megabytes and addresses that never answer."""
    client = Client(port)
    place = client.post("notebook/create", title="Small files")["id"]
    text = writer.text(800)

    def added(name: str) -> Callable[[], object]:
        return lambda: client.upload(place, name, f"# {name}\n\n{text}", wait=True)

    settled(client)
    idle = [timed(added(f"idle {number}.md")) for number in range(sizes.files)]
    settled(client)
    large = client.post("notebook/create", title="Large")["id"]
    with tarpits(TARPITS) as urls:
        waiting = [threading.Thread(target=fetch, args=(port, large, url), daemon=True) for url in urls]
        for thread in waiting:
            thread.start()
        client.upload(large, "large.md", writer.text(int(sizes.megabytes * 1_000_000)), wait=True)
        beside = [timed(added(f"busy {number}.md")) for number in range(sizes.files)]
    return row("a small file, read", idle, beside, SMALL_FILE_GOAL, None)


def fetch(port: int, notebook_id: str, url: str) -> None:
    # The address never answers, and the server is stopped before it has given up.
    with suppress(RuntimeError, OSError):
        Client(port).post("source/add", notebook_id=notebook_id, source_type="url", url=url)


@contextmanager
def tarpits(count: int) -> Iterator[list[str]]:
    """Addresses that take a connection and never say a word."""
    with ExitStack() as stack:
        listening = [stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=16)) for _ in range(count)]
        yield [f"http://127.0.0.1:{one.getsockname()[1]}/" for one in listening]


def measured(sizes: Sizes) -> Iterator[Row]:
    writer = Writer()
    with served() as port:
        yield from beside_a_folder(port, sizes, writer)
    with served() as port:
        yield a_small_file(port, sizes, writer)
    # Rows of what else a server does at once come here, each with a server of its own.


@contextmanager
def served() -> Iterator[int]:
    """The port of a server on a new home, which is gone with it."""
    port = free_port()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        Path(home, "quire.toml").write_text('fetch_allow = "127.0.0.1"\n')
        with Post(["-m", "quire", "serve", "--port", str(port)], home, port):
            yield port


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--small", action="store_true", help="few documents and calls: only whether it runs")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here too")
    options = parser.parse_args()
    rows = []
    print(f"{'':20}{'idle':>10}{'95 %':>10}{'busy':>10}{'95 %':>10}{'ratio':>8}{'goal':>6}{'95 %':>8}{'goal':>6}")
    for one in measured(SMALL if options.small else FULL):
        rows.append(one)
        goal = "" if one.goal_p95 is None else f"{one.goal_p95:.1f}"
        print(
            f"{one.name:20}{one.idle:7.1f} ms{one.idle_p95:7.1f} ms{one.busy:7.1f} ms{one.busy_p95:7.1f} ms"
            f"{one.ratio:8.2f}{one.goal:6.1f}{one.ratio_p95:8.2f}{goal:>6} {'✓' if one.met else '✗'}",
            flush=True,
        )
    if options.json:
        figures = [asdict(one) | {"ratio": one.ratio, "ratio_p95": one.ratio_p95, "met": one.met} for one in rows]
        options.json.write_text(json.dumps({"rows": figures}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
