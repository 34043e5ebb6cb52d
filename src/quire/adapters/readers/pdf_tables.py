"""Tables of a PDF page: cells in rows and columns, by the rules that are drawn between them, or by their gaps."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import groupby, islice
from typing import Any, NamedTuple

from pypdfium2 import raw

from quire.adapters.readers.layout import BULLET, NUMBERED, middle
from quire.adapters.readers.lines import Line

THIN, LONG = 3.0, 6.0
SAME_RULE = 2.0
MOST_RULES = 3_000
MOST_LINES = 2_000
FEWEST_ROWS = 3
# A column of longer cells is running text; a table has one of them at most.
LONG_CELLS, SHORT_CELLS = 25, 18
LONGEST_CELL = 600
FILLED = 0.4
# What is left free at a cell's end, in letters.
ROOM = 3
# So many of its columns begin anew where a row does that has no rule above it.
MOST_COLUMNS = 0.7


class Cell(NamedTuple):
    text: str
    left: float
    right: float


class Rules(NamedTuple):
    """Upright ones as (x, bottom, top), level ones as (y, left, right)."""

    upright: list[tuple[float, float, float]]
    level: list[tuple[float, float, float]]


class Table(NamedTuple):
    """`lines` are the starts of the lines that are in it; `place` is a line without words where it stands."""

    rows: list[list[str]]
    lines: frozenset[int]
    place: Line


def rules_of(page: Any) -> Rules:
    """The lines and frames that are drawn on a page, as far as they are straight and upright."""
    upright, level = [], []
    if page.get_rotation() == 0:
        for shape in islice(page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=1), MOST_RULES):
            left, bottom, right, top = shape.get_bounds()
            if right - left < THIN and top - bottom > LONG:
                upright.append(((left + right) / 2, bottom, top))
            elif top - bottom < THIN and right - left > LONG:
                level.append(((bottom + top) / 2, left, right))
            elif right - left > LONG and top - bottom > LONG and raw.FPDFPath_CountSegments(shape.raw) in (4, 5):
                upright += [(left, bottom, top), (right, bottom, top)]
                level += [(bottom, left, right), (top, left, right)]
    return Rules(upright, level)


def tables_of(lines: Sequence[Line], cells: dict[int, list[Cell]], rules: Rules) -> list[Table]:
    """The tables among a page's lines; `cells` holds the parts of each line, by its start."""
    if len(lines) > MOST_LINES:
        return []
    found = [table for frame in frames(rules) if (table := ruled(lines, cells, *frame)) is not None]
    taken = {start for table in found for start in table.lines}
    return found + list(aligned([line for line in lines if line.start not in taken], cells))


def frames(rules: Rules) -> Iterable[tuple[list[float], list[float]]]:
    """The edges of columns and of rows of each grid that is drawn."""
    groups: list[tuple[float, float, list[float]]] = []
    for x, bottom, top in sorted(rules.upright, key=lambda rule: rule[1]):
        if groups and bottom <= groups[-1][1] + SAME_RULE:
            low, high, edges = groups[-1]
            edges.append(x)
            groups[-1] = (low, max(high, top), edges)
        else:
            groups.append((bottom, top, [x]))
    for low, high, edges in groups:
        columns = distinct(edges)
        rows = distinct(
            y
            for y, left, right in rules.level
            if low - SAME_RULE <= y <= high + SAME_RULE and right > columns[0] and left < columns[-1]
        )
        if len(columns) > 2 and len(rows) > 2:
            yield columns, rows


def distinct(edges: Iterable[float]) -> list[float]:
    found: list[float] = []
    for edge in sorted(edges):
        if not found or edge - found[-1] > SAME_RULE:
            found.append(edge)
    return found


def ruled(lines: Sequence[Line], cells: dict[int, list[Cell]], columns: list[float], rows: list[float]) -> Table | None:
    """The table in a grid; None where it only frames the page."""
    bands: list[list[tuple[float, int, Cell]]] = [[] for _ in rows[1:]]
    inside = []
    for line in lines:
        row = bisect_right(rows, middle(line)) - 1
        if not 0 <= row < len(bands) or line.right < columns[0] or line.left > columns[-1]:
            continue
        inside.append(line)
        for cell in cells[line.start]:
            column = min(max(bisect_right(columns, (cell.left + cell.right) / 2) - 1, 0), len(columns) - 2)
            bands[-1 - row].append((middle(line), column, cell))
    grid = [row for band in bands for row in rows_in(band, columns)]
    full = [text for texts in grid for text in texts if text]
    used = sum(1 for column in zip(*grid, strict=True) if any(column))
    if used < 2 or len(full) < FILLED * len(grid) * used or max(map(len, full)) > LONGEST_CELL:
        return None
    return table(grid, inside)


