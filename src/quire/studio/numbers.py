"""Numbers of sources: tables that can be drawn, figures that a sentence is about, and years that events belong to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from quire.domain.figures import MOST_POINTS, Chart, ChartForm, FactTable, KeyFigure, Series, TableRow
from quire.studio.points import Point, SourceTable
from quire.text.measures import MONTHS, SCALES, UNITS
from quire.text.words import language_code, tokens

# Languages that write a comma before decimals.
COMMA = frozenset(
    ["de", "fr", "es", "it", "pt", "nl", "ru", "pl", "cs", "sv", "da", "nb", "no", "fi", "tr", "uk", "el", "ro", "hu"]
)
CELL = re.compile(
    r"(?P<before>[€$£¥]|US\$)?\s?(?P<sign>[-+−–])?\s?(?P<number>\d{1,15}(?:[ ,.'’\u00a0\u202f]\d{1,15}){0,6})\s?"
    r"(?P<after>%|‰|°[CF]?|[^\W\d_]{1,12}\.?|€|\$)?"
)
IN_HEAD = re.compile(r"[(\[]([^()\[\]]{1,14})[)\]]\s*$|\bin (%|€|\$|[^\W\d_]{1,6})$")
YEAR = re.compile(r"(?:1[0-9]|20)\d\d")
YEAR_IN_TEXT = re.compile(r"(?<![\d.,/-])(?:1[0-9]|20)\d\d(?![\d,/-]|\.\d|\s?(?:%|€|\$|km|kg|m\b|°))")
# Columns whose numbers name a row rather than measure anything.
NAMES_ROWS = re.compile(
    r"#|№|index|pos(?:ition)?\.?|rank|rang|rango|zip|plz|isbn|ean|sku"
    r"|(?:.{1,40}[ _-])?(?:id|n[o°º]\.?|nr\.?|code|key|phone|telefon|téléphone|teléfono)"
    r"|(?:account|case|customer|house|invoice|item|model|order|page|part|room|row|serial) number"
    r"|.{1,40}(?:Id|ID|nummer|code)",
)
COUNTING_ROWS = 4
FIGURE = re.compile(
    r"(?<![\w.,/-])(?:[€$£¥]\s?)?\d{1,15}(?:[,.'’\u00a0\u202f]\d{1,15}){0,5}"
    r"(?:\s?(?:–|-|to|bis|à|a)\s?\d{1,15}(?:[,.]\d{1,15}){0,4})?"
    r"(?:\s?(?:%|‰|°[CF]?|€|\$)|\s(?P<unit>[^\W\d_]{1,14}))?"
)
NEXT_WORD = re.compile(r"\s([^\W\d_]{4,14})\b")
COUNTED = 4
PERCENT = {"%", "percent", "per", "prozent", "pourcent"}
LINE_POINTS, BARS, SLICES, SERIES = 6, 12, 6, 3
FEWEST_POINTS = 2
# Values that differ more than this are not drawn beside each other.
APART = 60.0
TABLE_ROWS, TABLE_COLUMNS, LONGEST_CELL = 14, 6, 160
LONGEST_LABEL = 170
SAME_SOURCE = 1.0


class Value(NamedTuple):
    number: float
    unit: str


def value_of(text: str, language: str | None) -> Value | None:
    """A cell that is a number, with its unit."""
    found = CELL.fullmatch(text.strip())
    if found is None:
        return None
    unit = found["after"] or found["before"] or ""
    if found["before"] and found["after"]:
        return None
    number = number_of(found["number"], language)
    if number is None:
        return None
    return Value(-number if found["sign"] and found["sign"] != "+" else number, unit)


def number_of(written: str, language: str | None) -> float | None:
    """A number as a language writes it; None where it may be two."""
    written = re.sub(r"[ '’\u00a0\u202f]", "", written)
    comma = language_code(language) in COMMA
    point, other = (",", ".") if comma else (".", ",")
    if point in written and other in written:
        point = max(".,", key=written.rfind)
        other = "," if point == "." else "."
    if written.count(point) > 1:
        point, other = "", point
    if other and other in written:
        groups = written.split(point)[0].split(other) if point else written.split(other)
        if any(len(group) != 3 for group in groups[1:]) or not 1 <= len(groups[0]) <= 3:
            if len(groups) == 2 and not (point and point in written):
                # "3.5" in a language that would write "3,5".
                written, other = written.replace(other, "."), ""
            else:
                return None
        else:
            written = written.replace(other, "")
    if point and point != ".":
        written = written.replace(point, ".")
    try:
        return float(written)
    except ValueError:
        return None


def fact_table(table: SourceTable, rows: int = TABLE_ROWS, columns: int = TABLE_COLUMNS) -> FactTable:
    """A source's table as far as a slide holds it."""
    wide = min(len(table.heads), columns)
    return FactTable(
        heads=[head or "" for head in table.heads[:wide]],
        rows=[
            TableRow(
                cells=[table.said(cell)[:LONGEST_CELL] for cell in row.cells[:wide]],
                statement=table.row_statement(row),
            )
            for row in table.rows[:rows]
        ],
    )


