"""Audio overviews: a script in which hosts tell each other what sources say, in the sources' own sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from pydantic import BaseModel, Field

from quire.domain.artifacts import Length
from quire.domain.audio import AudioForm, AudioScript, ScriptChapter, Turn
from quire.domain.errors import Conflict, Upstream
from quire.domain.grounding import Statement
from quire.studio.evidence import Chapter, Choice, Evidence
from quire.studio.host_phrases import InTurn, phrases
from quire.studio.kind import Brief
from quire.studio.labels import labels, remark
from quire.studio.points import Point
from quire.studio.questions import review_questions
from quire.studio.reports import about, wanted_chapters
from quire.studio.writer import Writer, checked
from quire.text.sentences import sentences
from quire.text.words import language_code

# Of each length: how many chapters, and statements in each. A brief is a few minutes at most.
CHAPTERS: dict[Length, int] = {"short": 4, "default": 8, "long": 12}
STATEMENTS: dict[Length, int] = {"short": 3, "default": 4, "long": 7}
BRIEF_CHAPTERS: dict[Length, int] = {"short": 3, "default": 5, "long": 8}
BRIEF_STATEMENTS: dict[Length, int] = {"short": 1, "default": 1, "long": 2}
QUESTIONS = 2
# What a sentence of limits, doubts and objections has in it.
CAUTIOUS = re.compile(
    r"\b(?:but|however|although|though|despite|unless|whereas|except|not|never|no longer|cannot|lacks?|fail\w*"
    r"|risk\w*|limit\w*|problem\w*|critic\w*|doubt\w*|disput\w*|controvers\w*|unclear|unknown|uncertain\w*|danger\w*"
    r"|threat\w*|declin\w*|loss\w*|aber|jedoch|obwohl|trotz|nicht|kein\w*|nie|Risik\w*|Gefahr\w*|Kritik\w*"
    r"|umstritten|unklar|mais|pourtant|malgré|jamais|risque\w*|problème\w*|critiqu\w*|danger\w*|limite\w*"
    r"|pero|aunque|sin embargo|nunca|riesgo\w*|problema\w*|crític\w*|peligro\w*|límite\w*)\b",
    re.IGNORECASE,
)


class OutlinedStatement(BaseModel):
    """A statement to be said, in the language that it is in; `question` is one that it answers."""

    statement: Statement
    language: str = "en"
    question: str = ""
    cautious: bool = False


class OutlinedChapter(BaseModel):
    title: str
    statements: list[OutlinedStatement] = []


class AudioOutline(BaseModel):
    about: str
    spoken: str
    chapters: list[OutlinedChapter] = []
    sources: list[str] = []


class WrittenTurn(BaseModel):
    host: Literal[1, 2] = Field(description="Which of the two hosts speaks.")
    text: str = Field(description="One to three spoken sentences; behind each fact the number of its passage: [2].")


class WrittenDialogue(BaseModel):
    turns: list[WrittenTurn]


class AudioKind:
    outline_type = AudioOutline
    content_type = AudioScript

    def outline(self, evidence: Evidence, brief: Brief) -> AudioOutline:
        short = brief.options.format == "brief"
        length: Length = brief.options.length
        most = (BRIEF_CHAPTERS if short else CHAPTERS)[length]
        chapters = wanted_chapters(evidence, most)
        # Few chapters, as of two sources, say as much together as many would.
        limit = (BRIEF_STATEMENTS if short else STATEMENTS)[length] * most // max(1, len(chapters))
        choice = evidence.choice()
        alone = evidence.sources[0].name if len(evidence.sources) == 1 else ""
        told = [_outlined(chapter, choice, limit, evidence, brief.options.format) for chapter in chapters]
        overview = labels(evidence.language).overview
        told = [one.model_copy(update={"title": overview}) if one.title == alone else one for one in told]
        told = [one for one in told if one.statements]
        if not told:
            raise Conflict(
                "The sources have no sentences that could be told.", hint="Add sources with whole sentences."
            )
        return AudioOutline(
            about=about(evidence, brief),
            spoken=language_code(evidence.language) or "en",
            chapters=told,
            sources=[source.title for source in evidence.sources],
        )

    def content(self, outline: AudioOutline, brief: Brief) -> AudioScript:
        words = phrases(brief.language)
        form: AudioForm = brief.options.format
        told = _Dialogue(outline.spoken, form)
        chapters = [told.chapter(number, one) for number, one in enumerate(outline.chapters)]
        told.frame(chapters, outline)
        return AudioScript(
            title=words.title.format(outline.about),
            language=brief.language,
            spoken=outline.spoken,
            hosts=[words.host.format(1), words.host.format(2)],
            chapters=chapters,
            sources=outline.sources,
            sources_heading=labels(brief.language).sources,
            remark=remark(brief.language, outline.spoken),
        )

    async def written(self, outline: AudioOutline, content: AudioScript, brief: Brief, writer: Writer) -> AudioScript:
        """Each chapter's talk anew, from its own statements; one of which nothing can be checked stays as it was."""
        style = {
            "deep_dive": "The two hosts explain it to each other, lively and plain, and ask each other questions.",
            "brief": "Only host 1 speaks, and tells the main points.",
            "critique": "Host 1 says what the passages claim; host 2 asks what they leave open.",
            "debate": "The hosts take different sides, each with what the passages say.",
        }[brief.options.format]
        wish = f"The whole should heed this wish: {brief.instructions}" if brief.instructions else ""
        spoken = language_code(brief.language) or outline.spoken
        told = _Dialogue(spoken, brief.options.format)
        kept = told.without_frame(content, outline.spoken)
        chapters: list[ScriptChapter] = []
        good = 0
        for number, (own, chapter) in enumerate(zip(outline.chapters, kept, strict=True)):
            given = [one.statement for one in own.statements]
            task = (
                f"Write the part “{own.title}” of a talk between two hosts about “{outline.about}”, in the language "
                f"“{spoken}”, in {2 + len(given)} turns at most, with no greeting and no farewell. {style} {wish}"
            )
            try:
                made = await writer.json(task, given, WrittenDialogue, tokens=160 * (2 + len(given)))
                turns = list(_checked_turns(made, given, spoken))
            except Upstream:
                turns = []
            if any(turn.statements for turn in turns):
                good += 1
                turns[0] = turns[0].model_copy(update={"link": told.lead_in(number, own.title)})
                chapter = ScriptChapter(title=chapter.title, turns=turns)
            chapters.append(chapter)
        if not good:
            raise Upstream("The language model wrote nothing that the sources bear out.")
        told.frame(chapters, outline)
        return content.model_copy(update={"chapters": chapters, "spoken": spoken, "remark": ""})

    def title(self, content: AudioScript) -> str:
        return content.title


