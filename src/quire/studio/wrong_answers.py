"""Wrong answers to a question: of the right one's own kind, from its source first, and surely not right as well."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from quire.studio.answers_in_points import Answer, AnswerType
from quire.studio.key_phrases import key_phrases
from quire.studio.name_kinds import NameKind, name_kinds
from quire.studio.points import Point
from quire.text.words import tokens

# A sentence that has so much of another's words and a wrong answer might make that right too.
NEAR = 0.5
IN_WORDS: tuple[AnswerType, ...] = ("name", "term", "word")
# Numbers that differ by more than this give themselves away; so do years.
TIMES, YEARS = 5.0, 90
SMALL = 12
# Names of these kinds are as good from another source.
ANYWHERE: tuple[NameKind, ...] = ("person", "place", "body")
ENDINGS = re.compile(r"(?:ing|ed|ly|er|est|ion|ity|ness|ment|able|ous|ful|al|ive|ic|s)$")
LAST_DAY = 28
PHRASES = 12


@dataclass(frozen=True)
class WrongAnswers:
    """`doubtful` of them are from other sources, or may be of another kind: such give the right one away."""

    texts: tuple[str, ...]
    doubtful: int = 0


class WrongAnswerPool:
    """All that could be asked for in some points, by kind."""

    def __init__(self, found: Sequence[Answer], points: Sequence[Point]) -> None:
        named = [one for one in found if one.type in ("name", "term")]
        self._kinds = name_kinds((one.text, one.before, one.after) for one in named)
        self._points = points
        self._by_kind: dict[tuple[str, ...], list[Answer]] = defaultdict(list)
        for one in found:
            self._by_kind[self._kind(one)].append(one)
        self._newest = max((int(one.text) for one in found if one.type == "year"), default=0)
        texts: dict[str, list[Point]] = defaultdict(list)
        for point in points:
            texts[point.source.id].append(point)
        self._phrases = {
            id: key_phrases([" ".join(one.text for one in own)], own[0].source.language, PHRASES)[0]
            for id, own in texts.items()
        }

    def beside(self, right: Answer, limit: int) -> WrongAnswers:
        """As many as there are, up to a limit; the nearest first."""
        rest = frozenset(tokens(right.question, right.point.source.language))
        chosen: list[tuple[str, bool]] = []
        known = [right.text]
        for other in self._candidates(right):
            text = _written_like(other.text, right.text) if right.type == "term" else other.text
            if not self._fits(text, right, known, rest):
                continue
            known.append(text)
            chosen.append((text, self._is_doubtful(right, other)))
            if len(chosen) == limit:
                break
        for text in self._made_up(right):
            if len(chosen) < limit and self._fits(text, right, known, frozenset()):
                known.append(text)
                chosen.append((text, False))
        return WrongAnswers(tuple(text for text, _ in chosen), sum(doubtful for _, doubtful in chosen))

    def _kind(self, one: Answer) -> tuple[str, ...]:
        if one.type in ("name", "term"):
            kind = self._kinds.get(one.text, "thing")
            # A place that is defined is as good a wrong answer as one that is only named.
            return (kind,) if kind in ANYWHERE else (one.type, kind)
        if one.type == "word":
            ending = ENDINGS.search(one.text)
            return ("word", "capital" if one.text[:1].isupper() else "small", ending[0] if ending else "")
        return (one.type, *one.measure)

    def _candidates(self, right: Answer) -> list[Answer]:
        kind = self._kind(right)
        own = right.point.source.id
        found = [one for one in self._by_kind[kind] if one is not right]
        if right.type in ("word", "term", "name") and kind[0] not in ANYWHERE:
            found = [one for one in found if one.point.source.id == own]
        if right.type in ("number", "percent", "year"):
            found = [one for one in found if _near(right, one)]
        return sorted(found, key=lambda one: (one.point.source.id != own, _far(right, one)))

    def _fits(self, text: str, right: Answer, known: Iterable[str], rest: frozenset[str]) -> bool:
        folded, said = text.casefold(), right.point.text.casefold()
        if folded in said or any(_same(text, one) for one in known):
            return False
        if right.type in IN_WORDS:
            language = right.point.source.language
            words = set(tokens(text, language))
            for one in known:
                other = one.casefold()
                if other in folded or folded in other or words & set(tokens(one, language)):
                    return False
        others = (point for point in self._points if point is not right.point)
        return not any(text in point.text and len(rest & point.words) >= NEAR * len(rest) for point in others if rest)

    def _is_doubtful(self, right: Answer, other: Answer) -> bool:
        if right.type not in ("name", "term"):
            return False
        return other.point.source.id != right.point.source.id or self._kind(other) == ("name", "thing")

    def _made_up(self, right: Answer) -> Iterator[str]:
        """What else the source speaks of; numbers and days that look like the right one."""
        if self._kind(right) == ("term", "thing"):
            plural = right.text.endswith("s")
            like = sorted(self._phrases[right.point.source.id], key=lambda one: one.endswith("s") != plural)
            yield from (_written_like(one, right.text) for one in like)
        elif right.type == "date":
            yield from _other_days(right.text)
        elif right.type == "year":
            year = int(right.text)
            for step in (7, -6, -12, 15, -19, -27):
                if year + step <= max(self._newest, year):
                    yield str(year + step)
        elif right.type in ("number", "percent"):
            yield from _other_numbers(right.text, most=100.0 if right.type == "percent" else math.inf)


def number_in(text: str) -> float | None:
    try:
        return float(text.replace(",", "").rstrip(" %"))
    except ValueError:
        return None


def _same(one: str, other: str) -> bool:
    """Whether two options say the same: "1,000" and "1000" do."""
    value = number_in(one)
    return value == number_in(other) if value is not None else one.casefold() == other.casefold()


def _near(right: Answer, other: Answer) -> bool:
    one, two = number_in(right.text), number_in(other.text)
    if one is None or two is None or len(right.text.partition(".")[2]) != len(other.text.partition(".")[2]):
        return False
    if right.type == "year":
        return abs(one - two) <= YEARS
    return one > 0 and two > 0 and 1 / TIMES <= two / one <= TIMES


def _far(right: Answer, other: Answer) -> tuple[float, str]:
    one, two = number_in(right.text), number_in(other.text)
    if one is not None and two is not None:
        return abs(one - two) / (abs(one) + 1), other.text
    plural = right.text.endswith("s") != other.text.endswith("s")
    words = abs(len(right.text.split()) - len(other.text.split()))
    return plural + words + 0.01 * abs(len(right.text) - len(other.text)), other.text


def _written_like(text: str, right: str) -> str:
    """A term with a capital where the right one has one: the place in the sentence asks for it."""
    if right[:1].isupper():
        return text[:1].upper() + text[1:]
    return text[:1].lower() + text[1:] if text[1:].islower() else text


def _other_numbers(said: str, most: float) -> Iterator[str]:
    """As exact as the number is: 2,900 is among 4,400 and 1,700, and 8 among 7 and 9."""
    value = float(said.replace(",", ""))
    places = len(said.partition(".")[2])
    digits = said.replace(",", "").replace(".", "").lstrip("0")
    exact = max(1, len(digits.rstrip("0")) if not places else len(digits))
    steps = (
        (1.0, 2.0, -1.0, -2.0, 3.0) if value <= SMALL and not places else tuple(value * one for one in (0.5, -0.4, 1.2))
    )
    for step in (*steps, 0.8 * value + 1):
        other = value + step
        if 0 < other <= most:
            other = round(other, exact - 1 - math.floor(math.log10(other)))
            yield f"{other:{',' if ',' in said else ''}.{places}f}"


def _other_days(said: str) -> Iterator[str]:
    """The same month on other days, or in other years where no day is named."""
    year = re.search(r"\d{4}", said)
    day = re.search(r"(?<!\d)\d{1,2}(?!\d)", said)
    for step in (4, -6, 11, -9):
        if day is not None:
            other = (int(day[0]) + step - 1) % LAST_DAY + 1
            yield said[: day.start()] + str(other) + said[day.end() :]
        elif year is not None and step < 0:
            yield said[: year.start()] + str(int(year[0]) + step // 2) + said[year.end() :]
