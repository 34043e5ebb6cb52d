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
from quire.ports.search import Glossary, QuestionKinds
from quire.ports.store import Tx
from quire.text.answers import answer_of, places_of
from quire.text.asked import Asked, asked_of
from quire.text.candidates import defining
from quire.text.check_citations import Draft
from quire.text.document_questions import topic_of
from quire.text.extractive_maker import ExtractiveMaker
from quire.text.glosses import Glosser, glossed_languages
from quire.text.judging import ENGLISH, Judge, Judging
from quire.text.makers import Makers, Told, WritingTask
from quire.text.overview_questions import ALL_OF_THEM, NAMED_IN, OverviewWish, asks_what_is_said, overview_wish
from quire.text.question_tables import Kind, Wanted
from quire.text.search import FoundPassages, SearchPorts, find_in, frequencies_in
from quire.text.sentence_choice import Similarity
from quire.text.source_intros import SourceIntros, source_intros
from quire.text.source_reader import SourceReader
from quire.text.suggesting import suggested
from quire.text.turns import in_turns
from quire.text.words import language_code, query_tokens

HITS = 12
DEFINITIONS = 2
WISHES: tuple[Kind, ...] = ("overview", "documents")
OF_ALL: tuple[Wanted, ...] = ("thing", "manner", "reason")


@dataclass(frozen=True)
class AnswerRequest:
    """A question to the sources of notebooks, or to those named; `history` has earlier questions and answers.

    `told` are the spans that the last answer cited: source, start, end. `nothing_found` is raised where no passage is
    found, for sources of which none can be asked. `warnings` are known before, and come with the
    answer. What was `asked` in the conversation is not suggested. `language` is the one that the reader wants, where
    they have said so; else it is the question's.
    """

    question: str
    notebook_ids: Sequence[str]
    conversation_id: str
    source_ids: Sequence[str] | None
    history: Sequence[tuple[str, str]]
    configuration: ChatConfiguration
    nothing_found: QuireError | None = None
    warnings: tuple[str, ...] = ()
    told: Sequence[Told] = ()
    asked: Sequence[str] = ()
    language: str | None = None


async def write_answer(
    ports: SearchPorts, makers: Makers, request: AnswerRequest
) -> AsyncGenerator[str | Answer, None]:
    """The answer's text as it grows, and at the end the answer, its citations checked. Nothing is written down."""
    draft = Draft("", refused=True)
    maker, means = makers.chosen(), _Means(ports, request)
    before = [question for question, _ in request.history]
    asked = await asyncio.to_thread(_understood, ports.kinds, ports.glossary, request.question, before)
    found, task = await _prepared(means, asked)
    if found.hits:
        async with aclosing(maker.write(task)) as pieces:  # type: ignore[type-var]
            async for piece in pieces:
                if isinstance(piece, Draft):
                    draft = piece
                else:
                    yield piece
    if draft.refused and before and maker.name == ExtractiveMaker.name:
        # Whether a question goes on from the last one its words seldom tell for sure; a model reads both.
        again = await asyncio.to_thread(in_turns, request.question, before, goes_on=True)
        other, going_on = (found, task) if again == asked else await _prepared(means, again)
        if going_on is not task and other.hits:
            async with aclosing(maker.write(going_on)) as pieces:  # type: ignore[type-var]
                async for piece in pieces:
                    if isinstance(piece, Draft) and not piece.refused:
                        found, task, draft = other, going_on, piece
    if not found.hits and request.nothing_found is not None:
        raise request.nothing_found
    draft = replace(draft, warnings=(*request.warnings, *found.warnings, *draft.warnings))
    hits = [*found.hits, *draft.added]
    further = await asyncio.to_thread(suggested, task, draft, hits, request.asked)
    places = await ports.read(lambda tx: places_of(tx, ports.passages, draft, hits))
    yield answer_of(request.question, draft, hits, places, maker.name, request.conversation_id, further, task.spoken)


def _understood(kinds: QuestionKinds | None, glossary: Glossary | None, question: str, before: Sequence[str]) -> Asked:
    """What a question asks after those before it, by its words and by what was learnt."""
    asked = in_turns(question, before)
    language = language_code(asked.language) or ENGLISH
    if kinds is None or asked.about or asked.kind in WISHES:
        return asked
    if language != ENGLISH and (glossary is None or language not in glossed_languages()):
        return asked
    try:
        wish = kinds.wish(_in_english(glossary, asked.question, language))
    except QuireError:
        # An embedder that fails costs an answer nothing; the search will say so.
        return asked
    if wish == "overview":
        # Who asks for a person, a number or a day wants no overview, whatever it sounds like.
        return replace(asked, kind="overview", parts=()) if asked.wanted in OF_ALL else asked
    # Which documents is known only together with what they are to speak of.
    return replace(asked, kind="documents", parts=()) if wish and topic_of(asked.question) else asked


