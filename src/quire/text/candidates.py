"""Candidates: the sentences of some passages, each with the signs that speak for it as an answer."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from quire.text.asked import Asked, defined
from quire.text.blocks import ENDED, HEADING, ORNAMENT, TextBlock, blocks, columns_over
from quire.text.meanings import meanings_in, relation
from quire.text.questions import Meaning, asks_meaning, denies, meaning_of, named_as, own_words
from quire.text.sentences import GREETING
from quire.text.value_types import Quantity
from quire.text.wanted import EXACT, STRICT, offers
from quire.text.words import language_code, query_tokens, tokens


class ScoredPassage(NamedTuple):
    """A passage to answer from: `score` is that of its rank (0 to 1), `cosine` its likeness to the question.

    That is None where it was not compared yet. `heading` is what it stands under.
    """

    text: str
    score: float = 1.0
    title: str = ""
    language: str | None = None
    cosine: float | None = None
    heading: str = ""


class Signs(NamedTuple):
    """What speaks for a sentence, each about 0 to 1.

    `form` is that of what was asked for: a sentence that says what a thing is, steps that say how to do it. `over` is
    what its title, headings and lead-in add; `negation` that both the question and it deny something; `broken` that it
    is a few words that end as no sentence does.
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
    over: float = 0.0
    negation: float = 0.0
    broken: float = 0.0


class Candidate(NamedTuple):
    """A sentence of the `at`th passage, or a whole list, with its words; `paragraph` is that of its passage.

    What is quoted goes from `start` to `end`; `place` is its number there, none for a list or a row of a table.
    `pointed` is how much of its coverage it has by pointing at the sentence before it.
    """

    at: int
    start: int
    end: int
    words: list[str]
    signs: Signs
    paragraph: int
    place: int | None
    pointed: float = 0.0


# A word's beginning counts nearly as the word itself, one that can stand for it less.
PREFIX, PREFIX_MATCH, SAME_MATCH = 5, 0.85, 0.6
LIGHT_WEIGHT = 0.3
# A word that a question takes from those before it.
ABOUT_WEIGHT = 0.7
# `X is found in Y` says less of what X is than `X is a Y`.
PLAINLY: Mapping[Meaning, float] = {"kind": 1.0, "is": 0.6, "done": 0.2}
LIST_LENGTH = 900
# Steps answer though they repeat few of the question's words.
STEPS_FORM = 2.0
NUMBERED = re.compile(r"\(?(?:\d{1,3}|[a-z])[.)]\s")
CODE_LENGTH = 600
# "A male is called a drake" tells what a drake is as plainly as a sentence about drakes.
NAMED_FORM = 1.0
# Where a number, a day or a person is wanted, a sentence without one speaks of something else.
WITHOUT = -0.6
# A menu, a signature, a heading without its mark.
BROKEN_LENGTH = 40
# What a sentence that begins so is about stands in the one before it, or over it; so far that counts as its own words.
POINTING = re.compile(
    r"\W*(?:it|its|they|their|this|these|that|those|he|his|she|her|both|such|er|sie|es|ihre?|seine?|diese[rsnm]?"
    r"|dies|beide[rsnm]?"
    r"|il|elle|ils|elles|son|sa|ses|ce|cela|celui|celle|ceux|ces|cette|él|ella|ellos|ellas|su|sus|este|esta|esto"
    r"|ambos|он|она|оно"
    r"|они|его|её|их|это|этот|эта|эти|оба)\b",
    re.IGNORECASE,
)
POINTED = 0.7
# The head of a letter.
LETTER_HEAD = re.compile(
    r"(?:>\s*)*(?:from|to|cc|bcc|date|sent|subject|re|von|an|gesendet|betreff|datum|de|à|objet|envoyé|asunto|para"
    r"|enviado|от|кому|тема"
    r"|дата|发件人|收件人|主题|日期)\s?[:：] ",
    re.IGNORECASE,
)
LEADS = re.compile(r"[:：][*_]*$|^\*\*[^*]{1,60}\*\*$")
ASKS = re.compile(r"[?？][\"'”’*_)\]]*$")


@cache
def light() -> frozenset[str]:
    """Words that ask rather than tell: the answer seldom repeats them."""
    return frozenset(
        tokens(
            "many much name named type kind sort called known term word example one made make take took place happen"
            " happened long large according cause caused describe mean means use used go year date time person people"
            " group thing way list give gave given said refer considered specific particular main different total"
            " amount number percentage compare difference explain tell need cost price end",
            "en",
        )
    )


