"""Tables: rows of cells between bars, what names their columns, and labels that stand beside their values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from quire.text.sentences import Span
from quire.text.structure.parts import Field, Row, Table

RULE = re.compile(r"[|:\s-]++")
BAR = re.compile(r"(?<!\\)\|")
DIGIT = re.compile(r"\d")
SAYING = re.compile(r"[\w%°$€£¥]")
WORD = re.compile(r"[^\W\d_]{2}|[^\W\d_a-z]")
# What a label is seldom longer than.
LABEL_LENGTH = 60
FEW_CELLS = 2


def is_row(line: str) -> bool:
    return line.lstrip(" ").startswith("|") and line.count("|") > 1


def is_rule(line: str) -> bool:
    """The line under a table's head."""
    return "-" in line and RULE.fullmatch(line) is not None


def row_of(text: str, start: int, end: int) -> Row:
    """The line from `start` to `end` as a row."""
    bars = [start + bar.start() for bar in BAR.finditer(text[start:end])]
    edges = bars if text[bars[-1] + 1 : end].strip() == "" else [*bars, end]
    cells = []
    for left, right in pairwise(edges):
        cell = text[left + 1 : right]
        begin = left + 1 + len(cell) - len(cell.lstrip())
        cells.append((begin, max(begin, left + 1 + len(cell.rstrip()))))
    return Row(start, end, tuple(cells))


def filled(row: Row) -> list[int]:
    """The columns of a row that have something in them."""
    return [column for column, (start, end) in enumerate(row.cells) if end > start]


def headed(text: str, rows: Sequence[Row]) -> tuple[Row | None, tuple[Row, ...]]:
    """The row that names the columns, and all others.

    Readers write the first row of any table as its head; it names columns only where most of them have a name, no
    figure among them, and what is below does not repeat its form (a label with its value beside it).
    """
    if len(rows) < FEW_CELLS:
        return None, tuple(rows)
    head = rows[0]
    columns = filled(head)
    used = {column for row in rows[1:] for column in filled(row)}
    if len(_runs(text, head)) > 1:
        return None, tuple(rows)
    named = len(columns) >= max(1, len(used) - 1) if len(used) <= FEW_CELLS else 2 * len(columns) > len(used)
    if not named or any(text[start:end].endswith(":") for start, end in head.cells):
        telling = all(text[start:end].endswith((":", ".")) for start, end in (head.cells[column] for column in columns))
        if not (telling and 2 * len(columns) > len(used)):
            return None, tuple(rows)
    return head, tuple(rows[1:])


def fields(text: str, table: Table) -> Iterator[Field]:
    """Labels and values that stand side by side in the rows of a table without a head, or of one with two columns."""
    head = () if table.head is None else (table.head,)
    if head and max(len(filled(row)) for row in (*head, *table.rows)) > FEW_CELLS:
        return
    for row in (*head, *table.rows):
        runs = _runs(text, row)
        for run in runs:
            if len(run) >= FEW_CELLS and _is_label(text, row.cells[run[0]]):
                label, value = row.cells[run[0]], (row.cells[run[1]][0], row.cells[run[-1]][1])
                start, end = (row.start, row.end) if len(runs) == 1 else (label[0], value[1])
                yield Field(start, end, label, value)


def _runs(text: str, row: Row) -> list[list[int]]:
    """The columns of a row, parted where pairs of them stand apart or a cell ends as labels do."""
    columns = [column for column in filled(row) if SAYING.search(text, *row.cells[column])]
    if len(columns) > FEW_CELLS and text[slice(*row.cells[columns[0]])].rstrip(".)").isdigit():
        columns = columns[1:]
    runs = [[column for _, column in run] for _, run in groupby(enumerate(columns), key=lambda at: at[1] - at[0])]
    if len(runs) > 1 and all(len(run) == FEW_CELLS for run in runs):
        return runs
    labels = [place for place, column in enumerate(columns) if text[slice(*row.cells[column])].endswith((":", "："))]
    if len(labels) > 1 and labels[0] == 0:
        return [columns[first:last] for first, last in zip(labels, [*labels[1:], len(columns)], strict=True)]
    return [columns]


def _is_label(text: str, cell: Span) -> bool:
    """Words, and not the number of a row."""
    said = text[slice(*cell)]
    return len(said) <= LABEL_LENGTH and WORD.search(said) is not None and not DIGIT.match(said)
