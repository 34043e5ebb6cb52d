"""The benchmarks of retrieval and answers run on any set of the common form. How good anything was is not asked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from quire.adapters.model_files import ModelFolder

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
TEXTS = {
    "Ducks": ["Ducks are birds that swim. Ducks eat grass and insects.", "A duck lays ten eggs in spring."],
    "Port Elm": ["The harbour of Port Elm was built in 1652.", "Fishermen of Port Elm sail at night."],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A set of two articles, with queries and with questions of which one cannot be answered."""
    rows = [
        {"id": f"{title}#{number}", "title": title, "text": text}
        for title, texts in TEXTS.items()
        for number, text in enumerate(texts)
    ]
    write(tmp_path / "corpus.jsonl", rows)
    write(tmp_path / "queries.jsonl", [{"id": 1, "text": "what do ducks eat"}, {"id": 2, "text": "harbour built 1652"}])
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n1\tDucks#0\t1\n2\tPort Elm#0\t2\n")
    start = TEXTS["Port Elm"][0].index("1652")
    year = {"text": "1652", "start": start}
    asked = "When was the harbour of Port Elm built?"
    questions = [
        {"id": "a", "text": asked, "doc_id": "Port Elm#0", "title": "Port Elm", "answers": [year], "impossible": False},
        {"id": "b", "text": "Who sold it?", "doc_id": "Ducks#1", "title": "Ducks", "answers": [], "impossible": True},
    ]
    write(tmp_path / "questions.jsonl", questions)
    return tmp_path


def write(file: Path, rows: list[dict[str, Any]]) -> None:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def run(program: str, *arguments: str | Path) -> dict[str, Any]:
    """The figures that a benchmark prints, which are those that it writes."""
    file = Path(str(arguments[0])) / "figures.json"
    done = subprocess.run(
        [sys.executable, BENCHMARKS / program, *arguments, "--json", file], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    figures: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    assert json.loads(done.stdout) == figures
    return figures


def test_retrieval_is_told_beside_full_text_as_it_comes(folder: Path) -> None:
    figures = run("retrieval.py", folder, "--no-embedder", "--no-rivals")
    assert figures["quire"] == {"ndcg@10": 1.0, "recall@10": 1.0, "hit@1": 1.0}
    assert figures["fts5"].keys() == figures["quire"].keys()
    assert figures["bm25s"] is None
    assert figures["fts5_and_embedder"] is None
    assert figures["queries"] == 2


@pytest.mark.long
@pytest.mark.skipif(not ModelFolder().runs("minilm"), reason="the model minilm is not here")
def test_retrieval_is_told_beside_the_plain_sum_of_words_and_meaning(folder: Path) -> None:
    figures = run("retrieval.py", folder, "--no-rivals")
    assert figures["fts5_and_embedder"] == figures["quire"] == {"ndcg@10": 1.0, "recall@10": 1.0, "hit@1": 1.0}


def test_answers_are_told_with_their_citations_and_refusals(folder: Path) -> None:
    figures = run("answers.py", folder, "--no-embedder")
    assert (figures["first"], figures["three"], figures["integrity"]) == (1.0, 1.0, 1.0)
    assert (figures["answer_rate"], figures["refusal_rate"], figures["auroc_unanswerable"]) == (1.0, 1.0, 1.0)
    assert figures["cited_chars"] >= len("The harbour of Port Elm was built in 1652.")
    assert (figures["answerable"], figures["unanswerable"]) == (1, 1)


def test_a_sample_of_the_questions_is_drawn_when_asked_for(folder: Path) -> None:
    figures = run("answers.py", folder, "--no-embedder", "--questions", "1")
    assert figures["answerable"] + figures["unanswerable"] == 1


def test_labels_are_told_with_their_purity(folder: Path) -> None:
    figures = run("labels.py", folder, "--no-embedder", "--articles", "2", "--paragraphs", "2")
    assert (figures["articles"], figures["sources"]) == (2, 4)
    assert (figures["labels"], figures["purity"], figures["single"]) == (2, 1.0, 0)
    assert sorted(figures["names"].values()) == ["Ducks", "Port Elm"]
    assert figures["same_again"]


@pytest.mark.long
def test_ingestion_is_told_for_texts_and_for_pdfs(tmp_path: Path) -> None:
    file = tmp_path / "ingest.json"
    command = [sys.executable, BENCHMARKS / "ingest.py", "--small", "--no-rivals", "--json", file]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    figures = json.loads(file.read_text(encoding="utf-8"))
    assert [(row["folder"], row["program"]) for row in figures["rows"]] == [("texts", "quire"), ("pdfs", "quire")]
    for row in figures["rows"]:
        assert row["passages"] > 0
        assert row["passages_per_second"] > 0
        assert row["memory_mb"] > 0
        assert f"{row['passages_per_second']:,.1f}" in done.stdout
    assert figures["times_the_better"] is None
