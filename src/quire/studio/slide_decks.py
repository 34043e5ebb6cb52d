"""Slide decks: one thought a slide, in the sources' sentences; charts, tables and figures where they have numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import BaseModel, Field

from quire.domain.decks import (
    BulletSlide,
    ChartSlide,
    ClosingSlide,
    Column,
    ColumnSlide,
    Deck,
    FigureSlide,
    QuoteSlide,
    SectionSlide,
    Slide,
    TableSlide,
    TitleSlide,
)
from quire.domain.errors import Upstream
from quire.domain.figures import Chart, FactTable, KeyFigure
from quire.domain.grounding import Statement
from quire.studio.evidence import Chapter, Choice, Evidence
from quire.studio.kind import Brief
from quire.studio.labels import labels, remark
from quire.studio.leads import leads
from quire.studio.numbers import chart_of, fact_table, key_figures
from quire.studio.points import Point, SourceList
from quire.studio.reports import about, wanted_chapters
from quire.studio.shortening import shorter
from quire.studio.writer import Writer, checked

# By form and length: chapters, slides with bullets in a chapter, bullets of a slide, tables and charts in all.
CHAPTERS = {"default": 7, "short": 4}
SLIDES_EACH = 3
# Slides with bullets in all, shared by the chapters.
SLIDES = {"default": 12, "short": 5}
SHOWN = {"default": 4, "short": 2}
BULLETS = {"detailed_deck": 4, "presenter_slides": 3}
LONGEST_BULLET = {"detailed_deck": 220, "presenter_slides": 110}
FIGURES, TAKEAWAYS, SPARE = 3, 3, 4
# Chapters get a slide of their own before them where there are enough of them, each with enough to say.
SECTIONS = 3
FEWEST = 2
SHORT_QUOTE = 200
STEPS = 7
LONGEST_TITLE = 70


class OutlinePart(BaseModel):
    """A slide to be: its thought, what it says, and what else could be said."""

    title: str
    statements: list[Statement] = []
    spare: list[Statement] = []


class OutlineTable(BaseModel):
    title: str
    table: FactTable
    chart: Chart | None = None


class OutlineChapter(BaseModel):
    title: str
    parts: list[OutlinePart] = []
    tables: list[OutlineTable] = []


class DeckOutline(BaseModel):
    about: str
    spoken: str
    takeaways: list[Statement] = []
    quote: Statement | None = None
    figures: list[KeyFigure] = []
    chapters: list[OutlineChapter] = []
    sources: list[str] = []


class WrittenSlide(BaseModel):
    title: str = Field(description="What the slide says, in at most eight words.")
    bullets: list[str] = Field(
        description="Two to four short sentences, each ending with the number of its passage in square brackets."
    )


class DeckKind:
    outline_type = DeckOutline
    content_type = Deck

    def outline(self, evidence: Evidence, brief: Brief) -> DeckOutline:
        length, form = brief.options.length, brief.options.format
        choice = evidence.choice()
        takeaways = choice.best(leads(evidence, TAKEAWAYS), TAKEAWAYS)
        chapters = wanted_chapters(evidence, CHAPTERS[length])
        opening = {point.text for point in takeaways}
        points = [point for chapter in chapters for point in chapter.all_points() if point.text not in opening]
        figures = key_figures(points, FIGURES)
        figures = figures if len(figures) >= FEWEST else []
        # What is shown as a figure is not told again.
        for point in points:
            if any(figure.label == point.text for figure in figures):
                choice.tell(point.words)
        shown = SHOWN[length]
        each = max(1, min(SLIDES_EACH, SLIDES[length] // max(1, len(chapters))))
        made: list[OutlineChapter] = []
        for chapter in chapters:
            tables = list(_tables(chapter, max(1, shown // 2) if len(chapters) > 1 else shown))[: max(0, shown)]
            shown -= len(tables)
            parts = list(_parts(chapter, choice, each, BULLETS[form]))
            if parts or tables:
                made.append(OutlineChapter(title=chapter.title, parts=parts, tables=tables))
        quote = _quote([point for point in takeaways if len(point.text) <= SHORT_QUOTE])
        return DeckOutline(
            about=about(evidence, brief),
            spoken=evidence.language,
            takeaways=[point.statement for point in takeaways],
            quote=quote,
            figures=figures,
            chapters=_renamed(made, evidence, brief),
            sources=[source.title for source in evidence.sources],
        )

    def content(self, outline: DeckOutline, brief: Brief) -> Deck:
        words, form = labels(brief.language), brief.options.format
        enough = LONGEST_BULLET[form]
        slides: list[Slide] = [TitleSlide(title=outline.about, subtitle=_from_sources(words.sources, outline.sources))]
        if outline.takeaways and form == "detailed_deck":
            slides.append(BulletSlide(title=words.summary, bullets=outline.takeaways))
        elif outline.quote:
            slides.append(
                QuoteSlide(
                    title=words.summary, quote=outline.quote, said_by=outline.quote.grounds[0].source_title,
                    notes=outline.takeaways,
                )
            )  # fmt: skip
        if outline.figures:
            notes = [figure.statement for figure in outline.figures]
            slides.append(FigureSlide(title=words.figures, figures=outline.figures, notes=notes))
        named = len(outline.chapters) >= SECTIONS and sum(len(one.parts) for one in outline.chapters) > SECTIONS
        for chapter in outline.chapters:
            own = list(_chapter_slides(chapter, form, enough))
            parted = named and len(own) >= SECTIONS
            if not parted and len(outline.chapters) > 1:
                own = [_under(slide, chapter.title) for slide in own]
            if parted:
                told = " · ".join(slide.title for slide in own if slide.title != chapter.title)
                slides.append(SectionSlide(title=chapter.title, text=told))
            slides += own
        # A detailed deck begins with its summary; presenter slides end with it, without what they began with.
        rest = [one for one in outline.takeaways if one != outline.quote] if form == "presenter_slides" else []
        closing = [shorter(one, enough) for one in rest]
        slides.append(
            ClosingSlide(title=words.takeaways if closing else words.sources, bullets=closing, sources=outline.sources)
        )
        return Deck(
            title=words.slide_deck.format(outline.about),
            subtitle=_from_sources(words.sources, outline.sources),
            language=brief.language,
            form=form,
            slides=slides,
            sources_heading=words.sources,
            page_label=words.page,
            remark=remark(brief.language, outline.spoken),
        )

    async def written(self, outline: DeckOutline, content: Deck, brief: Brief, writer: Writer) -> Deck:
        """Each slide of bullets anew, from its own statements; one of which too little can be checked stays."""
        slides: list[Slide] = []
        good = 0
        for slide in content.slides:
            if isinstance(slide, BulletSlide) and len(slide.bullets) >= FEWEST:
                made = await rewritten(slide, "", outline.about, content, brief.instructions, writer)
                good += made is not None
                slides.append(made or slide)
            else:
                slides.append(slide)
        if not good:
            raise Upstream("The language model wrote nothing that the sources bear out.")
        return content.model_copy(update={"slides": slides, "remark": ""})

    def title(self, content: Deck) -> str:
        return content.title


async def rewritten(
    slide: BulletSlide, wish: str, topic: str, deck: Deck, instructions: str, writer: Writer
) -> BulletSlide | None:
    """A slide in a model's words; None where too little of it is borne out by what it cites."""
    given = list({one.text: one for one in (*slide.bullets, *slide.notes) if one.grounds}.values())
    manner = "very short, at most twelve words each" if deck.form == "presenter_slides" else "whole sentences"
    task = " ".join(
        part
        for part in (
            f"Write the slide “{slide.title}” of a presentation about “{topic}”, in the language “{deck.language}”.",
            f"Its bullets are {manner}.",
            f"Heed this wish for the whole presentation: {instructions}" if instructions else "",
            f"Heed this wish for the slide: {wish}" if wish else "",
        )
        if part
    )
    try:
        found = await writer.json(task, given, WrittenSlide)
    except Upstream:
        return None
    bullets = [one for bullet in found.bullets[:6] for one in checked(bullet, given)[:1]]
    if len(bullets) < min(FEWEST, len(slide.bullets)):
        return None
    notes = list({one.text: one for one in (*slide.notes, *slide.bullets)}.values())
    title = " ".join(found.title.split())[:120] or slide.title
    return slide.model_copy(update={"title": title, "bullets": bullets, "notes": notes})


