"""Video overviews: scenes with what sources say, to be seen and narrated in the sources' own sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import BaseModel, Field

from quire.domain.errors import Conflict, Upstream
from quire.domain.figures import KeyFigure
from quire.domain.grounding import Statement
from quire.domain.infographics import (
    Block,
    ChartBlock,
    ComparisonBlock,
    FigureBlock,
    ListBlock,
    QuoteBlock,
    StepBlock,
)
from quire.domain.video_overviews import Line, VideoForm, VideoOverview, VideoScene
from quire.studio.evidence import Chapter, Choice, Evidence
from quire.studio.host_phrases import InTurn, phrases
from quire.studio.infographics import OutlineShown, steps_to_show, tables_to_show
from quire.studio.kind import Brief
from quire.studio.labels import labels, remark
from quire.studio.leads import leads
from quire.studio.numbers import key_figures
from quire.studio.points import Point
from quire.studio.reports import about, wanted_chapters
from quire.studio.shortening import shorter
from quire.studio.writer import Writer, checked
from quire.text.words import language_code

# By form: chapters, statements in each, leads, figures, and charts, tables and lists of steps in all.
CHAPTERS: dict[VideoForm, int] = {"explainer": 8, "brief": 4, "cinematic": 6, "short": 3}
STATEMENTS: dict[VideoForm, int] = {"explainer": 3, "brief": 2, "cinematic": 2, "short": 1}
LEADS: dict[VideoForm, int] = {"explainer": 2, "brief": 1, "cinematic": 1, "short": 1}
FIGURES: dict[VideoForm, int] = {"explainer": 3, "brief": 0, "cinematic": 0, "short": 0}
SHOWN: dict[VideoForm, int] = {"explainer": 2, "brief": 1, "cinematic": 1, "short": 0}
MOST_ITEMS, FEWEST, STEPS = 4, 2, 6
# A statement that takes longer to say than this, in letters, is left for others while there are any.
LONGEST, LONGEST_ITEM = 240, 120
SPARE, ROWS_TOLD = 4, 2


class OutlinedScene(BaseModel):
    """A scene to be: its title, what it says, and what else could be said."""

    title: str
    lines: list[Line] = []
    spare: list[Line] = []


class OutlinedPart(BaseModel):
    title: str
    scenes: list[OutlinedScene] = []


class VideoOutline(BaseModel):
    about: str
    spoken: str
    leads: list[Line] = []
    figures: list[KeyFigure] = []
    chapters: list[OutlinedPart] = []
    shown: list[OutlineShown] = []
    steps: list[OutlinedScene] = []
    sources: list[str] = []
    # The language of each source, by its id.
    languages: dict[str, str] = {}

    def line(self, statement: Statement, link: str = "") -> Line:
        """A statement in the language of its source."""
        own = self.languages.get(statement.grounds[0].source_id, "") if statement.grounds else ""
        return Line(link=link, statement=statement, language=own)


class WrittenScene(BaseModel):
    title: str = Field(description="What the scene says, in at most eight words.")
    sentences: list[str] = Field(
        description="One to four spoken sentences, each ending with the number of its passage in square brackets."
    )


class VideoKind:
    outline_type = VideoOutline
    content_type = VideoOverview

    def outline(self, evidence: Evidence, brief: Brief) -> VideoOutline:
        form: VideoForm = brief.options.format
        choice = evidence.choice()
        opening = choice.best(leads(evidence, LEADS[form]), LEADS[form])
        chapters = wanted_chapters(evidence, CHAPTERS[form])
        limit = max(1, STATEMENTS[form] * CHAPTERS[form] // max(1, len(chapters)))
        points = [point for chapter in chapters for point in chapter.all_points()]
        figures = key_figures([point for point in points if point not in opening], FIGURES[form])
        figures = figures if len(figures) >= FEWEST else []
        # What is shown as a figure is not told again.
        for point in points:
            if any(figure.label == point.text for figure in figures):
                choice.tell(point.words)
        told = [_part(chapter, choice, limit, evidence) for chapter in chapters]
        alone = evidence.sources[0].name if len(evidence.sources) == 1 else ""
        told = [_renamed(one, alone, labels(evidence.language).overview) for one in told if one.scenes]
        steps = [
            OutlinedScene(title=one.heading, lines=[Line(statement=step) for step in one.statements[:STEPS]])
            for one in steps_to_show(chapters)
        ]
        # Sources that only have tables are told by these.
        shown = SHOWN[form] or int(not told)
        spoken = language_code(evidence.language) or "en"
        outline = VideoOutline(
            about=about(evidence, brief),
            spoken=spoken,
            leads=[_line(point, evidence) for point in opening],
            figures=figures,
            chapters=told,
            shown=list(tables_to_show(chapters))[:shown],
            steps=steps[: min(1, shown)],
            sources=[source.title for source in evidence.sources],
            languages={source.id: language_code(source.language) or spoken for source in evidence.sources},
        )
        if not (outline.leads or outline.chapters or outline.steps or outline.shown):
            raise Conflict(
                "The sources have no sentences that could be told.", hint="Add sources with whole sentences."
            )
        return outline

    def content(self, outline: VideoOutline, brief: Brief) -> VideoOverview:
        form: VideoForm = brief.options.format
        words = phrases(brief.language)
        scenes = list(_Film(outline, brief.language, form).scenes())
        return VideoOverview(
            title=words.video.format(outline.about),
            language=brief.language,
            spoken=outline.spoken,
            form=form,
            style=brief.options.style,
            scenes=scenes,
            sources=outline.sources,
            sources_heading=labels(brief.language).sources,
            narrator=words.narrator,
            remark=remark(brief.language, outline.spoken),
        )

    async def written(
        self, outline: VideoOutline, content: VideoOverview, brief: Brief, writer: Writer
    ) -> VideoOverview:
        """Each scene that tells something anew, from its own statements; one that cannot be checked stays as it was."""
        spoken = language_code(brief.language) or outline.spoken
        frame = list(_Film(outline.model_copy(update={"spoken": spoken}), brief.language, content.form).scenes())
        scenes: list[VideoScene] = []
        good = 0
        for scene, framed in zip(content.scenes, frame, strict=True):
            made = None
            if isinstance(scene.block, ListBlock | QuoteBlock):
                made = await rewritten(scene, "", outline.about, spoken, brief.instructions, writer)
            if made is not None:
                good += 1
                first = made.lines[0].model_copy(update={"link": framed.lines[0].link})
                scenes.append(made.model_copy(update={"lines": [first, *made.lines[1:]]}))
            else:
                scenes.append(_in_language(scene if scene.kind == "telling" else framed, outline.spoken, spoken))
        if not good:
            raise Upstream("The language model wrote nothing that the sources bear out.")
        return content.model_copy(update={"scenes": scenes, "spoken": spoken, "remark": ""})

    def title(self, content: VideoOverview) -> str:
        return content.title


async def rewritten(
    scene: VideoScene,
    wish: str,
    topic: str,
    language: str,
    instructions: str,
    writer: Writer,
    spare: Sequence[Line] = (),
) -> VideoScene | None:
    """A scene in a model's words; None where too little of it is borne out by what it cites."""
    lines = [line.statement for line in (*scene.lines, *spare) if line.statement and line.statement.grounds]
    given = list({one.text: one for one in lines}.values())
    if not given:
        return None
    task = " ".join(
        part
        for part in (
            f"Write what a narrator says in the scene “{scene.title}” of a video about “{topic}”, in the language "
            f"“{language}”, in {min(MOST_ITEMS, len(given))} sentences at most, with no greeting and no farewell.",
            f"Heed this wish for the whole video: {instructions}" if instructions else "",
            f"Heed this wish for the scene: {wish}" if wish else "",
        )
        if part
    )
    try:
        found = await writer.json(task, given, WrittenScene)
    except Upstream:
        return None
    told = [one for said in found.sentences[:MOST_ITEMS] for one in checked(said, given)[:1]]
    told = list({one.text: one for one in told}.values())
    if not told:
        return None
    title = " ".join(found.title.split())[:120] or scene.title
    made = [Line(statement=one, language=language) for one in told]
    return scene.model_copy(update={"title": title, "lines": made, "block": block_of(made)})


