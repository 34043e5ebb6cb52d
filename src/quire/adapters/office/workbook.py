"""Sheets as an XLSX."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from quire.adapters.office.parsing import writable
from quire.domain.errors import TooLarge
from quire.domain.sheets import Cell, Sheet
from quire.ports.office import OfficeFacts

# What Excel can hold.
MOST_ROWS, MOST_COLUMNS, LONGEST_TEXT, LONGEST_NAME = 1_048_575, 16_384, 32_767, 31
FORBIDDEN_IN_NAMES = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
# What a program would take for a formula, were the cell typed in again or saved as CSV.
FORMULA_LIKE = ("=", "+", "-", "@", "\t", "\r", "\n")
NARROWEST, WIDEST = 6, 60
EXACT = 2**53


def write_workbook(sheets: Sequence[Sheet], facts: OfficeFacts) -> bytes:
    from xlsxwriter import Workbook

    target = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    book = Workbook(target, options)
    properties: dict[str, Any] = {"title": writable(facts.title)[:255]}
    if facts.created is not None:
        properties["created"] = facts.created.replace(tzinfo=None)
    book.set_properties(properties)
    formats = Formats(book)
    taken: set[str] = set()
    for sheet in sheets or [Sheet("Sheet", [], [])]:
        write_sheet(book.add_worksheet(free_name(sheet.name, taken)), sheet, formats)
    book.close()
    return target.getvalue()


class Formats:
    """How cells look, each made once."""

    def __init__(self, book: Any) -> None:
        top = {"valign": "top", "text_wrap": True}
        self.header = book.add_format({"bold": True, "bottom": 1, "bg_color": "#E8EDF3", **top, "quote_prefix": True})
        self.text = book.add_format(top)
        self.quoted = book.add_format({**top, "quote_prefix": True})
        self.number = book.add_format({"valign": "top"})
        self.percent = book.add_format({"valign": "top", "num_format": "0.##%"})
        self.day = book.add_format({"valign": "top", "num_format": "yyyy-mm-dd"})
        self.moment = book.add_format({"valign": "top", "num_format": "yyyy-mm-dd hh:mm:ss"})


def write_sheet(page: Any, sheet: Sheet, formats: Formats) -> None:
    if len(sheet.rows) > MOST_ROWS or len(sheet.header) > MOST_COLUMNS:
        raise TooLarge(f"The table '{sheet.name[:80]}' is larger than a sheet can be.")
    widths = [shown_width(name) + 2 for name in sheet.header]
    for column, name in enumerate(sheet.header):
        page.write_string(0, column, as_text(name), formats.header)
    for number, row in enumerate(sheet.rows, start=1):
        for column, cell in enumerate(row):
            write_cell(page, number, column, cell, formats, percent=column in sheet.percent)
            if column >= len(widths):
                widths.append(NARROWEST)
            widths[column] = max(widths[column], shown_width(cell))
    for column, width in enumerate(widths):
        page.set_column(column, column, min(max(width + 1, NARROWEST), WIDEST))
    page.freeze_panes(1, 0)
    if sheet.header:
        page.autofilter(0, 0, len(sheet.rows), len(sheet.header) - 1)


def write_cell(page: Any, row: int, column: int, cell: Cell, formats: Formats, *, percent: bool) -> None:
    if cell is None or cell == "":
        return
    if isinstance(cell, bool):
        page.write_boolean(row, column, cell, formats.number)
    elif isinstance(cell, int | float) and math.isfinite(cell) and abs(cell) <= EXACT:
        page.write_number(row, column, cell, formats.percent if percent else formats.number)
    elif isinstance(cell, datetime) and cell.year >= 1900:
        page.write_datetime(row, column, cell.replace(tzinfo=None), formats.moment)
    elif isinstance(cell, date) and cell.year >= 1900:
        page.write_datetime(row, column, cell, formats.day)
    else:
        text = as_text(str(cell))
        page.write_string(row, column, text, formats.quoted if text.startswith(FORMULA_LIKE) else formats.text)


def as_text(text: str) -> str:
    text = writable(text)
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


def shown_width(cell: Cell) -> int:
    if isinstance(cell, str):
        return max((len(line) for line in cell[:2_000].splitlines()), default=0)
    return 19 if isinstance(cell, datetime) else 0 if cell is None else len(str(cell))


def free_name(name: str, taken: set[str]) -> str:
    """A name that Excel takes and no other sheet has."""
    wished = FORBIDDEN_IN_NAMES.sub(" ", writable(name)).strip(" '")[:LONGEST_NAME].strip(" '") or "Table"
    if wished.casefold() == "history":
        wished = "History_"
    name, number = wished, 1
    while name.casefold() in taken:
        number += 1
        ending = f" {number}"
        name = wished[: LONGEST_NAME - len(ending)] + ending
    taken.add(name.casefold())
    return name
