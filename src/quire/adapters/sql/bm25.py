"""BM25 as FTS5 reckons it, for passages whose words are at hand."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from quire.text.ranking import TITLE_WEIGHT

K1, B = 1.2, 0.75
LEAST = 1e-6
# A word that a query repeats is what the query is about; it counts no more often than this.
MOST_REPEATS = 4


def repeats(words: Iterable[str]) -> dict[str, int]:
    """How often each word of a query counts."""
    return {word: min(count, MOST_REPEATS) for word, count in Counter(words).items()}


def rarity(count: float, total: float) -> float:
    """What a word weighs that stands in `count` of `total` passages."""
    return max(LEAST, math.log((total - count + 0.5) / (count + 0.5))) if total > count else LEAST


def saturated(weight: float, count: float, length: float) -> float:
    """What occurrences add to a score; `length` is the passage's, as a multiple of the average."""
    return weight * count * (K1 + 1) / (count + K1 * (1 - B + B * length))


Words = tuple[int, str, str]


def word_scores(rows: Iterable[Words], weights: Mapping[str, float], average: float) -> dict[int, float]:
    """Scores of passages, given with the words of their titles and texts, by words of these weights."""
    # With two spaces between words each has its own on both sides, so that counting in the whole text finds it alone.
    padded = [(f" {word} ", weight) for word, weight in weights.items()]
    scores = {}
    for seq, title, text in rows:
        titled, told = title.split(), text.split()
        length = (len(titled) + len(told)) / average
        heading, body = f" {'  '.join(titled)} ", f" {'  '.join(told)} "
        scores[seq] = sum(
            saturated(weight, count, length)
            for word, weight in padded
            if (count := body.count(word) + (TITLE_WEIGHT * heading.count(word) if titled else 0.0))
        )
    return scores


def pair_scores(rows: Iterable[Words], words: Sequence[str], passages: int, average: float) -> dict[int, float]:
    """Scores of the best passages by neighbours of a query that are neighbours in them.

    Pairs that others have too are among the best with them, so these tell how rare a pair is.
    """
    pairs = [f" {first} {second} " for first, second in dict.fromkeys(pairwise(words))]
    found: dict[str, list[tuple[int, float, float]]] = {pair: [] for pair in pairs}
    for seq, title, text in rows:
        titled, told = f" {title} ", f" {text} "
        for pair in pairs:
            if count := told.count(pair) + (TITLE_WEIGHT * titled.count(pair) if title else 0.0):
                found[pair].append((seq, count, (told.count(" ") + titled.count(" ") - 2) / average))
    scores: dict[int, float] = defaultdict(float)
    for having in found.values():
        weight = rarity(len(having), passages)
        for seq, count, length in having:
            scores[seq] += saturated(weight, count, length)
    return scores
