"""Quizzes and flashcards: questions whose answers a passage proves."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from quire.domain.artifacts import Difficulty, Quantity
from quire.domain.grounding import Statement


class QuizOptions(BaseModel):
    model_config = ConfigDict(extra="forbid")

    quantity: Quantity = "standard"
    difficulty: Difficulty = "medium"


class QuizQuestion(BaseModel):
    """`answer` is the place of the right one among the `options`; `explanation` proves it."""

    model_config = ConfigDict(frozen=True)

    question: str
    options: Annotated[list[str], Field(min_length=2, max_length=8)]
    answer: Annotated[int, Field(ge=0)]
    explanation: Statement
    hint: str = ""

    @model_validator(mode="after")
    def has_one_right_answer(self) -> QuizQuestion:
        if self.answer >= len(self.options) or len({one.casefold() for one in self.options}) < len(self.options):
            raise ValueError("A question has different options, and one of them is right.")
        return self


class Quiz(BaseModel):
    """`words` are the labels of its page, in its language."""

    title: str
    language: str = "en"
    questions: list[QuizQuestion] = []
    words: dict[str, str] = {}
    sources: list[str] = []
    remark: str = ""


class Flashcard(BaseModel):
    model_config = ConfigDict(frozen=True)

    front: str
    back: str
    explanation: Statement


class Flashcards(BaseModel):
    title: str
    language: str = "en"
    cards: list[Flashcard] = []
    words: dict[str, str] = {}
    sources: list[str] = []
    remark: str = ""
