"""How fast recorded answers are decoded, beside notebooklm-py: `python benchmarks/wire.py SAMPLES [--json FILE]`.

SAMPLES is a folder of recordings as `quire wire replay` reads them. Both sides start from the recorded text of the
answer and end at their own objects (notebooks with sources, artifacts, notes, the answer with its citations), JSON
included. notebooklm-py runs in an environment of its own (--other, by default the one that `scripts/setup test`
made); the two take turns, and a ratio is the median of the rounds' own ratios.

Then `notebooklm list` is run through `quire proxy` and `quire serve` as a user runs it, and beside it the requests that
it makes are timed on their own, through the same front: what of the whole is ours.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

GOAL = 2.0
STREAM = "GenerateFreeFormStreamed"
ROOT = Path(__file__).parents[1]
OTHER = ROOT / ".tools/notebooklm-py/bin/python"


def recordings(folder: Path) -> list[tuple[str, str]]:
    """Method and answer of every call in the recordings."""
    found = []
    for file in sorted(folder.rglob("*.json")):
        for interaction in json.loads(file.read_text(encoding="utf-8")):
            rpc_id = interaction["rpcids"] or (STREAM if STREAM in interaction["path"] else None)
            if rpc_id:
                found.append((rpc_id, interaction["response_body"]))
    return found


def ours() -> Callable[[str, str], Any]:
    from quire.notebooklm.envelope import reply_to
    from quire.notebooklm.methods import METHODS
    from quire.notebooklm.stream import answer_in

    def decode(rpc_id: str, body: str) -> Any:
        if rpc_id == STREAM:
            return answer_in(body)
        return METHODS[rpc_id].decode_response(reply_to(rpc_id, body).result)

    return decode


def theirs() -> Callable[[str, str], Any]:
    from notebooklm._web.rows.artifacts import unwrap_artifact_rows
    from notebooklm._web.rows.chat_stream import parse_streaming_chat_response
    from notebooklm._web.rows.notes import NoteRow
    from notebooklm._web.rows.research_task import parse_research_task_models
    from notebooklm._web.rows.sources import SourceGuideRow, SourceRow
    from notebooklm._web.wire.decoder import decode_response
    from notebooklm.types import Artifact, Notebook, ShareStatus, Source

    def notebook(result: Any) -> Any:
        row = result[0] if isinstance(result[0], list) else result
        sources = [Source.from_row(SourceRow(entry)) for entry in row[1] or []]
        return Notebook.from_api_response(row), sources

    def note(row: Any) -> Any:
        view = NoteRow(row)
        return view.id, view.content, view.title, view.created_at

    readers: dict[str, Callable[[Any], Any]] = {
        "rLM1Ne": notebook,
        "CCqFvf": notebook,
        "izAoDd": lambda result: [Source.from_api_response(result)],
        "o4cbdc": lambda result: [Source.from_api_response(result)],
        "gArtLc": lambda result: [
            Artifact.from_api_response(row)
            for row in unwrap_artifact_rows(result, source="benchmark", method_id="gArtLc")
        ],
        "cFji9": lambda result: [note(row) for row in result[0]],
        "CYK0Xb": lambda result: note([result[0][0], result[0]]),
        "cYAfTb": lambda result: note([result[0][0], result[0]]),
        "e3bVqc": parse_research_task_models,
        "JFMDGd": lambda result: ShareStatus.from_api_response(result, "n"),
        "tr032e": lambda result: SourceGuideRow(result),
    }

    def decode(rpc_id: str, body: str) -> Any:
        if rpc_id == STREAM:
            return parse_streaming_chat_response(body)
        result = decode_response(body, rpc_id)
        reader = readers.get(rpc_id)
        return reader(result) if reader else result

    return decode


def work(side: str, folder: Path) -> None:
    """A side as a process: for each line it is given, a round, timed for each method."""
    decode = ours() if side == "ours" else theirs()
    calls = recordings(folder)
    for line in sys.stdin:
        times = int(line)
        took: dict[str, float] = {}
        for rpc_id, body in calls:
            begun = time.perf_counter()
            for _ in range(times):
                decode(rpc_id, body)
            took[rpc_id] = took.get(rpc_id, 0.0) + (time.perf_counter() - begun) / times
        print(json.dumps(took), flush=True)


def start(python: Path | str, side: str, folder: Path) -> subprocess.Popen[str]:
    command = [str(python), str(Path(__file__)), str(folder), "--side", side]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def take_turn(process: subprocess.Popen[str], times: int) -> dict[str, float]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{times}\n")
    process.stdin.flush()
    took: dict[str, float] = json.loads(process.stdout.readline())
    return took


def compare(folder: Path, other: Path, rounds: int, times: int) -> list[dict[str, Any]]:
    with start(sys.executable, "ours", folder) as quire, start(other, "theirs", folder) as beside:
        take_turn(quire, 2), take_turn(beside, 2)
        pairs = [(take_turn(quire, times), take_turn(beside, times)) for _ in range(rounds)]
    rows = []
    for name in [*pairs[0][0], "all"]:
        totals = [(one.get(name, sum(one.values())), two.get(name, sum(two.values()))) for one, two in pairs]
        rows.append(
            {
                "method": name,
                "quire_us": statistics.median(one for one, _ in totals) * 1e6,
                "other_us": statistics.median(two for _, two in totals) * 1e6,
                "ratio": statistics.median(two / one for one, two in totals),
            }
        )
    return rows


def end_to_end(client: Path, rounds: int) -> dict[str, float]:
    """Milliseconds of `notebooklm list`, and of its requests alone, on a home with a hundred notebooks."""
    import httpx

    quire = [sys.executable, "-m", "quire"]
    with tempfile.TemporaryDirectory() as home, ExitStack() as ending:
        environment = {"PATH": os.environ["PATH"], "HOME": home, "QUIRE_HOME": home}

        def started(*arguments: str) -> str:
            process = subprocess.Popen([*quire, *arguments], env=environment, stderr=subprocess.PIPE, text=True)
            ending.callback(process.wait)
            ending.callback(process.send_signal, signal.SIGINT)
            assert process.stderr is not None
            return process.stderr.readline().split()[-1]

        url = started("serve", "--port", "0")
        for number in range(100):
            httpx.post(f"{url}/api/notebook/create", json={"title": f"Notebook {number}"}).raise_for_status()
        port = started("proxy", "--port", "0", "--upstream", url).rpartition(":")[2]
        env = subprocess.run([*quire, "proxy", "env", "--port", port, "--json"], env=environment, capture_output=True)
        variables = json.loads(env.stdout)
        state = json.loads((Path(variables["NOTEBOOKLM_HOME"]) / "profiles/default/storage_state.json").read_text())
        cookies = {cookie["name"]: cookie["value"] for cookie in state["cookies"]}
        whole, share = [], []
        for _ in range(rounds):
            begun = time.perf_counter()
            subprocess.run([client, "list", "--json"], env=environment | variables, check=True, capture_output=True)
            whole.append((time.perf_counter() - begun) * 1e3)
            share.append(requests_alone(variables, cookies) * 1e3)
    return {"list_ms": statistics.median(whole), "requests_ms": statistics.median(share)}


def requests_alone(variables: dict[str, str], cookies: dict[str, str]) -> float:
    """Seconds of the page and the call, over a connection of their own, TLS included."""
    import httpx

    from quire.notebooklm.envelope import call_body

    context = ssl.create_default_context(cafile=variables["SSL_CERT_FILE"])
    address = "https://notebook.google.com"
    begun = time.perf_counter()
    with httpx.Client(proxy=variables["HTTPS_PROXY"], verify=context, cookies=cookies, trust_env=False) as http:
        token = http.get(f"{address}/").text.split('"SNlM0e":"')[1].split('"')[0]
        path = f"{address}/_/LabsTailwindUi/data/batchexecute?rpcids=wXbhsf&source-path=%2F"
        http.post(path, content=call_body("wXbhsf", [None, 1, None, [2]], token)).raise_for_status()
    return time.perf_counter() - begun


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("samples", type=Path)
    parser.add_argument("--other", type=Path, default=OTHER, help="the Python that has notebooklm-py")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--times", type=int, default=30)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--decoding-only", action="store_true", help="leave the whole program out")
    parser.add_argument("--side", choices=["ours", "theirs"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.side:
        work(options.side, options.samples)
        return 0
    rows = compare(options.samples, options.other, options.rounds, options.times)
    print(f"{'method':28}{'quire us':>12}{'notebooklm-py us':>18}{'times as fast':>15}")
    for row in rows:
        print(f"{row['method']:28}{row['quire_us']:>12.0f}{row['other_us']:>18.0f}{row['ratio']:>15.2f}")
    whole = {}
    if not options.decoding_only:
        whole = end_to_end(options.other.parent / "notebooklm", options.rounds)
        part = whole["requests_ms"] / whole["list_ms"]
        print(f"notebooklm list: {whole['list_ms']:.0f} ms, its requests {whole['requests_ms']:.0f} ms ({part:.0%})")
    if options.json:
        options.json.write_text(json.dumps({"decoding": rows, "list": whole}, indent=2))
    met = rows[-1]["ratio"] >= GOAL
    print(f"goal: {GOAL:.0f} times as fast over all recordings: {'met' if met else 'missed'}")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
