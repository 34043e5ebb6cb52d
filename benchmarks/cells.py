"""What cells cost: `python benchmarks/cells.py [--small] [--json FILE]`.

1. Running all cells of the same notebooks, beside nbclient; each run starts a kernel and ends it.
2. Reading `notebook://…/cells` of a notebook with 200 cells over HTTP, beside a bare server whose one
   resource returns the same bytes.

Both sides run in turns, the order changing from round to round; a ratio is the median of the rounds' own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from quire.api.library import Library
from quire.domain.scratch import ScratchRun
from quire.entry.bootstrap import build
from quire.entry.settings import load
from wires import LEGACY, Post, free_port

HERE = Path(__file__).parent
RUN_GOAL, READ_GOAL = 1.15, 2.0
NOTEBOOKS = {
    "20 short cells": ["x = 0"] + [f"x += {number}\nx" for number in range(19)],
    "10 cells that print": [f"for n in range(200): print('line', n, {number})" for number in range(10)],
    "5 cells that reckon": ["sum(n * n % 7 for n in range(1_000_000))"] * 5,
    "one cell that fails": [
        "x = 1",
        "print(x)",
        "try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    print(error)",
    ],
}


@dataclass(frozen=True)
class Row:
    """Seconds of a run, milliseconds of a read: the median of the rounds."""

    name: str
    quire: float
    other: float
    ratio: float
    goal: float
    met: bool


def compare(name: str, goal: float, rounds: int, ours: Callable[[], float], theirs: Callable[[], float]) -> Row:
    """Both in turns. The first round warms up and does not count."""
    pairs = []
    for number in range(rounds + 1):
        if number % 2:
            one, other = ours(), theirs()
        else:
            other, one = theirs(), ours()
        if number:
            pairs.append((one, other))
    ratio = statistics.median(one / other for one, other in pairs)
    return Row(
        name,
        statistics.median(one for one, _ in pairs),
        statistics.median(other for _, other in pairs),
        ratio,
        goal,
        ratio <= goal,
    )


def notebook(cells: list[str]) -> str:
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    return nbformat.writes(made)


def by_nbclient(text: str) -> float:
    read = nbformat.reads(text, as_version=4)
    start = time.perf_counter()
    NotebookClient(read, timeout=120, kernel_name="python3").execute()
    return time.perf_counter() - start


def by_quire(home: str, text: str) -> float:
    async def run() -> float:
        async with build(load({"home": home, "embedder": "none"}, {})) as library:
            made = await library.scratch.import_("ipynb", text=text)
            start = time.perf_counter()
            last = [event async for event in library.scratch.run_all(made.id)][-1]
            assert isinstance(last, ScratchRun)
            assert last.status == "ok", last
            await library.scratch.delete(made.id)
            return time.perf_counter() - start

    return asyncio.run(run())


async def filled(library: Library) -> str:
    """A notebook of 200 cells; its address."""
    cells = [
        {"type": "code", "language": "python", "source": f"value = {number}\nprint(value)", "filename": f"c{number}.py",
         "outputs": [{"kind": "stream", "name": "stdout", "text": f"{number}\n"}]}
        if number % 2 else {"type": "markdown", "source": f"Some words about {number}, and what it means. " * 5}
        for number in range(200)
    ]  # fmt: skip
    return (await library.scratch.import_("json", text=json.dumps({"cells": cells}))).uri


def read_request(uri: str) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 7, "method": "resources/read", "params": {"uri": uri}}).encode()


def reading(home: str, rounds: int, calls: int) -> Row:
    async def make() -> str:
        async with build(load({"home": home, "embedder": "none"}, {})) as library:
            return await filled(library)

    uri = asyncio.run(make()) + "/cells"
    with ExitStack() as stack:
        port = free_port()
        serve = ["-m", "quire", "serve", "--port", str(port), "--toolsets", "scratch", "--workers", "0"]
        quire = stack.enter_context(Post(serve, home, port, secrets.token_hex(16)))
        quire.shake_hands()
        ask = quire.request(LEGACY, read_request(uri))
        answer = json.loads(quire.ask(ask))["result"]["contents"][0]["text"]
        file = Path(home) / "same.json"
        file.write_text(answer, encoding="utf-8")
        port = free_port()
        bare = stack.enter_context(Post([str(HERE / "programs/bare_resource.py"), str(port), str(file)], home, port))
        bare.shake_hands()
        ask_bare = bare.request(LEGACY, read_request(uri))
        assert json.loads(bare.ask(ask_bare))["result"]["contents"][0]["text"] == answer

        def fastest(wire: Post, request: bytes) -> float:
            wire.connect()
            times = []
            for _ in range(calls):
                start = time.perf_counter()
                wire.ask(request)
                times.append(time.perf_counter() - start)
            return min(times) * 1000

        name = f"read 200 cells, {len(answer) // 1024} KB (ms)"
        return compare(name, READ_GOAL, rounds, lambda: fastest(quire, ask), lambda: fastest(bare, ask_bare))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--small", action="store_true", help="few rounds, to see that it works")
    parser.add_argument("--json", help="write the rows to this file too")
    arguments = parser.parse_args()
    rounds = 1 if arguments.small else 7
    rows = []
    with tempfile.TemporaryDirectory() as home:
        rows.append(reading(home, rounds, 5 if arguments.small else 40))
        for name, cells in list(NOTEBOOKS.items())[: 1 if arguments.small else None]:
            text = notebook(cells)
            rows.append(
                compare(
                    f"run {name} (s)",
                    RUN_GOAL,
                    rounds,
                    lambda text=text: by_quire(home, text),
                    lambda text=text: by_nbclient(text),
                )
            )
    print(f"{'':36}{'Quire':>10}{'other':>10}{'ratio':>8}{'goal':>7}")
    for row in rows:
        mark = " ✓" if row.met else " ✗"
        print(f"{row.name:36}{row.quire:>10.3f}{row.other:>10.3f}{row.ratio:>8.2f}{row.goal:>7.2f}{mark}")
    if arguments.json:
        Path(arguments.json).write_text(json.dumps({"rows": [asdict(row) for row in rows]}, indent=2))


if __name__ == "__main__":
    main()
