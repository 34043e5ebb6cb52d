"""How much memory a server takes: `python benchmarks/server_memory.py [--small] [--json FILE]`.

A real `quire serve` on a new home, first with the embedder alone, then with both judges of answers and the multilingual
encoder beside it. English documents are added, read and embedded, and asked about; of the second server a question in
German makes it load the encoder and embed them once more. Each row is the memory of the process (its
resident set) at that time, in megabytes, and its goal where there is one. Linux alone tells it.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import people
from ingest import Writer
from mixed import Client, settled
from quire.adapters.model_files import ModelFolder
from wires import Post, free_port

# With the embedder alone, and with all models.
ALONE_GOAL, ALL_GOAL = 400.0, 629.0
ASKED = (
    "Who do I talk to if I lost my gate key?",
    "What is this notebook about?",
    "How did I get rid of the blackfly?",
    "what does water cost and when do I read the meter",
    "Which documents talk about the water meter?",
)
IN_GERMAN = "Wann wird das Wasser im Winter abgestellt?"


@dataclass(frozen=True)
class Row:
    name: str
    megabytes: float
    goal: float | None = None

    @property
    def met(self) -> bool:
        return self.goal is None or self.megabytes <= self.goal


def resident(process: int) -> float:
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text(encoding="ascii"))
    assert found
    return int(found[1]) / 1024


def measured(passages: int) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as models:
        (Path(models) / "minilm").symlink_to(ModelFolder().root / "minilm")
        yield from served(passages, ["--models", models], alone=True)
    yield from served(passages, [], alone=False)


def served(passages: int, options: list[str], *, alone: bool) -> Iterator[Row]:
    port, which = free_port(), "alone" if alone else "all"
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home,
        Post(["-m", "quire", "serve", "--port", str(port), *options], home, port) as server,
    ):
        client, process = Client(port), server.process.pid
        notebook = client.post("notebook/create", title="Garden")["id"]
        yield Row(f"{which}: begun", resident(process))
        files = people.FOLDER / "dev" / "files"
        for name in ("garden-rules.txt", "plot17-diary.md", "pump-mails.txt"):
            client.upload(notebook, name, (files / name).read_text(encoding="utf-8"), wait=True)
        writer = Writer()
        for number in range(passages // 20):
            client.upload(notebook, f"{number}.md", writer.text(20_000), wait=True)
        settled(client)
        yield Row(f"{which}: documents read and embedded", resident(process))
        for question in ASKED:
            client.post("chat/ask", notebook_id=notebook, question=question)
        yield Row(f"{which}: asked", resident(process), ALONE_GOAL if alone else None)
        if alone:
            return
        client.post("chat/ask", notebook_id=notebook, question=IN_GERMAN)
        settled(client)
        for question in (IN_GERMAN, *ASKED):
            client.post("chat/ask", notebook_id=notebook, question=question)
        yield Row(f"{which}: asked in another language", resident(process), ALL_GOAL)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--small", action="store_true", help="few passages: only whether it runs")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here too")
    options = parser.parse_args()
    rows = []
    for one in measured(20 if options.small else 200):
        rows.append(one)
        goal = "" if one.goal is None else f"{one.goal:>8.0f} MB {'✓' if one.met else '✗'}"
        print(f"{one.name:36}{one.megabytes:>6.0f} MB{goal}", flush=True)
    if options.json:
        figures = [asdict(one) | {"met": one.met} for one in rows]
        options.json.write_text(json.dumps({"rows": figures}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
