"""Which lines of a PDF are headings: those that its outline names, or where it has none those that stand out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from quire.adapters.readers.layout import BULLET
from quire.adapters.readers.lines import Line

NOT_A_LETTER = re.compile(r"[\W_]+")
LETTER = re.compile(r"[^\W\d_]")
ENDS_AS_TEXT = re.compile(r"[.,;:!?\u3002]$")
NUMBER_FIRST = re.compile(r"^(?:\d+(?:\.\d+)*|[IVX]+|[A-Z])[.)]?\s+")
MOST_BOOKMARKS = 5_000
FEW_BOOKMARKS = 3
LARGER = 1.15
SAME_SIZE = 0.06
DEEPEST = 4
HEADING_CHARS = 150
HEADING_WORDS = 18
BOLD_WORDS = 12
TOO_MANY = 0.3


class Headings:
    def __init__(self, document: Any, pages: list[list[Line]], bold: list[set[int]]) -> None:
        """`bold` holds for each page the starts of its short lines that are bold."""
        self._bold = bold
        self._below = [{line.start: below for line, below in pairwise(lines)} for lines in pages]
        self._outline = dict(outline(document))
        self.may_run_on = not self._outline
        sizes: Counter[float] = Counter()
        for lines in pages:
            for line in lines:
                sizes[round(line.size, 1)] += len(line.words)
        self._usual = max(sizes, key=lambda size: sizes[size], default=0.0)
        self._levels = levels(size for size in sizes if size > LARGER * self._usual)
        self._lowest = min(max(self._levels.values(), default=0) + 1, DEEPEST)
        large = sum(1 for lines in pages for line in lines if self._size_level(line))
        self._crowded = large > TOO_MANY * sum(map(len, pages))
        self._largest = [max((line.size for line in lines), default=0.0) for lines in pages]
        self._left = [usual_left(lines) for lines in pages]

    def level(self, page: int, line: Line) -> int:
        """The level of a heading, 0 for any other line."""
        if self._outline:
            words = letters(line.words)
            return self._outline.get((page, words), 0) or self._outline.get((page, letters(unnumbered(line.words))), 0)
        level = self._size_level(line)
        if level:
            # On slides most lines are large; the largest of each is its title.
            return level if not self._crowded or line.size > 0.98 * self._largest[page] else 0
        return self._lowest if self._stands_out(page, line) else 0

    def _size_level(self, line: Line) -> int:
        level = self._levels.get(round(line.size, 1), 0)
        return level if level and could_be(line, HEADING_WORDS) else 0

    def _stands_out(self, page: int, line: Line) -> bool:
        """A short bold line where paragraphs begin, with text below it that is not bold."""
        bold = self._bold[page]
        if line.start not in bold or abs(line.left - self._left[page]) > 0.4 * line.size:
            return False
        below = self._below[page].get(line.start)
        return below is not None and below.start not in bold and below.top < line.top and below.right > line.right


def could_be(line: Line, most_words: int) -> bool:
    words = line.words
    if len(words) > HEADING_CHARS or len(words.split()) > most_words or line.divided:
        return False
    if ENDS_AS_TEXT.search(words) or BULLET.match(words):
        return False
    letters = len(LETTER.findall(words))
    return letters >= 2 and letters * 2 > len(words) - words.count(" ")


def levels(sizes: Iterator[float]) -> dict[float, int]:
    """Levels by size, the largest first; sizes that can hardly be told apart share one."""
    found: dict[float, int] = {}
    last = 0.0
    for size in sorted(sizes, reverse=True):
        level = max(found.values(), default=0)
        if not found or last - size > SAME_SIZE * last:
            level, last = level + 1, size
        found[size] = min(level, DEEPEST)
    return found


def outline(document: Any) -> Iterator[tuple[tuple[int, str], int]]:
    """Page and words of the entries of the outline, with their level; nothing where there are next to none."""
    found = []
    for entry in document.get_toc(max_depth=6):
        target = entry.get_dest()
        page = target.get_index() if target is not None else None
        title = entry.get_title()
        if page is not None and letters(title):
            level = min(entry.level + 1, 6)
            found += [((page, letters(title)), level), ((page, letters(unnumbered(title))), level)]
        if len(found) > 2 * MOST_BOOKMARKS:
            break
    if len(found) >= 2 * FEW_BOOKMARKS:
        yield from found


def usual_left(lines: list[Line]) -> float:
    edges = Counter(round(line.left) for line in lines if len(line.words) > 30)
    return float(edges.most_common(1)[0][0]) if edges else min((line.left for line in lines), default=0.0)


def unnumbered(words: str) -> str:
    return NUMBER_FIRST.sub("", words)


def letters(words: str) -> str:
    return NOT_A_LETTER.sub("", words).casefold()
