"""Ranking: scores of full text and of vectors become one.

Both are scaled for the query at hand, then added. That beats adding ranks: an equal vote of ranks
lets a weak embedder spoil a good full text, a weighted sum of scaled scores does not. The best by either
are scored by both: taken for zero where only the other list has them, they would lose what they have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, Protocol

# Fitted on Cranfield and XQuAD, where neighbouring values do as well, as they do on CISI: a title's words count three
# times; neighbours in the query that are neighbours in the passage add a fifth of their own score.
TITLE_WEIGHT = 3.0
PAIR_WEIGHT = 0.2
# So many of each list take part; the least near of all is the zero of the vectors' scale.
CANDIDATES = 50

# The query's vector is moved so far towards the best passages. Tried on Cranfield and CISI, checked on SQuAD 2.
BEST, PULL = 3, 0.15

Ranked = list[tuple[int, float]]


class WordScore(Protocol):
    """A passage's number with the scores of its words and of pairs of them; more is better."""

    @property
    def seq(self) -> int: ...

    @property
    def score(self) -> float: ...

    @property
    def pairs(self) -> float: ...


def fuse(by_words: Iterable[WordScore], by_meaning: Mapping[int, float], weight: float) -> Ranked:
    """Passages by both, best first, each with a score from 0 to 1; of equals the earlier passage comes first.

    `by_meaning` has the cosines of the passages. Where a passage has none its words count in full; without words
    meaning still has no more than its weight, so that a score says how sure it is.
    """
    words = scaled({hit.seq: hit.score + PAIR_WEIGHT * hit.pairs for hit in by_words}, floor=0.0)
    meanings = scaled(by_meaning) if weight else {}
    both = {
        passage: (1 - weight) * word + weight * meanings.get(passage, word)
        for passage in words.keys() | meanings.keys()
        for word in (words.get(passage, 0.0),)
    }
    return sorted(both.items(), key=lambda item: (-item[1], item[0]))


def cosines(vector: Any, vectors: Mapping[int, Any]) -> dict[int, float]:
    return {passage: float(own @ vector) for passage, own in vectors.items()}


def towards_best(vector: Any, vectors: Mapping[int, Any], ranked: Ranked) -> Any:
    """A query's vector moved a little towards the best passages, since those that are like them fit as well."""
    best = list(islice((vectors[passage] for passage, _ in ranked if passage in vectors), BEST))
    if not best:
        return vector
    middle = sum(best[1:], best[0])
    length = float(middle @ middle) ** 0.5
    return vector + PULL * middle / length if length else vector


def scaled(scores: Mapping[int, float], floor: float | None = None) -> dict[int, float]:
    """Scores from 0 to 1: the best becomes 1, the floor (else the worst) 0."""
    if not scores:
        return {}
    top = max(scores.values())
    low = min(scores.values()) if floor is None else floor
    if top <= low:
        return dict.fromkeys(scores, 1.0)
    return {passage: max(0.0, (score - low) / (top - low)) for passage, score in scores.items()}
