"""Candidates: the sentences of some passages, each with the signs that speak for it as an answer."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from quire.text.blocks import HEADING, ORNAMENT, TextBlock, blocks
from quire.text.questions import asks_meaning, kind_asked_for, meaning_of, offers, own_words
from quire.text.words import query_tokens, tokens


class ScoredPassage(NamedTuple):
    """A passage to answer from: `score` is that of its rank (0 to 1), `cosine` its likeness to the question.

    `heading` is what it stands under.
    """

    text: str
    score: float = 1.0
    title: str = ""
    language: str | None = None
    cosine: float = 0.0
    heading: str = ""


class Signs(NamedTuple):
    """What speaks for a sentence, each about 0 to 1.

    `form` is that of what was asked for: a sentence that says what a thing is, steps that say how to do it.
    """

    coverage: float
    before: float
    after: float
    closeness: float
    kind: float
    length: float
    score: float
    cosine: float = 0.0
    nearness: float = 0.0
    form: float = 0.0


class Candidate(NamedTuple):
    """A sentence of the `at`th passage, or a whole list, with its words; `section` is that of its passage.

    What is quoted goes from `start` to `end`; `place` is its number there, none for a list.
    """

    at: int
    start: int
    end: int
    words: list[str]
    signs: Signs
    section: int
    place: int | None


# A word's beginning counts nearly as the word itself.
PREFIX, PREFIX_MATCH = 5, 0.85
LIGHT_WEIGHT = 0.3
# `X is found in Y` says less of what X is than `X is a Y`.
LESS_PLAINLY = 0.6
LIST_LENGTH = 900
# Steps answer though they repeat few of the question's words.
STEPS_FORM = 2.0
NUMBERED = re.compile(r"\(?(?:\d{1,3}|[a-z])[.)]\s")
CODE_LENGTH = 600


@cache
def light() -> frozenset[str]:
    """Words that ask rather than tell: the answer seldom repeats them."""
    return frozenset(
        tokens(
            "many much name named type kind sort called known term word example one made make take took place happen"
            " happened long large according cause caused describe mean means use used go year date time person people"
            " group thing way list give gave given said refer considered specific particular main different total"
            " amount number percentage compare difference explain tell need",
            "en",
        )
    )


class Terms:
    """A question's words in one language, each with the weight of its rarity among the passages."""

    def __init__(self, question: str, language: str | None, frequencies: Mapping[str, int], total: int) -> None:
        self.words = query_tokens(question, [language])
        self.weights = {}
        for word in self.words:
            found = min(frequencies.get(word, 0), total)
            rarity = math.log(1 + (total - found + 0.5) / (found + 0.5))
            self.weights[word] = rarity * (LIGHT_WEIGHT if word in light() else 1.0)
        self.sum = sum(self.weights.values()) or 1.0
        self.unknown = sum(weight for word, weight in self.weights.items() if not frequencies.get(word)) / self.sum

    def matches(self, found: Iterable[str]) -> dict[str, float]:
        """How far each word is among those found: in full, by its beginning, or not at all."""
        exact = frozenset(found)
        beginnings = {word[:PREFIX] for word in exact if len(word) >= PREFIX}
        return {
            word: 1.0 if word in exact else PREFIX_MATCH if len(word) >= PREFIX and word[:PREFIX] in beginnings else 0.0
            for word in self.words
        }

    def share(self, matches: Mapping[str, float]) -> float:
        return sum(self.weights[word] * match for word, match in matches.items()) / self.sum

    def gain(self, own: Mapping[str, float], others: Mapping[str, float]) -> float:
        """What others add to a sentence's coverage: they may name what the sentence calls `it`."""
        return self.share({word: max(0.0, match - own[word]) for word, match in others.items()})

    def closeness(self, words: Sequence[str]) -> float:
        """How near to each other the question's words stand in a sentence."""
        places = [place for place, word in enumerate(words) if word in self.weights]
        if len(places) < 2:
            return 0.0
        return len({words[place] for place in places}) / (places[-1] - places[0] + 1)

    def tells(self, sentence: str, language: str | None) -> float:
        """How far a sentence says what just the thing asked for is."""
        subject, of_a_kind = meaning_of(sentence)
        words = tokens(subject, language)
        matches = self.matches(words)
        if not words or not all(matches.values()) or len(set(words)) > len(matches):
            return 0.0
        return 1.0 if of_a_kind else LESS_PLAINLY