def rows_in(band: list[tuple[float, int, Cell]], columns: list[float]) -> Iterable[list[str]]:
    """What stands between two level rules: a row whose cells may have several lines, or rows without rules between."""
    wide = max(2.0, MOST_COLUMNS * len({column for _, column, _ in band}))
    row: list[str] = []
    last: dict[int, Cell] = {}
    ordered = sorted(band, key=lambda part: (-part[0], part[1], part[2].left))
    for _, parts in groupby(ordered, key=lambda part: round(part[0] / 3)):
        texts = [(column, cell) for _, column, cell in parts]
        within = {column for column, _ in texts}
        begins = any(column in last and had_room(last[column], cell, columns[column + 1]) for column, cell in texts)
        if row and (len(within) >= wide or (len(within) > 1 and begins)):
            yield row
            row, last = [], {}
        row = row or [""] * (len(columns) - 1)
        for column, cell in texts:
            row[column] = f"{row[column]} {cell.text}".strip()
            last[column] = cell
    if row:
        yield row


def had_room(last: Cell, cell: Cell, edge: float) -> bool:
    """Whether a line could have gone on with the first word of the next one: then it was not wrapped there."""
    letter = (cell.right - cell.left) / max(1, len(cell.text))
    return last.right + letter * (len(cell.text.split()[0]) + ROOM) < edge


def aligned(lines: Sequence[Line], cells: dict[int, list[Cell]]) -> Iterable[Table]:
    """Tables without rules: rows whose cells stand below each other."""
    columns: list[tuple[float, float]] = []
    run: list[Line] = []
    for line in lines:
        parts = cells[line.start]
        if run and follows(run[-1], line):
            if len(parts) > 1 and not is_item(parts) and (wider := joined(columns, parts)) is not None:
                run.append(line)
                columns = wider
                continue
            if len(parts) == 1 and inside_one(columns, line):
                run.append(line)
                continue
        yield from closed(run, columns, cells)
        run = [line] if len(parts) > 1 and not is_item(parts) else []
        columns = [(cell.left, cell.right) for cell in parts] if run else []
    yield from closed(run, columns, cells)


def follows(last: Line, line: Line) -> bool:
    return 0.3 * line.size < middle(last) - middle(line) < 3 * line.size


def is_item(parts: Sequence[Cell]) -> bool:
    """An item whose bullet or number stands apart from its words."""
    return len(parts) == 2 and bool(BULLET.match(f"{parts[0].text} x") or NUMBERED.match(f"{parts[0].text} x"))


def joined(columns: list[tuple[float, float]], parts: Sequence[Cell]) -> list[tuple[float, float]] | None:
    """The columns with the cells of one more row; None where a cell would reach over two of them."""
    found: list[tuple[float, float]] = []
    edges = sorted([*columns, *((cell.left, cell.right) for cell in parts)])
    for left, right in edges:
        if found and left < found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], right))
        else:
            found.append((left, right))
    apart = {bisect_right(found, (cell.left, float("inf"))) for cell in parts}
    return found if len(found) >= len(columns) and len(apart) == len(parts) else None


def inside_one(columns: list[tuple[float, float]], line: Line) -> bool:
    """Words that go on in a cell of the row above; in the first column a row begins, or the table has ended."""
    return any(left - 1 <= line.left and line.right <= right + line.size for left, right in columns[1:])


def closed(run: list[Line], columns: list[tuple[float, float]], cells: dict[int, list[Cell]]) -> Iterable[Table]:
    """The table of a run of lines, if it is one."""
    grid: list[list[str]] = []
    for line in run:
        parts = cells[line.start]
        if len(parts) > 1:
            grid.append([""] * len(columns))
        for cell in parts:
            column = max(bisect_right(columns, (cell.left + 0.01, float("inf"))) - 1, 0)
            grid[-1][column] = f"{grid[-1][column]} {cell.text}".strip()
    if len(grid) < FEWEST_ROWS and (len(grid) < FEWEST_ROWS - 1 or len(columns) < 3):
        return
    full = sum(1 for row in grid for text in row if text)
    means = sorted(sum(map(len, texts)) / max(1, sum(map(bool, texts))) for texts in zip(*grid, strict=True))
    if full < 2 * FILLED * len(grid) * len(columns) or means[-2] > (SHORT_CELLS if len(means) == 2 else LONG_CELLS):
        return
    yield table(grid, run)


def table(rows: list[list[str]], lines: Sequence[Line]) -> Table:
    first = lines[0]
    # Taller than any line of words, so that none of them is taken to go on from it.
    place = Line(
        "",
        min(line.left for line in lines),
        max(line.right for line in lines),
        min(line.bottom for line in lines),
        max(line.top for line in lines),
        10 * max(line.size for line in lines),
        first.start,
        first.end,
    )
    return Table(rows, frozenset(line.start for line in lines), place)
