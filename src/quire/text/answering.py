"""An answer from the question on: what is looked for, who writes, where the citations stand, what else can be asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from quire.domain.chat import Answer, ChatConfiguration
from quire.domain.errors import QuireError
from quire.domain.passages import PassageHit
from quire.ports.search import Embedder
from quire.ports.store import Tx
from quire.text.answers import answer_of, places_of
from quire.text.asked import Asked, asked_of
from quire.text.candidates import defining
from quire.text.check_citations import Draft
from quire.text.follow_ups import follow_up_questions
from quire.text.makers import Makers, WritingTask
from quire.text.search import FoundPassages, SearchPorts, find_passages
from quire.text.sentence_choice import Similarity
from quire.text.source_intros import source_intros
from quire.text.source_reader import SourceReader
from quire.text.words import language_of, query_tokens

HITS = 12
DEFINITIONS = 2
OWN_WORDS = 2


@dataclass(frozen=True)
class AnswerRequest:
    """A question to the sources of a notebook, or to those named; `history` has earlier questions and answers.

    `nothing_found` is raised where no passage is found, for sources of which none can be asked. `warnings` are known
    before, and come with the answer.
    """

    question: str
    notebook_id: str
    conversation_id: str
    source_ids: Sequence[str] | None
    history: Sequence[tuple[str, str]]
    configuration: ChatConfiguration
    nothing_found: QuireError | None = None
    warnings: tuple[str, ...] = ()


async def write_answer(
    ports: SearchPorts, makers: Makers, request: AnswerRequest
) -> AsyncGenerator[str | Answer, None]:
    """The answer's text as it grows, and at the end the answer, its citations checked. Nothing is written down."""
    draft = Draft("", refused=True)
    maker = makers.chosen()
    asked = asked_of(request.question)
    for query in with_previous_question(request.question, request.history):
        found, summary = await _look_up(ports, request, asked, query)
        if found.hits:
            task = await _task(ports, request, asked, query, found, summary=summary)
            async with aclosing(maker.write(task)) as pieces:  # type: ignore[type-var]
                async for piece in pieces:
                    if isinstance(piece, Draft):
                        draft = piece
                    else:
                        yield piece
        elif request.nothing_found is not None:
            raise request.nothing_found
        if not draft.refused:
            break
    draft = replace(draft, warnings=(*request.warnings, *found.warnings, *draft.warnings))
    hits = [*found.hits, *draft.added]
    further = await asyncio.to_thread(_further, request.question, draft, hits)
    places = await ports.read(lambda tx: places_of(tx, ports.passages, draft, hits))
    yield answer_of(request.question, draft, hits, places, maker.name, request.conversation_id, further)


def with_previous_question(question: str, history: Sequence[tuple[str, str]]) -> list[str]:
    """What to look for, one after the other. A follow-up may make sense only with the question before it: it is looked
    for with that at once where it says little by itself, else where it has no answer by itself."""
    if not history:
        return [question]
    both = f"{history[-1][0]} {question}"
    return [both] if len(query_tokens(question, [language_of(question)])) < OWN_WORDS else [question, both]


async def _look_up(ports: SearchPorts, request: AnswerRequest, asked: Asked, query: str) -> tuple[FoundPassages, bool]:
    """The passages to answer from, and whether they are the beginnings of sources that are to be summed up."""
    notebook, sources = request.notebook_id, request.source_ids
    if asked.kind == "overview":
        intros = await ports.read(lambda tx: source_intros(tx, ports.passages, notebook, request.question, sources))
        if intros:
            return FoundPassages(intros), True
    found = await find_passages(ports, notebook, query, source_ids=sources, limit=3 * HITS)
    return replace(found, hits=_with_definitions(request.question, found.hits)), False


def _with_definitions(question: str, hits: Sequence[PassageHit]) -> list[PassageHit]:
    """The best hits, and of the others a few that say what the question wants to know the meaning of."""
    others = (hit for hit in hits[HITS:] if defining(question, hit.passage.text, hit.passage.language))
    return [*hits[:HITS], *islice(others, DEFINITIONS)]


async def _task(
    ports: SearchPorts, request: AnswerRequest, asked: Asked, query: str, found: FoundPassages, *, summary: bool
) -> WritingTask:
    def frequencies(tx: Tx) -> tuple[dict[str, int], int]:
        words = query_tokens(query, ports.index.languages(tx, [request.notebook_id]))
        return ports.index.frequencies(tx, request.notebook_id, words)

    counts, total = await ports.read(frequencies)
    return WritingTask(
        question=request.question,
        hits=found.hits,
        history=request.history,
        configuration=request.configuration,
        frequencies=counts,
        total=total,
        similarity=_similarity(ports.embedder, found.vector),
        query=query,
        summary=summary,
        asked=asked,
        reader=SourceReader(ports, request.notebook_id, request.source_ids, asyncio.get_running_loop()),
        across=found.across,
    )


def _similarity(embedder: Embedder | None, vector: Any | None) -> Similarity | None:
    """How near sentences are to the question, where the embedder's cosines are known well enough to judge by."""
    if vector is None or embedder is None or not embedder.calibrated:
        return None
    return lambda texts: [float(cosine) for cosine in embedder.embed(texts, "passage") @ vector]


def _further(question: str, draft: Draft, hits: Sequence[PassageHit]) -> list[str]:
    """What else can be asked of the passages that are cited, or of all where none is."""
    cited = {claim.passage for claim in draft.claims} or range(len(hits))
    near = [hits[at].passage for at in sorted(cited)]
    headings = [passage.place.heading for passage in near if passage.place.heading]
    return follow_up_questions(question, [passage.text for passage in near], headings)