def block_of(lines: Sequence[Line]) -> Block:
    """What is seen of some statements: one alone is quoted, several are a list that grows as they are said."""
    told = [line.statement for line in lines if line.statement]
    if len(told) == 1:
        return QuoteBlock(quote=told[0], said_by=told[0].grounds[0].source_title if told[0].grounds else "")
    return ListBlock(items=[shorter(one, LONGEST_ITEM) for one in told])


class _Film:
    """The scenes of an outline, with phrases between them that change."""

    def __init__(self, outline: VideoOutline, language: str, form: VideoForm) -> None:
        self._outline = outline
        self._form = form
        self._words = phrases(outline.spoken)
        self._labels = labels(language)
        self._turn = InTurn()
        self._begun = False

    def scenes(self) -> Iterator[VideoScene]:
        outline, words = self._outline, self._words
        count = words.sources[0] if len(outline.sources) == 1 else words.sources[1].format(len(outline.sources))
        welcome = [Line(link=words.welcome.format(outline.about))]
        if self._form == "explainer":
            welcome.append(Line(link=count))
        shown = " · ".join(outline.sources[:3]) + (
            f" · +{len(outline.sources) - 3}" if len(outline.sources) > 3 else ""
        )
        yield VideoScene(
            kind="opening",
            title=outline.about[:200],
            subtitle=f"{self._labels.sources}: {shown}"[:300],
            lines=welcome,
        )
        if outline.leads:
            summary = self._labels.summary
            yield VideoScene(chapter=summary, title=summary, block=block_of(outline.leads), lines=outline.leads)
        if outline.figures:
            figures = [one.model_copy(update={"label": shorter(one.statement, 90).text}) for one in outline.figures]
            links = [self._turn.next(words.in_view), *[""] * len(figures)]
            told = [outline.line(one.statement, link) for one, link in zip(outline.figures, links, strict=False)]
            title = self._labels.figures
            yield VideoScene(chapter=title, title=title, block=FigureBlock(figures=figures), lines=told)
        for chapter in outline.chapters:
            link = self._lead_in(chapter.title)
            for scene in chapter.scenes:
                first = scene.lines[0].model_copy(update={"link": link})
                lines = [first, *scene.lines[1:]]
                yield VideoScene(chapter=chapter.title, title=scene.title, block=block_of(lines), lines=lines)
                link = ""
        for steps in outline.steps:
            lines = [outline.line(line.statement) for line in steps.lines if line.statement]
            lines[0] = lines[0].model_copy(update={"link": words.steps})
            block = StepBlock(steps=[shorter(line.statement, LONGEST_ITEM) for line in lines if line.statement])
            yield VideoScene(chapter=steps.title, title=steps.title, block=block, lines=lines)
        for one in outline.shown:
            yield self._table(one)
        closing = [Line(link=words.close[0].format(outline.about)), Line(link=words.watched)]
        yield VideoScene(
            kind="closing",
            chapter=self._labels.sources,
            title=self._labels.sources,
            lines=closing[-1:] if self._form == "short" else closing,
        )

    def _lead_in(self, title: str) -> str:
        if self._form == "short":
            return ""
        choices = self._words.chapter
        link = self._turn.next(choices[1:]) if self._begun else choices[0]
        self._begun = True
        return link.format(title)

    def _table(self, one: OutlineShown) -> VideoScene:
        """A table is told by a few of its rows: of a chart those with the most and the least."""
        rows = [row.statement for row in one.table.rows if row.statement.grounds]
        block: Block = ComparisonBlock(table=one.table)
        if one.chart is not None:
            block = ChartBlock(chart=one.chart)
            values = one.chart.series[0].values
            known = [place for place, value in enumerate(values) if value is not None and place < len(one.chart.rows)]
            known.sort(key=lambda place: -(values[place] or 0.0))
            places = dict.fromkeys((known[0], known[-1])) if known else ()
            rows = [one.chart.rows[place] for place in places if one.chart.rows[place].grounds]
        lines = [self._outline.line(row) for row in rows[:ROWS_TOLD]]
        link = self._turn.next(self._words.in_view)
        lines[:1] = [lines[0].model_copy(update={"link": link}) if lines else Line(link=link)]
        return VideoScene(chapter=one.heading, title=one.heading, block=block, lines=lines)


