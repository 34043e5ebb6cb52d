"""Reports: briefing documents, study guides, blog posts, and what the instructions ask for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pydantic import BaseModel, Field

from quire.domain.errors import Upstream
from quire.domain.grounding import Statement
from quire.domain.reports import BlockForm, Report, ReportBlock, ReportForm, ReportItem, ReportSection
from quire.studio.answers_in_points import term_of
from quire.studio.evidence import Chapter, Choice, Evidence
from quire.studio.kind import Brief
from quire.studio.labels import labels, remark
from quire.studio.leads import leads
from quire.studio.points import Point, SourceTable
from quire.studio.questions import review_questions
from quire.studio.writer import Writer, checked

# Of each form: how many sections, statements in a section, points of the summary.
SECTIONS: dict[ReportForm, int] = {"briefing_doc": 10, "study_guide": 8, "blog_post": 5, "custom": 8}
STATEMENTS: dict[ReportForm, int] = {"briefing_doc": 4, "study_guide": 3, "blog_post": 4, "custom": 5}
SUMMARY = {"briefing_doc": 3, "study_guide": 2, "blog_post": 2, "custom": 2}
# A chapter of many parts has a statement of each, up to so many.
MOST_STATEMENTS = 9
TERMS, QUESTIONS, TABLES = 10, 8, 2
TABLE_ROWS, TABLE_COLUMNS = 12, 6
# A chapter that fits the instructions less than the best by so much is left out of a report about them.
FAR = 0.6
# So many names still tell what the whole is about, and so many letters.
NAMES, LONGEST_NAME = 2, 80


class OutlineSection(BaseModel):
    heading: str
    statements: list[Statement] = []
    tables: list[ReportBlock] = []


class ReportOutline(BaseModel):
    """What the report is to say; `terms` are labelled by what they define, `questions` by what they ask."""

    about: str
    spoken: str
    summary: list[Statement] = []
    sections: list[OutlineSection] = []
    terms: list[ReportItem] = []
    questions: list[ReportItem] = []
    sources: list[str] = []


class WrittenParagraph(BaseModel):
    text: str = Field(description="Two to five sentences, each with the number of its passage in square brackets.")


class WrittenSection(BaseModel):
    heading: str = Field(description="A short heading in plain words.")
    text: str = Field(description="Two to five sentences, each with the number of its passage in square brackets.")


class ReportKind:
    outline_type = ReportOutline
    content_type = Report

    def outline(self, evidence: Evidence, brief: Brief) -> ReportOutline:
        form: ReportForm = brief.options.format
        choice = evidence.choice()
        chapters = wanted_chapters(evidence, SECTIONS[form])
        told = {point.source.id for chapter in chapters for point in chapter.all_points()} if evidence.focus else None
        opening = [one for one in leads(evidence, SUMMARY[form]) if told is None or one.source.id in told]
        summary = choice.best(opening, SUMMARY[form])
        overview = labels(brief.language).overview
        said = {point.text for point in summary}
        sections = [_section(chapter, choice, STATEMENTS[form], said) for chapter in chapters]
        sections = [
            one.model_copy(update={"heading": overview}) if one.heading == evidence.sources[0].name and alone else one
            for alone in (len(evidence.sources) == 1,)
            for one in sections
        ]
        terms = list(_terms(evidence.points)) if form == "study_guide" else []
        return ReportOutline(
            about=about(evidence, brief),
            spoken=evidence.language,
            summary=[point.statement for point in summary],
            sections=[one for one in sections if one.statements or one.tables],
            terms=terms[:TERMS],
            questions=review_questions(evidence, brief.language, QUESTIONS) if form == "study_guide" else [],
            sources=[source.title for source in evidence.sources],
        )

    def content(self, outline: ReportOutline, brief: Brief) -> Report:
        form: ReportForm = brief.options.format
        words = labels(brief.language)
        sections: list[ReportSection] = []
        if outline.summary:
            sections.append(ReportSection(heading=words.summary, blocks=[_block("paragraph", outline.summary)]))
        shown: BlockForm = "paragraph" if form in ("blog_post", "custom") else "bullets"
        for one in outline.sections:
            blocks = [ReportBlock(form=shown, items=_items(one.statements))] if one.statements else []
            sections.append(ReportSection(heading=one.heading, blocks=[*blocks, *one.tables]))
        if outline.terms:
            sections.append(
                ReportSection(heading=words.key_terms, blocks=[ReportBlock(form="terms", items=outline.terms)])
            )
        if outline.questions:
            block = ReportBlock(form="questions", items=outline.questions)
            sections.append(ReportSection(heading=words.review_questions, blocks=[block]))
        return Report(
            title=title_of(form, outline.about, brief.language),
            language=brief.language,
            sections=sections,
            sources=outline.sources,
            sources_heading=words.sources,
            remark=remark(brief.language, outline.spoken),
        )

    async def written(self, outline: ReportOutline, content: Report, brief: Brief, writer: Writer) -> Report:
        """Each section anew, from its own statements; one of which nothing can be checked stays as it was."""
        words = labels(brief.language)
        tone = "Write for readers of a blog: lively and plain." if brief.options.format == "blog_post" else ""
        wish = f"The report as a whole should heed this wish: {brief.instructions}" if brief.instructions else ""
        sections: list[ReportSection] = []
        by_heading = {one.heading: one for one in outline.sections}
        good = 0
        for section in content.sections:
            own = by_heading.get(section.heading)
            given = outline.summary if section.heading == words.summary else own.statements if own else []
            if not given:
                sections.append(section)
                continue
            task = " ".join(
                part
                for part in (
                    f"Write the section “{section.heading}” of a report about “{outline.about}”, in the language "
                    f"“{brief.language}”, as one paragraph.",
                    tone,
                    wish,
                )
                if part
            )
            try:
                made = checked((await writer.json(task, given, WrittenParagraph)).text, given)
            except Upstream:
                made = []
            good += bool(made)
            if made:
                tables = [block for block in section.blocks if block.form == "table"]
                section = section.model_copy(update={"blocks": [_block("paragraph", made), *tables]})
            sections.append(section)
        if not good:
            raise Upstream("The language model wrote nothing that the sources bear out.")
        return content.model_copy(update={"sections": sections, "remark": ""})

    def title(self, content: Report) -> str:
        return content.title


def wanted_chapters(evidence: Evidence, limit: int) -> list[Chapter]:
    """The chapters of a report: those that fit the instructions where there are some; many small ones as one."""
    chapters = list(evidence.chapters)
    if evidence.focus:
        fits = [max((evidence.fit(point) for point in chapter.all_points()), default=0.0) for chapter in chapters]
        best = max(fits, default=0.0)
        near = [
            _narrowed(chapter, evidence, FAR * best)
            for chapter, fit in zip(chapters, fits, strict=True)
            if fit and fit >= FAR * best
        ]
        chapters = near or chapters
    if len(chapters) > limit:
        size = sorted(chapters, key=lambda one: -len(one.all_points()))
        kept = {id(one) for one in size[:limit]}
        chapters = [one for one in chapters if id(one) in kept]
    return chapters


def _narrowed(chapter: Chapter, evidence: Evidence, least: float) -> Chapter:
    """A chapter with those of its parts that fit the instructions; one without parts as it is."""
    if not chapter.parts:
        return chapter
    points = tuple(point for point in chapter.points if evidence.fit(point) >= least)
    parts = tuple(
        _narrowed(part, evidence, least)
        for part in chapter.parts
        if any(evidence.fit(point) >= least for point in part.all_points())
    )
    if points:
        return replace(chapter, points=points, parts=parts)
    return Chapter(chapter.title, (), parts=parts)


def about(evidence: Evidence, brief: Brief) -> str:
    """What the whole is about, in a few words: what was asked for, the sources that were chosen, or the notebook."""
    names = [source.name for source in evidence.sources]
    few = ", ".join(names[:NAMES])
    whole = few if len(names) == 1 or (brief.chosen_sources and len(names) <= NAMES) else brief.notebook_title or few
    asked = wanted_chapters(evidence, len(evidence.chapters)) if evidence.focus else []
    if not 0 < len(asked) <= min(NAMES, len(evidence.chapters) - 1):
        return whole
    told = ", ".join(one.title for one in asked)
    if len(names) > 1 or told == whole:
        return told
    return f"{whole} – {told}" if len(whole) + len(told) <= LONGEST_NAME else whole


def title_of(form: ReportForm, name: str, language: str) -> str:
    words = labels(language)
    template = {
        "briefing_doc": words.briefing_doc,
        "study_guide": words.study_guide,
        "blog_post": words.blog_post,
        "custom": words.report,
    }[form]
    return template.format(name)


def _section(chapter: Chapter, choice: Choice, limit: int, said: set[str]) -> OutlineSection:
    """The best of each of a chapter's parts in turn, then of all of it; `said` is what the report has told already."""
    parts = [chapter.points, *(part.all_points() for part in chapter.parts)]
    parts = [list(points) for points in parts if points]
    limit = max(limit, min(len(parts), MOST_STATEMENTS))
    chosen: list[Point] = []
    each = max(1, limit // max(1, len(parts)))
    for points in sorted(parts, key=len, reverse=True)[:limit]:
        chosen += choice.best(points, min(each, limit - len(chosen)))
    chosen += choice.best(chapter.all_points(), limit - len(chosen))
    order = {id(point): place for place, point in enumerate(chapter.all_points())}
    chosen.sort(key=lambda point: order[id(point)])
    statements = [point.statement for point in chosen]
    if not statements:
        listed = (chapter.all_lists()[0].statements() if chapter.all_lists() else [])[:limit]
        statements = [one for one in listed if one.text not in said]
    said.update(one.text for one in statements)
    tables = [table_block(table) for table in chapter.all_tables()[:TABLES]]
    return OutlineSection(heading=chapter.title, statements=statements, tables=tables)


def table_block(table: SourceTable) -> ReportBlock:
    rows = table.rows[:TABLE_ROWS]
    return ReportBlock(
        form="table",
        heads=list(table.heads[:TABLE_COLUMNS]),
        rows=[[table.said(cell) for cell in row.cells[:TABLE_COLUMNS]] for row in rows],
        items=[ReportItem(statement=table.row_statement(row)) for row in rows],
    )


def _terms(points: Sequence[Point]) -> Iterator[ReportItem]:
    seen: set[str] = set()
    for point in points:
        term = term_of(point)
        if term and term.casefold() not in seen:
            seen.add(term.casefold())
            yield ReportItem(label=term, statement=point.statement)


def _items(statements: Sequence[Statement]) -> list[ReportItem]:
    return [ReportItem(statement=one) for one in statements]


def _block(form: BlockForm, statements: Sequence[Statement]) -> ReportBlock:
    return ReportBlock(form=form, items=_items(statements))