def defining(question: str, text: str, language: str | None) -> bool:
    """Whether a question asks what something is, and a text has a sentence that says so."""
    if not asks_meaning(question):
        return False
    term = Terms(question, language, {}, 1)
    return any(
        block.kind == "sentence" and term.tells(text[block.start : block.end], language) == 1.0
        for block in blocks(text, language)
    )


def candidates(question: str, passages: Sequence[ScoredPassage], terms: Mapping[str | None, Terms]) -> list[Candidate]:
    """Every sentence of the passages that can be quoted, in reading order, and the lists as wholes."""
    found: list[Candidate] = []
    for at, passage in enumerate(passages):
        found += _PassageSentences(at, passage, terms[passage.language], question).candidates()
    return found


class _PassageSentences:
    """The candidates of one passage."""

    def __init__(self, at: int, passage: ScoredPassage, term: Terms, question: str) -> None:
        self._at, self._passage, self._term = at, passage, term
        self._kind, self._known, self._meaning = kind_asked_for(question), own_words(question), asks_meaning(question)
        self._blocks = blocks(passage.text, passage.language)
        self._words = [tokens(self._text(block), passage.language) for block in self._blocks]
        self._matches = [term.matches(words) for words in self._words]
        self._above = term.matches(tokens(passage.heading.rpartition(" > ")[2], passage.language))
        self._about = tokens(f"{passage.title} {passage.heading}", passage.language)

    def candidates(self) -> list[Candidate]:
        quotable = [place for place, block in enumerate(self._blocks) if block.kind in ("sentence", "item")]
        if not quotable:
            quotable = [
                place
                for place, block in enumerate(self._blocks)
                if not HEADING.match(self._text(block)) and not ORNAMENT.match(self._text(block))
            ]
        return [*(self._sentence(place) for place in quotable), *self._lists()]

    def _text(self, block: TextBlock) -> str:
        return self._passage.text[block.start : block.end]

    def _sentence(self, place: int) -> Candidate:
        block, words, own = self._blocks[place], self._words[place], self._matches[place]
        text = self._text(block)
        signs = Signs(
            coverage=self._term.share(own),
            before=max(self._gain(own, place - 1), self._term.gain(own, self._head(block))),
            after=self._gain(own, place + 1),
            closeness=self._term.closeness(words),
            kind=offers(text, self._kind, self._known),
            length=min(1.0, math.log(1 + len(words)) / 4),
            score=self._passage.score,
            cosine=self._passage.cosine,
            form=self._term.tells(text, self._passage.language) if self._meaning else 0.0,
        )
        return Candidate(self._at, block.start, block.end, words, signs, block.section, place)

    def _gain(self, own: Mapping[str, float], other: int) -> float:
        return self._term.gain(own, self._matches[other]) if 0 <= other < len(self._matches) else 0.0

    def _head(self, block: TextBlock) -> Mapping[str, float]:
        return self._above if block.head is None else self._matches[block.head]

    def _lists(self) -> Iterable[Candidate]:
        """Lists that answer by what stands over them: steps, parts, reasons; and code under a lead-in."""
        place = 0
        while place < len(self._blocks):
            first = self._blocks[place]
            last = place
            if first.kind in ("item", "code") and first.head is not None:
                longest = LIST_LENGTH if first.kind == "item" else CODE_LENGTH
                while (
                    last + 1 < len(self._blocks)
                    and self._blocks[last + 1].kind == first.kind
                    and self._blocks[last + 1].head == first.head
                    and self._blocks[last + 1].end - first.start <= longest
                ):
                    last += 1
                if last > place:
                    yield self._list(place, last)
            place = last + 1

    def _list(self, first: int, last: int) -> Candidate:
        block = self._blocks[first]
        assert block.head is not None
        head = self._blocks[block.head]
        words = [*self._words[block.head], *self._about]
        numbered = self._kind == "steps" and NUMBERED.match(self._text(block)) is not None
        coverage = self._term.share(self._term.matches(words))
        signs = Signs(
            coverage=coverage,
            before=0.0,
            after=0.0,
            closeness=self._term.closeness(self._words[block.head]),
            kind=0.5,
            length=0.5,
            score=self._passage.score,
            cosine=self._passage.cosine,
            form=STEPS_FORM * coverage if numbered else 0.0,
        )
        start = head.start if head.kind == "lead" else block.start
        return Candidate(self._at, start, self._blocks[last].end, words, signs, block.section, None)
