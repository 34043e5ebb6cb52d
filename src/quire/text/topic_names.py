"""Names of topics: words and pairs of words that most of a group's texts have, and few of the others."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from quire.text.words import is_piece, tokens

# So many words and pairs of a text are kept: those that it has most.
WORDS, PAIRS = 200, 60
# What counts as if it stood in the text so many times.
TITLE = 3
SHORTEST, SHORTEST_PIECE = 3, 2
# A pair says more than its better word where it is in so many of the texts that have that.
MOSTLY = 0.5
# A second part is added to a name where it tells nearly as much as the first.
NEARLY = 0.6
UNHEARD = 0.02
LONGEST = 60
CHOICES = 4
ENDED = re.compile(r"[.!?;:…。！？]")
BARE = re.compile(r"[^\w+#'’-]+")
Pair = tuple[str, str]


@dataclass(slots=True)
class Spoken:
    """What a text speaks of: how often it has each word, which words stand together, and how each is spelt."""

    words: Counter[str] = field(default_factory=Counter)
    pairs: Counter[Pair] = field(default_factory=Counter)
    spelt: dict[str, str] = field(default_factory=dict)

    def has(self, term: str | Pair) -> bool:
        return term in self.words if isinstance(term, str) else term in self.pairs


def spoken(title: str, text: str, language: str | None) -> Spoken:
    """The words of a text with its title."""
    words: Counter[str] = Counter()
    pairs: Counter[Pair] = Counter()
    spelt: dict[str, Counter[str]] = {}
    for times, part in ((TITLE, title), (1, text)):
        # What one sentence ends with and the next begins with do not stand together.
        for sentence in ENDED.split(part):
            before: str | None = None
            for place, written in enumerate(BARE.split(sentence)):
                cut = [word for word in tokens(written, language) if _tells(word)] if written else []
                for word in cut:
                    words[word] += times
                    # How a sentence begins says nothing of how a word is spelt.
                    if len(cut) == 1 and place:
                        spelt.setdefault(word, Counter())[written.strip("'’-")] += 1
                if len(cut) == 1 and not is_piece(cut[0]):
                    if before is not None:
                        pairs[before, cut[0]] += times
                    before = cut[0]
                elif written:
                    before = None
    kept = Counter(dict(words.most_common(WORDS)))
    together = {pair: count for pair, count in pairs.most_common(PAIRS) if pair[0] in kept and pair[1] in kept}
    spellings = {word: found.most_common(1)[0][0] for word, found in spelt.items() if word in kept}
    return Spoken(kept, Counter(together), spellings)


def _tells(word: str) -> bool:
    return not word.isdigit() and len(word) >= (SHORTEST_PIECE if is_piece(word) else SHORTEST)


def names(groups: Sequence[Sequence[int]], texts: Sequence[Spoken]) -> list[list[str]]:
    """For each group a few names, best first."""
    whole = sum(map(len, groups)) or 1
    held: Counter[str | Pair] = Counter()
    for group in groups:
        for number in group:
            held.update([*texts[number].words, *texts[number].pairs])
    return [_names([texts[number] for number in group], held, whole) for group in groups]


def _names(group: Sequence[Spoken], held: Counter[str | Pair], whole: int) -> list[str]:
    inside: Counter[str | Pair] = Counter()
    for text in group:
        inside.update([*text.words, *text.pairs])
    worth: dict[str | Pair, float] = {}
    for term, count in inside.items():
        share = count / len(group)
        elsewhere = (held[term] - count) / max(1, whole - len(group))
        if count > 1:
            worth[term] = share * math.log((share + UNHEARD) / (elsewhere + UNHEARD))
    for term in [term for term in worth if isinstance(term, tuple)]:
        better = max(term, key=lambda word: worth.get(word, 0.0))
        if inside[term] >= MOSTLY * inside[better]:
            # Together they say what the better word says, and more.
            worth[term] = max(worth[term], worth.get(better, 0.0)) * (1 + UNHEARD)
    ranked = sorted(worth, key=lambda term: (-worth[term], str(term)))
    chosen: list[str | Pair] = []
    for term in ranked:
        if len(chosen) == CHOICES:
            break
        if not any(_overlap(term, other) for other in chosen):
            chosen.append(term)
    told = [_spelling(term, group) for term in chosen]
    if not told:
        return []
    made = [told[0]]
    if len(told) > 1 and worth[chosen[1]] >= NEARLY * worth[chosen[0]]:
        made.insert(0, f"{told[0]} & {told[1]}")
    made += [f"{told[0]} & {other}" for other in told[1:]]
    return list(dict.fromkeys(_capital(name) for name in made if len(name) <= LONGEST))


def _overlap(one: str | Pair, other: str | Pair) -> bool:
    """Whether two terms share a word; pieces of unspaced scripts overlap by a character."""
    ours, theirs = ({term} if isinstance(term, str) else set(term) for term in (one, other))
    if ours & theirs:
        return True
    return any(is_piece(word) and set(word) & set(them) for word in ours for them in theirs)


def _spelling(term: str | Pair, group: Sequence[Spoken]) -> str:
    if isinstance(term, tuple):
        return " ".join(_spelling(word, group) for word in term)
    found = Counter(text.spelt[term] for text in group if term in text.spelt)
    return found.most_common(1)[0][0] if found else term


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]