def names_rows(table: SourceTable, column: int) -> bool:
    """Whether a column's numbers only tell rows apart: serial numbers, codes, ids. Years are none of these."""
    cells = [cell for row in table.rows if (cell := table.said(row.cells[column]).strip().rstrip("."))]
    if not cells or not all(cell.isdecimal() for cell in cells) or all(YEAR.fullmatch(cell) for cell in cells):
        return False
    head = table.heads[column].strip().rstrip(":")
    if NAMES_ROWS.fullmatch(head) or NAMES_ROWS.fullmatch(head.casefold()):
        return True
    if any(len(cell) > 1 and cell.startswith("0") for cell in cells):
        return True
    counted = all(int(cell) == int(cells[0]) + place for place, cell in enumerate(cells))
    return counted and (len(cells) >= COUNTING_ROWS or (column == 0 and int(cells[0]) <= 1))


def _label_column(table: SourceTable) -> int:
    """The column that a chart is drawn by: the first, or where that only numbers the rows, the one that names them."""
    if not names_rows(table, 0):
        return 0
    years = (
        column
        for column in range(1, len(table.heads))
        if all(YEAR.fullmatch(table.said(row.cells[column]).strip()) for row in table.rows)
    )
    return table.key or next(years, 0)


def chart_of(table: SourceTable) -> Chart | None:
    """The measures of a table by the column that names its rows, where they can be drawn."""
    language = table.source.language
    by = _label_column(table)
    if names_rows(table, by):
        return None
    labels = [table.said(row.cells[by]) for row in table.rows]
    if not FEWEST_POINTS <= len(labels) <= MOST_POINTS or len(set(labels)) < len(labels) or not all(labels):
        return None
    columns: list[tuple[str, list[float | None], str]] = []
    for column in range(by + 1, len(table.heads)):
        if names_rows(table, column):
            continue
        cells = [table.said(row.cells[column]) for row in table.rows]
        read = [value_of(cell, language) for cell in cells]
        if any(value is None and cell.strip(" -–—") for value, cell in zip(read, cells, strict=True)):
            continue
        values = [None if value is None else value.number for value in read]
        units = {value.unit for value in read if value is not None}
        given = [value for value in values if value is not None]
        if len(units) > 1 or len(given) < max(FEWEST_POINTS, 0.6 * len(values)) or len(set(given)) < FEWEST_POINTS:
            continue
        if all(YEAR.fullmatch(cell.strip()) for cell in cells if cell.strip()):
            continue
        columns.append((table.heads[column], values, next(iter(units))))
    if not columns:
        return None
    chosen = _beside(columns)
    form = _form(labels, chosen)
    if form == "bar" and len(labels) > BARS:
        return None
    unit = chosen[0][2] or _unit(chosen[0][0]) if len({one[2] for one in chosen}) == 1 else ""
    if len(chosen) == 1 and chosen[0][0]:
        named = IN_HEAD.sub("", chosen[0][0]).strip(" ,:") or chosen[0][0]
        unit = f"{named} ({unit})" if unit else named
    return Chart(
        form=form,
        labels=labels,
        series=[Series(name=name or unit, values=values) for name, values, _ in chosen],
        unit=unit,
        rows=[table.row_statement(row) for row in table.rows],
    )