def _from_sources(heading: str, sources: Sequence[str]) -> str:
    shown = f"{heading}: " + " · ".join(sources[:3])
    return shown + (f" · +{len(sources) - 3}" if len(sources) > 3 else "")


def _quote(points: Sequence[Point]) -> Statement | None:
    return points[0].statement if points else None


def _tables(chapter: Chapter, limit: int) -> Iterator[OutlineTable]:
    for table in chapter.all_tables()[:limit]:
        title = table.caption if 0 < len(table.caption) <= 80 else (table.path[-1] if table.path else chapter.title)
        yield OutlineTable(title=title, table=fact_table(table), chart=chart_of(table))


def _parts(chapter: Chapter, choice: Choice, slides: int, bullets: int) -> Iterator[OutlinePart]:
    """A slide for each of the parts that say most; a chapter without parts is one, or two where it says much."""
    own = [part for part in chapter.parts if len(part.all_points()) >= FEWEST]
    groups: list[tuple[str, Sequence[Point], Sequence[SourceList]]] = []
    if len(chapter.points) >= FEWEST or not own:
        rest = [point for part in chapter.parts if part not in own for point in part.all_points()]
        groups.append((chapter.title, [*chapter.points, *rest], chapter.lists))
    most = sorted(own, key=lambda part: -len(part.all_points()))[: max(0, slides - len(groups))]
    groups += [(part.title, part.all_points(), part.all_lists()) for part in own if part in most]
    if len(groups) == 1 and slides == 1:
        groups = [(chapter.title, chapter.all_points(), chapter.all_lists())]
    for title, points, lists in groups:
        steps = next((one for one in lists if one.numbered and FEWEST < len(one.items) <= STEPS), None)
        if steps is not None and 2 * len(steps.items) >= len(points):
            # Steps are told all, and in their order.
            yield OutlinePart(title=title, statements=steps.statements())
            continue
        chosen = choice.best(points, bullets)
        statements = [point.statement for point in chosen]
        if len(statements) < FEWEST and lists:
            statements = lists[0].statements()[:STEPS]
            title = lists[0].lead.rstrip(" :") if 0 < len(lists[0].lead) <= 80 else title
        if not statements:
            continue
        said = {one.text for one in statements}
        spare = [point.statement for point in points if point.text not in said][:SPARE]
        yield OutlinePart(title=title, statements=statements, spare=spare)


