"""Glosses: texts of other languages in English words, one for each of their own.

That is no translation, but enough for a judge that reads English to tell whether a sentence answers a question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from quire.ports.search import Glossary
from quire.text.gloss_words import SMALL_WORDS
from quire.text.words import language_code

# What is farther from every English word is a name, or not known: it stays as it is.
NEAR, NAME_NEAR, LETTERS_NEAR = 0.58, 0.72, 0.62
UNSPACED = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
LETTERS = re.compile(rf"[{UNSPACED}]+")
WORD = re.compile(rf"\d[\d.,:/-]*\d|[{UNSPACED}]+|[^\W{UNSPACED}]+|[^\w\s]")
LONGEST_SMALL = 5
# German writes every noun with a capital.
CAPITALS_ARE_NAMES = frozenset({"fr", "es", "it", "pt", "nl", "ru", "pl", "tr"})
MOST_WORDS = 400


class Glosser:
    """`likely` are English words that are rather meant than others: those that the other side speaks in."""

    def __init__(self, glossary: Glossary, likely: Sequence[str] = ()) -> None:
        self._glossary, self._likely = glossary, list(dict.fromkeys(likely))[:MOST_WORDS]
        self._known: dict[str, tuple[str, float]] = {}

    def glossed(self, texts: Sequence[tuple[str, str | None]]) -> list[str]:
        """Each text, with its language, in English words."""
        cut = [(list(_words(text, language)), language_code(language) or "") for text, language in texts]
        wanted = dict.fromkeys(one for words, language in cut for one in _looked_up(words, language))
        fresh = [word for word in wanted if word not in self._known]
        self._known |= zip(fresh, self._glossary.english(fresh, self._likely), strict=True)
        return [" ".join(filter(None, self._said(words, language))) for words, language in cut]

    def _said(self, words: Sequence[str], language: str) -> Iterator[str]:
        small = SMALL_WORDS.get(language, {})
        joined = False
        for at, word in enumerate(words):
            if joined:
                joined = False
            elif word.casefold() in small:
                yield small[word.casefold()]
            elif LETTERS.fullmatch(word):
                pair = word + words[at + 1] if at + 1 < len(words) else ""
                joined = self._known.get(pair, ("", 0.0))[1] >= LETTERS_NEAR
                yield self._nearest(pair if joined else word, LETTERS_NEAR)
            else:
                name = at > 0 and word[0].isupper() and language in CAPITALS_ARE_NAMES
                yield self._nearest(word, NAME_NEAR if name else NEAR)

    def _nearest(self, word: str, least: float) -> str:
        said, near = self._known.get(word, (word, 0.0))
        return said if near >= least else word


def _words(text: str, language: str | None) -> Iterator[str]:
    """The words of a text; where none are told apart, small words and single letters."""
    small: Mapping[str, str] = SMALL_WORDS.get(language_code(language) or "", {})
    for word in WORD.findall(text)[:MOST_WORDS]:
        if not LETTERS.fullmatch(word):
            yield word
            continue
        at = 0
        while at < len(word):
            size = next((size for size in range(LONGEST_SMALL, 1, -1) if word[at : at + size] in small), 1)
            yield word[at : at + size]
            at += size


def _looked_up(words: Sequence[str], language: str) -> Iterator[str]:
    """What is looked up: words that are not small ones, and letters of scripts without spaces two by two."""
    small = SMALL_WORDS.get(language, {})
    yield from (word for word in words if word[0].isalpha() and word.casefold() not in small)
    yield from (one + other for one, other in pairwise(words) if _single(one, small) and _single(other, small))


def _single(word: str, small: Mapping[str, str]) -> bool:
    return len(word) == 1 and LETTERS.fullmatch(word) is not None and word not in small