class _Dialogue:
    """Puts statements into hosts' mouths, with phrases between them that change."""

    def __init__(self, language: str, form: AudioForm) -> None:
        self._words = phrases(language)
        self._overview = labels(language).overview
        self._form = form
        self._turn = InTurn()
        self._last = 2

    def frame(self, chapters: list[ScriptChapter], outline: AudioOutline) -> None:
        """Puts a greeting before the first chapter and a farewell behind the last."""
        last = chapters[-1].turns[-1].host
        chapters[0].turns[:0] = self._opening(outline.about, len(outline.sources))
        told, thanks = self._words.close
        hosts = (1, 1) if self._form == "brief" else (3 - last, last)
        farewell = [Turn(host=hosts[0], link=told.format(outline.about)), Turn(host=hosts[1], link=thanks)]
        chapters[-1].turns.extend(farewell)

    def without_frame(self, script: AudioScript, language: str) -> list[ScriptChapter]:
        """The chapters of a script without greeting and farewell, each turn with the language that it is in."""
        turns = [
            [turn.model_copy(update={"language": turn.language or language}) for turn in chapter.turns]
            for chapter in script.chapters
        ]
        del turns[0][: len(self._opening("", 1))]
        del turns[-1][-len(self._words.close) :]
        return [chapter.model_copy(update={"turns": own}) for chapter, own in zip(script.chapters, turns, strict=True)]

    def _opening(self, name: str, sources: int) -> list[Turn]:
        words = self._words
        count = words.sources[0] if sources == 1 else words.sources[1].format(sources)
        welcome = words.welcome.format(name)
        if self._form == "brief":
            return [Turn(host=1, link=f"{welcome} {words.brief}")]
        how = {"critique": words.critique, "debate": words.debate}.get(self._form, "")
        return [Turn(host=1, link=welcome), Turn(host=2, link=f"{count} {how}".strip())]

    def chapter(self, number: int, told: OutlinedChapter) -> ScriptChapter:
        link = self.lead_in(number, told.title)
        host = 1 if self._form in ("brief", "critique") else 3 - self._last
        turns = list(
            {
                "deep_dive": self._deep_dive,
                "brief": self._brief,
                "critique": self._critique,
                "debate": self._debate,
            }[self._form](host, link, told.statements)
        )
        self._last = turns[-1].host
        return ScriptChapter(title=told.title, turns=turns)

    def lead_in(self, number: int, title: str) -> str:
        if number == 0 and title == self._overview:
            return ""
        choices = self._words.chapter
        link = choices[0] if number == 0 else self._turn.next(choices[1:])
        return link.format(title)

    def _brief(self, host: int, link: str, told: Sequence[OutlinedStatement]) -> Iterator[Turn]:
        for one in told:
            yield _said(host, link, one)
            link = ""

    def _deep_dive(self, host: int, link: str, told: Sequence[OutlinedStatement]) -> Iterator[Turn]:
        """One host asks and the other answers, or adds to what was said; nobody speaks twice in a row."""
        words = self._words
        last = 3 - host
        for place, one in enumerate(told):
            if place == 0 or one.question or place % 2 == 0:
                yield Turn(host=3 - last, link=link, question=one.question or self._turn.next(words.ask))
                yield _said(last, "" if one.question else self._turn.next(words.answer), one)
            else:
                last = 3 - last
                yield _said(last, self._turn.next(words.more), one)
            link = ""

    def _critique(self, host: int, link: str, told: Sequence[OutlinedStatement]) -> Iterator[Turn]:
        """What is said, then what limits it; where nothing does, that is left as a question."""
        words = self._words
        claims = [one for one in told if not one.cautious]
        limits = [one for one in told if one.cautious]
        for place, one in enumerate(claims):
            yield _said(host, self._turn.next(words.more) if place else link, one)
            link = ""
        if limits:
            yield Turn(host=host, link=link, question=self._turn.next(words.doubt))
            for one in limits:
                yield _said(3 - host, self._turn.next(words.caution), one)
        else:
            yield Turn(host=3 - host, question=self._turn.next(words.doubt))

    def _debate(self, host: int, link: str, told: Sequence[OutlinedStatement]) -> Iterator[Turn]:
        """Sentences of limits and doubts answer the others, as far as there are any."""
        words = self._words
        cautious = [one for one in told if one.cautious]
        plain = [one for one in told if not one.cautious]
        while len(plain) > len(cautious) + 1:
            cautious.append(plain.pop())
        while len(cautious) > len(plain):
            plain.append(cautious.pop())
        for place, one in enumerate(plain):
            yield _said(host, f"{link} {self._turn.next(words.one_side)}".strip(), one)
            link = ""
            if place < len(cautious):
                answer = cautious[place]
                yield _said(3 - host, self._turn.next(words.other_side if answer.cautious else words.more), answer)