def _line(point: Point, evidence: Evidence) -> Line:
    own = language_code(point.source.language) or language_code(evidence.language) or "en"
    return Line(statement=point.statement, language=own)


def _part(chapter: Chapter, choice: Choice, limit: int, evidence: Evidence) -> OutlinedPart:
    """Its best points, one of each part first, in scenes by their parts."""
    points = chapter.all_points()
    told = [point for point in points if len(point.text) <= LONGEST] or points
    parts = [(chapter.title, list(chapter.points)), *((part.title, part.all_points()) for part in chapter.parts)]
    able = {id(point) for point in told}
    chosen: list[Point] = []
    groups = [[point for point in own if id(point) in able] for _, own in parts]
    if sum(map(bool, groups)) > 1:
        for group in sorted(filter(None, groups), key=len, reverse=True)[:limit]:
            chosen += choice.best(group, 1)
    chosen += choice.best(told, limit - len(chosen))
    kept = {id(point) for point in chosen}
    scenes: list[OutlinedScene] = []
    for title, own in parts:
        lines = [_line(point, evidence) for point in own if id(point) in kept]
        spare = [_line(point, evidence) for point in own if id(point) in able - kept][:SPARE]
        for some in _even(lines, MOST_ITEMS):
            scenes.append(OutlinedScene(title=title, lines=some, spare=spare))
    if not scenes:
        listed = [one for found in chapter.all_lists()[:1] for one in found.statements()[:MOST_ITEMS]]
        scenes = [OutlinedScene(title=chapter.title, lines=[Line(statement=one) for one in listed])] if listed else []
    return OutlinedPart(title=chapter.title, scenes=_joined(scenes, chapter.title))


