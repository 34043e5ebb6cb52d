"""Suggestions: questions to go on with, each of which the sources answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from quire.domain.passages import Passage
from quire.text.question_making import MadeQuestion, questions_of
from quire.text.question_patterns import ABOUT_QUESTIONS, SUMMARY_QUESTIONS, WHOLE_QUESTIONS
from quire.text.words import language_code, language_of, tokens

LIMIT = 3
# So many passages are read for questions, and so many questions are tried at most.
READ, TRIED = 6, 6
# What makes a question less worth: its form is there already, its source is, it comes from farther away.
SAME_FORM, SAME_SOURCE, FARTHER = 1.0, 1.0, 0.05
# A question with so much of the words of another is the same.
ALIKE = 0.75
FEWEST_WORDS = 2
# A title with one of these could not be told from the question around it.
QUOTES = '“”"„«»「」'


@dataclass(frozen=True)
class Suggestion:
    """A question that was made of a passage, the `rank`th that was read."""

    made: MadeQuestion
    passage: Passage
    rank: int

    @property
    def question(self) -> str:
        return self.made.question

    @property
    def span(self) -> tuple[str, int, int]:
        """Where the source answers it."""
        return self.passage.source_id, self.passage.start + self.made.start, self.passage.start + self.made.end


Span = tuple[str, int, int]
Answered = Callable[[Suggestion], bool]
# What an answer gave an overview of.
Overviewed = Literal["none", "one", "several"]


def suggestions(
    passages: Sequence[Passage], told: Sequence[Span], asked: Sequence[str], answered: Answered
) -> list[str]:
    """Questions that passages answer, of several forms and sources; the first passages come first.

    None is one of those `asked`, nor answered by what was `told`. `answered` says whether a question would be.
    """
    found = [
        Suggestion(made, passage, rank)
        for rank, passage in enumerate(passages[:READ])
        for made in questions_of(passage.text, passage.source_title, passage.place.heading, passage.language)
    ]
    found = [one for one in found if not _overlaps(one.span, told) and _stands_alone(one)]
    chosen: list[Suggestion] = []
    known = [_words(question) for question in asked]
    tried = 0
    while found and len(chosen) < LIMIT and tried < TRIED:
        best = max(found, key=lambda one: (_worth(one, chosen), -one.rank))
        found.remove(best)
        words = _words(best.question)
        if any(_alike(words, other) for other in known):
            continue
        tried += 1
        if answered(best):
            chosen.append(best)
            known.append(words)
            found = [one for one in found if not _overlaps(one.span, [best.span])]
    return [one.question for one in chosen]


def about_questions(passages: Sequence[Passage], asked: Sequence[str], told: Overviewed) -> Iterator[str]:
    """What can always be asked: what all sources are about, what each is, and what it says; but for what was told."""
    known = [_words(question) for question in asked]
    language = next((code for passage in passages if (code := language_code(passage.language))), None)
    titled = [
        (title, spoken)
        for title, spoken in dict.fromkeys(
            (" ".join(passage.source_title.split()), language_code(passage.language)) for passage in passages
        )
        if not any(mark in title for mark in QUOTES)
    ]
    questions = [WHOLE_QUESTIONS.get(language or "en", WHOLE_QUESTIONS["en"])] if told == "none" else []
    for templates in [SUMMARY_QUESTIONS] if told == "one" else [ABOUT_QUESTIONS, SUMMARY_QUESTIONS]:
        questions += [templates.get(spoken or "en", templates["en"]).format(title=title) for title, spoken in titled]
    for question in questions:
        if not any(_alike(_words(question), other) for other in known):
            yield question


def _worth(one: Suggestion, chosen: Sequence[Suggestion]) -> float:
    forms = sum(other.made.form == one.made.form for other in chosen)
    sources = sum(other.passage.source_id == one.passage.source_id for other in chosen)
    return one.made.worth - SAME_FORM * forms - SAME_SOURCE * sources - FARTHER * one.rank


def _stands_alone(one: Suggestion) -> bool:
    """Whether a question says enough to be understood without the one before it."""
    return one.made.form == "definition" or len(_words(one.question)) >= FEWEST_WORDS


def _overlaps(span: Span, others: Sequence[Span]) -> bool:
    source, start, end = span
    return any(source == other and start < last and first < end for other, first, last in others)


def _words(question: str) -> frozenset[str]:
    return frozenset(tokens(question, language_of(question))) or frozenset(question.casefold().split())


def _alike(words: frozenset[str], others: frozenset[str]) -> bool:
    return len(words & others) >= ALIKE * len(words | others)
