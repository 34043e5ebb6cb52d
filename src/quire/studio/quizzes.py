"""Quizzes: questions with one right answer, which a passage proves."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pydantic import BaseModel, Field

from quire.domain.artifacts import Difficulty, Quantity
from quire.domain.errors import Conflict, Upstream
from quire.domain.grounding import Statement
from quire.domain.quizzes import Quiz, QuizQuestion
from quire.studio.answers_in_points import GAP, Answer, AnswerType, answers, telling_words
from quire.studio.evidence import Chapter, Evidence
from quire.studio.kind import Brief
from quire.studio.labels import labels, page_words, remark
from quire.studio.numbers import names_rows
from quire.studio.points import Point, SourceTable
from quire.studio.reports import about, wanted_chapters
from quire.studio.writer import Writer, bears_out
from quire.studio.wrong_answers import WrongAnswerPool, number_in
from quire.text.words import tokens

COUNT: dict[Quantity, int] = {"fewer": 5, "standard": 10, "more": 20}
WRONG = 3
# A quiz with so many good questions is not filled up with weaker ones.
ENOUGH = 5
# So much of one sentence may be asked for, and so many words of it; one of it is chosen.
ASKED, ASKED_WORDS = 6, 3
# So many points are looked through for wrong answers.
MOST_KNOWN = 400
# So many points are looked at, in all and of a chapter at least; and so many of each are shown to a model.
MOST_POINTS, LEAST_POINTS, SHOWN_POINTS = 120, 3, 4
# What is asked for first, by difficulty: what something is called is easy, a number hard.
ORDER: dict[Difficulty, tuple[AnswerType | str, ...]] = {
    "easy": ("about", "term", "name", "row"),
    "medium": ("term", "row", "name", "date", "year", "about", "percent", "number"),
    "hard": ("number", "percent", "date", "year", "row", "name", "term"),
}
LONGEST_OPTION = 160
CHAPTERS = 40
LONGEST_CELL = 60


class Candidate(BaseModel):
    """A question that could be asked, and what it asks for; `doubtful` of its wrong answers give it away."""

    type: str
    question: QuizQuestion
    chapter: int = 0
    doubtful: int = 0


class QuizOutline(BaseModel):
    about: str
    spoken: str
    candidates: list[Candidate] = []
    statements: list[Statement] = []
    sources: list[str] = []


class WrittenQuestion(BaseModel):
    question: str
    options: list[str] = Field(description="Four short answers; exactly one is right.", min_length=3, max_length=5)
    answer: int = Field(description="The place of the right one among the options, counted from 0.", ge=0)
    passage: int = Field(description="The number of the passage that proves it.", ge=1)


class WrittenQuiz(BaseModel):
    questions: list[WrittenQuestion]


class QuizKind:
    outline_type = QuizOutline
    content_type = Quiz

    def outline(self, evidence: Evidence, brief: Brief) -> QuizOutline:
        chapters = wanted_chapters(evidence, CHAPTERS)
        choice = evidence.choice()
        each = max(LEAST_POINTS, MOST_POINTS // max(1, len(chapters)))
        best = [choice.best(chapter.all_points(), each) for chapter in chapters]
        found = list(candidates(chapters, best, brief.language))
        if not found:
            raise Conflict(
                "The sources have too little in them that could be asked for.",
                hint="Add sources with names, numbers or definitions.",
            )
        return QuizOutline(
            about=about(evidence, brief),
            spoken=evidence.language,
            candidates=found,
            statements=[point.statement for points in best for point in points[:SHOWN_POINTS]],
            sources=[source.title for source in evidence.sources],
        )

    def content(self, outline: QuizOutline, brief: Brief) -> Quiz:
        difficulty: Difficulty = brief.options.difficulty
        wanted = COUNT[brief.options.quantity]
        chosen = chosen_questions(outline.candidates, ORDER[difficulty], wanted)
        words = labels(brief.language)
        return Quiz(
            title=words.quiz.format(outline.about),
            language=brief.language,
            questions=chosen,
            words=page_words(brief.language),
            sources=outline.sources,
            remark=remark(brief.language, outline.spoken),
        )

    async def written(self, outline: QuizOutline, content: Quiz, brief: Brief, writer: Writer) -> Quiz:
        """A model's questions, as far as the passage that each names proves the right answer and no other."""
        wanted = COUNT[brief.options.quantity]
        given = outline.statements[: wanted + 6]
        task = (
            f"Write {wanted} {brief.options.difficulty} questions of a quiz about “{outline.about}”, in the language "
            f"“{brief.language}”, each about one passage, with one right answer. {brief.instructions}"
        )
        made = await writer.json(task, given, WrittenQuiz, tokens=130 * wanted)
        good = [question for one in made.questions if (question := proven(one, given)) is not None]
        if not good:
            raise Upstream("The language model wrote no question that the sources answer.")
        more = [one for one in content.questions if one.explanation.text not in {q.explanation.text for q in good}]
        return content.model_copy(update={"questions": [*good, *more][: max(wanted, len(good))]})

    def title(self, content: Quiz) -> str:
        return content.title


