"""What in a sentence can be asked for: a number, a day, a year, a name, a term that it defines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from quire.studio.key_phrases import LEADING, LOOSE
from quire.studio.points import Point
from quire.text.measures import MONTHS, SCALES
from quire.text.words import language_code, tokens

AnswerType = Literal["date", "year", "percent", "number", "name", "term", "word"]

NUMBER = re.compile(r"(?<![\w.,/-])(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?![\w/-]|[.,]\d)(\s?%| percent\b)?")
YEAR = re.compile(r"(?:1[5-9]|20)\d\d$")
YEAR_AT_END = re.compile(r"\d{4}$")
_MONTHS = "|".join(sorted((word for word in MONTHS if len(word) > 3 or word in ("may", "mai")), key=len, reverse=True))
DATE = re.compile(
    rf"\b(?:\d{{1,2}}\.? (?:de )?(?:{_MONTHS})\b(?:,? (?:de )?\d{{4}})?"
    rf"|(?:{_MONTHS}) \d{{1,2}}(?:, \d{{4}})?\b|(?:{_MONTHS}) \d{{4}})(?!\d)",
    re.IGNORECASE,
)
UNIT_BEFORE = re.compile(r"[€$£¥]\s?$")
UNIT = re.compile(r"\s?(°[CF]?|[€$£¥]|[^\W\d_]+)(?:\s([^\W\d_]+))?")
# Two names at the beginning of a sentence are one, which no capital there tells from a word.
FIRST_NAME = re.compile(
    r"(?:(?:The|A|An) )?([A-ZÀ-ÖØ-Þ][\w’'-]*(?: (?:of |de |von |van )?[A-ZÀ-ÖØ-Þ][\w’'-]*){1,3})(?=[ ,;.])"
)
POSSESSIVE = re.compile(r"[’']s?$")
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
WORD = re.compile(r"(?<=[ ])[^\W\d_]{5,24}(?=[ ,.;!?])")
NO_NAMES = frozenset({"i", "ii", "iii", "iv", "v", *MONTHS})


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

    @property
    def before(self) -> str:
        return self.point.text[: self.start]

    @property
    def after(self) -> str:
        return self.point.text[self.end :]

    @cached_property
    def measure(self) -> tuple[str, ...]:
        """What a number counts or measures: "3.1 million tonnes" another thing than "3.1 tonnes" or "3.1 million"."""
        if self.type == "date":
            return (str(len(self.text.split())),)
        if self.type != "number":
            return ()
        before, after = UNIT_BEFORE.search(self.before), UNIT.match(self.after)
        words = [one.casefold() for one in after.groups() if one] if after else []
        if words and words[0] not in SCALES:
            words = words[:1]
        language = self.point.source.language
        return (before[0].strip() if before else "", *("".join(tokens(word, language)) or word for word in words))


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
    taken: list[tuple[int, int]] = []
    capital_nouns = language_code(point.source.language) in CAPITAL_NOUNS
    for found in DATE.finditer(text):
        taken.append(found.span())
        if text.count(found[0]) == 1 and (YEAR_AT_END.search(found[0]) or found[0][0].isdigit()):
            yield Answer(point, "date", found[0], *found.span())
    for found in NUMBER.finditer(text):
        said = found[1]
        type: AnswerType = "percent" if found[2] else "year" if YEAR.match(said) else "number"
        word = text[: found.start(1)].removesuffix(" ").rpartition(" ")[2]
        # A number behind a name is part of it: "Apollo 11".
        named = word[:1].isupper() and text[: found.start(1)].endswith(" ") and word.casefold() not in LOOSE | LEADING
        if named and type == "number" and not capital_nouns:
            continue
        if _outside(found.span(1), taken) and text.count(said) == 1 and not (type == "number" and said in ("0", "1")):
            yield Answer(point, type, said, found.start(1), found.end(1))
    if not capital_nouns:
        for found in _names(text):
            name = POSSESSIVE.sub("", found[1])
            span = (found.start(1), found.start(1) + len(name))
            fits = 2 < len(name) <= LONGEST_NAME and name.casefold() not in NO_NAMES and _outside(span, taken)
            if fits and text.count(name) == 1:
                yield Answer(point, "name", name, *span)


def _names(text: str) -> Iterator[re.Match[str]]:
    first = FIRST_NAME.match(text)
    if first and first[1].split()[0].casefold() in LOOSE | LEADING:
        first = None
    if first:
        yield first
    for found in NAME.finditer(text):
        # The second word of a sentence that begins with a name is part of that name.
        within = not text[: found.start(1)].strip().count(" ") and text[:1].isupper() and found.start(1) > 0
        begins = text[: found.start(1)].strip().casefold() in LOOSE | LEADING
        if not (first and found.start(1) < first.end(1)) and (begins or not within):
            yield found


def _outside(span: tuple[int, int], taken: Sequence[tuple[int, int]]) -> bool:
    return all(span[1] <= start or span[0] >= end for start, end in taken)


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
