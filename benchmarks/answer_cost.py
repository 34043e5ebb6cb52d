"""What an answer costs beside the model calls it makes: `python benchmarks/answer_cost.py [--small] [--json FILE]`.

A notebook of a thousand passages: the documents of `people/dev`, and prose of made-up words around them. Questions of
several kinds are put to it; each call of the embedder and of the judges is written down, and made again right
afterwards with the same texts and nothing around it. A row has the medians of both by turns, in milliseconds, and how
many texts were embedded or judged; the ratio is for all questions together. An answer that needs no model has no
ratio. The machine should be quiet.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import people
from ingest import Writer
from quire.api.library import Library
from quire.entry.bootstrap import library_of, make_parts
from quire.entry.settings import load

GOAL = 1.3
QUESTIONS = (
    ("fact", "Who do I talk to if I lost my gate key?"),
    ("paraphrase", "can I sleep in my hut?"),
    ("definition", "What is tephra?"),
    ("how-to", "How did I get rid of the blackfly?"),
    ("list", "which status values can a shipment have"),
    ("table", "how far apart do squash go"),
    ("comparison", "How do shield volcanoes differ from stratovolcanoes?"),
    ("two-part", "When's the exam and how many points do I need to pass?"),
    ("which-documents", "Which documents talk about the water meter?"),
    ("unanswerable", "Who won the regatta of 1911?"),
    ("overview", "What is this notebook about?"),
)


@dataclass(frozen=True)
class Row:
    """Medians in milliseconds; `texts` is how many are embedded or judged for one answer."""

    name: str
    ask: float
    model: float
    texts: int


class Calls:
    """The calls of models that an answer makes."""

    def __init__(self) -> None:
        self._made: list[Callable[[], Any]] = []
        self.texts = 0

    def made(self, call: Callable[[], Any], texts: int) -> Any:
        self._made.append(call)
        self.texts += texts
        return call()

    def clear(self) -> None:
        self._made, self.texts = [], 0

    def again(self) -> float:
        """The milliseconds of the same calls, one after the other."""
        if not self._made:
            return 0.0
        start = time.perf_counter()
        for call in self._made:
            call()
        return (time.perf_counter() - start) * 1000


class Recorded:
    """An embedder, a judge or a judge of passages whose calls are written down."""

    def __init__(self, model: Any, calls: Calls) -> None:
        self._model, self._calls = model, calls

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def embed(self, texts: list[str], kind: Any = "passage") -> Any:
        return self._calls.made(lambda: self._model.embed(texts, kind), len(texts))

    def judge(self, question: str, texts: Sequence[tuple[str, Any]]) -> Any:
        return self._calls.made(lambda: self._model.judge(question, texts), len(texts))


async def filled(library: Library, passages: int) -> tuple[str, int]:
    """A notebook of so many passages, all embedded, and how many they are."""
    folder = people.FOLDER / "dev"
    documents = [document for notebook in people.notebooks(folder) for document in notebook["documents"]]
    id, texts = await people.fill(library, {"id": "all", "documents": documents}, folder)
    writer = Writer()
    count = sum([(await library.sources.get(id, source)).passages for source in texts])
    while count < passages:
        text = writer.text(min(20_000, 1_000 * (passages - count)))
        count += (await library.sources.add(id, "text", text=text, title=f"Report {count}")).passages
    await people.settled(library, id)
    return id, count


async def measured(passages: int, turns: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as home:
        settings = load({"home": home}, {})
        parts = make_parts(settings)
        if parts.embedder is None:
            raise SystemExit("There is no embedder: quire extras add embedder, and quire models add minilm.")
        calls = Calls()
        embedder = Recorded(parts.embedder, calls)
        judge = Recorded(parts.judge, calls) if parts.judge else None
        passage_judge = Recorded(parts.passage_judge, calls) if parts.passage_judge else None
        recorded = replace(parts, embedder=embedder, judge=judge, passage_judge=passage_judge)
        async with library_of(recorded, settings) as library:
            notebook, count = await filled(library, passages)
            taken: dict[str, list[tuple[float, float, int]]] = {name: [] for name, _ in QUESTIONS}
            for turn in range(turns + 1):
                for name, question in QUESTIONS:
                    once = await timed(library, calls, notebook, question)
                    # The first turn loads what is loaded once.
                    if turn:
                        taken[name].append(once)
    rows = [row(name, times) for name, times in taken.items()]
    return {"passages": count, "rows": [asdict(one) for one in rows], **together(rows)}


async def timed(library: Library, calls: Calls, notebook: str, question: str) -> tuple[float, float, int]:
    """Milliseconds of an answer and of its model calls alone, and the texts that went to models."""
    calls.clear()
    start = time.perf_counter()
    await library.chat.ask(notebook, question)
    asked = (time.perf_counter() - start) * 1000
    return asked, await asyncio.to_thread(calls.again), calls.texts


def row(name: str, times: Sequence[tuple[float, float, int]]) -> Row:
    asks, models, texts = zip(*times, strict=True)
    return Row(name, statistics.median(asks), statistics.median(models), statistics.median_low(texts))


def together(rows: Sequence[Row]) -> dict[str, Any]:
    """All answers that need the model, as one."""
    ask, model = (sum(getattr(one, column) for one in rows if one.model) for column in ("ask", "model"))
    return {"ask": ask, "model": model, "ratio": ask / model, "goal": GOAL, "met": ask <= GOAL * model}


def table(found: dict[str, Any]) -> str:
    lines = [f"{'':<18}{'ask':>10}{'model':>10}{'texts':>7}{'ratio':>8}"]
    for one in found["rows"]:
        ratio = f"{one['ask'] / one['model']:.2f}" if one["model"] else "-"
        lines.append(f"{one['name']:<18}{one['ask']:>7.1f} ms{one['model']:>7.1f} ms{one['texts']:>7}{ratio:>8}")
    mark = "✓" if found["met"] else "✗"
    total = f"{found['ask']:>7.1f} ms{found['model']:>7.1f} ms{'':>7}{found['ratio']:>8.2f}"
    return "\n".join([*lines, f"{'together':<18}{total}{found['goal']:>7.2f} {mark}"])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--small", action="store_true", help="only to see that it runs")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here too")
    options = parser.parse_args()
    found = asyncio.run(measured(*((100, 1) if options.small else (1_000, 9))))
    print(table(found))
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