class Terms:
    """A question's words in one language, each with the weight of its rarity among the passages.

    `about` has words that it takes from the questions before it.
    """

    def __init__(
        self, question: str, language: str | None, frequencies: Mapping[str, int], total: int, about: str = ""
    ) -> None:
        own = query_tokens(question, [language])
        self.words = list(dict.fromkeys([*own, *(query_tokens(about, [language]) if about else ())]))
        self.weights = {}
        for word in self.words:
            found = min(frequencies.get(word, 0), total)
            rarity = math.log(1 + (total - found + 0.5) / (found + 0.5))
            lightly = LIGHT_WEIGHT if word in light() else 1.0
            self.weights[word] = rarity * lightly * (1.0 if word in own else ABOUT_WEIGHT)
        self.sum = sum(self.weights.values()) or 1.0
        self.nowhere = frozenset(word for word in self.words if not frequencies.get(word))
        self.unknown = sum(self.weights[word] for word in self.nowhere) / self.sum
        self.beginnings = frozenset(word[:PREFIX] for word in self.words)
        self._language = language_code(language) or "en"
        self._others = {word: _standing_for(word, self._language) for word in self.words}

    def matches(self, found: Iterable[str]) -> dict[str, float]:
        """How far each word is among those found: in full, by its beginning, by another for it, or not at all."""
        exact = frozenset(found)
        beginnings = {word[:PREFIX] for word in exact if len(word) >= PREFIX}
        return {
            word: 1.0
            if word in exact
            else PREFIX_MATCH
            if len(word) >= PREFIX and word[:PREFIX] in beginnings
            else SAME_MATCH
            if not exact.isdisjoint(self._others[word])
            else 0.0
            for word in self.words
        }

    def opposed(self, word: str, others: Iterable[str]) -> bool:
        """Whether one of the others says the opposite of a word."""
        return any(relation(word, other, self._language) == "opposite" for other in others)

    def share(self, matches: Mapping[str, float]) -> float:
        weights = self.weights
        return sum([weights[word] * match for word, match in matches.items() if match]) / self.sum

    def gain(self, own: Mapping[str, float], others: Mapping[str, float]) -> float:
        """What others add to a sentence's coverage: they may name what the sentence calls `it`."""
        weights = self.weights
        return (
            sum([weights[word] * (match - own[word]) for word, match in others.items() if match > own[word]]) / self.sum
        )

    def closeness(self, words: Sequence[str]) -> float:
        """How near to each other the question's words stand in a sentence."""
        places = [place for place, word in enumerate(words) if word in self.weights]
        if len(places) < 2:
            return 0.0
        return len({words[place] for place in places}) / (places[-1] - places[0] + 1)

    def tells(self, sentence: str, language: str | None) -> float:
        """How far a sentence says what just the thing asked for is."""
        subject, said = meaning_of(sentence)
        words = tokens(subject, language)
        matches = self.matches(words)
        if not words or not all(matches.values()) or len(set(words)) > len(matches):
            return 0.0
        return PLAINLY[said]


def _is_broken(text: str) -> bool:
    return len(text) < BROKEN_LENGTH and not ENDED.search(text) and not text.startswith(("|", ">")) and ": " not in text


@cache
def _by_group(language: str) -> Mapping[str, frozenset[str]]:
    """The words of each group of those that can stand for each other."""
    found: dict[str, set[str]] = {}
    for word, groups in meanings_in(language).groups.items():
        for group in groups:
            found.setdefault(group, set()).add(word)
    return {group: frozenset(words) for group, words in found.items()}


@lru_cache(10_000)
def _standing_for(word: str, language: str) -> frozenset[str]:
    """The words that can stand for one."""
    groups = _by_group(language)
    return frozenset[str]().union(*(groups[group] for group in meanings_in(language).groups.get(word, ())))


def defining(question: str, text: str, language: str | None) -> bool:
    """Whether a question asks what something is, and a text has a sentence that says so."""
    if not asks_meaning(question):
        return False
    term = Terms(question, language, {}, 1)
    return any(
        block.kind == "sentence" and term.tells(text[block.start : block.end], language) == 1.0
        for block in blocks(text, language)
    )


def candidates(asked: Asked, passages: Sequence[ScoredPassage], terms: Mapping[str | None, Terms]) -> list[Candidate]:
    """Every sentence of the passages that can be quoted, in reading order, and the lists as wholes."""
    found: list[Candidate] = []
    for at, passage in enumerate(passages):
        found += _PassageSentences(at, passage, terms[passage.language], asked).candidates()
    return found