def proven(one: WrittenQuestion, given: Sequence[Statement]) -> QuizQuestion | None:
    """A written question, if its passage has the right answer in its words and none of the wrong ones."""
    if one.passage > len(given) or one.answer >= len(one.options) or not one.question.strip():
        return None
    proof = given[one.passage - 1]
    said = proof.grounds[0].excerpt.casefold()
    right = one.options[one.answer].strip()
    wrong = [option.strip() for at, option in enumerate(one.options) if at != one.answer]
    if right.casefold().rstrip(".") not in said and not bears_out(right, proof):
        return None
    if any(not option or option.casefold().rstrip(".") in said for option in wrong):
        return None
    if len({option.casefold() for option in (right, *wrong)}) <= len(wrong):
        return None
    return QuizQuestion(question=one.question.strip(), options=one.options, answer=one.answer, explanation=proof)


def candidates(chapters: Sequence[Chapter], best: Sequence[Sequence[Point]], language: str) -> Iterator[Candidate]:
    """What may be asked of the best points of each chapter, and of its tables."""
    words = labels(language)
    shares = [chapter.all_points()[: max(LEAST_POINTS, MOST_KNOWN // len(chapters))] for chapter in chapters]
    points = [*dict.fromkeys(point for found in (*best, *shares) for point in found)]
    asked = {id(point) for found in best for point in found}
    known = {id(point): [*answers(point)] for point in points}
    common = Counter(word for point in points if id(point) in asked for word in point.words)
    often = frozenset(word for word, count in common.items() if count > 2)
    words_of = {id(point): [*telling_words(point, often)] for point in points}
    pool = WrongAnswerPool([answer for one in (known, words_of) for found in one.values() for answer in found], points)

    def gap(answer: Answer, chapter: int) -> Iterator[Candidate]:
        wrong = pool.beside(answer, WRONG)
        if len(wrong.texts) < WRONG:
            return
        if question := _gap_question(answer, wrong.texts, words.complete_sentence):
            yield Candidate(type=answer.type, question=question, chapter=chapter, doubtful=wrong.doubtful)

    for number, (chapter, own) in enumerate(zip(chapters, best, strict=True)):
        for point in own:
            for answer in known[id(point)][:ASKED]:
                yield from gap(answer, number)
        for table in chapter.all_tables():
            for question in row_questions(table, words.value_of):
                yield Candidate(type="row", question=question, chapter=number)
        for point in own:
            for answer in words_of[id(point)][:ASKED_WORDS]:
                yield from gap(answer, number)
        for told in _about_parts(chapter, chapters, words.about_heading):
            yield Candidate(type="about", question=told, chapter=number)


def chosen_questions(found: Sequence[Candidate], order: Sequence[str], wanted: int) -> list[QuizQuestion]:
    """The best by what they ask for, from all chapters in turn, no passage twice.

    Those whose wrong answers may give the right one away are only asked where there is little else.
    """
    told: set[str] = set()
    good = [one for one in found if one.type != "word" and not one.doubtful]
    rest = [one for one in found if one.type == "word" or one.doubtful]
    chosen = _in_turn(good, order, wanted, told)
    return [*chosen, *_in_turn(rest, order, min(wanted, ENOUGH) - len(chosen), told)]


def _in_turn(found: Sequence[Candidate], order: Sequence[str], wanted: int, told: set[str]) -> list[QuizQuestion]:
    rank = {type: place for place, type in enumerate(order)}
    chapters = sorted({one.chapter for one in found})
    waiting = {
        chapter: sorted(
            (one for one in found if one.chapter == chapter),
            key=lambda one: (one.doubtful > 0, rank.get(one.type, len(rank)), one.doubtful),
        )
        for chapter in chapters
    }
    chosen: list[QuizQuestion] = []
    while any(waiting.values()) and len(chosen) < wanted:
        for chapter in chapters:
            while waiting[chapter] and len(chosen) < wanted:
                question = waiting[chapter].pop(0).question
                proof = question.explanation.text
                if proof not in told and question.question not in told:
                    told |= {proof, question.question}
                    chosen.append(question)
                    break
    return chosen


def _gap_question(answer: Answer, wrong: Sequence[str], lead: str) -> QuizQuestion | None:
    text = answer.question
    if text.startswith(GAP) or text.count(GAP) == 1:
        return placed(f"{lead}\n{text}", answer.text, wrong, answer.point.statement)
    return None


def row_questions(table: SourceTable, template: str) -> Iterator[QuizQuestion]:
    """What a table gives in a column of a row; its other values are the wrong answers. Ids are not asked for."""
    for column, head in enumerate(table.heads):
        if column == table.key or names_rows(table, column):
            continue
        values = [table.said(row.cells[column]) for row in table.rows]
        names = [table.said(row.cells[table.key]) for row in table.rows]
        for at, row in enumerate(table.rows[:3]):
            name, value = names[at], values[at]
            proof = table.row_statement(row)
            fit = (
                head
                and value
                and name
                and len(value) <= LONGEST_CELL
                and len(name) <= LONGEST_CELL
                and not name.isdigit()
            )
            others = _other_cells(value, values, proof.text)
            if fit and names.count(name) == 1 and len(others) >= WRONG - 1:
                yield placed(template.format(name, head), value, others[:WRONG], proof)


def _other_cells(value: str, values: Sequence[str], proof: str) -> list[str]:
    """Other values of a column, of the same form, none twice; the nearest numbers first."""
    number = number_in(value)
    found: dict[float | str, str] = {}
    for one in values:
        other = number_in(one)
        if one and one not in proof and (other is None) == (number is None) and len(one) <= LONGEST_CELL:
            found.setdefault(one.casefold() if other is None else other, one)
    if number is None:
        return list(found.values())
    return [one for _, one in sorted(found.items(), key=lambda other: abs(float(other[0]) - number))]


def _about_parts(chapter: Chapter, chapters: Sequence[Chapter], template: str) -> Iterator[QuizQuestion]:
    """Of a chapter that is a whole source its sections are asked about: nobody is to know a file by its name."""
    sources = {name.casefold() for p in chapter.all_points()[:1] for name in (p.source.name, p.source.title)}
    if chapter.title.casefold() not in sources:
        asked = [_about(chapter, chapters, template)]
    else:
        opening = replace(chapter, parts=())
        asked = [_about(part, [opening, *chapter.parts], template) for part in chapter.parts]
    yield from (one for one in asked if one is not None)


def _about(chapter: Chapter, chapters: Sequence[Chapter], template: str) -> QuizQuestion | None:
    """Which of some statements stands under a heading: the others stand under others, and none of all names it."""

    def telling(one: Chapter) -> list[Point]:
        points = (point for point in one.all_points() if len(point.text) <= LONGEST_OPTION)
        return [p for p in points if p.words.isdisjoint(tokens(chapter.title, p.source.language))]

    own = telling(chapter)
    others = [point for other in chapters if other is not chapter for point in telling(other)[:1]]
    if not own or len(others) < WRONG:
        return None
    right = own[0]
    others.sort(key=lambda one: one.source.id != right.source.id)
    wrong = [point.text for point in others if point.text != right.text][:WRONG]
    return placed(template.format(chapter.title), right.text, wrong, right.statement)


def placed(question: str, right: str, wrong: Sequence[str], proof: Statement) -> QuizQuestion:
    """The right answer among the others: in order where they are numbers, else where a hash of it says."""
    options = [right, *wrong]
    try:
        options.sort(key=lambda one: float(one.replace(",", "").rstrip("%")))
    except ValueError:
        options.sort(key=lambda one: hashlib.sha256(f"{question}\0{one}".encode()).digest())
    return QuizQuestion(question=question, options=options, answer=options.index(right), explanation=proof)
