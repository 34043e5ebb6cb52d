"""How well Quire finds documents: `python benchmarks/retrieval.py DIR [--json FILE] [--no-embedder]`.

Each document becomes a text source with its title (which is its text where it has no other), the corpus a notebook;
a query's documents are the sources of the passages that the search gives, best first. Beside it in the same run:
SQLite's FTS5 as it comes (Porter's stemmer, any word, titles count twice), bm25s, and the plain sum of .6 FTS5 and .4
of the embedder's cosines for whole documents: of each the 100 best, scaled from 0 to 1 for each query.
With `--queries OTHER` the queries are another set's: the same ones in another language.
"""

from __future__ import annotations

import asyncio
import math
import sqlite3
import sys
from collections.abc import Mapping, Sequence
from heapq import nlargest
from pathlib import Path
from typing import Any

import rivals
import sets

DEPTH = 10
PASSAGES = 50
COSINES, LIST = 0.4, 100

BM25S = ("bm25s==0.3.16", "snowballstemmer==3.1.1")

Ranked = Mapping[str, Sequence[str]]


async def quire(texts: Sequence[sets.Text], queries: Mapping[str, str], *, embedder: bool) -> Ranked:
    async with sets.library(embedder=embedder) as library:
        notebook = await library.notebooks.create("Corpus")
        # The same text twice is one source.
        ids: dict[str, list[str]] = {}
        for text in texts:
            content = text.text if text.text.strip() else text.title
            if content.strip():
                source = await library.sources.add(notebook.id, "text", text=content, title=text.title or None)
                ids.setdefault(source.id, []).append(text.id)
        found = {}
        for id, query in queries.items():
            hits = await library.sources.search(notebook.id, query, limit=PASSAGES)
            found[id] = list(dict.fromkeys(text for hit in hits for text in ids[hit.passage.source_id]))[:DEPTH]
        return found


def fts5_scores(texts: Sequence[sets.Text], queries: Mapping[str, str]) -> dict[str, dict[int, float]]:
    """Of each query the documents that have any of its words, best first, with their scores."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE corpus USING fts5(title, text, tokenize = 'porter unicode61')")
    database.executemany("INSERT INTO corpus VALUES (?, ?)", [(text.title, text.text) for text in texts])
    select = "SELECT rowid - 1, -bm25(corpus, 2.0, 1.0) AS score FROM corpus WHERE corpus MATCH ? ORDER BY score DESC"
    found = {}
    for id, query in queries.items():
        words = "".join(letter if letter.isalnum() else " " for letter in query).split()
        any_word = " OR ".join(f'"{word}"' for word in words)
        found[id] = dict(database.execute(select, (any_word,))) if words else {}
    return found


def plain_sum(
    texts: Sequence[sets.Text], queries: Mapping[str, str], by_words: Mapping[str, Mapping[int, float]]
) -> Ranked:
    embedder = sets.embedder()
    documents = embedder.embed([f"{text.title}\n{text.text}" for text in texts], "passage")
    asked = embedder.embed(list(queries.values()), "query")
    found = {}
    for id, cosines in zip(queries, asked @ documents.T, strict=True):
        words, meanings = _scaled(by_words[id]), _scaled(dict(enumerate(cosines.tolist())))
        both = {
            number: (1 - COSINES) * words.get(number, 0.0) + COSINES * meanings.get(number, 0.0)
            for number in words.keys() | meanings.keys()
        }
        found[id] = [texts[number].id for number in nlargest(DEPTH, both, key=both.__getitem__)]
    return found


def _scaled(scores: Mapping[int, float]) -> dict[int, float]:
    best = nlargest(LIST, scores, key=scores.__getitem__)
    if not best:
        return {}
    high, low = scores[best[0]], scores[best[-1]]
    return {number: (scores[number] - low) / (high - low or 1) for number in best}


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
    by_words = fts5_scores(texts, queries)
    figures: dict[str, Any] = {
        "quire": measured(asyncio.run(quire(texts, queries, embedder=not options.no_embedder)), wanted),
        "fts5": measured({id: [texts[at].id for at in found] for id, found in by_words.items()}, wanted),
        "fts5_and_embedder": None,
        "bm25s": None,
    }
    if not options.no_embedder:
        figures["fts5_and_embedder"] = measured(plain_sum(texts, queries, by_words), wanted)
    if not options.no_rivals:
        try:
            figures["bm25s"] = measured(bm25s(texts, queries), wanted)
        except rivals.Missing as missing:
            print(missing, file=sys.stderr)
    sets.tell(figures | {"queries": len(queries), "embedder": not options.no_embedder}, options.json)


if __name__ == "__main__":
    main()
