"""What in a sentence can be asked for: a number, a year, a name, a term that it defines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from quire.studio.key_phrases import LOOSE
from quire.studio.points import Point
from quire.text.words import language_code, tokens

AnswerType = Literal["year", "percent", "number", "name", "term", "word"]

NUMBER = re.compile(r"(?<![\w.,/-])(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?![\w/-]|[.,]\d)(\s?%| percent\b)?")
YEAR = re.compile(r"(?:1[5-9]|20)\d\d$")
NAME = re.compile(r"(?<=[a-zà-öø-ÿ,;] )([A-ZÀ-ÖØ-Þ][\w’'-]*(?:[ -](?:of |de |von |van )?[A-ZÀ-ÖØ-Þ][\w’'-]*){0,3})")
ARTICLE = re.compile(r"^(?:(?:the|an?|der|die|das|ein|eine|le|la|les|une?|el|los|las|una)\s+|l['’])", re.IGNORECASE)
# Languages in which every noun has a capital, so that a capital makes no name.
CAPITAL_NOUNS = frozenset({"de"})
LONGEST_NAME = 40
LONGEST_SENTENCE = 220
MOST_WORDS = 4
NOT_IN_A_TERM = re.compile(
    r"\b(?:that|which|who|we|i|you|it|with|by|today|there|what|when|where|how|one|all|some|many|most|launch)\b|[,;:()’']",
    re.IGNORECASE,
)
GAP = "_____"
WORDS: tuple[AnswerType, ...] = ("name", "term", "word")
# A sentence that has so much of another's words and a wrong answer might make that right too.
NEAR = 0.5
WORD = re.compile(r"(?<=[ ])[^\W\d_]{5,24}(?=[ ,.;!?])")
COUNTING = frozenset({"i", "ii", "iii", "iv", "v"})


@dataclass(frozen=True)
class Answer:
    """A part of a point that can be asked for, from `start` to `end` of its text."""

    point: Point
    type: AnswerType
    text: str
    start: int
    end: int

    @property
    def question(self) -> str:
        """The sentence with a gap in its place."""
        text = self.point.text
        return text[: self.start] + GAP + text[self.end :]


def term_of(point: Point) -> str:
    """What a point defines, as one would list it; empty where that is no name of anything."""
    term = ARTICLE.sub("", point.defines).strip()
    if not 1 < len(term) <= LONGEST_NAME or len(term.split()) > MOST_WORDS or NOT_IN_A_TERM.search(term):
        return ""
    return term[:1].upper() + term[1:]


def answers(point: Point) -> Iterator[Answer]:
    """What may be asked of a point, the surest first."""
    text = point.text
    if len(text) > LONGEST_SENTENCE:
        return
    if (term := term_of(point)) and text.casefold().count(term.casefold()) == 1:
        start = text.casefold().find(term.casefold())
        yield Answer(point, "term", text[start : start + len(term)], start, start + len(term))
    for found in NUMBER.finditer(text):
        said = found[1]
        type: AnswerType = "percent" if found[2] else "year" if YEAR.match(said) else "number"
        if text.count(said) == 1 and not (type == "number" and len(said) == 1 and said in "01"):
            yield Answer(point, type, said, found.start(1), found.end(1))
    if language_code(point.source.language) not in CAPITAL_NOUNS:
        for found in NAME.finditer(text):
            name = found[1]
            if text.count(name) == 1 and 2 < len(name) <= LONGEST_NAME and name.casefold() not in COUNTING:
                yield Answer(point, "name", name, found.start(1), found.end(1))


def telling_words(point: Point, known: frozenset[str]) -> Iterator[Answer]:
    """Words of a point that say something, the rarest of the sources first: for want of anything better to ask for."""
    text = point.text
    if len(text) > LONGEST_SENTENCE:
        return
    for found in WORD.finditer(text, 1):
        word = found[0]
        cut = tokens(word, point.source.language)
        once = text.casefold().count(word.casefold()) == 1
        if len(cut) == 1 and cut[0] not in known and word.casefold() not in LOOSE and once:
            yield Answer(point, "word", word, found.start(), found.end())


def wrong_answers(right: Answer, others: Sequence[Answer], points: Sequence[Point], limit: int) -> list[str]:
    """Answers of the same type that do not fit: none that the sources say in a like sentence; the nearest first."""
    rest = frozenset(tokens(right.question, right.point.source.language))
    own = set(tokens(right.text, right.point.source.language))
    known = {right.text.casefold()}
    found: list[str] = []
    for other in sorted(others, key=lambda one: _far(right, one)):
        text = other.text
        if other.type != right.type or text.casefold() in known or text.casefold() in right.point.text.casefold():
            continue
        if any(one in text.casefold() or text.casefold() in one for one in known if right.type in WORDS):
            continue
        if own & set(tokens(text, right.point.source.language)) and right.type in WORDS:
            continue
        if any(text in point.text and _alike(rest, point.words) for point in points if point is not right.point):
            continue
        known.add(text.casefold())
        found.append(text)
        if len(found) == limit:
            return found
    if right.type in ("number", "percent", "year"):
        for text in _near_numbers(right.text, right.type):
            if len(found) < limit and text not in found and text != right.text and text not in right.point.text:
                found.append(text)
    return found


def _alike(one: frozenset[str], other: Iterable[str]) -> bool:
    return len(one.intersection(other)) >= NEAR * len(one)


def _far(right: Answer, other: Answer) -> tuple[float, str]:
    if right.type in WORDS:
        return abs(len(right.text.split()) - len(other.text.split())) + 0.01 * abs(
            len(right.text) - len(other.text)
        ), other.text
    try:
        one, two = (float(text.replace(",", "")) for text in (right.text, other.text))
    except ValueError:
        return 9e9, other.text
    return abs(one - two) / (abs(one) + 1), other.text


def _near_numbers(said: str, type: AnswerType) -> Iterator[str]:
    """Other numbers that look like this one."""
    value = float(said.replace(",", ""))
    places = len(said.partition(".")[2])
    grouped = "," in said
    steps = (7.0, -12.0, 23.0) if type == "year" else (0.5 * value, -0.4 * value, 1.2 * value, 0.8 * value + 1)
    for step in steps:
        other = value + step
        if other > 0 and not (type == "percent" and other > 100):
            yield f"{other:{',' if grouped else ''}.{places}f}"
