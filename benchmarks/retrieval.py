"""How well Quire finds documents: `python benchmarks/retrieval.py DIR [--json FILE] [--no-embedder]`.

Each document becomes a text source with its title, the corpus a notebook; a query's documents are the sources of the
passages that the search gives, best first. Beside it in the same run: SQLite's FTS5 as it comes (Porter's stemmer,
any word, titles count twice) and bm25s. With `--queries OTHER` the queries are another set's: the same ones in another
language.
"""

from __future__ import annotations

import asyncio
import math
import sqlite3
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import rivals
import sets

DEPTH = 10
PASSAGES = 50

BM25S = ("bm25s==0.3.16", "snowballstemmer==3.1.1")

Ranked = Mapping[str, Sequence[str]]


async def quire(texts: Sequence[sets.Text], queries: Mapping[str, str], *, embedder: bool) -> Ranked:
    async with sets.library(embedder=embedder) as library:
        notebook = await library.notebooks.create("Corpus")
        ids = {}
        for text in texts:
            if text.text.strip():
                source = await library.sources.add(notebook.id, "text", text=text.text, title=text.title or None)
                ids[source.id] = text.id
        found = {}
        for id, query in queries.items():
            hits = await library.sources.search(notebook.id, query, limit=PASSAGES)
            found[id] = list(dict.fromkeys(ids[hit.passage.source_id] for hit in hits))[:DEPTH]
        return found


def fts5(texts: Sequence[sets.Text], queries: Mapping[str, str]) -> Ranked:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE corpus USING fts5(title, text, tokenize = 'porter unicode61')")
    database.executemany("INSERT INTO corpus VALUES (?, ?)", [(text.title, text.text) for text in texts])
    select = "SELECT rowid FROM corpus WHERE corpus MATCH ? ORDER BY bm25(corpus, 2.0, 1.0) LIMIT ?"
    found = {}
    for id, query in queries.items():
        words = "".join(letter if letter.isalnum() else " " for letter in query).split()
        any_word = " OR ".join(f'"{word}"' for word in words)
        rows = database.execute(select, (any_word, DEPTH)).fetchall() if words else []
        found[id] = [texts[row[0] - 1].id for row in rows]
    return found


def bm25s(texts: Sequence[sets.Text], queries: Mapping[str, str]) -> Ranked:
    given = {
        "texts": [f"{text.title}\n{text.text}" for text in texts],
        "queries": list(queries.values()),
        "depth": DEPTH,
    }
    numbers = rivals.run("bm25s_ranks", given, BM25S)
    return {id: [texts[number].id for number in found] for id, found in zip(queries, numbers, strict=True)}


def measured(found: Ranked, wanted: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """The means over all queries that have something to find."""
    gains, recalls, firsts = [], [], []
    for id, scores in wanted.items():
        top = list(found.get(id, ()))[:DEPTH]
        ideal = _gain(sorted(scores.values(), reverse=True)[:DEPTH])
        gains.append(_gain([scores.get(text, 0.0) for text in top]) / ideal)
        recalls.append(sum(text in scores for text in top) / len(scores))
        firsts.append(float(bool(top) and top[0] in scores))
    named = {f"ndcg@{DEPTH}": gains, f"recall@{DEPTH}": recalls, "hit@1": firsts}
    return {name: round(sum(values) / len(values), 4) for name, values in named.items()}


def _gain(scores: Sequence[float]) -> float:
    return sum(score / math.log2(place + 2) for place, score in enumerate(scores))


def main() -> None:
    parser = sets.parser(__doc__)
    parser.add_argument("--no-rivals", action="store_true", help="without bm25s, which is installed when first needed")
    parser.add_argument("--queries", type=Path, metavar="OTHER", help="a set whose queries are put instead")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th query")
    options = parser.parse_args()
    folder: Path = options.folder
    texts, wanted = sets.corpus(folder), sets.judgements(folder)
    queries = {id: text for id, text in sets.queries(options.queries or folder).items() if id in wanted}
    queries = dict(list(queries.items())[:: options.every])
    wanted = {id: scores for id, scores in wanted.items() if id in queries}
    figures: dict[str, Any] = {
        "quire": measured(asyncio.run(quire(texts, queries, embedder=not options.no_embedder)), wanted),
        "fts5": measured(fts5(texts, queries), wanted),
    }
    figures["bm25s"] = None
    if not options.no_rivals:
        try:
            figures["bm25s"] = measured(bm25s(texts, queries), wanted)
        except rivals.Missing as missing:
            print(missing, file=sys.stderr)
    sets.tell(figures | {"queries": len(queries), "embedder": not options.no_embedder}, options.json)


if __name__ == "__main__":
    main()
