"""Data tables: the tables of sources brought together, else their labelled values, else facts with figures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from pydantic import BaseModel, Field

from quire.domain.data_tables import DataRow, DataTable
from quire.domain.errors import Conflict, Upstream
from quire.domain.grounding import Grounds, Statement
from quire.studio.answers_in_points import NUMBER, term_of
from quire.studio.evidence import Evidence
from quire.studio.kind import Brief
from quire.studio.labels import labels, remark
from quire.studio.points import Point, SourceTable
from quire.studio.reports import about, wanted_chapters
from quire.studio.source_text import SourceText, heading_of, shown
from quire.studio.writer import Writer
from quire.text.structure.lines import labelled
from quire.text.structure.scan import parts_of
from quire.text.words import tokens

ROWS = 500
FACTS, CHAPTERS = 60, 40
FEWEST = 2
# So much of a text is looked at for labels and values.
READ = 40_000
SHARED = 2
COLUMNS = 8
UNIT = re.compile(
    r"(?:\s?(?:%|°C|°F|[kMG]?[gmWB]|km|cm|mm|kg|mg|ml|[Ll]b|oz|ft|mph|km/h|[€$£¥])(?![\w])"
    r"|\s(?:percent|million|billion|thousand|years?|days?|hours?|minutes?|months?|weeks?|kilometres?|kilometers?|metres?"
    r"|meters?|kilograms?|tons?|tonnes?|degrees|dollars|euros|pounds|Prozent|Millionen|Jahre|Tage|Stunden|Minuten))?"
)


class TableOutline(BaseModel):
    about: str
    spoken: str
    caption: str = ""
    columns: list[str]
    rows: list[DataRow] = []
    statements: list[Statement] = []


class WrittenRow(BaseModel):
    cells: list[str] = Field(description="A cell for each column, in the passage's own words; empty where unknown.")
    passage: int = Field(description="The number of the passage that the row rests on.", ge=1)


class WrittenTable(BaseModel):
    columns: list[str] = Field(min_length=1, max_length=6)
    rows: list[WrittenRow]


class DataTableKind:
    outline_type = TableOutline
    content_type = DataTable

    def outline(self, evidence: Evidence, brief: Brief) -> TableOutline:
        words = labels(brief.language)
        made = (
            _of_tables(evidence, brief, words.source)
            or _of_labels(evidence.sources, words.source)
            or _of_facts(evidence, (words.topic, words.fact, words.figure, words.source))
            or _of_definitions(evidence, (words.term, words.meaning, words.source))
            or _of_statements(evidence, (words.topic, words.fact, words.source))
        )
        if made is None:
            raise Conflict(
                "The sources hold no tables, values or figures.", hint="A report tells what they say in sentences."
            )
        caption, columns, rows = made
        choice = evidence.choice()
        best = choice.best(evidence.points, 24)
        return TableOutline(
            about=caption or about(evidence, brief),
            spoken=evidence.language,
            columns=columns,
            rows=rows[:ROWS],
            statements=[point.statement for point in best],
        )

    def content(self, outline: TableOutline, brief: Brief) -> DataTable:
        return DataTable(
            title=labels(brief.language).data_table.format(outline.about),
            language=brief.language,
            columns=outline.columns,
            rows=outline.rows,
            remark=remark(brief.language, outline.spoken),
        )

    async def written(self, outline: TableOutline, content: DataTable, brief: Brief, writer: Writer) -> DataTable:
        """A model's table where one was described; a cell stays where its passage has all of its words."""
        if not brief.instructions or not outline.statements:
            raise Upstream("There is nothing to be written in a model's own words.")
        given = outline.statements
        task = f"Make a table as described, in the language “{brief.language}”: {brief.instructions}"
        made = await writer.json(task, given, WrittenTable, tokens=800)
        width = len(made.columns)
        rows = []
        for row in made.rows:
            if row.passage > len(given) or len(row.cells) != width:
                continue
            proof = given[row.passage - 1]
            cells = [cell.strip() if _stands_in(cell, proof) else "" for cell in row.cells]
            if sum(bool(cell) for cell in cells) >= min(FEWEST, width):
                rows.append(DataRow(cells=[*cells, proof.grounds[0].source_title], grounds=proof.grounds[:1]))
        if len(rows) < FEWEST:
            raise Upstream("The language model wrote no rows that the sources bear out.")
        columns = [*made.columns, labels(brief.language).source]
        return content.model_copy(update={"columns": columns, "rows": rows})

    def title(self, content: DataTable) -> str:
        return content.title


Made = tuple[str, list[str], list[DataRow]]


