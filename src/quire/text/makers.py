"""Makers of answers, behind one port, and who of them writes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from quire.domain.chat import ChatConfiguration
from quire.domain.errors import QuireError, Upstream
from quire.domain.passages import Passage, PassageHit
from quire.ports.models import Model, Sampler
from quire.text.across import AcrossLanguages
from quire.text.asked import Asked
from quire.text.check_citations import Draft, draft_of
from quire.text.judging import Judge
from quire.text.prompt import NO_ANSWER, TOKENS, prompt, system, tidied
from quire.text.sentence_choice import Similarity
from quire.text.source_intros import SourceIntros
from quire.text.source_reader import SourceReader
from quire.text.structure.views import SourceView, views_of
from quire.text.words import language_of

MODEL_SECONDS = 100.0
EXTRACTING_SECONDS = 10.0

# A span of a source's text: its id, start and end.
Told = tuple[str, int, int]


@dataclass(frozen=True)
class WritingTask:
    """A question with all that a maker may use.

    `frequencies` tell in how many of all `total` passages each of its words stands. For an overview the hits are the
    beginnings of sources, as `intros` tells. `reader` reads what the hits do not show: other sources' titles and
    openings, more of a passage's text, further searches. A question of several has a task for each of its `parts`,
    whose hits are among its own. What was `told` by the last answer is no answer to a question that wants another;
    what is `shown` beside, by another part of the same answer, need not be repeated. `judge` reads a few sentences
    well, `skim` many of them quickly. `across` compares with passages in another language than the question. `language`
    is what the reader wants to be answered in, where they have said so.
    """

    question: str
    hits: Sequence[PassageHit]
    history: Sequence[tuple[str, str]]
    configuration: ChatConfiguration
    frequencies: dict[str, int]
    total: int
    similarity: Similarity | None = None
    judge: Judge | None = None
    skim: Judge | None = None
    intros: SourceIntros | None = None
    asked: Asked | None = None
    reader: SourceReader | None = None
    parts: Sequence[WritingTask] = ()
    told: Sequence[Told] = ()
    shown: Sequence[Told] = ()
    across: AcrossLanguages | None = None
    language: str | None = None

    @property
    def passages(self) -> list[Passage]:
        return [hit.passage for hit in self.hits]

    @property
    def spoken(self) -> str | None:
        """The language of what Quire says in its own words."""
        return self.language or language_of(self.question)

    @cached_property
    def views(self) -> list[SourceView]:
        """The sources of the hits as far as forms look into them, read once. Not to be called on the event loop."""
        return views_of(self.hits, self.reader, language_of(self.question))


class Maker(Protocol):
    """Writes an answer: text as it grows, and at the end the draft."""

    name: str

    def write(self, task: WritingTask) -> AsyncIterator[str | Draft]: ...


@dataclass(frozen=True)
class Makers:
    """Who may write: a configured model, else the caller's own, with `extractive` behind it; else that alone.

    `deadline` is when the answer must be there, by the event loop's clock.
    """

    model: Maker | None
    sampler: Sampler | None
    extractive: Maker
    deadline: float | None = None

    def chosen(self) -> Maker:
        if self.model is not None:
            return self._backed(self.model)
        return self._backed(SamplerMaker(self.sampler)) if self.sampler is not None else self.extractive

    def _backed(self, maker: Maker) -> Maker:
        """What is left of the time when the maker gives up is enough for the one behind it."""
        seconds = MODEL_SECONDS
        if self.deadline is not None:
            left = self.deadline - asyncio.get_running_loop().time()
            seconds = min(seconds, max(left - EXTRACTING_SECONDS, left / 2))
        return BackedMaker(maker, self.extractive, seconds)


class ModelMaker:
    """A language model that cites passages; what it cites is checked."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.name = model.name

    async def write(self, task: WritingTask) -> AsyncGenerator[str | Draft, None]:
        text, due = "", 0
        tokens = TOKENS[task.configuration.length]
        async with aclosing(self.model.generate(system(task.language), _prompt(task), tokens)) as pieces:  # type: ignore[type-var]
            async for piece in pieces:
                text += piece
                # Each showing passes over all of the text: the longer it is, the more there must be to show.
                if len(text) >= due and (shown := tidied(text, task.question, task.passages)):
                    due = len(text) + len(text) // 64
                    yield shown
        yield await asyncio.to_thread(_checked, text, task)

    async def check(self) -> str:
        return await self.model.check()


class SamplerMaker:
    """The caller's own language model, over MCP."""

    name = "sampling"

    def __init__(self, sampler: Sampler) -> None:
        self._sampler = sampler

    async def write(self, task: WritingTask) -> AsyncGenerator[str | Draft, None]:
        tokens = TOKENS[task.configuration.length]
        text = await self._sampler.sample(_prompt(task), system=system(task.language), max_tokens=tokens)
        yield await asyncio.to_thread(_checked, text, task)


class BackedMaker:
    """A maker that may fail, and one that stands behind it. Which one wrote, and why, is in the draft.

    How far sources bear out what a model wrote does not tell whether they hold the answer, which the second maker
    can judge; so the support of a draft is the middle of both, and of a refusal half of the second's.
    """

    def __init__(self, first: Maker, second: Maker, seconds: float) -> None:
        self._first = first
        self._second = second
        self._seconds = seconds
        self.name = first.name

    async def write(self, task: WritingTask) -> AsyncGenerator[str | Draft, None]:
        end = asyncio.get_running_loop().time() + self._seconds
        try:
            async with aclosing(self._first.write(task)) as pieces:  # type: ignore[type-var]
                while True:
                    async with asyncio.timeout_at(end):
                        piece = await anext(pieces, None)
                    if piece is None:
                        return
                    yield await self._weighed(piece, task) if isinstance(piece, Draft) else piece
        except TimeoutError:
            why = "The language model took too long."
        except QuireError as error:
            why = " ".join(filter(None, (error.message, error.hint)))
        async for piece in self._second.write(task):
            yield self._said_so(piece, why) if isinstance(piece, Draft) else piece

    def _said_so(self, draft: Draft, why: str) -> Draft:
        warning = f"{why} The answer is in the sources' own sentences instead."
        return replace(draft, maker=self._second.name, warnings=(warning, *draft.warnings))

    async def _weighed(self, draft: Draft, task: WritingTask) -> Draft:
        second = [piece async for piece in self._second.write(task) if isinstance(piece, Draft)]
        sure = second[-1].support if second else 0.0
        return replace(draft, support=(sure if draft.refused else draft.support + sure) / 2)


def _prompt(task: WritingTask) -> str:
    return prompt(task.question, task.passages, task.history, task.configuration)


def _checked(written: str, task: WritingTask) -> Draft:
    """A model's text as a draft. One that says that it does not know is a refusal; one that nothing bears out, none."""
    written = tidied(written, task.question, task.passages)
    draft = draft_of(written, task.passages)
    if any(claim.verified for claim in draft.claims):
        return draft
    if NO_ANSWER.casefold() in written.casefold():
        return Draft("", refused=True)
    raise Upstream("The language model wrote nothing that the sources bear out.")
