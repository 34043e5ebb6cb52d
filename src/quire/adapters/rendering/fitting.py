"""Text in boxes: where its lines break, and the largest size at which it fits."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from quire.adapters.rendering.typefaces import Type

LINE = 1.22
# What must not begin a line in scripts that are written without spaces, and what must not end one.
NOT_FIRST = frozenset(
    "、。，．・：；！？）〕］｝〉》」』】’”ー…々ゝゞぁぃぅぇぉっゃゅょァィゥェォッャュョ%％,.!?:;)]}»"
)
NOT_LAST = frozenset("（〔［｛〈《「『【‘“([{«")
BREAK_AFTER = frozenset("-–—/_·")
# What stays with the number before it.
UNITS = frozenset("°%‰€$£¥")
# A word is cut with a hyphen where more letters than this come before it.
MOST_HYPHEN = 4
BLANKS = re.compile(r"[ \t\r\n\v\f\u2028\u2029]+")


@dataclass(frozen=True)
class Fitted:
    """Paragraphs as lines at the size at which they fit; `height` is what they take."""

    size: float
    paragraphs: tuple[tuple[str, ...], ...]
    height: float

    @property
    def lines(self) -> int:
        return sum(len(lines) for lines in self.paragraphs)


def without_spaces(letter: str) -> bool:
    """Whether a line may break beside the letter: scripts that are written without spaces."""
    point = ord(letter)
    return (
        0x2E80 <= point <= 0x9FFF
        or 0xAC00 <= point <= 0xD7AF
        or 0xF900 <= point <= 0xFAFF
        or 0xFF00 <= point <= 0xFFEF
        or 0x0E00 <= point <= 0x0EFF
        or 0x1000 <= point <= 0x109F
        or 0x1780 <= point <= 0x17FF
        or 0x20000 <= point <= 0x3FFFF
    )


def is_right_to_left(text: str) -> bool:
    """Whether the first letter that has a direction is of a script that is written from the right."""
    for letter in text:
        direction = unicodedata.bidirectional(letter)
        if direction in ("R", "AL"):
            return True
        if direction == "L":
            return False
    return False


def spaced(text: str) -> str:
    """A text on one line, with single spaces; those that do not break stay."""
    return BLANKS.sub(" ", text).strip(" ")


def marked(text: str, mark: str) -> str:
    """A text with what stands after it, on the line of its last word."""
    return f"{text}\u00a0{mark}" if text and mark else text or mark


def pieces(text: str) -> Iterator[str]:
    """What stays together on a line, each with the space that follows it."""
    piece = ""
    for place, letter in enumerate(text):
        piece += letter
        following = text[place + 1 : place + 2]
        if letter == " ":
            if following != " " and following not in UNITS:
                yield piece
                piece = ""
        elif (
            following
            and following != " "
            and (
                (
                    (without_spaces(letter) or without_spaces(following))
                    and following not in NOT_FIRST
                    and letter not in NOT_LAST
                    and not unicodedata.combining(following)
                )
                or (letter in BREAK_AFTER and not following.isdigit())
            )
        ):
            yield piece
            piece = ""
    if piece:
        yield piece


@lru_cache(maxsize=20_000)
def wrapped(text: str, type: Type, size: float, width: float) -> tuple[str, ...]:
    """The lines of a text. A word that is wider than the box is cut."""
    lines: list[str] = []
    line = ""
    for piece in pieces(spaced(text)):
        if type.width((line + piece).rstrip(), size) <= width:
            line += piece
            continue
        if line:
            lines.append(line.rstrip())
        line = piece
        # Only as many letters are measured as fit: all that is left, each time, would take the square of a long word.
        while (cut := _longest(line, type, size, width)) < len(line.rstrip()):
            hyphen = ""
            if cut > MOST_HYPHEN and line[cut - 2 : cut + 1].isalpha() and not without_spaces(line[cut]):
                cut, hyphen = _longest(line, type, size, width - type.width("-", size)), "-"
            lines.append(line[:cut] + hyphen)
            line = line[cut:]
    if line.strip():
        lines.append(line.rstrip())
    return tuple(lines)


def fitted(
    paragraphs: Sequence[str], type: Type, sizes: Iterable[float], width: float, height: float, gap: float = 0.4
) -> Fitted | None:
    """The paragraphs at the first of the sizes at which they fit; None where they fit at none. `gap` is in ems."""
    for size in sizes:
        made = laid(paragraphs, type, size, width, gap)
        if made.height <= height:
            return made
    return None


def laid(paragraphs: Sequence[str], type: Type, size: float, width: float, gap: float = 0.4) -> Fitted:
    """The paragraphs at a size, however high they become."""
    lines = tuple(wrapped(text, type, size, width) for text in paragraphs)
    height = sum(map(len, lines)) * LINE * size + max(0, len(lines) - 1) * gap * size
    return Fitted(size, lines, height)


def shortened(text: str, type: Type, size: float, width: float) -> str:
    """A text on one line; what does not fit is left out at its end, and seen to be."""
    text = spaced(text)
    if type.width(text, size) <= width:
        return text
    kept = text[: _longest(text, type, size, width - type.width("…", size))]
    return kept.rstrip(" ,;:") + "…"


def sizes(largest: float, smallest: float) -> list[float]:
    """From the largest on in steps that one sees."""
    found = [largest]
    while found[-1] > smallest:
        found.append(max(smallest, round(found[-1] * 0.93 * 2) / 2))
    return found


def _longest(text: str, type: Type, size: float, width: float) -> int:
    """How many letters fit, at least one; marks stay with their letter."""
    cut, wide = 0, 0.0
    for place, letter in enumerate(text):
        wide += type.width(letter, size)
        if wide > width and place:
            break
        cut = place + 1
    while cut < len(text) and cut > 1 and unicodedata.combining(text[cut]):
        cut -= 1
    return max(1, cut)
