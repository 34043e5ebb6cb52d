"""BM25 as FTS5 reckons it, for passages whose words are at hand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from quire.domain.ranking import TITLE_WEIGHT

K1, B = 1.2, 0.75
LEAST = 1e-6


def rarity(count: float, total: float) -> float:
    """What a word weighs that stands in `count` of `total` passages."""
    return max(LEAST, math.log((total - count + 0.5) / (count + 0.5))) if total > count else LEAST


class Scale:
    """Scores passages by words that weigh by their rarity."""

    def __init__(self, weights: Mapping[str, float], average_length: float) -> None:
        self._weights = weights
        self._average = average_length or 1.0

    def score(self, title: str, text: str) -> float:
        titled, told = title.split(), text.split()
        norm = K1 * (1 - B + B * (len(titled) + len(told)) / self._average)
        total = 0.0
        for word, weight in self._weights.items():
            if count := told.count(word) + TITLE_WEIGHT * titled.count(word):
                total += weight * count * (K1 + 1) / (count + norm)
        return total


def neighbours(words: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs of words that follow one another, each once."""
    return list(dict.fromkeys(pairwise(words)))
