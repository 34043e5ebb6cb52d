"""Tables on their way into a workbook: sheets with a header and cells that have types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

Cell = str | int | float | bool | date | datetime | None

INTEGER = re.compile(r"[+-]?(?:0|[1-9]\d{0,14})\Z")
GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3}){1,4}(?:\.\d{1,9})?\Z")
DECIMAL = re.compile(r"[+-]?(?:0|[1-9]\d{0,11})\.\d{1,9}\Z")
DAY = re.compile(r"\d{4}-\d{2}-\d{2}\Z")


@dataclass(frozen=True)
class Sheet:
    """One table. `percent` names the columns whose numbers are shares of one."""

    name: str
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    percent: frozenset[int] = field(default=frozenset())


def typed_sheet(name: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> Sheet:
    """A sheet of texts, in which a column whose texts are all numbers, percentages or days holds those.

    What would not be the same when written again (leading zeros, more than 15 digits) stays a text.
    """
    kept = [list(row) for row in rows]
    width = max([len(header), *(len(row) for row in kept)], default=0)
    table: list[list[Cell]] = [[*row, *[""] * (width - len(row))] for row in kept]
    percent = set()
    for column in range(width):
        texts = [str(row[column]).strip() for row in table]
        told = [text for text in texts if text]
        if not told:
            continue
        for read in (_number, _percentage, _day):
            values = {text: read(text) for text in told}
            if None not in values.values():
                for row, text in zip(table, texts, strict=True):
                    row[column] = values.get(text)
                if read is _percentage:
                    percent.add(column)
                break
    return Sheet(name, [*header, *[""] * (width - len(header))], table, frozenset(percent))


def _number(text: str) -> Cell:
    text = text.replace("\u2212", "-")
    if INTEGER.match(text):
        return int(text)
    if DECIMAL.match(text):
        return float(text)
    if GROUPED.match(text):
        plain = text.replace(",", "")
        return float(plain) if "." in plain else int(plain)
    return None


def _percentage(text: str) -> Cell:
    if not text.endswith("%"):
        return None
    number = _number(text[:-1].rstrip())
    return None if not isinstance(number, int | float) else round(number / 100, 12)


def _day(text: str) -> Cell:
    if not DAY.match(text):
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    # Workbooks count days from 1900 on.
    return day if day.year >= 1900 else None
