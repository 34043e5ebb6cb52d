"""Dictionaries: the English word for one of another language, a file a language (`dictionaries/`)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from importlib import resources

FOLDER = "dictionaries"
STEMMERS = {
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fr": "french",
    "it": "italian",
    "nl": "dutch",
    "pl": "polish",
    "pt": "portuguese",
    "ru": "russian",
}
# Languages that write words together, what may join them, and how short their parts may be. The last one says what a
# thing is.
JOINED = frozenset({"de", "nl"})
JOINTS = ("", "s", "n", "en", "es", "er", "e")
FIRST_PART, LAST_PART = 3, 4
REMEMBERED = 10_000
LONGEST = 48
# Words for an English one, at most.
MOST_WORDS = 8


class Dictionary:
    """English words by those of one language: as they stand there, by their stems, or by the parts they are made of."""

    def __init__(self, words: Mapping[str, str], language: str) -> None:
        self._words, self._language = words, language
        self._stem = _stemmer(language)
        self._stems: dict[str, str] = {}
        if self._stem is not None:
            for word, english in words.items():
                self._stems.setdefault(self._stem(word), english)

    def words_for(self, english: str) -> Sequence[str]:
        """Words of the language for an English one, those that it tells alone before those that it is a part of."""
        small = english.casefold()
        found = dict.fromkeys([*self._turned.get(small, ()), *self._turned.get(_english_stem(small), ())])
        return list(found)[:MOST_WORDS]

    @cached_property
    def _turned(self) -> Mapping[str, Sequence[str]]:
        """What is told by each English word, as it is and by its stem."""
        alone: dict[str, list[str]] = {}
        parts: dict[str, list[str]] = {}
        for word, english in self._words.items():
            said = english.casefold().split()
            for one in said:
                for key in {one, _english_stem(one)}:
                    (alone if len(said) == 1 else parts).setdefault(key, []).append(word)
        return {key: [*alone.get(key, ()), *parts.get(key, ())] for key in alone.keys() | parts.keys()}

    def english(self, word: str) -> str | None:
        """The English for a word in small letters, None where it is not known."""
        if len(word) > LONGEST:
            return None
        return self._plainly(word) or (self._of_parts(word) if self._language in JOINED else None)

    def _plainly(self, word: str) -> str | None:
        return self._words.get(word) or (self._stems.get(self._stem(word)) if self._stem is not None else None)

    def _of_parts(self, word: str) -> str | None:
        """A word that is written as one: the longest last part that is known, and what is known of what goes before."""
        for at in range(FIRST_PART, len(word) - LAST_PART + 1):
            last = self._plainly(word[at:])
            if last is None:
                continue
            for joint in JOINTS:
                first = word[:at].removesuffix(joint) if word[:at].endswith(joint) else ""
                said = self._words.get(first) if len(first) >= FIRST_PART else None
                if said:
                    return f"{said} {last}"
        return None


@cache
def dictionary(language: str) -> Dictionary | None:
    """The dictionary of a language, None where there is none."""
    file = resources.files("quire.adapters").joinpath(FOLDER, f"{language}.txt")
    if not file.is_file():
        return None
    pairs = (line.partition("=") for line in file.read_text(encoding="utf-8").splitlines())
    return Dictionary({word: english for word, _, english in pairs}, language)


@cache
def _stemmer(language: str) -> Callable[[str], str] | None:
    name = STEMMERS.get(language)
    if name is None:
        return None
    import snowballstemmer  # type: ignore[import-untyped]

    stemmer, lock = snowballstemmer.stemmer(name), threading.Lock()

    @lru_cache(REMEMBERED)
    def stem(word: str) -> str:
        # A stemmer keeps the word it works on, so two threads must not share it at a time.
        with lock:
            stemmed: str = stemmer.stemWord(word)
        return stemmed

    return stem


def _english_stem(word: str) -> str:
    stem = _stemmer("en")
    return stem(word) if stem is not None else word