def _in_english(glossary: Glossary | None, question: str, language: str) -> str:
    if glossary is None or language == ENGLISH:
        return question
    return Glosser(glossary).glossed([(question, language)])[0]


class _Means:
    """What the parts of a question are answered with, all of them: what one has read or embedded, the next need not."""

    def __init__(self, ports: SearchPorts, request: AnswerRequest) -> None:
        self.ports, self.request = ports, request
        loop = asyncio.get_running_loop()
        self.reader = SourceReader(ports, request.notebook_ids, request.source_ids, loop)
        self._known: dict[str, Any] = {}
        self.judge: Judge | None = None
        self.skim: Judge | None = None
        if ports.judge is not None:
            judging = Judging(ports.judge, ports.glossary, ports.passage_judge)
            self.judge, self.skim = judging, judging.skim if ports.passage_judge else None

    def similarity(self, vector: Any | None) -> Similarity | None:
        """How near texts are to a question, where the embedder's cosines are known well enough to judge by."""
        embedder = self.ports.embedder
        if vector is None or embedder is None or not embedder.calibrated:
            return None

        def cosines(texts: list[str]) -> list[float]:
            fresh = [text for text in dict.fromkeys(texts) if text not in self._known]
            if fresh:
                self._known.update(zip(fresh, embedder.embed(fresh, "passage"), strict=True))
            return [float(self._known[text] @ vector) for text in texts]

        return cosines


async def _prepared(means: _Means, asked: Asked) -> tuple[FoundPassages, WritingTask]:
    """What was found for a question and, where it has parts, for each of them; and the task of writing the answer."""
    parts = [await _prepared(means, part) for part in asked.parts]
    found, intros = await _look_up(means.ports, means.request, asked)
    known = {hit.passage.id for hit in found.hits}
    for other, _ in parts:
        found.hits.extend(hit for hit in other.hits if hit.passage.id not in known)
        known |= {hit.passage.id for hit in other.hits}
    return found, await _task(means, asked, found, [task for _, task in parts], intros)


async def _look_up(
    ports: SearchPorts, request: AnswerRequest, asked: Asked
) -> tuple[FoundPassages, SourceIntros | None]:
    """The passages to answer from; for an overview of sources, their beginnings."""
    notebooks, sources, query = request.notebook_ids, request.source_ids, asked.query
    says = asks_what_is_said(asked.question)
    if asked.kind == "overview" or says:
        wish = overview_wish(asked.question) if says else _wish_of(asked)
        intros = await ports.read(lambda tx: source_intros(tx, ports.passages, notebooks, wish, sources))
        if intros and not says:
            return FoundPassages(intros.hits), intros
        sources = [head.id for head in intros.heads] if intros and wish.name else sources
        query = wish.topic or wish.name or query
    found = await find_in(ports, notebooks, query, source_ids=sources, limit=3 * HITS)
    return replace(found, hits=_with_definitions(asked.question, found.hits)), None


def _wish_of(asked: Asked) -> OverviewWish:
    """What a question wants an overview of. One whose words are not known for such a wish, or are in a language in
    which names are not told from other words, wants one of all sources, but for those that it names in English."""
    wish, language = overview_wish(asked.question), language_code(asked.language) or ENGLISH
    if language not in NAMED_IN:
        return replace(wish, name="", of_these=True)
    if asked_of(asked.question).kind == "overview":
        return wish
    of_all = language != ENGLISH or ALL_OF_THEM.search(asked.question)
    return replace(wish, name="" if of_all else wish.name, of_these=True)


def _with_definitions(question: str, hits: Sequence[PassageHit]) -> list[PassageHit]:
    """The best hits, and of the others a few that say what the question wants to know the meaning of."""
    others = (hit for hit in hits[HITS:] if defining(question, hit.passage.text, hit.passage.language))
    return [*hits[:HITS], *islice(others, DEFINITIONS)]


async def _task(
    means: _Means, asked: Asked, found: FoundPassages, parts: Sequence[WritingTask], intros: SourceIntros | None
) -> WritingTask:
    ports, request = means.ports, means.request

    def frequencies(tx: Tx) -> tuple[dict[str, int], int]:
        words = query_tokens(asked.query, ports.index.languages(tx, list(request.notebook_ids)))
        return frequencies_in(tx, ports.index, request.notebook_ids, words)

    counts, total = await ports.read(frequencies)
    return WritingTask(
        question=request.question,
        hits=found.hits,
        history=request.history,
        configuration=request.configuration,
        frequencies=counts,
        total=total,
        similarity=means.similarity(found.vector),
        judge=means.judge,
        skim=means.skim,
        intros=intros,
        asked=asked,
        reader=means.reader,
        parts=parts,
        told=request.told if asked.about else (),
        across=found.across,
        language=request.language,
    )