def _unit(head: str) -> str:
    found = IN_HEAD.search(head)
    return (found[1] or found[2]).strip() if found else ""


def _beside(columns: Sequence[tuple[str, list[float | None], str]]) -> list[tuple[str, list[float | None], str]]:
    """The first column and those that can be drawn on its scale."""
    first = columns[0]
    size = max(abs(value) for value in first[1] if value is not None) or 1.0
    chosen = [first]
    for one in columns[1:]:
        own = max(abs(value) for value in one[1] if value is not None) or 1.0
        same = one[2] == first[2] and _unit(one[0]) == _unit(first[0])
        if same and size / APART <= own <= size * APART and len(chosen) < SERIES:
            chosen.append(one)
    return chosen


def _form(labels: Sequence[str], chosen: Sequence[tuple[str, list[float | None], str]]) -> ChartForm:
    values = [value for value in chosen[0][1] if value is not None]
    parts = chosen[0][2] in PERCENT or _unit(chosen[0][0]) in PERCENT
    if len(chosen) == 1 and parts and len(labels) <= SLICES and min(values) >= 0 and 98 <= sum(values) <= 102:
        return "pie"
    in_time = all(YEAR.search(label) or label.casefold().strip(".") in MONTHS for label in labels)
    return "line" if in_time and len(labels) >= LINE_POINTS else "bar"


def key_figures(points: Sequence[Point], limit: int) -> list[KeyFigure]:
    """Figures that sentences are about, the most telling first, no more than one of a sentence."""
    found: list[tuple[float, int, KeyFigure]] = []
    for place, point in enumerate(points):
        if len(point.text) > LONGEST_LABEL or point.personal:
            continue
        telling = max(_figures(point.text, point.source.language), default=None)
        if telling is not None:
            worth = telling[0] - 0.002 * len(point.text) - 0.01 * place / max(1, len(points))
            figure = KeyFigure(value=telling[1], label=point.text, statement=point.statement)
            found.append((worth, place, figure))
    chosen: list[tuple[float, int, KeyFigure]] = []
    used: Counter[str] = Counter()
    while found and len(chosen) < limit:
        # Each source in its turn.
        best = max(found, key=lambda one: (one[0] - SAME_SOURCE * used[points[one[1]].source.id], -one[1]))
        chosen.append(best)
        used[points[best[1]].source.id] += 1
        found = [one for one in found if one[2].value != best[2].value]
    return [figure for _, _, figure in sorted(chosen, key=lambda one: one[1])]


def _figures(text: str, language: str | None) -> Iterator[tuple[float, str]]:
    """The figures of a sentence, and how telling each is."""
    for found in FIGURE.finditer(text):
        written = found[0].strip()
        unit = (found["unit"] or "").casefold()
        counted = 0.0
        if unit and unit not in UNITS and unit not in SCALES and unit not in PERCENT:
            # What is counted stays with the number: "200 ships".
            named = len(unit) >= COUNTED and tokens(unit, language)
            counted = 0.3 if named else 0.0
            written = written if named else text[found.start() : found.start("unit")].strip()
            unit = ""
        if unit in SCALES and (more := NEXT_WORD.match(text, found.end())) and tokens(more[1], language):
            written += more[0]
        digits = re.sub(r"\D", "", written)
        if not unit and YEAR.match(written) and len(digits) == 4:
            continue
        symbol = any(letter in "%‰°€$£¥" for letter in written)
        if unit or symbol:
            yield 2.0 + 0.1 * min(len(digits), 6), written
        elif len(digits) >= 2:
            yield 1.0 + counted + 0.15 * min(len(digits), 8), written


def years_of(points: Sequence[Point]) -> list[tuple[str, Point]]:
    """Sentences that tell of one year, by that year; the first of each."""
    found: dict[str, Point] = {}
    for point in points:
        years = set(YEAR_IN_TEXT.findall(point.text))
        if len(years) == 1 and not point.personal:
            found.setdefault(next(iter(years)), point)
    return sorted(found.items())