class _PassageSentences:
    """The candidates of one passage."""

    def __init__(self, at: int, passage: ScoredPassage, term: Terms, asked: Asked) -> None:
        self._at, self._passage, self._term, self._asked = at, passage, term, asked
        self._known = own_words(asked.query)
        self._meaning = defined(asked.question)
        self._quantity = Quantity(asked.question)
        self._blocks = blocks(passage.text, passage.language)
        self._words = [tokens(self._text(block), passage.language) for block in self._blocks]
        self._matches = [term.matches(words) for words in self._words]
        self._about = tokens(f"{passage.title} {passage.heading}", passage.language)
        self._above = term.matches(self._about)
        self._below = term.matches(tokens(passage.heading.rpartition(" > ")[2], passage.language))
        self._asking = self._questions()

    def candidates(self) -> list[Candidate]:
        quotable = [
            place
            for place, block in enumerate(self._blocks)
            if block.kind in ("sentence", "item")
            and self._asking[place] != place
            and not LETTER_HEAD.match(self._text(block))
            and not GREETING.match(self._text(block))
            and self._says_something(place)
        ]
        if not quotable:
            quotable = [
                place
                for place, block in enumerate(self._blocks)
                if not HEADING.match(self._text(block)) and not ORNAMENT.match(self._text(block))
            ]
        return [*(self._sentence(place) for place in quotable), *self._lists()]

    def _says_something(self, place: int) -> bool:
        """Whether a sentence has a word that the question has not, and only leads to nothing that comes below it."""
        if all(word[:PREFIX] in self._term.beginnings for word in self._words[place]):
            return False
        row, above, below = (
            0 <= other < len(self._blocks) and self._text(self._blocks[other]).startswith("|")
            for other in (place, place - 1, place + 1)
        )
        return not (row and below and not above)

    def _questions(self) -> list[int | None]:
        """For each block the question that it may answer: one before it, with no other and no heading between.

        A question is its own, and answers nothing.
        """
        found: list[int | None] = []
        last: int | None = None
        for place, block in enumerate(self._blocks):
            if block.kind == "heading":
                last = None
            if ASKS.search(self._text(block)):
                last = place
            found.append(last)
        return found

    def _text(self, block: TextBlock) -> str:
        return self._passage.text[block.start : block.end]

    def _sentence(self, place: int) -> Candidate:
        block, words, own = self._blocks[place], self._words[place], self._matches[place]
        text = self._text(block)
        before = max(self._gain(own, place - 1), self._term.gain(own, self._head(place)))
        pointed = POINTED * before if POINTING.match(text) else 0.0
        signs = Signs(
            coverage=self._term.share(own) + pointed,
            before=before - pointed,
            after=self._gain(own, place + 1),
            closeness=self._term.closeness(words),
            kind=self._kind(text, block),
            length=min(1.0, math.log(1 + len(words)) / 4),
            score=self._passage.score,
            cosine=self._passage.cosine or 0.0,
            form=self._tells(text) if self._meaning else 0.0,
            over=self._term.gain(own, self._above),
            negation=float(self._asked.negated and denies(text)),
            broken=float(block.kind == "sentence" and _is_broken(text)),
        )
        row = text.startswith("|")
        at = None if row else place
        return Candidate(self._at, block.start, block.end, words, signs, block.paragraph, at, pointed)

    def _kind(self, text: str, block: TextBlock) -> float:
        wanted, around = self._asked.wanted, self._around(block)
        offered = offers(text, wanted, self._known, around)
        if wanted == "number" and not self._quantity.told_in(f"{text} {around}", self._passage.language):
            offered = 0.0
        return WITHOUT if wanted in STRICT and not offered else offered

    def _kind_of_list(self, start: int, end: int) -> float:
        exact = self._asked.wanted in EXACT
        text = self._passage.text[start:end]
        return WITHOUT if exact and offers(text, self._asked.wanted, self._known) < 1.0 else 0.5

    def _gain(self, own: Mapping[str, float], other: int) -> float:
        return self._term.gain(own, self._matches[other]) if 0 <= other < len(self._matches) else 0.0

    def _head(self, place: int) -> Mapping[str, float]:
        """What stands right over a block: the question that it answers, its lead-in or heading."""
        block, asking = self._blocks[place], self._asking[place]
        head = self._below if block.head is None else self._matches[block.head]
        if asking is None:
            return head
        return {word: max(match, head[word]) for word, match in self._matches[asking].items()}

    def _around(self, block: TextBlock) -> str:
        head = "" if block.head is None else self._text(self._blocks[block.head])
        columns = columns_over(self._passage.text, block.start)
        return f"{columns} {head} {self._passage.heading}"

    def _tells(self, text: str) -> float:
        """How far a sentence says what the thing asked for is."""
        plainly = self._term.tells(text, self._passage.language)
        return max(plainly, named_as(text, self._meaning) * NAMED_FORM)

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
        numbered = self._asked.kind == "steps" and NUMBERED.match(self._text(block)) is not None
        coverage = self._term.share(self._term.matches(words))
        signs = Signs(
            coverage=coverage,
            before=0.0,
            after=0.0,
            closeness=self._term.closeness(self._words[block.head]),
            kind=self._kind_of_list(block.start, self._blocks[last].end),
            length=0.5,
            score=self._passage.score,
            cosine=self._passage.cosine or 0.0,
            form=STEPS_FORM * coverage if numbered else 0.0,
        )
        start = head.start if head.kind == "lead" else block.start
        return Candidate(self._at, start, self._blocks[last].end, words, signs, block.paragraph, None)
