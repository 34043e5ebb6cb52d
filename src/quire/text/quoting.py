"""The answerer that needs no model: the sources' own sentences."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

from quire.domain.errors import QuireError
from quire.domain.passages import Passage, PassageHit
from quire.text.answering import Asked
from quire.text.candidates import Reading
from quire.text.extractive import PASSAGES, answer
from quire.text.follow_ups import refusal
from quire.text.grounding import Claim, Draft
from quire.text.key_sentences import telling
from quire.text.quotes import quoted

PARTS = {"shorter": 1, "default": 3, "longer": 6}
SENTENCES = {"shorter": 3, "default": 6, "longer": 12}
SUMMARY_SUPPORT = 0.9


class ExtractiveMaker:
    name = "extractive"

    async def write(self, asked: Asked) -> AsyncIterator[str | Draft]:
        make = summed_up if asked.summary else answered
        try:
            draft = await asyncio.to_thread(make, asked)
        except QuireError as error:
            draft = await asyncio.to_thread(make, replace(asked, similarity=None))
            draft = replace(draft, warnings=(f"{error.message} Sentences were chosen by their words alone.",))
        yield draft


def answered(asked: Asked) -> Draft:
    """The sentences that answer, best first."""
    hits = asked.hits[:PASSAGES]
    question = asked.leaning or asked.question
    limit = PARTS[asked.configuration.length]
    chosen = answer(question, _readings(asked, hits), asked.frequencies, asked.passages, asked.similarity, limit)
    if chosen.refused:
        texts = [hit.passage.text for hit in hits]
        headings = [hit.passage.place.heading for hit in hits if hit.passage.place.heading]
        return Draft(refusal(asked.question, texts, headings), refused=True, support=chosen.confidence)
    return _draft(hits, [(part.passage, part.start, part.end) for part in chosen.parts], chosen.confidence)


def summed_up(asked: Asked) -> Draft:
    """The most telling sentences of each source, in reading order."""
    by_source: dict[str, list[int]] = {}
    for at, hit in enumerate(asked.hits):
        by_source.setdefault(hit.passage.source_id, []).append(at)
    share = max(1, SENTENCES[asked.configuration.length] // max(1, len(by_source)))
    parts = []
    for places in by_source.values():
        passages = [asked.hits[at].passage for at in places]
        for sentence in telling([passage.text for passage in passages], passages[0].language, share):
            parts.append((places[sentence.at], sentence.start, sentence.end))
    return _draft(asked.hits, parts, SUMMARY_SUPPORT, together=True) if parts else Draft("", refused=True)


def _readings(asked: Asked, hits: Sequence[PassageHit]) -> list[Reading]:
    """Passages as they are read. One that has no vector yet, or was not among the nearest, is compared now."""
    missing = [at for at, hit in enumerate(hits) if hit.similarity is None]
    cosines = {at: hit.similarity or 0.0 for at, hit in enumerate(hits)}
    if asked.similarity and missing:
        texts = [f"{hits[at].passage.source_title}\n{hits[at].passage.text}" for at in missing]
        cosines |= zip(missing, asked.similarity(texts), strict=True)
    return [_reading(hit.passage, hit.score, cosines[at]) for at, hit in enumerate(hits)]


def _reading(passage: Passage, score: float, cosine: float) -> Reading:
    heading = passage.place.heading or ""
    return Reading(passage.text, score, passage.source_title, passage.language, cosine, heading)


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
