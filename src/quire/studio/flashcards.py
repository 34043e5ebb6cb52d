"""Flashcards: a question or a term on one side, what the sources say on the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import BaseModel, Field

from quire.domain.artifacts import Difficulty, Quantity
from quire.domain.errors import Conflict, Upstream
from quire.domain.grounding import Statement
from quire.domain.quizzes import Flashcard, Flashcards
from quire.studio.answers_in_points import YEAR, answers, telling_words, term_of
from quire.studio.evidence import Chapter, Evidence
from quire.studio.kind import Brief
from quire.studio.labels import labels, page_words, remark
from quire.studio.points import Point
from quire.studio.questions import review_questions
from quire.studio.reports import about, wanted_chapters
from quire.studio.writer import Writer, bears_out

COUNT: dict[Quantity, int] = {"fewer": 10, "standard": 20, "more": 40}
# What comes first, by difficulty: a question of the text's own is easiest, a gap hardest.
ORDER: dict[Difficulty, tuple[str, ...]] = {
    "easy": ("question", "term", "row"),
    "medium": ("question", "term", "row", "gap"),
    "hard": ("gap", "row", "term", "question"),
}
CHAPTERS, QUESTIONS, ROWS = 40, 60, 6
# So many points are made gaps in, in all and of a chapter at least; and so many of each are shown to a model.
MOST_POINTS, LEAST_POINTS, SHOWN_POINTS = 120, 3, 5
LONGEST_CELL = 120


class Candidate(BaseModel):
    type: str
    card: Flashcard
    chapter: int = 0


class CardOutline(BaseModel):
    about: str
    spoken: str
    candidates: list[Candidate] = []
    statements: list[Statement] = []
    sources: list[str] = []


class WrittenCard(BaseModel):
    front: str = Field(description="A question or a term.")
    back: str = Field(description="The answer, in one sentence in the passage's own words.")
    passage: int = Field(description="The number of the passage that proves it.", ge=1)


class WrittenCards(BaseModel):
    cards: list[WrittenCard]


class FlashcardKind:
    outline_type = CardOutline
    content_type = Flashcards

    def outline(self, evidence: Evidence, brief: Brief) -> CardOutline:
        chapters = wanted_chapters(evidence, CHAPTERS)
        choice = evidence.choice()
        each = max(LEAST_POINTS, MOST_POINTS // max(1, len(chapters)))
        best = [choice.best(chapter.all_points(), each) for chapter in chapters]
        found = [*_questions(evidence, chapters, brief.language), *_others(chapters, best, brief.language)]
        if not found:
            raise Conflict("The sources have too little in them for flashcards.", hint="Add sources with more text.")
        return CardOutline(
            about=about(evidence, brief),
            spoken=evidence.language,
            candidates=found,
            statements=[point.statement for points in best for point in points[:SHOWN_POINTS]],
            sources=[source.title for source in evidence.sources],
        )

    def content(self, outline: CardOutline, brief: Brief) -> Flashcards:
        difficulty: Difficulty = brief.options.difficulty
        return Flashcards(
            title=labels(brief.language).flashcards.format(outline.about),
            language=brief.language,
            cards=_chosen(outline.candidates, ORDER[difficulty], COUNT[brief.options.quantity]),
            words=page_words(brief.language),
            sources=outline.sources,
            remark=remark(brief.language, outline.spoken),
        )

    async def written(self, outline: CardOutline, content: Flashcards, brief: Brief, writer: Writer) -> Flashcards:
        wanted = COUNT[brief.options.quantity]
        given = outline.statements[: wanted + 6]
        task = (
            f"Write {wanted} {brief.options.difficulty} flashcards about “{outline.about}”, in the language "
            f"“{brief.language}”, each about one passage. {brief.instructions}"
        )
        made = await writer.json(task, given, WrittenCards, tokens=80 * wanted)
        good = [
            Flashcard(front=one.front.strip(), back=one.back.strip(), explanation=given[one.passage - 1])
            for one in made.cards
            if one.passage <= len(given) and one.front.strip() and bears_out(one.back, given[one.passage - 1])
        ]
        if not good:
            raise Upstream("The language model wrote no card that the sources bear out.")
        told = {card.explanation.text for card in good}
        more = [card for card in content.cards if card.explanation.text not in told]
        return content.model_copy(update={"cards": [*good, *more][: max(wanted, len(good))]})

    def title(self, content: Flashcards) -> str:
        return content.title


def _questions(evidence: Evidence, chapters: Sequence[Chapter], language: str) -> Iterator[Candidate]:
    """Questions that the text's own sentences answer."""
    place = {id(point): number for number, chapter in enumerate(chapters) for point in chapter.all_points()}
    by_text = {point.statement.text: place[id(point)] for chapter in chapters for point in chapter.all_points()}
    for item in review_questions(evidence, language, QUESTIONS):
        if item.statement.text in by_text:
            card = Flashcard(front=item.label, back=item.statement.text, explanation=item.statement)
            yield Candidate(type="question", card=card, chapter=by_text[item.statement.text])


def _others(chapters: Sequence[Chapter], best: Sequence[Sequence[Point]], language: str) -> Iterator[Candidate]:
    words = labels(language)
    for number, (chapter, own) in enumerate(zip(chapters, best, strict=True)):
        for point in chapter.all_points():
            if term := term_of(point):
                card = Flashcard(front=term, back=point.text, explanation=point.statement)
                yield Candidate(type="term", card=card, chapter=number)
        for table in chapter.all_tables():
            for row in table.rows[:ROWS]:
                name = table.said(row.cells[table.key])
                for column, head in enumerate(table.heads):
                    value = table.said(row.cells[column])
                    if (
                        column != table.key
                        and head
                        and name
                        and value
                        and len(name) <= LONGEST_CELL
                        and len(value) <= LONGEST_CELL
                        and value != name
                        and (YEAR.match(name) or not name.isdigit())
                    ):
                        front = words.value_of.format(name, head)
                        proof = table.row_statement(row)
                        yield Candidate(
                            type="row", card=Flashcard(front=front, back=value, explanation=proof), chapter=number
                        )
                        break
        for point in own:
            for answer in (*answers(point), *telling_words(point, frozenset())):
                front = f"{words.complete_sentence}\n{answer.question}"
                card = Flashcard(front=front, back=answer.text, explanation=point.statement)
                yield Candidate(type="gap", card=card, chapter=number)
                break


def _chosen(found: Sequence[Candidate], order: Sequence[str], wanted: int) -> list[Flashcard]:
    """By what they ask for, then in the order of the chapters; no passage twice, nothing that has two answers."""
    rank = {type: place for place, type in enumerate(order)}
    chosen: list[tuple[int, int, Flashcard]] = []
    answered: dict[str, set[str]] = {}
    for one in found:
        answered.setdefault(one.card.front.casefold(), set()).add(one.card.back)
    told: set[str] = set()
    listed = sorted(enumerate(found), key=lambda one: (rank.get(one[1].type, len(rank)), one[0]))
    for at, one in listed:
        asked = one.card.front.casefold()
        if {one.card.explanation.text, asked} & told or len(answered[asked]) > 1 or len(chosen) == wanted:
            continue
        told |= {one.card.explanation.text, asked}
        chosen.append((one.chapter, at, one.card))
    return [card for _, _, card in sorted(chosen, key=lambda one: one[:2])]
