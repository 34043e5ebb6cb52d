"""Glosses: texts of other languages in English words, one for each of their own.

That is no translation, but enough for a judge that reads English to tell whether a sentence answers a question. Words
are told by a dictionary, those that it lacks by the English word that is nearest in meaning.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise

from quire.ports.search import Glossary
from quire.text.gloss_words import POLITE_WORDS, SMALL_WORDS
from quire.text.words import language_code

# What is farther from every English word is a name, or not known: it stays as it is. Letters of scripts without spaces
# are looked up two by two; a pair with a small word in it must be plain.
NEAR, NAME_NEAR, PAIR_NEAR, PLAIN_PAIR_NEAR = 0.58, 0.72, 0.62, 0.75
UNSPACED = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
LETTERS = re.compile(rf"[{UNSPACED}]+")
WORD = re.compile(rf"\d[\d.,:/-]*\d|[{UNSPACED}]+|[^\W{UNSPACED}]+|[^\w\s]")
LONGEST_KNOWN = 5
# German writes every noun with a capital.
CAPITALS_ARE_NAMES = frozenset({"fr", "es", "it", "pt", "nl", "ru", "pl", "tr"})
# More than a judge reads.
MOST_LETTERS, MOST_WORDS = 1_000, 120
# Behind these a capital begins a sentence.
ENDS = frozenset(".!?…¿¡|*#")
SOFT_HYPHEN = "\u00ad"


def glossed_languages() -> frozenset[str]:
    """The languages whose small words are known: without those a gloss says little."""
    return frozenset(SMALL_WORDS)


class Glosser:
    """`likely` are English words that are rather meant than others: those that the other side speaks in. What was
    glossed `before` is told by the same words again."""

    def __init__(self, glossary: Glossary, likely: Sequence[str] = (), before: Glosser | None = None) -> None:
        self._glossary, self._likely = glossary, list(dict.fromkeys(likely))
        self._known: dict[str, tuple[str, float]] = dict(before._known) if before else {}

    def glossed(self, texts: Sequence[tuple[str, str | None]]) -> list[str]:
        """Each text, with its language, in English words."""
        cut = [
            (self._words(text, language_code(language) or ""), language_code(language) or "")
            for text, language in texts
        ]
        wanted = dict.fromkeys(one for words, language in cut for one in self._looked_up(words, language))
        fresh = [word for word in wanted if word not in self._known]
        self._known |= zip(fresh, self._glossary.english(fresh, self._likely), strict=True)
        return [" ".join(filter(None, self._said(words, language))) for words, language in cut]

    def _said(self, words: Sequence[str], language: str) -> Iterator[str]:
        small, polite = SMALL_WORDS.get(language, {}), POLITE_WORDS.get(language, {})
        joined = False
        for at, word in enumerate(words):
            if joined:
                joined = False
                continue
            following = words[at + 1] if at + 1 < len(words) else ""
            least = PLAIN_PAIR_NEAR if word in small or following in small else PAIR_NEAR
            joined = _are_letters(word, following) and self._near(word + following) >= least
            if joined:
                yield self._nearest(word + following, 0.0)
            elif at > 0 and word in polite:
                yield polite[word]
            elif word.casefold() in small:
                yield small[word.casefold()]
            elif told := self._told(words, at, language):
                yield told
            else:
                name = _is_name(words, at, language)
                yield self._nearest(word, PAIR_NEAR if LETTERS.fullmatch(word) else NAME_NEAR if name else NEAR)

    def _told(self, words: Sequence[str], at: int, language: str) -> str | None:
        """What the dictionary has for a word."""
        if _is_name(words, at, language) or not words[at][0].isalpha():
            return None
        return self._glossary.told(words[at].casefold(), language)

    def _words(self, text: str, language: str) -> list[str]:
        """The words of a text; where none are told apart, known ones of several letters and single letters."""
        plain = unicodedata.normalize("NFKC", text[:MOST_LETTERS]).replace(SOFT_HYPHEN, "").replace("’", "'")
        small: Mapping[str, str] = SMALL_WORDS.get(language, {})

        def is_known(word: str) -> bool:
            return word in small or self._glossary.told(word, language) is not None

        def cut() -> Iterator[str]:
            for word in WORD.findall(plain):
                at = 0 if LETTERS.fullmatch(word) else len(word)
                if at:
                    yield word
                while at < len(word):
                    size = next((size for size in range(LONGEST_KNOWN, 1, -1) if is_known(word[at : at + size])), 1)
                    yield word[at : at + size]
                    at += size

        return list(islice(cut(), MOST_WORDS))

    def _looked_up(self, words: Sequence[str], language: str) -> Iterator[str]:
        """What is looked up by its meaning: words that neither are small nor in the dictionary, and letters of scripts
        without spaces two by two. Single letters of others are units and names."""
        small = SMALL_WORDS.get(language, {})
        for at, word in enumerate(words):
            known = word.casefold() in small or self._told(words, at, language) is not None
            if word[0].isalpha() and not known and (len(word) > 1 or LETTERS.match(word)):
                yield word
        yield from (one + other for one, other in pairwise(words) if _are_letters(one, other))

    def _near(self, word: str) -> float:
        return self._known.get(word, ("", 0.0))[1]

    def _nearest(self, word: str, least: float) -> str:
        said, near = self._known.get(word, (word, 0.0))
        return said if near >= least else word


def _is_name(words: Sequence[str], at: int, language: str) -> bool:
    begins = at == 0 or words[at - 1] in ENDS
    return not begins and words[at][0].isupper() and language in CAPITALS_ARE_NAMES


def _are_letters(*words: str) -> bool:
    return all(len(word) == 1 and LETTERS.fullmatch(word) for word in words)
