"""From the lines of a page to blocks in reading order, and from those to paragraphs."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from quire.adapters.readers.lines import DIVIDED, Line, right_to_left

BULLET = re.compile(r"\s*(?:[•◦▪●○■□‣⁃∙·➢➤✓❖]|[-–*](?=\s))\s*(?=\S)")
LONE_BULLET = re.compile(r"[•◦▪●○■□‣⁃∙·➢➤✓❖]$")
NUMBERED = re.compile(r"\s*(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)]|\[\d{1,3}\])\s+\S")
SENTENCE_END = re.compile(r"""[.!?:;\u2026\u3002\uff01\uff1f\u061f\u06d4]["'\u201d\u2019)\]]*$""")
WORD = re.compile(r"[^\W\d_]{2,}")
LAST_WORD = re.compile(r"(?<![^\W\d_])([^\W\d_]++)$")
FIRST_WORD = re.compile(r"([^\W\d_]+)")
DIGIT = re.compile(r"\d")
CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uff00-\uffef\u3000-\u303f]")
MOST_BLOCKS_SORTED = 150


class LineBlock(list[Line]):
    """Lines that stand one below the other, of about one size."""

    @property
    def left(self) -> float:
        return min(line.left for line in self)

    @property
    def right(self) -> float:
        return max(line.right for line in self)

    @property
    def top(self) -> float:
        return max(line.top for line in self)

    @property
    def bottom(self) -> float:
        return min(line.bottom for line in self)


def blocks_of(lines: Iterable[Line]) -> list[LineBlock]:
    """Cuts lines into blocks where the eye has to jump: up, sideways, or over a gap."""
    blocks: list[LineBlock] = []
    for line in with_bullets(lines):
        last = blocks[-1][-1] if blocks else None
        if last is not None and follows(last, line):
            blocks[-1].append(line)
        else:
            blocks.append(LineBlock([line]))
    return in_reading_order(blocks)


def with_bullets(lines: Iterable[Line]) -> Iterator[Line]:
    """Lines that are a bullet alone, put before the words that they stand beside."""
    bullet: Line | None = None
    for line in lines:
        if bullet is not None:
            if abs(middle(bullet) - middle(line)) < 0.6 * max(line.size, bullet.size):
                line = line._replace(text=f"- {line.words}", left=min(bullet.left, line.left))
            bullet = None
        if LONE_BULLET.match(line.words):
            bullet = line
        else:
            yield line


def follows(last: Line, line: Line) -> bool:
    size = max(last.size, line.size, 0.1)
    step = middle(last) - middle(line)
    beside = min(last.right, line.right) - max(last.left, line.left) <= 0
    return 0.2 * size < step < 2.6 * size and not beside and abs(last.size - line.size) < 0.25 * size


def middle(line: Line) -> float:
    return (line.bottom + line.top) / 2


def in_reading_order(blocks: list[LineBlock]) -> list[LineBlock]:
    """The order of the file, except that what stands above something in its column comes before it."""
    count = len(blocks)
    if count < 2 or count > MOST_BLOCKS_SORTED:
        return blocks
    edges = [(block.left, block.right, block.bottom, block.top) for block in blocks]
    before: list[int] = [0] * count
    after: list[list[int]] = [[] for _ in range(count)]
    wrong = False
    for one in range(count):
        for other in range(count):
            if one != other and above(edges[one], edges[other]):
                after[one].append(other)
                before[other] += 1
                wrong = wrong or one > other
    if not wrong:
        return blocks
    ready = [number for number in range(count) if before[number] == 0]
    heapq.heapify(ready)
    ordered = []
    while ready:
        number = heapq.heappop(ready)
        ordered.append(blocks[number])
        for other in after[number]:
            before[other] -= 1
            if before[other] == 0:
                heapq.heappush(ready, other)
    return ordered if len(ordered) == count else blocks


