"""Ranking: scores of full text and of vectors become one.

Both are scaled for the query at hand, then added. That beats adding ranks: an equal vote of ranks
lets a weak embedder spoil a good full text, a weighted sum of scaled scores does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

# Fitted on Cranfield and XQuAD, where neighbouring values do as well: a title's words count three
# times; neighbours in the query that are neighbours in the passage add a fifth of their own score.
TITLE_WEIGHT = 3.0
PAIR_WEIGHT = 0.2
# So many of each list take part; the last of the nearest is the zero of the vectors' scale.
CANDIDATES = 100

Ranked = list[tuple[int, float]]


def with_pairs(scores: Mapping[int, float], pairs: Mapping[int, float]) -> dict[int, float]:
    """Full-text scores (more is better) with what pairs of words add; a pair alone brings nothing in."""
    return {passage: score + PAIR_WEIGHT * pairs.get(passage, 0.0) for passage, score in scores.items()}


def fused(
    full_text: Mapping[int, float], cosines: Mapping[int, float], *, vector_weight: float, limit: int | None = None
) -> Ranked:
    """Passages by both scores, best first, each with a score from 0 to 1.

    `cosines` are those of the nearest passages. Without them full text counts in full; without full
    text the vectors still have no more than their weight, so that a score says how sure it is.
    """
    weight = vector_weight if cosines else 0.0
    words = scaled(full_text, floor=0.0)
    meanings = scaled(cosines)
    both = {
        passage: (1 - weight) * words.get(passage, 0.0) + weight * meanings.get(passage, 0.0)
        for passage in words.keys() | (meanings.keys() if weight else set())
    }
    return sorted(both.items(), key=lambda item: (-item[1], item[0]))[:limit]


def scaled(scores: Mapping[int, float], floor: float | None = None) -> dict[int, float]:
    """Scores from 0 to 1: the best becomes 1, the floor (else the worst) 0."""
    if not scores:
        return {}
    top = max(scores.values())
    low = min(scores.values()) if floor is None else floor
    if top <= low:
        return dict.fromkeys(scores, 1.0)
    return {passage: max(0.0, (score - low) / (top - low)) for passage, score in scores.items()}


def best_of_each(ranked: Ranked, group_of: Mapping[int, str]) -> list[tuple[str, float]]:
    """Groups (sources, say) by their best passage."""
    best: dict[str, float] = {}
    for passage, score in ranked:
        best.setdefault(group_of[passage], score)
    return list(best.items())


def vector_weight(embedder_weight: float, embedder_languages: Iterable[str] | None, language: str | None) -> float:
    """The weight of an embedder for a query: none in a language that it was not made for."""
    known = embedder_languages is None or language is None or language in embedder_languages
    return embedder_weight if known else 0.0
