"""Across languages: how near passages and sentences are to a question in another language."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from quire.domain.passages import Passage
from quire.ports.search import Embedder, Glossary, WordHit
from quire.text.blocks import blocks
from quire.text.languages import LANGUAGES
from quire.text.ranking import PAIR_WEIGHT, Ranked
from quire.text.words import SCRIPT_LANGUAGES, is_piece, language_code, language_of, query_tokens, tokens

# A question most of whose words the sources have is in their language, whatever its small words look like.
KNOWN_WORDS = 0.7
# So many passages are looked at sentence by sentence, so many without a vector are given one for the question.
LOOKED_AT, GIVEN = 12, 8
SENTENCES, LONGEST = 16, 500
# What a passage's words count beside cosines. Fitted, as the sum of both cosines, on XQuAD's questions in Russian and
# Chinese over its English paragraphs; the sum that a passage of the question's own language would have is `FULL`.
WORD_WEIGHT, FULL = 0.03, 1.8
# The encoder knows single words as well as sentences: two that are nearer than `UNLIKE` are taken to mean the same the
# more, up to `SAME`. What the question's words count by which a passage says the same.
UNLIKE, SAME, SAID_WEIGHT = 0.5, 0.8, 0.06
# Of a script without spaces pieces of two letters are compared: most words are in two of them, and chance is greater.
UNLIKE_PIECE, SAME_PIECE, PIECE = 0.62, 0.85, 0.5
WORDS_ASKED = 40
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
UNSPACED = frozenset({"zh", "ja", "th"})


@dataclass(frozen=True)
class AcrossLanguages:
    """A question in `language`, in a space that all languages share; `spoken` says that some sources are in it too.

    A `glossary` tells its words in other languages.
    """

    question: str
    language: str
    encoder: Embedder
    vector: Any
    spoken: bool = False
    glossary: Glossary | None = None
    _known: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict, compare=False)

    def tokens_in(self, language: str) -> list[str]:
        """What texts in another language may have of the question, word by word."""
        return [token for word in self.words(self.question, self.language) for token in self._meant(word, language)]

    def _meant(self, word: str, language: str) -> frozenset[str]:
        """The tokens that stand for a word of the question in texts of another language."""
        if self.glossary is None or language == self.language:
            return frozenset()
        if (word, language) not in self._known:
            self._known[word, language] = _meant(self.glossary, word, self.language, language)
        return self._known[word, language]

    def cosines(self, texts: Sequence[str]) -> list[float]:
        return [float(cosine) for cosine in self.encoder.embed(list(texts), "passage") @ self.vector]

    def is_foreign(self, passage: Passage) -> bool:
        """Whether a passage is in another language that the encoder knows, or in one that nobody could tell.

        Few words and numbers tell no language; where some sources are in the question's, they are taken to be in it.
        """
        known = self.encoder.languages
        language = passage.language
        if language is None:
            return not self.spoken
        return language != self.language and (known is None or language in known)

    def ranked(
        self,
        passages: Mapping[int, Passage],
        by_words: Sequence[WordHit],
        near: Mapping[int, float],
        own: Mapping[int, float],
    ) -> Ranked:
        """Passages by both, best first. `near` has cosines in the shared space; `own` has the scores of those in the
        question's language, which stay."""
        words = {hit.seq: hit.score + PAIR_WEIGHT * hit.pairs for hit in by_words}
        foreign = [number for number, passage in passages.items() if self.is_foreign(passage)]
        cosines = {number: near[number] for number in foreign if number in near}
        bare = sorted((number for number in foreign if number not in near), key=lambda number: -words.get(number, 0))
        if bare:
            cosines |= zip(bare, self.cosines([_whole(passages[number]) for number in bare[:GIVEN]]), strict=False)

        def first_look(number: int) -> float:
            return cosines[number] + WORD_WEIGHT * words.get(number, 0.0)

        looked_at = sorted(cosines, key=first_look, reverse=True)[:LOOKED_AT]
        nearest = self._nearest_sentences([passages[number] for number in looked_at])
        said = self.said_by([(_whole(passages[number]), passages[number].language) for number in looked_at])
        found = {
            number: min(1.0, (first_look(number) + sentence + SAID_WEIGHT * said.weight(at)) / FULL)
            for at, (number, sentence) in enumerate(zip(looked_at, nearest, strict=True))
        }
        lowest = min(found.values(), default=0.0)
        for number in cosines.keys() - found.keys():
            found[number] = min(lowest, first_look(number) / FULL)
        found |= {number: score for number, score in own.items() if number not in foreign}
        return sorted(found.items(), key=lambda item: (-item[1], item[0]))

    def said_by(self, texts: Sequence[tuple[str, str | None]]) -> WordsSaid:
        """How far each text, in its language, says each of the question's words."""
        asked = self.words(self.question, self.language)[:WORDS_ASKED]
        spoken_in = [self.words(text, language) for text, language in texts]
        every = list(dict.fromkeys(word for some in spoken_in for word in some))
        if not asked or not every:
            return WordsSaid([[] for _ in texts])
        spoken = self.encoder.embed(every, "passage")
        # A word at a time: the threads that multiply matrices turn idly afterwards, beside an embedder that works.
        alike = [(spoken @ word).tolist() for word in self.encoder.embed(asked, "passage")]
        at = {word: place for place, word in enumerate(every)}

        def said(own: str, row: Sequence[float], some: Sequence[str], plain: frozenset[str], language: str) -> float:
            if not self._meant(own, language).isdisjoint(plain):
                return 1.0
            return max([_same(row[at[word]], pieces=is_piece(own) or is_piece(word)) for word in some], default=0.0)

        found = []
        for (text, language), some in zip(texts, spoken_in, strict=True):
            spoken_language = language_code(language) or "en"
            plain = frozenset(tokens(text, language))
            found.append([said(own, row, some, plain, spoken_language) for own, row in zip(asked, alike, strict=True)])
        return WordsSaid(found, PIECE if any(map(is_piece, asked)) else 1.0)

    def words(self, text: str, language: str | None) -> list[str]:
        """The words of a text that carry meaning, each once."""
        known = LANGUAGES.get(language or "en")
        small = known.function_words if known else frozenset[str]()
        found = tokens(text, language) if language in UNSPACED else WORD.findall(text)
        return [
            word for word in dict.fromkeys(found) if len(word) > 1 and word.isalpha() and word.casefold() not in small
        ]

    def _nearest_sentences(self, passages: Sequence[Passage]) -> list[float]:
        """The cosine of each passage's nearest sentence."""
        texts = [
            [passage.text[start : min(end, start + LONGEST)] for start, end in quotable(passage)[:SENTENCES]]
            for passage in passages
        ]
        cosines = iter(self.cosines([text for some in texts for text in some]))
        return [max([next(cosines) for _ in some], default=0.0) for some in texts]


