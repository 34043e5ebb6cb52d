"""The maker that needs no model: the sources' own sentences."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

from quire.domain.errors import QuireError
from quire.domain.passages import PassageHit
from quire.text.candidates import ScoredPassage
from quire.text.check_citations import Claim, Draft
from quire.text.follow_ups import refusal
from quire.text.key_sentences import key_sentences
from quire.text.makers import WritingTask
from quire.text.quotes import quoted
from quire.text.sentence_choice import PASSAGES, choose_sentences

PARTS = {"shorter": 1, "default": 3, "longer": 6}
SENTENCES = {"shorter": 3, "default": 6, "longer": 12}
SUMMARY_SUPPORT = 0.9


class ExtractiveMaker:
    name = "extractive"

    async def write(self, task: WritingTask) -> AsyncIterator[str | Draft]:
        make = _summary if task.summary else _answer
        try:
            draft = await asyncio.to_thread(make, task)
        except QuireError as error:
            draft = await asyncio.to_thread(make, replace(task, similarity=None))
            draft = replace(draft, warnings=(f"{error.message} Sentences were chosen by their words alone.",))
        yield draft


def _answer(task: WritingTask) -> Draft:
    """The sentences that answer, best first."""
    hits = task.hits[:PASSAGES]
    question = task.query or task.question
    limit = PARTS[task.configuration.length]
    chosen = choose_sentences(question, _scored(task, hits), task.frequencies, task.total, task.similarity, limit)
    if chosen.refused:
        texts = [hit.passage.text for hit in hits]
        headings = [hit.passage.place.heading for hit in hits if hit.passage.place.heading]
        return Draft(refusal(task.question, texts, headings), refused=True, support=chosen.confidence)
    return _draft(hits, [(part.passage, part.start, part.end) for part in chosen.parts], chosen.confidence)


def _summary(task: WritingTask) -> Draft:
    """The key sentences of each source, in reading order."""
    by_source: dict[str, list[int]] = {}
    for at, hit in enumerate(task.hits):
        by_source.setdefault(hit.passage.source_id, []).append(at)
    share = max(1, SENTENCES[task.configuration.length] // max(1, len(by_source)))
    parts = []
    for places in by_source.values():
        passages = [task.hits[at].passage for at in places]
        for sentence in key_sentences([passage.text for passage in passages], passages[0].language, share):
            parts.append((places[sentence.at], sentence.start, sentence.end))
    return _draft(task.hits, parts, SUMMARY_SUPPORT, together=True) if parts else Draft("", refused=True)


def _scored(task: WritingTask, hits: Sequence[PassageHit]) -> list[ScoredPassage]:
    """What sentences are chosen from. A passage that has no vector yet, or was not near, is compared now."""
    missing = [at for at, hit in enumerate(hits) if hit.similarity is None]
    cosines = {at: hit.similarity or 0.0 for at, hit in enumerate(hits)}
    if task.similarity and missing:
        texts = [f"{hits[at].passage.source_title}\n{hits[at].passage.text}" for at in missing]
        cosines |= zip(missing, task.similarity(texts), strict=True)
    return [
        ScoredPassage(
            hit.passage.text,
            hit.score,
            hit.passage.source_title,
            hit.passage.language,
            cosines[at],
            hit.passage.place.heading or "",
        )
        for at, hit in enumerate(hits)
    ]


def _draft(
    hits: Sequence[PassageHit], parts: Sequence[tuple[int, int, int]], support: float, *, together: bool = False
) -> Draft:
    """Quotes, each followed by its number; those of one source make one paragraph where they go `together`."""
    text = ""
    claims = []
    for number, (at, start, end) in enumerate(parts, 1):
        passage = hits[at].passage
        quote = quoted(passage.text[start:end])
        beside = together and number > 1 and hits[parts[number - 2][0]].passage.source_id == passage.source_id
        text += "" if not text else " " if beside and "\n" not in quote else "\n\n"
        begin = len(text)
        text += quote
        claims.append(Claim(begin, len(text), at, passage.start + start, passage.start + end, verified=True))
        text += f"\n[{number}]" if "\n" in text[begin:] else f" [{number}]"
    return Draft(text, tuple(claims), support=support)
