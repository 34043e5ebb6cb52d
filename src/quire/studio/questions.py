"""Questions that sources answer, each with the statement that does."""

from __future__ import annotations

from collections.abc import Iterator

from quire.domain.reports import ReportItem
from quire.studio.evidence import Evidence
from quire.studio.points import Point, can_be_quoted
from quire.text.question_making import MadeQuestion, questions_of
from quire.text.words import tokens

# What a question about a section is worth less than one that a sentence answers.
SECTION_FORMS = ("section",)
CONTEXT = 600
# So many points are looked at, in all and of a chapter at least.
MOST_POINTS, LEAST_POINTS = 90, 3
SAME = 0.6


def review_questions(evidence: Evidence, language: str, limit: int) -> list[ReportItem]:
    """The best questions, from all chapters in turn, none like another."""
    each = max(LEAST_POINTS, MOST_POINTS // max(1, len(evidence.chapters)))
    choice = evidence.choice()
    found = [list(_questions(choice.best(chapter.all_points(), each))) for chapter in evidence.chapters]
    chosen: list[ReportItem] = []
    told: list[frozenset[str]] = []
    while any(found) and len(chosen) < limit:
        for questions in found:
            questions.sort(key=lambda one: -one[0].worth)
            while questions:
                made, point = questions.pop(0)
                words = frozenset(tokens(made.question, point.source.language))
                if not any(len(words & other) >= SAME * min(len(words), len(other) or 1) for other in told):
                    told.append(words)
                    chosen.append(ReportItem(label=made.question, statement=point.statement))
                    break
            if len(chosen) == limit:
                break
    return chosen


def _questions(points: list[Point]) -> Iterator[tuple[MadeQuestion, Point]]:
    """Questions whose answers are points; each is made with the text around it, which tells how names are spelt."""
    for point in points:
        source = point.source
        start = max(0, source.text.rfind("\n", 0, max(0, point.start - CONTEXT)) + 1)
        stretch = source.text[start : min(len(source.text), point.end + CONTEXT)]
        for made in questions_of(stretch, source.name, None, source.language):
            if made.form in SECTION_FORMS or start + made.start != point.start:
                continue
            if can_be_quoted(source.text[start + made.start : start + made.end]):
                yield made, point
