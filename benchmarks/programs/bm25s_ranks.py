"""Documents for queries by bm25s."""

from __future__ import annotations

import json
import sys

import bm25s
import snowballstemmer

given = json.load(sys.stdin)
stemmer = snowballstemmer.stemmer("english")


def cut(texts: list[str]) -> object:
    return bm25s.tokenize(texts, stopwords="en", stemmer=stemmer.stemWords, show_progress=False)


index = bm25s.BM25(k1=1.5, b=0.75)
index.index(cut(given["texts"]), show_progress=False)
numbers, scores = index.retrieve(cut(given["queries"]), k=min(given["depth"], len(given["texts"])), show_progress=False)
ranks = [
    [int(number) for number, score in zip(*row, strict=True) if score > 0] for row in zip(numbers, scores, strict=True)
]
print(json.dumps(ranks))
