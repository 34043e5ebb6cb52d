"""Infographics: the figures, years, steps, tables and sentences of sources on one sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import BaseModel, Field

from quire.domain.errors import Upstream
from quire.domain.figures import Chart, FactTable, KeyFigure
from quire.domain.grounding import Statement
from quire.domain.infographics import (
    Block,
    ChartBlock,
    ComparisonBlock,
    FigureBlock,
    Infographic,
    LabelledStatement,
    ListBlock,
    QuoteBlock,
    StepBlock,
    TimelineBlock,
)
from quire.studio.evidence import Chapter, Evidence
from quire.studio.kind import Brief
from quire.studio.labels import labels, remark
from quire.studio.leads import leads
from quire.studio.numbers import chart_of, fact_table, key_figures, years_of
from quire.studio.points import Point
from quire.studio.reports import about, wanted_chapters
from quire.studio.shortening import shorter
from quire.studio.writer import Writer, checked

# By detail: blocks in all, lists of chapters at most, items of a list, key figures, years, charts and tables.
BLOCKS = {"concise": 4, "standard": 6, "detailed": 9}
LISTS = {"concise": 2, "standard": 3, "detailed": 5}
ITEMS = {"concise": 2, "standard": 3, "detailed": 4}
FIGURES = {"concise": 3, "standard": 4, "detailed": 6}
YEARS = {"concise": 3, "standard": 5, "detailed": 7}
SHOWN = {"concise": 1, "standard": 2, "detailed": 3}
LONGEST = {"concise": 110, "standard": 140, "detailed": 190}
FEWEST, FEWEST_YEARS = 2, 3
# Chapters that figures, years and tables are looked for in.
EVERY = 200
ROWS, COLUMNS, STEPS = 6, 4, 6
LONGEST_TITLE = 70


class OutlineList(BaseModel):
    heading: str
    statements: list[Statement]


class OutlineShown(BaseModel):
    heading: str
    table: FactTable
    chart: Chart | None = None


class InfographicOutline(BaseModel):
    about: str
    spoken: str
    lead: Statement | None = None
    figures: list[KeyFigure] = []
    years: list[LabelledStatement] = []
    steps: list[OutlineList] = []
    shown: list[OutlineShown] = []
    lists: list[OutlineList] = []
    sources: list[str] = []


class WrittenItems(BaseModel):
    items: list[str] = Field(
        description="Two to four sentences of at most fifteen words, each ending with its passage's number in brackets."
    )


class InfographicKind:
    outline_type = InfographicOutline
    content_type = Infographic

    def outline(self, evidence: Evidence, brief: Brief) -> InfographicOutline:
        detail = brief.options.detail
        chapters = wanted_chapters(evidence, EVERY)
        points = [point for chapter in chapters for point in chapter.all_points()]
        choice = evidence.choice()
        lead = choice.best(leads(evidence, 1), 1)
        figures = [
            one for one in key_figures(points, FIGURES[detail] + 2) if one.label != (lead[0].text if lead else "")
        ]
        taken = {one.label for one in figures[: FIGURES[detail]]}
        years = [(year, point) for year, point in years_of(points) if point.text not in taken]
        years = _spread(years, YEARS[detail]) if len(years) >= FEWEST_YEARS else []
        taken |= {point.text for _, point in years}
        steps = list(steps_to_show(chapters))[:1]
        taken |= {one.text for listed in steps for one in listed.statements}
        lists = []
        for chapter in _largest(chapters, LISTS[detail]):
            rest = [point for point in chapter.all_points() if point.text not in taken]
            chosen = choice.best(rest, ITEMS[detail])
            if chosen:
                lists.append(OutlineList(heading=chapter.title, statements=[point.statement for point in chosen]))
        return InfographicOutline(
            about=about(evidence, brief),
            spoken=evidence.language,
            lead=lead[0].statement if lead else None,
            figures=figures[: FIGURES[detail]],
            years=[LabelledStatement(label=year, statement=point.statement) for year, point in years],
            steps=steps,
            shown=list(tables_to_show(chapters))[: SHOWN[detail]],
            lists=_renamed(lists, evidence, brief),
            sources=[source.name for source in evidence.sources],
        )

    def content(self, outline: InfographicOutline, brief: Brief) -> Infographic:
        words, options = labels(brief.language), brief.options
        enough, most = LONGEST[options.detail], BLOCKS[options.detail]
        first: list[Block] = []
        if len(outline.figures) >= FEWEST:
            first.append(FigureBlock(heading=words.figures, figures=[_short(one, enough) for one in outline.figures]))
        for one in outline.shown:
            if one.chart is not None:
                first.append(ChartBlock(heading=one.heading, chart=one.chart))
            else:
                first.append(ComparisonBlock(heading=one.heading, table=one.table))
        if outline.years:
            first.append(
                TimelineBlock(heading=words.timeline, events=[_shorter_event(one, enough) for one in outline.years])
            )
        if outline.steps:
            listed = outline.steps[0]
            first.append(StepBlock(heading=listed.heading, steps=[shorter(one, enough) for one in listed.statements]))
        lists: list[Block] = [
            ListBlock(heading=one.heading, items=[shorter(item, enough) for item in one.statements])
            for one in outline.lists
        ]
        lead = outline.lead
        if lead is not None and len(lists) + len(first) < most and options.detail != "concise":
            first.append(QuoteBlock(quote=shorter(lead, enough), said_by=lead.grounds[0].source_title))
        # Where there are many blocks of both, each gives way to the other.
        keep = max(most - len(lists), most // 2)
        blocks = [*first[:keep], *lists][:most]
        if not blocks and lead is not None:
            blocks = [ListBlock(heading=words.summary, items=[lead])]
        if not blocks:
            blocks = [ListBlock(heading=words.sources, items=[Statement(text=name) for name in outline.sources])]
        return Infographic(
            title=words.infographic.format(outline.about),
            headline=outline.about,
            language=brief.language,
            orientation=options.orientation,
            detail=options.detail,
            style=options.style,
            blocks=blocks,
            sources=outline.sources,
            sources_heading=words.sources,
            remark=remark(brief.language, outline.spoken),
        )

    async def written(
        self, outline: InfographicOutline, content: Infographic, brief: Brief, writer: Writer
    ) -> Infographic:
        """Each list in a model's words, as far as they can be checked; figures, years and charts stay as they are."""
        blocks: list[Block] = []
        good = tried = 0
        for block in content.blocks:
            if not isinstance(block, ListBlock) or len(block.items) < FEWEST or not block.items[0].grounds:
                blocks.append(block)
                continue
            tried += 1
            wish = f" Heed this wish: {brief.instructions}" if brief.instructions else ""
            task = (
                f"Write what an infographic about “{outline.about}” says under “{block.heading}”, in the language "
                f"“{brief.language}”.{wish}"
            )
            try:
                found = await writer.json(task, block.items, WrittenItems)
            except Upstream:
                found = WrittenItems(items=[])
            items = [one for item in found.items[:5] for one in checked(item, block.items)[:1]]
            good += len(items) >= FEWEST
            blocks.append(block.model_copy(update={"items": items}) if len(items) >= FEWEST else block)
        if tried and not good:
            raise Upstream("The language model wrote nothing that the sources bear out.")
        return content.model_copy(update={"blocks": blocks, "remark": "" if good else content.remark})

    def title(self, content: Infographic) -> str:
        return content.title


