"""Sets to measure by, in one form, and a library to measure.

A folder holds `corpus.jsonl` ({id, title, text}), and either `queries.jsonl` ({id, text}) with `qrels.tsv` (query,
document, score) or `questions.jsonl` ({id, text, doc_id, title, answers: [{text, start}], impossible}).
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quire.api.library import Library
from quire.entry.bootstrap import build
from quire.entry.bootstrap_models import make_embedder
from quire.entry.settings import load


@dataclass(frozen=True)
class Text:
    id: str
    title: str
    text: str


@dataclass(frozen=True)
class Question:
    """`answers` are the spans (start, end) in its document's text; none where it cannot be answered."""

    id: str
    text: str
    text_id: str
    title: str
    answers: tuple[tuple[int, int], ...]


def corpus(folder: Path) -> list[Text]:
    return [Text(str(row["id"]), row.get("title") or "", row["text"]) for row in _lines(folder / "corpus.jsonl")]


def queries(folder: Path) -> dict[str, str]:
    return {str(row["id"]): row["text"] for row in _lines(folder / "queries.jsonl")}


def judgements(folder: Path) -> dict[str, dict[str, float]]:
    """Of each query, the documents that fit it, and how well."""
    found: dict[str, dict[str, float]] = {}
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines():
        query, document, score, *_ = line.split("\t")
        # The first line may name the columns.
        if score.replace(".", "", 1).isdigit() and float(score) > 0:
            found.setdefault(query, {})[document] = float(score)
    return found


def questions(folder: Path) -> list[Question]:
    return [
        Question(
            str(row["id"]),
            row["text"],
            str(row["doc_id"]),
            row.get("title") or "",
            ()
            if row.get("impossible")
            else tuple((answer["start"], answer["start"] + len(answer["text"])) for answer in row["answers"]),
        )
        for row in _lines(folder / "questions.jsonl")
    ]


@asynccontextmanager
async def library(*, embedder: bool) -> AsyncIterator[Library]:
    """A new library in a folder of its own, gone when it is closed."""
    with tempfile.TemporaryDirectory() as home:
        settings = load({"home": home, "embedder": "auto" if embedder else "none", "voice": "embedded"}, {})
        async with build(settings) as opened:
            yield opened


def embedder() -> Any:
    """The one that a library has by default."""
    return make_embedder(load({}, {}))


def parser(description: str | None) -> argparse.ArgumentParser:
    """The options that all of these benchmarks have."""
    made = argparse.ArgumentParser(description=(description or "").splitlines()[0])
    made.add_argument("folder", type=Path, metavar="DIR", help="a set in the common form")
    made.add_argument("--json", type=Path, metavar="FILE", help="write the figures here too")
    made.add_argument("--no-embedder", action="store_true", help="full text alone")
    return made


def tell(figures: dict[str, Any], file: Path | None) -> None:
    """Prints the figures as JSON, and writes the same to a file."""
    text = json.dumps(figures, indent=2)
    print(text)
    if file:
        file.write_text(text + "\n", encoding="utf-8")


def _lines(file: Path) -> list[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]