class WordsSaid:
    """For each text how far it says each word, from 0 to 1; a word that few of them say weighs more."""

    def __init__(self, said: Sequence[Sequence[float]], word: float = 1.0) -> None:
        self._said = said
        self._word = word
        counts = [sum(column) for column in zip(*said, strict=True)]
        self._weights = [math.log(1 + (len(said) + 0.5) / (count + 0.5)) for count in counts]

    @property
    def words(self) -> int:
        return len(self._weights)

    def least_said(self) -> float:
        """How far any text says the word that is said least."""
        return min([max(column) for column in zip(*self._said, strict=True)], default=1.0)

    def weight(self, text: int) -> float:
        return self._word * sum(weight * said for weight, said in zip(self._weights, self._said[text], strict=False))

    def share(self, *texts: int) -> float:
        """How much of all words these texts say together."""
        together = [max(column) for column in zip(*(self._said[text] for text in texts), strict=True)]
        whole = sum(self._weights)
        return (
            sum(weight * said for weight, said in zip(self._weights, together, strict=True)) / whole if whole else 0.0
        )


def _meant(glossary: Glossary, word: str, language: str, other: str) -> frozenset[str]:
    """The tokens that stand for a word of one language in texts of another: by its English, where that is neither."""
    small = word.casefold()
    english = small if language == "en" else glossary.told(small, language)
    if not english:
        return frozenset()
    if other == "en":
        said = [english]
    else:
        said = [found for one in english.split() for found in glossary.words_for(one, other)]
    return frozenset(token for one in said for token in query_tokens(one, [other]))


def _same(cosine: float, *, pieces: bool) -> float:
    low, high = (UNLIKE_PIECE, SAME_PIECE) if pieces else (UNLIKE, SAME)
    return min(1.0, max(0.0, (cosine - low) / (high - low)))


def foreign_language(
    query: str, languages: Sequence[str], encoder: Embedder | None, glossary: Glossary | None = None
) -> str | None:
    """The language of a query, where that is another than one of these, and the encoder knows both."""
    if encoder is None:
        return None
    language = language_of(query)
    if language is None and glossary is not None and glossary.is_english(WORD.findall(query)):
        language = "en"
    if language is None:
        return None
    known = encoder.languages
    others = [one for one in languages if one != language and (known is None or one in known)]
    return language if others and (known is None or language in known) else None


def shares_script(language: str, languages: Sequence[str]) -> bool:
    """Whether a language may be taken for one of these because they are written alike."""
    return any(language in some and not some.isdisjoint(languages) for some in SCRIPT_LANGUAGES.values())


def quotable(passage: Passage) -> list[tuple[int, int]]:
    """Where the sentences, items and rows of a passage stand that can be quoted by themselves."""
    text = passage.text
    found: list[tuple[int, int]] = []
    for block in blocks(text, passage.language):
        if block.kind not in ("sentence", "item"):
            continue
        start, end = block.start, block.end
        line = text.rfind("\n", 0, start) + 1
        if text.startswith("|", line):
            # A row is not cut where one of its cells has a full stop.
            start, end = line, max(end, text.find("\n", end) if "\n" in text[end:] else len(text))
        if not found or start >= found[-1][1]:
            found.append((start, end))
    return found


def _whole(passage: Passage) -> str:
    return f"{passage.source_title}\n{passage.text}"
