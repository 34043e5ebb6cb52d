"""Tables of slides: how wide columns and how high rows are, and further tables for what does not fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from quire.adapters.rendering.fitting import LINE, sizes, wrapped
from quire.adapters.rendering.scene import Box
from quire.adapters.rendering.typefaces import Type, type_of
from quire.domain.figures import FactTable

PAD, DOWN = 8.0, 5.0
SMALLEST = 11.0
MOST_LINES = 8
LEAST_WIDTH = 64.0
MOST_COLUMNS = 7


@dataclass(frozen=True)
class LaidTable:
    """Cells as lines; the first row is the head. `numeric` columns stand to the right."""

    box: Box
    size: float
    widths: tuple[float, ...]
    heights: tuple[float, ...]
    cells: tuple[tuple[tuple[str, ...], ...], ...]
    numeric: tuple[bool, ...]


def tables_of(table: FactTable, box: Box) -> Iterator[LaidTable]:
    """The table at the size at which it fits best; columns and rows that do not fit come on further tables, each with
    its heads and its first column."""
    for columns in _column_groups(len(table.heads)):
        heads = [table.heads[column] for column in columns]
        rows = [[row.cells[column] for column in columns] for row in table.rows]
        yield from _rows(heads, rows, box)


def is_number(text: str) -> bool:
    digits = sum(letter.isdigit() for letter in text)
    letters = sum(letter.isalpha() for letter in text)
    return digits > 0 and letters <= 3


def _column_groups(count: int) -> list[list[int]]:
    if count <= MOST_COLUMNS:
        return [list(range(count))]
    rest = list(range(1, count))
    groups = -(-len(rest) // (MOST_COLUMNS - 1))
    each = -(-len(rest) // groups)
    return [[0, *rest[start : start + each]] for start in range(0, len(rest), each)]


def _rows(heads: Sequence[str], rows: Sequence[Sequence[str]], box: Box) -> Iterator[LaidTable]:
    numeric = tuple(
        bool(rows) and all(is_number(row[column]) or not row[column].strip() for row in rows) and column > 0
        for column in range(len(heads))
    )
    laid = [_laid(heads, rows, size, box, numeric) for size in sizes(17, SMALLEST)]
    fewest = len(laid[-1])
    yield from next(tables for tables in laid if len(tables) <= fewest)


def _laid(
    heads: Sequence[str], rows: Sequence[Sequence[str]], size: float, box: Box, numeric: tuple[bool, ...]
) -> list[LaidTable]:
    """The rows at one size, on as few tables as they fit, about as many on each."""
    plain, bold = type_of("sans"), type_of("sans", True)
    widths = _widths(heads, rows, size, box.width)
    head = tuple(_lines(cell, bold, size, wide) for cell, wide in zip(heads, widths, strict=True))
    cells = [tuple(_lines(cell, plain, size, wide) for cell, wide in zip(row, widths, strict=True)) for row in rows]
    high, heights = _height(head, size), [_height(row, size) for row in cells]
    for tables in range(1, max(1, len(cells)) + 1):
        cuts = [round(len(cells) * part / tables) for part in range(tables + 1)]
        spans = list(pairwise(cuts))
        if all(high + sum(heights[start:end]) <= box.height for start, end in spans) or tables >= len(cells):
            break
    return [
        LaidTable(box, size, tuple(widths), (high, *heights[start:end]), (head, *cells[start:end]), numeric)
        for start, end in spans
    ]


def _height(row: Sequence[Sequence[str]], size: float) -> float:
    return max(1, *(len(lines) for lines in row)) * size * LINE + 2 * DOWN


def _lines(text: str, type: Type, size: float, wide: float) -> tuple[str, ...]:
    lines = wrapped(text, type, size, wide - 2 * PAD)
    if len(lines) > MOST_LINES:
        last = lines[MOST_LINES - 1]
        while last and type.width(last + "…", size) > wide - 2 * PAD:
            last = last[:-1]
        return (*lines[: MOST_LINES - 1], last + "…")
    return lines


def _widths(heads: Sequence[str], rows: Sequence[Sequence[str]], size: float, whole: float) -> list[float]:
    """Columns as wide as they would like to be; where that is too much, the widest give way."""
    bold, plain = type_of("sans", True), type_of("sans")
    wished = [
        max(
            LEAST_WIDTH,
            bold.width(head, size) + 2 * PAD + 2,
            *(plain.width(row[column], size) + 2 * PAD + 2 for row in rows),
        )
        for column, head in enumerate(heads)
    ]
    if sum(wished) <= whole:
        return [wide * whole / sum(wished) for wide in wished]
    least, most = 0.0, whole
    for _ in range(40):
        cap = (least + most) / 2
        if sum(min(wide, cap) for wide in wished) > whole:
            most = cap
        else:
            least = cap
    return [min(wide, least) for wide in wished]