def _largest(chapters: Sequence[Chapter], limit: int) -> list[Chapter]:
    """Those that say most, in their order."""
    kept = sorted(chapters, key=lambda one: -len(one.all_points()))[:limit]
    return [chapter for chapter in chapters if chapter in kept]


def _short(figure: KeyFigure, enough: int) -> KeyFigure:
    return figure.model_copy(update={"label": shorter(figure.statement, min(enough, 110)).text})


def _shorter_event(event: LabelledStatement, enough: int) -> LabelledStatement:
    return event.model_copy(update={"statement": shorter(event.statement, enough)})


def _spread(some: Sequence[tuple[str, Point]], limit: int) -> list[tuple[str, Point]]:
    """So many of them, from all over, the first and the last among them."""
    if len(some) <= limit:
        return list(some)
    return [some[round(place * (len(some) - 1) / (limit - 1))] for place in range(limit)]


def steps_to_show(chapters: Sequence[Chapter]) -> Iterator[OutlineList]:
    for chapter in chapters:
        for one in chapter.all_lists():
            if one.numbered and FEWEST < len(one.items) <= STEPS + 2:
                heading = one.lead.rstrip(" :") if 0 < len(one.lead) <= LONGEST_TITLE else ""
                heading = heading or (one.path[-1] if one.path else chapter.title)
                yield OutlineList(heading=heading, statements=one.statements()[:STEPS])


def tables_to_show(chapters: Sequence[Chapter]) -> Iterator[OutlineShown]:
    """Tables that are drawn before those that are told."""
    tables = [(table, chart_of(table), chapter) for chapter in chapters for table in chapter.all_tables()]
    for table, chart, chapter in sorted(tables, key=lambda one: one[1] is None):
        heading = table.caption if 0 < len(table.caption) <= LONGEST_TITLE else ""
        heading = heading or (table.path[-1] if table.path else chapter.title)
        if chart is not None or len(table.heads) <= COLUMNS:
            yield OutlineShown(heading=heading, table=fact_table(table, ROWS, COLUMNS), chart=chart)


def _renamed(lists: list[OutlineList], evidence: Evidence, brief: Brief) -> list[OutlineList]:
    """The opening of a single source is not called as the whole is."""
    if len(evidence.sources) != 1:
        return lists
    name, overview = evidence.sources[0].name, labels(brief.language).overview
    return [one.model_copy(update={"heading": overview}) if one.heading == name else one for one in lists]
