"""How fast the engine that drives NotebookLM is, beside notebooklm-py: `python benchmarks/engine.py [--json FILE]`.

Both drive the same `quire serve` through the same `quire proxy` on loopback, each in a process and with notebooks of
its own; notebooklm-py runs in its own environment (--other, by default the one that `scripts/setup test` made). The two
take turns call by call, so that whatever else the machine does hits both, and who is first changes from round to round;
a ratio is the median of the rounds' own ratios. At the end both programs list notebooks as a user runs them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
OTHER = ROOT / ".tools/notebooklm-py/bin/python"
CALLS = ("list", "get", "add text", "ask", "20 at once")
AT_ONCE = 20
NOTEBOOKS = 20
# What may lie between two runs of the same.
NOISE = 1.05
TEXT = "A honey bee visits about 100 flowers on flight {number}. It flies up to five kilometres from its hive. " * 20
QUESTION = "How many flowers does a honey bee visit on a flight?"

Work = Callable[[], Awaitable[Any]]


async def ours(turn: Callable[[dict[str, Work]], Awaitable[None]]) -> None:
    import quire

    async with quire.open() as library:
        asked = (await library.notebooks.create("Asked by Quire")).id
        await library.sources.add_text(asked, "Flights", TEXT.format(number=0))
        grows = (await library.notebooks.create("Grown by Quire")).id
        numbers = iter(range(1, 1_000_000))

        async def add_text() -> None:
            number = next(numbers)
            await library.sources.add_text(grows, f"Flight {number}", TEXT.format(number=number))

        await turn(
            {
                "list": library.notebooks.list,
                "get": lambda: library.notebooks.get(asked),
                "add text": add_text,
                "ask": lambda: library.chat.ask(asked, QUESTION),
                "20 at once": lambda: asyncio.gather(*(library.notebooks.get(asked) for _ in range(AT_ONCE))),
            }
        )


async def theirs(turn: Callable[[dict[str, Work]], Awaitable[None]]) -> None:
    from notebooklm import NotebookLMClient

    async with NotebookLMClient.from_storage() as client:
        asked = (await client.notebooks.create("Asked by the other")).id
        await client.sources.add_text(asked, "Flights", TEXT.format(number=0))
        grows = (await client.notebooks.create("Grown by the other")).id
        numbers = iter(range(1, 1_000_000))

        async def add_text() -> None:
            number = next(numbers)
            await client.sources.add_text(grows, f"Flight {number}", TEXT.format(number=number))

        await turn(
            {
                "list": client.notebooks.list,
                "get": lambda: client.notebooks.get(asked),
                "add text": add_text,
                "ask": lambda: client.chat.ask(asked, QUESTION),
                "20 at once": lambda: asyncio.gather(*(client.notebooks.get(asked) for _ in range(AT_ONCE))),
            }
        )


async def work(side: str) -> None:
    """A side as a process: for each line, which names a call, it makes that call and prints its seconds."""

    async def turns(calls: dict[str, Work]) -> None:
        print("ready", flush=True)
        while line := (await asyncio.to_thread(sys.stdin.readline)).strip():
            begun = time.perf_counter()
            await calls[line]()
            print(time.perf_counter() - begun, flush=True)

    await (ours if side == "ours" else theirs)(turns)


class Side:
    """The process of one side, and the command that lists notebooks."""

    def __init__(self, python: Path | str, side: str, environment: dict[str, str], command: list[str]) -> None:
        self.environment = environment
        self.command = command
        arguments = [str(python), "-W", "ignore", str(Path(__file__)), "--side", side]
        self.process = subprocess.Popen(
            arguments, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._told()

    def took(self, call: str) -> float:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{call}\n")
        self.process.stdin.flush()
        return float(self._told())

    def started(self) -> float:
        begun = time.perf_counter()
        subprocess.run(self.command, env=self.environment, check=True, capture_output=True)
        return time.perf_counter() - begun

    def _told(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.command[0]} has ended")
        return line

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(30)


def compared(other: Path, rounds: int, starts: int) -> list[dict[str, Any]]:
    import httpx

    quire = [sys.executable, "-m", "quire"]
    with tempfile.TemporaryDirectory() as folder, ExitStack() as ending:
        home = str(Path(folder) / "server")
        environment = {"PATH": os.environ["PATH"], "HOME": folder, "QUIRE_HOME": home, "QUIRE_EMBEDDER": "none"}

        def started(*arguments: str) -> str:
            process = subprocess.Popen([*quire, *arguments], env=environment, stderr=subprocess.PIPE, text=True)
            ending.callback(process.wait)
            ending.callback(process.terminate)
            assert process.stderr is not None
            return process.stderr.readline().split()[-1]

        url = started("serve", "--port", "0")
        for number in range(NOTEBOOKS):
            httpx.post(f"{url}/api/notebook/create", json={"title": f"Notebook {number}"}).raise_for_status()
        port = started("proxy", "--port", "0", "--upstream", url).rpartition(":")[2]
        env = subprocess.run([*quire, "proxy", "env", "--port", port, "--json"], env=environment, capture_output=True)
        variables: dict[str, str] = json.loads(env.stdout)
        state = Path(variables["NOTEBOOKLM_HOME"]) / "profiles/default/storage_state.json"
        mine = environment | {
            "QUIRE_HOME": str(Path(folder) / "here"),
            "QUIRE_ENGINE": "notebooklm",
            "QUIRE_NOTEBOOKLM_PROXY": variables["HTTPS_PROXY"],
            "QUIRE_NOTEBOOKLM_CA": variables["SSL_CERT_FILE"],
        }
        subprocess.run([*quire, "login", "--cookies", str(state)], env=mine, check=True, capture_output=True)
        us = Side(sys.executable, "ours", mine, [*quire, "notebook", "list", "--json"])
        ending.callback(us.end)
        them = Side(other, "theirs", environment | variables, [str(other.parent / "notebooklm"), "list", "--json"])
        ending.callback(them.end)
        rows = [row(call, pairs(rounds, call, us, them)) for call in CALLS]
        began = [taken(number, us.started, them.started) for number in range(starts + 1)][1:]
        return [*rows, row("start and list", began)]


def pairs(rounds: int, call: str, us: Side, them: Side) -> list[tuple[float, float]]:
    """Seconds of both sides, round by round; the first round, which opens connections, does not count."""
    return [taken(number, lambda: us.took(call), lambda: them.took(call)) for number in range(rounds + 1)][1:]


def taken(number: int, us: Callable[[], float], them: Callable[[], float]) -> tuple[float, float]:
    if number % 2:
        second = them()
        return us(), second
    return us(), them()


def row(call: str, took: list[tuple[float, float]]) -> dict[str, Any]:
    return {
        "call": call,
        "quire_ms": statistics.median(one for one, _ in took) * 1e3,
        "other_ms": statistics.median(two for _, two in took) * 1e3,
        "ratio": statistics.median(one / two for one, two in took),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--other", type=Path, default=OTHER, help="the Python that has notebooklm-py")
    parser.add_argument("--rounds", type=int, default=31)
    parser.add_argument("--starts", type=int, default=9)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--side", choices=["ours", "theirs"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.side:
        asyncio.run(work(options.side))
        return 0
    rows = compared(options.other, options.rounds, options.starts)
    print(f"{'call':18}{'quire ms':>12}{'notebooklm-py ms':>18}{'of its time':>14}")
    for one in rows:
        print(f"{one['call']:18}{one['quire_ms']:>12.1f}{one['other_ms']:>18.1f}{one['ratio']:>14.2f}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2))
    slower = [one["call"] for one in rows if one["ratio"] > NOISE]
    print(f"goal: no call slower: {'missed by ' + ', '.join(slower) if slower else 'met'}")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
