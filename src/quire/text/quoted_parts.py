"""Which sentences are quoted together: the best ones, each with those of its neighbours that are nearly as good."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from quire.text.candidates import Candidate, ScoredPassage
from quire.text.passages import DENSE
from quire.text.words import language_code

# The number of a passage, start and end in its text.
Span = tuple[int, int, int]
# A neighbour with this share of the best sentence's trust is quoted with it, up to a length.
RUN_SHARE, RUN_LENGTH, DENSE_RUN_LENGTH = 0.06, 500, 200
LEAST_SHARE, BESIDE = 0.003, 0.6
# What belongs to a list is not told so much more surely than the rest of it.
LISTED_SHARE = 0.04
NEIGHBOURS, LISTED = 2, 5
ALIKE = 0.8
# How much more a sentence's own words count than those of the sentence that it points at.
POINTING = 3.1

# What gives a name to what the sentence before it told: "They are called spring tides."
NAMES = re.compile(
    r"(?:it|this|these|they|those|that) (?:is|are|was|were) (?:\w+ )?(?:called|known as|named|termed|what)\b"
    r"|(?:das|dies|sie|diese) (?:nennt|nennen|heißt|heißen)\b",
    re.IGNORECASE,
)


class Part(NamedTuple):
    """Sentences of the `passage`th passage, from `start` to `end` in its text; `score` is their share of all trust."""

    passage: int
    start: int
    end: int
    score: float


def quoted_parts(
    passages: Sequence[ScoredPassage],
    found: list[Candidate],
    scores: list[float],
    limit: int,
    shown: Sequence[Span],
    *,
    goes_on: bool,
    lists: bool = False,
    least: float = LEAST_SHARE,
) -> list[Part]:
    """The best sentences with those of their neighbours that are nearly as good; repetitions left out.

    Where it `goes_on`, the best one comes with the sentence behind it; where one `lists` things, more stand together
    that each tell one. What has less than the `least` share of the best
    one's trust is left out.
    """
    least = max(least, LISTED_SHARE) if lists else least
    top = max(scores)
    shares = [math.exp(score - top) for score in scores]
    whole = sum(shares)
    parts: list[Part] = []
    told: list[frozenset[str]] = []
    for seed in sorted(range(len(found)), key=lambda index: (-scores[index], index)):
        if _overlaps(found[seed], parts) or _repeats(found[seed], told):
            continue
        beside = [*parts, *(Part(*span, 0.0) for span in shown)]
        first, last = _run(passages, found, shares, seed, beside, told, lists=lists)
        if goes_on and not parts and last + 1 < len(found) and _adjoin(found[last + 1], found[last]):
            last += not _overlaps(found[last + 1], beside)
        if first and _names_what_was_said(passages[found[first].at].text, found[first]):
            first -= _adjoin(found[first - 1], found[first]) and not _overlaps(found[first - 1], beside)
        share = sum(shares[first : last + 1]) / whole
        if parts and share < least * parts[0].score:
            break
        told += [frozenset(candidate.words) for candidate in found[first : last + 1]]
        parts.append(Part(found[seed].at, found[first].start, found[last].end, share))
        if len(parts) == limit:
            break
    return parts


def _names_what_was_said(text: str, one: Candidate) -> bool:
    return NAMES.match(text, one.start, one.end) is not None


def _overlaps(candidate: Candidate, parts: Sequence[Part]) -> bool:
    return any(
        part.passage == candidate.at and part.start < candidate.end and candidate.start < part.end for part in parts
    )


def _repeats(candidate: Candidate, told: Sequence[frozenset[str]]) -> bool:
    words = frozenset(candidate.words)
    return any(len(words & others) >= ALIKE * len(words | others) for others in told if others)


def _run(
    passages: Sequence[ScoredPassage],
    found: list[Candidate],
    shares: list[float],
    seed: int,
    parts: Sequence[Part],
    told: Sequence[frozenset[str]],
    *,
    lists: bool,
) -> tuple[int, int]:
    """The sentence with up to two neighbours that are worth quoting along with it, or more; a list stays as it is."""
    at = found[seed].at
    longest = DENSE_RUN_LENGTH if language_code(passages[at].language) in DENSE else RUN_LENGTH
    first = last = seed
    for _ in range(LISTED if lists else NEIGHBOURS):
        worth = [
            index
            for index, beside in ((first - 1, first), (last + 1, last))
            if 0 <= index < len(found)
            and _adjoin(found[index], found[beside])
            and not _overlaps(found[index], parts)
            and not _repeats(found[index], told)
            and _own(found[index], shares[index]) >= RUN_SHARE * shares[seed]
            and (lists or _speaks_of_it(found[index], found[seed]))
            and max(found[index].end, found[last].end) - min(found[index].start, found[first].start) <= longest
        ]
        if not worth:
            break
        taken = max(worth, key=lambda index: shares[index])
        first, last = min(first, taken), max(last, taken)
    return first, last


def _own(candidate: Candidate, share: float) -> float:
    """A sentence's share without what it only points at, which is quoted beside it."""
    return share * math.exp(-POINTING * candidate.pointed)


def _speaks_of_it(one: Candidate, seed: Candidate) -> bool:
    """Whether a sentence has a word of the question, or is nearly as near to it as another."""
    return one.signs.coverage > 0 or one.signs.nearness >= BESIDE * seed.signs.nearness


def _adjoin(one: Candidate, other: Candidate) -> bool:
    """Whether nothing stands between two sentences of one paragraph."""
    if one.place is None or other.place is None:
        return False
    return (one.at, one.paragraph) == (other.at, other.paragraph) and abs(one.place - other.place) == 1