def above(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    shared = min(one[1], other[1]) - max(one[0], other[0])
    narrower = min(one[1] - one[0], other[1] - other[0])
    slack = 0.25 * min(one[3] - one[2], other[3] - other[2])
    return shared > 0.3 * max(narrower, 0.1) and one[2] >= other[3] - slack


class Vocabulary:
    """The words of a document, by which a word that was divided at a line's end is put together again."""

    def __init__(self) -> None:
        self._words: set[str] = set()

    def learn(self, lines: Iterable[Line]) -> None:
        divided = False
        for line in lines:
            words = [word.casefold() for word in WORD.findall(line.text)]
            first, divided = int(divided), line.text.rstrip().endswith(("-", DIVIDED))
            self._words.update(words[first : len(words) - 1 if divided else len(words)])

    def joined(self, text: str, rest: str) -> str:
        """Two halves with or without the hyphen between them."""
        text = text.removesuffix(DIVIDED).removesuffix("-")
        first, second = LAST_WORD.search(text), FIRST_WORD.match(rest)
        if first is None or second is None or not second[1][0].islower():
            return f"{text}-{rest}"
        halves = first[1].casefold(), second[1].casefold()
        compound = halves[0] + halves[1] not in self._words and all(
            len(half) > 2 and half in self._words for half in halves
        )
        return f"{text}-{rest}" if compound else text + rest


def density(lines: Iterable[Line]) -> float:
    """How wide the letters of running text are, as a share of their size; 0 where there is none."""
    widths = sorted(spread(line) for line in lines if len(line.words) > 40)
    return widths[len(widths) // 2] if widths else 0.0


def spread(line: Line) -> float:
    return (line.right - line.left) / max(len(line.words) * line.size, 0.1)


class Flow:
    """Puts the lines of a document's blocks together to paragraphs."""

    def __init__(self, pages: Sequence[Sequence[Line]]) -> None:
        self._vocabulary = Vocabulary()
        for lines in pages:
            self._vocabulary.learn(lines)
        self._density = density(line for lines in pages for line in lines)

    def paragraphs(self, block: LineBlock) -> list[str]:
        """A block's paragraphs; lines that were not filled from edge to edge, and rows of tables, stay lines."""
        found: list[str] = []
        steps = sorted(middle(one) - middle(other) for one, other in pairwise(block))
        usual = steps[len(steps) // 2] if steps else 0.0
        mirrored = right_to_left(" ".join(line.text for line in block))
        left, right = block.left, block.right
        last: Line | None = None
        for line in block:
            text = as_item(line.words)
            if last is None:
                found.append(text)
            elif last.divided:
                found[-1] = self._vocabulary.joined(found[-1], text)
            elif middle(last) - middle(line) > 1.3 * usual + 0.1:
                found.append(text)
            elif is_item(text) or self._row(line) or self._row(last):
                found[-1] += "\n" + text
            else:
                gap = last.left - left if mirrored else right - last.right
                indent = last.right - line.right if mirrored else line.left - last.left
                filled = gap < 0.15 * max(right - left, 1.0)
                self._go_on(found, text, filled, indent > 0.8 * line.size, len(block) > 3)
            last = line
        return found

    def _go_on(self, found: list[str], text: str, filled: bool, indented: bool, long: bool) -> None:
        """Writes a line of running text: into the paragraph before, below it, or as one of its own."""
        ended = SENTENCE_END.search(found[-1]) is not None
        item = is_item(found[-1].rpartition("\n")[2])
        if indented and (ended or not filled) and not item:
            found.append(text)
        elif filled or (item and not ended and text[:1].islower()):
            found[-1] = continued(found[-1], text, self._vocabulary)
        elif ended and long:
            found.append(text)
        else:
            found[-1] += "\n" + text

    def _row(self, line: Line) -> bool:
        """A row of a table: half of its words are numbers, or there are gaps between them."""
        words = line.words.split()
        numbers = sum(1 for word in words if DIGIT.search(word)) if DIGIT.search(line.text) else 0
        if len(words) > 2 and numbers * 2 >= len(words):
            return True
        return 0 < self._density < spread(line) / 1.35 and len(words) > 1


def continued(text: str, rest: str, vocabulary: Vocabulary) -> str:
    if text.endswith(("-", DIVIDED)) and len(text) > 1 and text[-2].isalpha():
        return vocabulary.joined(text, rest)
    if CJK.match(text[-1:]) and CJK.match(rest[:1]):
        return text + rest
    return f"{text} {rest}"


def as_item(text: str) -> str:
    """A line that begins with a bullet, with the bullet of Markdown."""
    bullet = BULLET.match(text)
    return f"- {text[bullet.end() :]}" if bullet else text


def is_item(text: str) -> bool:
    return text.startswith("- ") or NUMBERED.match(text) is not None