def _even(lines: list[Line], most: int) -> Iterator[list[Line]]:
    """In as few groups as hold them, about as many in each."""
    groups = -(-len(lines) // most)
    for group in range(groups):
        yield lines[len(lines) * group // groups : len(lines) * (group + 1) // groups]


def _joined(scenes: list[OutlinedScene], title: str) -> list[OutlinedScene]:
    """Scenes of one statement each share one, under the chapter's title."""
    if len(scenes) > 1 and sum(len(one.lines) for one in scenes) <= MOST_ITEMS:
        spare = [line for one in scenes for line in one.spare][:SPARE]
        return [OutlinedScene(title=title, lines=[line for one in scenes for line in one.lines], spare=spare)]
    return scenes


def _renamed(part: OutlinedPart, name: str, overview: str) -> OutlinedPart:
    """The opening of a single source is not called as the whole is."""
    scenes = [one.model_copy(update={"title": overview}) if one.title == name else one for one in part.scenes]
    return OutlinedPart(title=overview if part.title == name else part.title, scenes=scenes)


def _in_language(scene: VideoScene, own: str, spoken: str) -> VideoScene:
    """A scene that stays as it was, in a video that is spoken in another language."""
    if own == spoken or scene.kind != "telling":
        return scene
    lines = [line.model_copy(update={"language": line.language or own}) for line in scene.lines]
    return scene.model_copy(update={"lines": lines})
