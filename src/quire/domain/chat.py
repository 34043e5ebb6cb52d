"""Questions, answers, and what the answers rest on."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from quire.domain.documents import Place
from quire.domain.errors import InvalidInput, TooLarge

Confidence = Literal["high", "medium", "low"]
Goal = Literal["default", "learning_guide", "custom"]
Length = Literal["default", "longer", "shorter"]

QUESTION_LIMIT = 10_000

ConversationId = Annotated[str, Field(description="The conversation's id.")]
UUID = r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"
NewConversationId = Annotated[str, Field(pattern=UUID, description="The id it has or gets, a UUID.")]


class Citation(BaseModel):
    """`excerpt` is exactly what stands from `start` to `end` in that version of the source.

    `answer_start` and `answer_end` are the part of the answer that it supports. `verified` says that
    both were checked: the excerpt stands there, and it says what that part of the answer says.
    """

    model_config = ConfigDict(frozen=True)

    number: int
    source_id: str
    source_title: str
    version: int
    passage_id: int
    start: int
    end: int
    excerpt: str
    place: Place
    answer_start: int
    answer_end: int
    verified: bool


class NearbyPassage(BaseModel):
    """A passage that was found near and is no part of the answer; `excerpt` is exactly what stands there."""

    model_config = ConfigDict(frozen=True)

    source_id: str
    source_title: str
    version: int
    start: int
    end: int
    excerpt: str
    place: Place


class UnsupportedPart(BaseModel):
    """A part of an answer that no source bears out, and why: it cites nothing, or the source says something else."""

    model_config = ConfigDict(frozen=True)

    text: str
    answer_start: int
    answer_end: int
    why: str


class Answer(BaseModel):
    """An answer with its citations; `[1]` in the text is the citation of that number.

    `grounded` is false when the sources do not hold an answer, and when they do not bear out a part of it; the text
    then says so, and `unsupported` lists such parts. `support` tells, from 0 to 1, how far the sources bear the answer
    out; `confidence` is the same in a word, never high for an answer with such a part, and
    None where whoever answered does not tell it. `more` offers passages that
    were found beside what the answer cites.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    conversation_id: str
    question: str
    text: str
    citations: list[Citation]
    confidence: Confidence | None
    support: float = 0.0
    follow_up_questions: list[str]
    grounded: bool
    unsupported: list[UnsupportedPart] = []
    more: list[NearbyPassage] = []
    maker: str
    warnings: list[str] = []


class AnswerPart(BaseModel):
    """The answer so far, as it is being written."""

    text: str


class Turn(BaseModel):
    """A question that was asked, and its answer."""

    model_config = ConfigDict(frozen=True)

    answer: Answer
    asked_at: datetime


class Conversation(BaseModel):
    """Questions and answers that follow from each other; `question` is the first."""

    model_config = ConfigDict(frozen=True)

    id: str
    notebook_id: str
    turns: int
    question: str = ""
    created_at: datetime
    updated_at: datetime


class ChatConfiguration(BaseModel):
    """How a notebook's chat answers: what for, in how many words."""

    model_config = ConfigDict(frozen=True)

    goal: Goal = "default"
    instructions: str = ""
    length: Length = "default"


def asked_question(question: str) -> str:
    """A question as it is asked."""
    question = question.strip()
    if not question:
        raise InvalidInput("question: must not be empty.", field="question")
    if len(question) > QUESTION_LIMIT:
        raise TooLarge(f"question: is longer than {QUESTION_LIMIT:,} characters.", field="question")
    return question
