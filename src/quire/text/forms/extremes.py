"""Extremes: the row of a table that has most or least of what is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from quire.text.asked import Asked
from quire.text.check_citations import Draft
from quire.text.forms.cited import Quote, cited
from quire.text.forms.question_words import QuestionWords
from quire.text.makers import WritingTask
from quire.text.measures import MONTHS, UNITS, value_of
from quire.text.structure.parts import Row, Table
from quire.text.structure.tables import filled
from quire.text.structure.views import SourceView
from quire.text.words import tokens

LEAST_SHARE = 0.6
FEWEST_ROWS = 2
# So many of a column's cells must be numbers for it to be measured by.
MEASURED = 0.8
SUPPORT = 0.85
# What says most or least, and what is measured where that says it too.
_MOST = """
most highest largest biggest greatest maximum max höchste höchsten größte größten meiste meisten mayor máximo maximale
наибольший максимальный 最高 最大 最多 |;
longest längste längsten | duration length time dauer länge;
oldest älteste | age alter;
latest newest neueste neuesten späteste | date year datum jahr;
hottest warmest heißeste wärmste | temperature temperatur;
heaviest schwerste | weight gewicht;
tallest | height höhe;
dearest costliest teuerste teuersten 最贵 | price cost amount preis kosten betrag
"""
_LEAST = """
least lowest smallest fewest minimum min niedrigste niedrigsten kleinste kleinsten wenigste wenigsten geringste
geringsten menor mínimo minimale наименьший минимальный 最低 最小 最少 |;
shortest quickest kürzeste kürzesten schnellste | duration length time dauer länge;
youngest jüngste | age alter;
earliest früheste frühesten | date year datum jahr;
coldest coolest kälteste | temperature temperatur;
lightest leichteste | weight gewicht;
cheapest billigste billigsten günstigste günstigsten 最便宜 | price cost amount fee preis kosten betrag
"""
EXTREMES: dict[str, tuple[int, str]] = {
    word: (sign, labels)
    for sign, table in ((1, _MOST), (-1, _LEAST))
    for said, labels in (entry.split("|") for entry in table.split(";"))
    for word in said.split()
}
EXPENSIVE = re.compile(r"\b(?:most expensive|les? plus chère?s?|más car[oa]s?|сам\w+ дорог\w+)\b", re.IGNORECASE)
CHEAP = re.compile(r"\b(?:least expensive|les? moins chère?s?|más barat[oa]s?|сам\w+ дешёв\w+)\b", re.IGNORECASE)
PRICE = "price cost amount fee prix coût precio costo цена стоимость"
WORD = re.compile(r"[^\W\d_]+")
NUMBER = re.compile(r"(?<![\w.,])[-+−]?\d+(?:[.,]\d+)*")
QUANTITY = re.compile(r"(\d+(?:[.,]\d+)*)\s*([^\W\d_]+|°[CF]?|%)?")
DAY = re.compile(
    r"\b(\d{4})-(\d{2})-(\d{2})\b|\b(\d{1,2})[. ]+([^\W\d_]{3,})\.?(?:\s+(\d{4}))?\b|\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b"
)


class Extreme(NamedTuple):
    quote: Quote
    share: float


def extremes(task: WritingTask, asked: Asked) -> Draft | None:
    """The row that has most or least in the column that is measured."""
    told = extreme_of(asked.question)
    if told is None or asked.parts or asked.kind not in ("fact", "list", "definition", "comparison"):
        return None
    found = [
        extreme for view in task.views for extreme in _extremes(view, QuestionWords(task, asked, view.language), *told)
    ]
    best = max(found, key=lambda extreme: extreme.share, default=None)
    return cited(task, [best.quote], SUPPORT * (0.6 + 0.4 * best.share)) if best else None


def extreme_of(question: str) -> tuple[int, str, frozenset[str]] | None:
    """1 for the most and -1 for the least, the labels of what is measured, and the words that say so."""
    for pattern, sign in ((EXPENSIVE, 1), (CHEAP, -1)):
        if found := pattern.search(question):
            return sign, PRICE, frozenset(WORD.findall(found.group().casefold()))
    for word in WORD.findall(question.casefold()):
        if word in EXTREMES:
            return *EXTREMES[word], frozenset({word})
    cjk = next((word for word in EXTREMES if not word.isascii() and word[0] == "最" and word in question), None)
    return (*EXTREMES[cjk], frozenset({cjk})) if cjk else None


def _extremes(
    view: SourceView, words: QuestionWords, sign: int, labels: str, said: frozenset[str]
) -> Iterator[Extreme]:
    own = frozenset(words.own) - frozenset(tokens(" ".join(said), view.language)) - said
    implied = frozenset(tokens(labels, view.language))
    for table in view.parts:
        if not isinstance(table, Table) or table.head is None or len(table.rows) < FEWEST_ROWS:
            continue
        heads = [tokens(view.said(cell), view.language) for cell in table.head.cells]
        found = [words.among(head, meant=True) & own for head in heads]
        key = min((filled(row)[0] for row in table.rows if filled(row)), default=0)
        columns = [at for at, head in enumerate(heads) if at != key and (found[at] or implied & frozenset(head))]
        matched = frozenset[str]().union(*found) | words.among(view.context(table), meant=True)
        weight = sum(words.weights[word] for word in own) or 1.0
        share = sum(words.weights[word] for word in own & matched) / weight if own else 1.0
        if share < LEAST_SHARE or words.named - matched:
            continue
        for column in sorted(columns, key=lambda at: (not implied & frozenset(heads[at]), -len(found[at]))):
            row = _top(view, table.rows, column, sign)
            if row is not None:
                head = view.said(table.head.cells[column])
                name = next((at for at, has in enumerate(found) if has and at != column and at < len(row.cells)), key)
                shown = f"{view.said(row.cells[name])}: {head} {view.said(row.cells[column])}"
                yield Extreme(Quote(view, row.start, row.end, shown), share)
                break


def _top(view: SourceView, rows: Sequence[Row], column: int, sign: int) -> Row | None:
    """The row that has most in a column, or least; none where the column is not measured, or two are alike."""
    values = [(measured(view.said(row.cells[column])), row) for row in rows if column < len(row.cells)]
    known = [(value, row) for value, row in values if value is not None]
    if len(known) < max(FEWEST_ROWS, MEASURED * len(rows)):
        return None
    ordered = sorted(known, key=lambda one: -sign * one[0])
    return ordered[0][1] if ordered[0][0] != ordered[1][0] else None


def measured(said: str) -> float | None:
    """What a cell measures: a day, a time of several units, or its first number."""
    if day := _day(said):
        return float(day.toordinal())
    found = list(QUANTITY.finditer(said))
    times = [(one[1], UNITS[one[2].casefold()]) for one in found if one[2] and one[2].casefold() in UNITS]
    if len(times) > 1 and len(times) == len(found) and all(unit[0] == "time" for _, unit in times):
        values = [(value_of(digits), unit[1]) for digits, unit in times]
        return sum(value * factor for value, factor in values if isinstance(value, float))
    number = NUMBER.search(said)
    if number is None:
        return None
    value = value_of(number.group().lstrip("+-−"))
    if not isinstance(value, float):
        return None
    unit = UNITS.get((QUANTITY.search(said, number.start()) or [None, None, ""])[2] or "", ("", 1.0))
    factor = unit[1] if unit[0] in ("time", "length", "weight", "volume", "data", "power") else 1.0
    return (-value if number.group()[0] in "-−" else value) * factor


def _day(said: str) -> date | None:
    found = DAY.search(said)
    if found is None:
        return None
    try:
        if found[1]:
            return date(int(found[1]), int(found[2]), int(found[3]))
        if found[7]:
            return date(int(found[9]), int(found[8]), int(found[7]))
        month = MONTHS.get(found[5].casefold())
        return date(int(found[6] or 1), month, int(found[4])) if month else None
    except ValueError:
        return None
