"""How well sources are labelled by topic: `python benchmarks/labels.py DIR [--json FILE] [--no-embedder] [--seed N]`.

Each of twenty paragraphs of up to ten articles becomes a source, in an order drawn by lot and without its article's
title; the notebook is labelled, and labelled again. Purity is the share of the labelled sources whose label is mostly
of their own article.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from typing import Any

import sets

ARTICLES, PARAGRAPHS = 10, 20


def drawn(texts: list[sets.Text], seed: int, articles: int, paragraphs: int) -> list[sets.Text]:
    """Paragraphs of the articles that have enough of them, mixed."""
    by_title: dict[str, list[sets.Text]] = {}
    for text in texts:
        by_title.setdefault(text.title, []).append(text)
    lot = random.Random(seed)
    long = sorted(title for title, found in by_title.items() if len(found) >= paragraphs)
    chosen = lot.sample(long, min(articles, len(long)))
    mixed = [text for title in chosen for text in lot.sample(by_title[title], paragraphs)]
    lot.shuffle(mixed)
    return mixed


async def labelled(texts: list[sets.Text], *, embedder: bool) -> dict[str, Any]:
    async with sets.library(embedder=embedder) as library:
        notebook = await library.notebooks.create("Topics")
        articles = {}
        for number, text in enumerate(texts, 1):
            source = await library.sources.add(notebook.id, "text", text=text.text, title=f"Paragraph {number}")
            articles[source.id] = text.title
        began = time.perf_counter()
        labels = (await library.labels.generate(notebook.id, "all")).items
        seconds = time.perf_counter() - began
        again = (await library.labels.generate(notebook.id, "all")).items
        held = [[articles[id] for id in label.source_ids] for label in labels]
        count = sum(map(len, held))
        return {
            "labels": len(labels),
            "purity": round(sum(Counter(under).most_common(1)[0][1] for under in held) / max(1, count), 4),
            "labelled": count,
            "single": sum(len(under) == 1 for under in held),
            "same_again": again == labels,
            "seconds": round(seconds, 2),
            "names": {
                label.name: Counter(under).most_common(1)[0][0] for label, under in zip(labels, held, strict=True)
            },
        }


def main() -> None:
    parser = sets.parser(__doc__)
    parser.add_argument("--seed", type=int, default=0, help="draws other paragraphs, and another order")
    parser.add_argument("--articles", type=int, default=ARTICLES)
    parser.add_argument("--paragraphs", type=int, default=PARAGRAPHS)
    given = parser.parse_args()
    texts = drawn(sets.corpus(given.folder), given.seed, given.articles, given.paragraphs)
    figures = {
        "articles": len({text.title for text in texts}),
        "sources": len(texts),
        **asyncio.run(labelled(texts, embedder=not given.no_embedder)),
    }
    sets.tell(figures, given.json)


if __name__ == "__main__":
    main()
