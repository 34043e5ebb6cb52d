"""A source's text, cut into what can be quoted: sentences, list items and rows."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

Span = tuple[int, int]

# Marks of emphasis and white space; a run of them is one space where there is white space in it, else nothing.
GAP = re.compile(r"[\s`*]+")
# What may end a sentence, where a capital or a number follows.
STOP = re.compile(r"[.!?](?P<closing>[\"'”’)\]]*(?:\[\d+\])*\s+)(?=[\"'“‘(]?[A-Z0-9])")
# A point after the number of an item, an initial or a title ends no sentence.
NO_STOP = re.compile(r"(?:\n\d{1,2}|\b[A-Z]|\b[MD]r)\.\Z")
# A line that begins so goes on with the sentence of the line before it.
GOES_ON = re.compile(r"[a-z`\[&]")
# Headings and rules between them belong to nothing.
BARE = re.compile(r"#{1,6} .*|[ |:=-]*")


def normal(text: str) -> str:
    """In small letters with single spaces, without marks of emphasis."""
    return "".join(letter for letter, _ in _letters(text)).strip()


def _letters(text: str) -> Iterable[tuple[str, int]]:
    """The letters of the normal form with their places; white space at the start is left out."""
    at = 0
    for gap in [*((one.start(), one.end()) for one in GAP.finditer(text)), (len(text), len(text))]:
        for place in range(at, gap[0]):
            yield from ((small, place) for small in text[place].lower())
        spaces = [place for place in range(*gap) if text[place].isspace()]
        if spaces and gap[0]:
            yield " ", spaces[0]
        at = gap[1]


class Read:
    """The text of a source as Quire reads it."""

    def __init__(self, text: str) -> None:
        self.text = text
        letters = list(_letters(text))
        self._normal = "".join(letter for letter, _ in letters)
        self._places = [place for _, place in letters]
        self._lines = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        starts = {at for at in self._lines[1:-1] if not GOES_ON.match(text, at)}
        starts |= {stop.end() for stop in STOP.finditer(text) if self._ends(stop)}
        self._cuts = sorted({0, len(text), *starts})
        self._silent = {at for at, letter in enumerate(text) if letter.isspace()}
        for begin, end in pairwise(self._lines):
            if BARE.fullmatch(text, begin, end - 1):
                self._silent.update(range(begin, end))

    def _ends(self, stop: re.Match[str]) -> bool:
        return not NO_STOP.search(self.text[max(0, stop.start() - 4) : stop.start("closing")])

    def spans_of(self, phrase: str) -> list[Span]:
        """Where a phrase stands, whatever its case, spaces and emphasis."""
        wanted = re.escape(normal(phrase))
        found = re.finditer(f"(?=({wanted}))", self._normal) if wanted else ()
        return [(self._places[one.start(1)], self._places[one.end(1) - 1] + 1) for one in found]

    def units_of(self, phrases: Sequence[str]) -> list[Span]:
        """The sentences, items and rows that hold one of the phrases; to a row belongs the head of its table."""
        units: list[Span] = []
        for start, end in (span for phrase in phrases for span in self.spans_of(phrase)):
            begin = self._cuts[bisect_right(self._cuts, start) - 1]
            units.append((begin, self._cuts[bisect_left(self._cuts, end)]))
            if self.text.startswith("|", begin):
                units.append(self._head(begin))
        return units

    def _head(self, row: int) -> Span:
        line = bisect_right(self._lines, row) - 1
        while line and self.text.startswith("|", self._lines[line - 1]):
            line -= 1
        return self._lines[line], self._lines[line + 1]

    def letters_in(self, spans: Iterable[Span]) -> set[int]:
        """The places of all that counts as quoted in the spans: no white space, no headings."""
        return {at for start, end in spans for at in range(start, end)} - self._silent