def _said(host: int, link: str, one: OutlinedStatement) -> Turn:
    return Turn(host=host, link=link, statements=[one.statement], language=one.language)


def _outlined(chapter: Chapter, choice: Choice, limit: int, evidence: Evidence, form: AudioForm) -> OutlinedChapter:
    points = chapter.all_points()
    chosen: list[Point] = []
    if form in ("critique", "debate"):
        chosen += choice.best([point for point in points if CAUTIOUS.search(point.text)], limit // 2)
    # A point of each part first, so that no part of a chapter is left out for another's sake.
    parts = [one for one in (list(chapter.points), *(part.all_points() for part in chapter.parts)) if one]
    if len(parts) > 1:
        for part in sorted(parts, key=len, reverse=True)[: limit - len(chosen)]:
            chosen += choice.best(part, 1)
    chosen += choice.best(points, limit - len(chosen))
    order = {id(point): place for place, point in enumerate(points)}
    chosen.sort(key=lambda point: order[id(point)])
    asked: dict[str, str] = {}
    if form == "deep_dive":
        only = Evidence(evidence.sources, [Chapter(chapter.title, tuple(chosen))], language=evidence.language)
        asked = {
            one.statement.text: one.label
            for one in review_questions(only, evidence.language, max(QUESTIONS, limit // 2))
        }
    return OutlinedChapter(
        title=chapter.title,
        statements=[
            OutlinedStatement(
                statement=point.statement,
                language=language_code(point.source.language) or language_code(evidence.language) or "en",
                question=asked.get(point.statement.text, ""),
                cautious=CAUTIOUS.search(point.text) is not None,
            )
            for point in chosen
        ],
    )


def _checked_turns(made: WrittenDialogue, given: Sequence[Statement], language: str) -> Iterator[Turn]:
    """Of what a model wrote: the sentences that are borne out, and questions that end a turn."""
    said: set[str] = set()
    for turn in made.turns:
        spans = [turn.text[start:end].strip() for start, end in sentences(turn.text, language)]
        questions = [one for one in spans if one.endswith("?") and "[" not in one]
        told = " ".join(one for one in spans if not one.endswith("?"))
        found = [one for one in checked(told, given) if one.text not in said]
        said |= {one.text for one in found}
        if found or questions:
            question = questions[-1][:500] if questions else ""
            yield Turn(host=turn.host, statements=found, question=question, language=language)
