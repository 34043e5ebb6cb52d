"""How cards share a sheet: in columns or in rows, in reading order, as evenly as can be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from quire.adapters.rendering.scene import Box

MOST_COLUMNS, MOST_IN_ROW = 4, 4
# How much wider than the narrowest a card of a row may be.
SHARES: dict[int, tuple[tuple[float, ...], ...]] = {
    1: ((1.0,),),
    2: ((1.0, 1.0), (1.6, 1.0), (1.0, 1.6)),
    3: ((1.0, 1.0, 1.0), (1.5, 1.0, 1.0), (1.0, 1.0, 1.5), (1.0, 1.5, 1.0)),
    4: ((1.0, 1.0, 1.0, 1.0),),
}

# The height of the card of that number at a width.
Height = Callable[[int, float], float]


@dataclass(frozen=True)
class Arranged:
    """`waste` tells how much of the cards stays empty, and how unevenly."""

    boxes: tuple[Box, ...]
    waste: float


def arranged(how: str, count: int, body: Box, gap: float, height: Height, least: float) -> Arranged | None:
    """Where each card stands, or None where they do not fit; no card is narrower than `least` unless it is alone."""
    return (_rows if how == "rows" else _columns)(count, body, gap, height, least)


def _columns(count: int, body: Box, gap: float, height: Height, least: float) -> Arranged | None:
    best: tuple[float, tuple[Box, ...]] | None = None
    for columns in range(1, min(MOST_COLUMNS, count) + 1):
        wide = (body.width - gap * (columns - 1)) / columns
        if wide < least and columns > 1:
            break
        heights = [height(place, wide) for place in range(count)]
        for cuts in _cuts(count, columns):
            sums = [sum(heights[start:end]) + gap * (end - start - 1) for start, end in pairwise(cuts)]
            if max(sums) > body.height:
                continue
            # Columns of much the same height look best.
            waste = sum(body.height - one for one in sums) / body.height / columns
            uneven = (max(sums) - min(sums)) / body.height
            score = waste + uneven
            if best is None or score < best[0]:
                best = (score, tuple(_column_boxes(cuts, heights, body, wide, gap)))
    return None if best is None else Arranged(best[1], best[0])


def _column_boxes(cuts: Sequence[int], heights: Sequence[float], body: Box, wide: float, gap: float) -> Iterator[Box]:
    for column, (start, end) in enumerate(pairwise(cuts)):
        x, y = body.x + column * (wide + gap), body.y
        spare = body.height - sum(heights[start:end]) - gap * (end - start - 1)
        for place in range(start, end):
            high = heights[place] + spare / (end - start)
            yield Box(x, y, wide, high)
            y += high + gap


def _cuts(count: int, columns: int) -> Iterator[tuple[int, ...]]:
    """All ways to cut so many cards into columns, none of them empty."""
    if columns == 1:
        yield (0, count)
        return
    for last in range(columns - 1, count):
        for before in _cuts(last, columns - 1):
            yield (*before, count)


def _rows(count: int, body: Box, gap: float, height: Height, least: float) -> Arranged | None:
    @cache
    def row(start: int, end: int) -> tuple[float, tuple[float, ...]]:
        """The least height of these cards in a row, and their widths."""
        found: tuple[float, tuple[float, ...]] = (float("inf"), ())
        room = body.width - gap * (end - start - 1)
        for shares in SHARES[end - start]:
            widths = tuple(room * share / sum(shares) for share in shares)
            if min(widths) < least and end - start > 1:
                continue
            high = max(height(place, wide) for place, wide in zip(range(start, end), widths, strict=True))
            found = min(found, (high, widths))
        return found

    @cache
    def below(start: int) -> tuple[float, tuple[int, ...]]:
        """The least height of all cards from here on, and where their rows begin."""
        if start == count:
            return -gap, ()
        found: tuple[float, tuple[int, ...]] = (float("inf"), ())
        for end in range(start + 1, min(count, start + MOST_IN_ROW) + 1):
            rest, begins = below(end)
            found = min(found, (row(start, end)[0] + gap + rest, (start, *begins)))
        return found

    whole, begins = below(0)
    if whole > body.height:
        return None
    spare = (body.height - whole) / len(begins)
    needed = sum(
        height(place, wide) * wide
        for start, end in pairwise((*begins, count))
        for place, wide in zip(range(start, end), row(start, end)[1], strict=True)
    )
    waste = 1 - needed / (body.width * body.height)
    boxes: list[Box] = []
    y = body.y
    for start, end in pairwise((*begins, count)):
        high, widths = row(start, end)
        x = body.x
        for wide in widths:
            boxes.append(Box(x, y, wide, high + spare))
            x += wide + gap
        y += high + spare + gap
    return Arranged(tuple(boxes), waste)
