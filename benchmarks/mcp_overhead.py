"""What Quire costs over the least it could cost: `python benchmarks/mcp_overhead.py [--json FILE]`.

1. Cold start to `initialize` answered, and the round trip of `get_note` over stdio and HTTP in both
   eras, against a bare server on the same SDK (bare_server.py).
2. Listing and searching notes at the service, against the same rows by plain SQL in the same process.

Both sides of a pair run in turns, the order changing from round to round. A round counts with its
fastest call, the one that a busy machine disturbed least, and a ratio is the median of the rounds' own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import platform
import random
import re
import sqlite3
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from quire.api.library import Library
from quire.entry.bootstrap import build
from quire.entry.settings import load
from quire.local.notes import insert
from quire.ports.store import Tx
from wires import LEGACY, MODERN, Pipe, Post, Wire, call, free_port, initialize, text_of

HERE = Path(__file__).parent
BARE = [str(HERE / "bare_server.py")]
QUIRE = ["-m", "quire"]

START_GOAL, TRIP_GOAL, SCAN_GOAL = 1.2, 1.3, 2.0
PAGE = 200

Measure = Callable[[], float]


@dataclass(frozen=True)
class Row:
    """Milliseconds for one start, call or scan: the median of the rounds."""

    name: str
    quire: float
    bare: float
    ratio: float
    goal: float

    @property
    def met(self) -> bool:
        return self.ratio <= self.goal


def compare(name: str, goal: float, rounds: int, quire: Measure, bare: Measure) -> Row:
    """Both in turns. The first round warms up and does not count."""
    ours, theirs = [], []
    for number in range(rounds + 1):
        if number % 2:
            one, other = quire(), bare()
        else:
            other, one = bare(), quire()
        if number:
            ours.append(one)
            theirs.append(other)
    ratio = statistics.median(one / other for one, other in zip(ours, theirs, strict=True))
    return Row(name, statistics.median(ours), statistics.median(theirs), ratio, goal)


def repeated(work: Callable[[], object], calls: int) -> Measure:
    """The fastest of some calls in a row."""

    def measure() -> float:
        return min(_milliseconds(work) for _ in range(calls))

    return measure


def _milliseconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


# Starts and round trips


def cold_start(home: str, rounds: int) -> Row:
    def start(arguments: list[str]) -> float:
        begin = time.perf_counter()
        with Pipe(arguments, home) as pipe:
            answer = pipe.ask(initialize())
            took = (time.perf_counter() - begin) * 1000
        assert json.loads(answer)["result"]["protocolVersion"] == LEGACY
        return took

    return compare("cold start to initialize", START_GOAL, rounds, lambda: start([*QUIRE, "mcp"]), lambda: start(BARE))


def round_trips(home: str, note_id: str, rounds: int, calls: int) -> Iterator[Row]:
    ports = free_port(), free_port()
    for era in (LEGACY, MODERN):
        with Pipe([*QUIRE, "mcp"], home) as quire, Pipe(BARE, home) as bare:
            yield trip(f"get_note over stdio, {era}", era, note_id, rounds, calls, quire, bare)
    with (
        Post([*QUIRE, "serve", "--port", str(ports[0])], home, ports[0]) as quire,
        Post([*BARE, str(ports[1])], home, ports[1]) as bare,
    ):
        for era in (LEGACY, MODERN):
            yield trip(f"get_note over HTTP, {era}", era, note_id, rounds, calls, quire, bare)


def trip(name: str, era: str, note_id: str, rounds: int, calls: int, quire: Wire, bare: Wire) -> Row:
    def measure(wire: Wire) -> Measure:
        if era == LEGACY:
            wire.shake_hands()
        request = wire.request(era, call(era, "get_note", {"id": note_id}))
        assert text_of(wire.ask(request)).startswith("📝 Note ")

        def block() -> float:
            wire.connect()
            return repeated(lambda: wire.ask(request), calls)()

        return block

    return compare(name, TRIP_GOAL, rounds, measure(quire), measure(bare))


# The service


WORDS = re.findall(
    r"\w+",
    "plan meeting budget review team launch draft paper source answer question summary chapter reader index "
    "signal garden window river market letter number season travel kitchen summer winter engine planet bridge",
)
RARE, COMMON, ABSENT = "zephyr", "quorum", "xylophone"
COLUMNS = "seq, id, short_id, notebook_id, title, content, created_at, updated_at, revision"
CONTAINS = "(instr(folded_content, :query) > 0 OR instr(folded_title, :query) > 0)"


async def fill(library: Library, notes: int) -> str:
    """Writes notes of about 400 characters, and returns the inbox's id. One word in half, one in very few."""
    drawn = random.Random(2)
    first = await library.notes.create(title="First", content="The first note")

    def work(tx: Tx) -> None:
        for number in range(1, notes):
            words = drawn.choices(WORDS, k=60)
            if number % 2:
                words[30] = COMMON
            if number % max(1, notes // 10) == 0:
                words[45] = RARE
            id = str(uuid.UUID(int=drawn.getrandbits(128), version=4))
            title = " ".join(drawn.choices(WORDS, k=4)).title()
            insert(tx, first.notebook_id, id, title, " ".join(words), number)

    await library.engine.system.write(work)
    return first.notebook_id


def scans(home: str, notes: int, rounds: int, calls: int) -> Iterator[Row]:
    with asyncio.Runner() as runner, ExitStack() as stack:
        library = build(load({"home": home}, {}))
        stack.callback(lambda: runner.run(library.close()))
        inbox = runner.run(fill(library, notes))
        plain = sqlite3.connect(Path(home) / "quire.db", isolation_level=None)
        stack.callback(plain.close)

        async def timed(work: Callable[[], Any], calls: int) -> float:
            fastest = math.inf
            for _ in range(calls):
                start = time.perf_counter()
                await work()
                fastest = min(fastest, (time.perf_counter() - start) * 1000)
            return fastest

        def listed() -> int:
            """The newest notes and how many there are."""
            rows = plain.execute(
                f"SELECT {COLUMNS} FROM note WHERE notebook_id = ? ORDER BY seq DESC LIMIT {PAGE}", (inbox,)
            ).fetchall()
            plain.execute("SELECT count(*) FROM note WHERE notebook_id = ?", (inbox,)).fetchone()
            return len(rows)

        def searched(query: str) -> int:
            """Every note that contains the query, and the newest of them as rows."""
            where = f"WHERE notebook_id = :inbox AND {CONTAINS} ORDER BY seq DESC"
            found = plain.execute(f"SELECT seq FROM note {where}", {"inbox": inbox, "query": query}).fetchall()
            shown = ", ".join(str(seq) for (seq,) in found[:PAGE])
            plain.execute(f"SELECT {COLUMNS} FROM note WHERE seq IN ({shown}) ORDER BY seq DESC").fetchall()
            return len(found)

        page = runner.run(library.notes.list(limit=PAGE))
        assert (len(page), page.total) == (min(PAGE, notes), notes)
        yield compare(
            f"list {PAGE} of {notes:,} notes",
            SCAN_GOAL,
            rounds,
            lambda: runner.run(timed(lambda: library.notes.list(limit=PAGE), calls)),
            repeated(listed, calls),
        )
        few = max(3, calls // 10)
        for word in (RARE, COMMON, ABSENT):
            found = searched(word)
            assert runner.run(library.notes.search(None, word)).total == found
            yield compare(
                f"search {notes:,} notes, {found:,} found",
                SCAN_GOAL,
                rounds,
                lambda word=word: runner.run(timed(lambda: library.notes.search(None, word), few)),  # type: ignore[misc]
                repeated(lambda word=word: searched(word), few),  # type: ignore[misc]
            )


# Output


def table(rows: Iterator[Row]) -> list[Row]:
    """Prints each row as it comes."""
    print(f"{'':42} {'Quire':>10} {'bare':>10} {'ratio':>7} {'goal':>6}")
    shown = []
    for row in rows:
        mark = "✓" if row.met else "✗"
        print(
            f"{row.name:42} {row.quire:7.2f} ms {row.bare:7.2f} ms {row.ratio:7.2f} {row.goal:6.2f} {mark}", flush=True
        )
        shown.append(row)
    return shown


def measured(arguments: argparse.Namespace) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        home = str(Path(folder) / "one")
        note_id = asyncio.run(_one_note(home))
        yield cold_start(home, arguments.starts)
        yield from round_trips(home, note_id, arguments.rounds, arguments.calls)
        yield from scans(str(Path(folder) / "many"), arguments.notes, arguments.rounds, arguments.calls)


async def _one_note(home: str) -> str:
    async with build(load({"home": home}, {})) as library:
        return (await library.notes.create(title="Meeting Ideas", content="Discuss Q4 roadmap")).short_id


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=9, help="how often each server is started (9)")
    parser.add_argument("--rounds", type=int, default=9, help="how many rounds of calls (9)")
    parser.add_argument("--calls", type=int, default=100, help="how many calls in a round (100)")
    parser.add_argument("--notes", type=int, default=10_000, help="how many notes are listed and searched (10,000)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there too")
    arguments = parser.parse_args()
    rows = table(measured(arguments))
    if arguments.json:
        counts = {name: getattr(arguments, name) for name in ("starts", "rounds", "calls", "notes")}
        told = {
            "python": platform.python_version(),
            "sqlite": sqlite3.sqlite_version,
            **counts,
            "rows": [asdict(row) | {"met": row.met} for row in rows],
        }
        arguments.json.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
