"""Makers of answers, behind one port."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from quire.domain.chat import ChatConfiguration
from quire.domain.extractive import Similarity
from quire.domain.grounding import Draft, draft_of
from quire.domain.passages import PassageHit
from quire.services.ports import Sampler

SYSTEM = (
    "You answer questions from numbered passages and from nothing else. After each sentence put the number of the "
    "passage it rests on in square brackets, such as [2]. Use the passages' own words for facts, names and numbers. "
    "If the passages do not hold the answer, write exactly: NOT IN THE SOURCES. Answer in the question's language."
)
NO_ANSWER = "NOT IN THE SOURCES"
LENGTHS = {"default": "", "longer": "Answer at length, with detail.", "shorter": "Answer in one or two sentences."}
TOKENS = {"default": 800, "longer": 2000, "shorter": 300}


@dataclass(frozen=True)
class Asked:
    """A question with all that a maker may use."""

    question: str
    hits: Sequence[PassageHit]
    history: Sequence[tuple[str, str]]
    configuration: ChatConfiguration
    frequencies: dict[str, int]
    passages: int
    similarity: Similarity | None = None


class Maker(Protocol):
    """Writes an answer: text as it grows, and at the end the draft."""

    name: str

    def write(self, asked: Asked) -> AsyncIterator[str | Draft]: ...


class Model(Protocol):
    """A language model."""

    name: str

    def generate(self, system: str, prompt: str, max_tokens: int) -> AsyncIterator[str]:
        """The answer in pieces."""
        ...


class ModelMaker:
    """A language model that cites passages; what it cites is checked."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.name = model.name

    async def write(self, asked: Asked) -> AsyncIterator[str | Draft]:
        text = ""
        async for piece in self._model.generate(SYSTEM, prompt(asked), TOKENS[asked.configuration.length]):
            text += piece
            yield text
        yield checked(text, asked)


class SamplerMaker:
    """The caller's own language model, over MCP."""

    name = "sampling"

    def __init__(self, sampler: Sampler) -> None:
        self._sampler = sampler

    async def write(self, asked: Asked) -> AsyncIterator[str | Draft]:
        text = await self._sampler.sample(
            prompt(asked), system=SYSTEM, max_tokens=TOKENS[asked.configuration.length]
        )
        yield checked(text, asked)


def checked(text: str, asked: Asked) -> Draft:
    """A model's text as a draft; one that says that it does not know is a refusal."""
    if NO_ANSWER.casefold() in text.casefold():
        return Draft("", refused=True)
    return draft_of(text, [hit.passage for hit in asked.hits])


def prompt(asked: Asked) -> str:
    parts = []
    for number, hit in enumerate(asked.hits, 1):
        place = hit.passage.place.heading or (f"page {hit.passage.place.page}" if hit.passage.place.page else "")
        where = f" ({place})" if place else ""
        parts.append(f"[{number}] {hit.passage.source_title}{where}\n{hit.passage.text}")
    earlier = [f"Earlier question: {question}\nEarlier answer: {answer}" for question, answer in asked.history]
    wishes = [asked.configuration.instructions, LENGTHS[asked.configuration.length]]
    if asked.configuration.goal == "learning_guide":
        wishes.append("Answer as a patient teacher: explain step by step, and end with a question to think about.")
    return "\n\n".join([*parts, *earlier, *filter(None, wishes), f"Question: {asked.question}"])