def _stands_in(cell: str, proof: Statement) -> bool:
    words = set(tokens(cell))
    held = set(tokens(f"{proof.grounds[0].excerpt} {proof.grounds[0].source_title}"))
    return bool(cell.strip()) and words <= held


def _of_tables(evidence: Evidence, brief: Brief, source: str) -> Made | None:
    """The tables with the same heads as one; of several such groups the one that was asked for, else the largest."""
    groups: dict[tuple[str, ...], list[SourceTable]] = {}
    for chapter in wanted_chapters(evidence, CHAPTERS) if not brief.instructions else evidence.chapters:
        for table in chapter.all_tables():
            groups.setdefault(tuple(head.casefold() for head in table.heads), []).append(table)
    if not groups:
        return None
    wish = set(tokens(brief.instructions))

    def worth(tables: Sequence[SourceTable]) -> tuple[int, int]:
        said = " ".join(" ".join((*table.heads, table.caption, *table.path, table.source.name)) for table in tables)
        return len(wish & set(tokens(said))), sum(len(table.rows) for table in tables)

    best = max(groups.values(), key=worth)
    columns = [head or labels(brief.language).item for head in best[0].heads]
    rows = [
        DataRow(
            cells=[*(table.said(cell) for cell in row.cells), table.source.name],
            grounds=[table.source.grounds(row.start, row.end)],
        )
        for table in best
        for row in table.rows
    ]
    caption = best[0].caption or (best[0].path[-1] if best[0].path else best[0].source.name)
    return caption, [*columns, source], rows


def _of_labels(sources: Sequence[SourceText], source: str) -> Made | None:
    """A row a source, a column for each label that several of them have: invoices, forms, receipts."""
    told: list[tuple[SourceText, dict[str, tuple[str, Grounds]]]] = []
    spelt: dict[str, str] = {}
    for one in sources:
        found: dict[str, tuple[str, Grounds]] = {}
        for part in parts_of(one.text[:READ]):
            for field in labelled(one.text, part):
                label = heading_of(one.text[slice(*field.label)])
                value = shown(one.text[slice(*field.value)])
                if label and value:
                    spelt.setdefault(label.casefold(), label)
                    found.setdefault(label.casefold(), (value, one.grounds(field.start, field.end)))
        told.append((one, found))
    counts = Counter(label for _, found in told for label in found)
    shared = [label for label, count in counts.most_common() if count >= SHARED][:COLUMNS]
    rows = [
        DataRow(
            cells=[*(found[label][0] if label in found else "" for label in shared), one.name],
            grounds=[found[label][1] for label in shared if label in found],
        )
        for one, found in told
        if any(label in found for label in shared)
    ]
    if len(shared) < FEWEST or len(rows) < FEWEST:
        return None
    return "", [*(spelt[label] for label in shared), source], rows


def _of_facts(evidence: Evidence, columns: Sequence[str]) -> Made | None:
    """Sentences with a figure, by the heading that they stand under."""
    choice = evidence.choice()
    with_figures = [point for point in evidence.points if figure(point)]
    rows = [
        DataRow(
            cells=[topic(point), point.text, figure(point), point.source.name],
            grounds=[point.source.grounds(point.start, point.end)],
        )
        for point in choice.best(with_figures, FACTS)
    ]
    return ("", list(columns), rows) if len(rows) >= FEWEST else None


def _of_definitions(evidence: Evidence, columns: Sequence[str]) -> Made | None:
    rows = []
    seen: set[str] = set()
    for point in evidence.points:
        term = term_of(point)
        if term and term.casefold() not in seen:
            seen.add(term.casefold())
            grounds = [point.source.grounds(point.start, point.end)]
            rows.append(DataRow(cells=[term, point.text, point.source.name], grounds=grounds))
    return ("", list(columns), rows) if len(rows) >= FEWEST else None


def _of_statements(evidence: Evidence, columns: Sequence[str]) -> Made | None:
    choice = evidence.choice()
    rows = [
        DataRow(
            cells=[topic(point), point.text, point.source.name],
            grounds=[point.source.grounds(point.start, point.end)],
        )
        for point in choice.best(evidence.points, FACTS)
    ]
    return ("", list(columns), rows) if rows else None


def topic(point: Point) -> str:
    return point.path[-1] if point.path else point.source.name


def figure(point: Point) -> str:
    """The first number of a point, with its unit."""
    found = NUMBER.search(point.text)
    if found is None:
        return ""
    unit = UNIT.match(point.text, found.end(1))
    before = point.text[found.start(1) - 1 : found.start(1)]
    sign = before if before in "€$£¥" else ""
    return sign + found[1] + (unit[0] if unit else "")