def _renamed(chapters: list[OutlineChapter], evidence: Evidence, brief: Brief) -> list[OutlineChapter]:
    """The opening of a single source is not called as the whole is."""
    if len(evidence.sources) != 1:
        return chapters
    name, overview = evidence.sources[0].name, labels(brief.language).overview

    def called(title: str) -> str:
        return overview if title == name else title

    return [
        chapter.model_copy(
            update={
                "title": called(chapter.title),
                "parts": [part.model_copy(update={"title": called(part.title)}) for part in chapter.parts],
            }
        )
        for chapter in chapters
    ]


def _under(slide: Slide, chapter: str) -> Slide:
    """A slide whose title also says which chapter it belongs to."""
    title = slide.title
    if title == chapter or len(title) + len(chapter) > LONGEST_TITLE:
        return slide
    return slide.model_copy(update={"title": f"{chapter}: {title}"})


def _chapter_slides(chapter: OutlineChapter, form: str, enough: int) -> Iterator[Slide]:
    # What is one sentence long stands beside the chart of the same section.
    drawn = {one.title for one in chapter.tables if one.chart is not None}
    alone = [part for part in chapter.parts if len(part.statements) == 1 and part.title in drawn]
    parts = [part for part in chapter.parts if part not in alone]
    short = [part for part in parts if len(part.statements) <= FEWEST]
    if len(parts) == len(short) == FEWEST and form == "detailed_deck":
        left, right = (
            Column(heading=part.title, bullets=[shorter(one, enough) for one in part.statements]) for part in parts
        )
        notes = [one for part in parts for one in part.spare]
        yield ColumnSlide(title=chapter.title, left=left, right=right, notes=notes)
        parts = []
    for part in parts:
        bullets = [shorter(one, enough) for one in part.statements]
        if len(bullets) == 1:
            said_by = bullets[0].grounds[0].source_title
            yield QuoteSlide(title=part.title, quote=bullets[0], said_by=said_by, notes=[*part.statements, *part.spare])
            continue
        changed = [one for one, bullet in zip(part.statements, bullets, strict=True) if one != bullet]
        yield BulletSlide(title=part.title, bullets=bullets, notes=[*changed, *part.spare])
    for one in chapter.tables:
        if one.chart is not None:
            beside = next((part for part in alone if part.title == one.title), None)
            takeaway = shorter(beside.statements[0], enough) if beside else None
            yield ChartSlide(title=one.title, chart=one.chart, takeaway=takeaway, notes=one.chart.rows)
        else:
            yield TableSlide(title=one.title, table=one.table)
