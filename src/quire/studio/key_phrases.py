"""Key phrases: a few words of a text that tell it from the texts beside it, as it spells them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from quire.text.words import is_piece, tokens

WORD = re.compile(r"[^\W\d_][\w’'-]*")
ENDED = re.compile(r"[.!?;:,()“”\"…。！？，；：/–—\d]")
# Words that seldom begin or end the name of anything, though they say something in a sentence.
_LOOSE = (
    "also several many such various some most more much other others well often usually generally particularly mainly"
    " may can could would should must will be been being is are was were has have had do does did made make makes used"
    " use uses using called known found based including include includes become becomes became given give gives taken"
    " take takes like see seen however although both each every between within without among during while since until"
    " very new first last two three four five six seven eight nine ten one number numbers way ways thing things part"
    " parts kind kinds type types example examples allow allows need needs help helps work works show shows need"
    " always never almost nearly about approximately around typically especially sometimes frequently mostly highly"
    " different same own able good better best high low large small long short great little"
)
LOOSE = frozenset(_LOOSE.split())
_LEADING = (
    "the a an of in on by with from for and or as their its his her these those this some many most several all such"
    " other into at over between der die das den dem des ein eine einen einem einer von im am zum zur mit für und oder"
    " bei aus durch le la les un une des du de d l au aux en par pour et ou avec sur dans el los las una del al con por"
    " para y o sobre"
)
LEADING = frozenset(_LEADING.split())
COPULAS = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "has",
        "have",
        "had",
        "ist",
        "sind",
        "war",
        "waren",
        "hat",
        "est",
        "sont",
        "es",
        "son",
        "fue",
        "of",
    ]
)
Key = tuple[str, ...]
MOST_WORDS = 3
SHORTEST = 4
LONGEST = 34
# How much more a phrase of several words tells.
MORE_WORDS = 1.6


def key_phrases(texts: Sequence[str], language: str | None, limit: int) -> list[list[str]]:
    """Of each text the phrases that it has and the others lack, best first: of several words before single ones."""
    counted = [_phrases(text, language) for text in texts]
    held = Counter(key for found, _ in counted for key in found)
    chosen = []
    for found, spelt in counted:
        worth = {
            key: (1 + math.log(count)) * math.log(1 + len(texts) / held[key]) * (MORE_WORDS if len(key) > 1 else 1.0)
            for key, count in found.items()
        }
        best: list[Key] = []
        for key in sorted(worth, key=lambda one: (-worth[one], one)):
            if not any(set(key) & set(other) for other in best):
                best.append(key)
            if len(best) == limit:
                break
        chosen.append([_capital(spelt[key]) for key in best])
    return chosen


def _phrases(text: str, language: str | None) -> tuple[Counter[Key], dict[Key, str]]:
    """Runs of words that say something, between words that do not, where an article or the like leads up to them."""
    found: Counter[Key] = Counter()
    spelt: dict[Key, str] = {}
    for stretch in ENDED.split(text):
        run: list[tuple[str, str]] = []
        leading, begins = "", False
        words = [match[0] for match in WORD.finditer(stretch)]
        for place, word in enumerate([*words, ""]):
            cut = tokens(word, language)
            if len(cut) == 1 and word.casefold() not in LOOSE and not is_piece(cut[0]):
                run.append((cut[0], word))
                continue
            # What a clause begins with is followed by its verb.
            if begins and len(run) > 1 and word.casefold() not in COPULAS:
                run.pop()
            if run and len(run) <= MOST_WORDS and leading in LEADING:
                key = tuple(dict.fromkeys(stem for stem, _ in run))
                written = " ".join(one for _, one in run)
                if SHORTEST <= len(written) <= LONGEST:
                    found[key] += 1
                    spelt.setdefault(key, written)
            run, leading, begins = [], word.casefold(), place == 0
    return found, spelt


def _capital(phrase: str) -> str:
    return phrase[:1].upper() + phrase[1:]
