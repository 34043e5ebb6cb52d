"""Key sentences: those that say most of what a text is about, and the words that it keeps coming back to."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple

from quire.text.blocks import ENDED, ITEM, blocks
from quire.text.telling_words import POINTING_BACK
from quire.text.words import is_piece, tokens

SHORTEST, LONGEST = 40, 400
# Languages whose characters say more need fewer of them.
DENSE_SHORTEST = 12
# How much less a sentence tells that comes later; the first of all is mostly meant to tell.
LATER, FIRST = 0.02, 0.3
# A word that was told already counts so much when it is told again.
AGAIN = 0.3
MOST_DIGITS = 0.15
# Of a part of a text the first sentence of a paragraph tells more, an item, a question and what points back less.
BEGINS, LISTED, ASKS, BACK = 1.2, 0.8, 0.6, 0.8
BARE = re.compile(r"[^\w+#'’-]+")


class Sentence(NamedTuple):
    """From `start` to `end` in the `at`th text."""

    at: int
    start: int
    end: int


def key_sentences(texts: Sequence[str], language: str | None, limit: int) -> list[Sentence]:
    """The sentences that tell most of some texts, each adding to the others, in reading order."""
    found = _quotable(texts, language)
    cut = [frozenset(tokens(texts[at][start:end], language)) for at, start, end in found]
    weights = _weights(texts, language)
    chosen: list[int] = []
    told: set[frozenset[str]] = set()
    while len(chosen) < limit:
        rest = [place for place in range(len(found)) if cut[place] not in told]
        if not rest:
            break
        best = max(rest, key=lambda place: (_worth(cut[place], weights, place), -place))
        chosen.append(best)
        told.add(cut[best])
        weights |= {word: weights[word] * AGAIN for word in cut[best]}
    return [found[place] for place in sorted(chosen)]


def spread_sentences(
    texts: Sequence[str], language: str | None, share: Callable[[int], int], fit: Callable[[str], bool]
) -> list[Sentence]:
    """Of each of equally long parts of some texts the sentence or item that tells most of what is not told yet, in
    reading order. `share` says how many of so many that are `fit` to be told."""
    found = [(one, worth) for one, worth in _tellable(texts, language) if fit(texts[one.at][one.start : one.end])]
    limit = min(share(len(found)), len(found))
    if limit < 1:
        return []
    lengths = [one.end - one.start for one, _ in found]
    whole = sum(lengths)
    middles = [end - length / 2 for end, length in zip(accumulate(lengths), lengths, strict=True)]
    bounds = [number * whole / limit for number in range(1, limit)]
    parts: list[list[int]] = [[] for _ in range(limit)]
    for place, middle in enumerate(middles):
        parts[bisect_right(bounds, middle)].append(place)
    cut = [frozenset(tokens(texts[one.at][one.start : one.end], language)) for one, _ in found]
    weights = _weights(texts, language)
    chosen: list[int] = []

    def tell(places: Sequence[int]) -> None:
        told = {cut[place] for place in chosen}
        fresh = [place for place in places if cut[place] not in told]
        if fresh:
            best = max(fresh, key=lambda place: (_plain_worth(cut[place], weights) * found[place][1], -place))
            chosen.append(best)
            weights.update((word, weights[word] * AGAIN) for word in cut[best])

    for part in parts:
        tell(part)
    # A part that a long sentence has to itself may be none's: what is left goes to the best of all.
    for _ in range(limit - len(chosen)):
        tell(range(len(found)))
    return [found[place][0] for place in sorted(chosen)]


def keywords(text: str, language: str | None, limit: int) -> list[str]:
    """The words that a text comes back to most, as it spells them."""
    counts = Counter(tokens(text, language))
    wanted = {
        word for word, _ in counts.most_common(limit * 4) if not word.isdigit() and (len(word) > 2 or is_piece(word))
    }
    spelt: dict[str, Counter[str]] = {}
    for written in BARE.split(text):
        cut = tokens(written, language) if written else []
        if len(cut) == 1 and cut[0] in wanted:
            spelt.setdefault(cut[0], Counter())[written] += 1
    found = []
    for word, _ in counts.most_common():
        if word in spelt:
            spelling = spelt[word].most_common(1)[0][0]
            found.append(spelling if spelling.isupper() else spelling.lower())
        elif word in wanted and is_piece(word) and len(word) > 1:
            found.append(word)
        if len(found) == limit:
            break
    return found


def _quotable(texts: Sequence[str], language: str | None) -> list[Sentence]:
    """Whole sentences of a sensible length; where there are none, items, else any line."""
    sentences: list[Sentence] = []
    items: list[Sentence] = []
    others: list[Sentence] = []
    for at, text in enumerate(texts):
        for block in blocks(text, language):
            written = text[block.start : block.end]
            place = Sentence(at, block.start, block.end)
            dense = is_piece(written[:1])
            if block.kind in ("heading", "code") or len(written) > LONGEST:
                continue
            if sum(letter.isdigit() for letter in written) > MOST_DIGITS * len(written) or "|" in written:
                others.append(place)
            elif block.kind == "item" or ITEM.match(written):
                items.append(place)
            elif (
                len(written) >= (DENSE_SHORTEST if dense else SHORTEST)
                and ENDED.search(written)
                and written[0] not in "(["
            ):
                (others if written[0].islower() or written.endswith((":", ",", ";")) else sentences).append(place)
            else:
                others.append(place)
    return sentences or items or others


def _tellable(texts: Sequence[str], language: str | None) -> list[tuple[Sentence, float]]:
    """Sentences and items, and how much they tell by the way they are written."""
    found: list[tuple[Sentence, float]] = []
    for at, text in enumerate(texts):
        last: int | None = None
        for block in blocks(text, language):
            written = text[block.start : block.end]
            begins, last = block.paragraph != last, block.paragraph
            if block.kind not in ("sentence", "item") or len(written) > LONGEST or "|" in written:
                continue
            item = block.kind == "item"
            worth = LISTED if item else BEGINS if begins else 1.0
            worth *= ASKS if written.endswith(("?", "？")) else 1.0
            worth *= BACK if POINTING_BACK.match(written) else 1.0
            if item or ENDED.search(written):
                found.append((Sentence(at, block.start, block.end), worth))
    return found


def _weights(texts: Sequence[str], language: str | None) -> dict[str, float]:
    counts = Counter(word for text in texts for word in tokens(text, language))
    return {word: math.log(count) if count > 1 else 0.1 for word, count in counts.items()}


def _worth(words: frozenset[str], weights: dict[str, float], place: int) -> float:
    return _plain_worth(words, weights) / (1 + LATER * place) * (1 + FIRST * (place == 0))


def _plain_worth(words: frozenset[str], weights: dict[str, float]) -> float:
    return sum(weights[word] for word in words) / math.sqrt(len(words) + 4)
