"""The plain form: the sentences that answer, best first, or the word that the sources hold no answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from quire.domain.passages import PassageHit
from quire.text.asked import Asked
from quire.text.candidates import ScoredPassage
from quire.text.check_citations import Draft, Nearby
from quire.text.makers import Told, WritingTask
from quire.text.quoted_parts import Part, Span
from quire.text.quotes import draft_of_quotes
from quire.text.refusals import refusal
from quire.text.sentence_choice import PASSAGES, SentenceChoice, choose_sentences

MORE = 3
# So many quotes at most; where a longer answer is wished for, so many as there are. A list may have more
# where nothing else is wished for.
PARTS = {"shorter": 1, "default": 3, "longer": 4}
LISTED = 6


def sentences(task: WritingTask, asked: Asked) -> Draft:
    hits = task.hits[:PASSAGES]
    length = task.configuration.length
    limit = LISTED if asked.kind == "list" and length == "default" else PARTS[length]
    chosen = chosen_sentences(task, asked, limit + MORE)
    if chosen.refused:
        return refused(task, chosen.confidence)
    ranked = [*chosen.parts, *chosen.more]
    enough = limit if length == "longer" else min(limit, len(chosen.parts))
    quotes = [(part.passage, part.start, part.end) for part in ranked[:enough]]
    draft = draft_of_quotes(hits, quotes, chosen.confidence)
    return replace(draft, more=nearby(hits, ranked[enough:]), sure=chosen.sure)


def nearby(hits: Sequence[PassageHit], parts: Sequence[Part]) -> tuple[Nearby, ...]:
    """A few of the best parts that the answer does not quote."""
    starts = [hits[part.passage].passage.start for part in parts[:MORE]]
    return tuple(
        Nearby(part.passage, start + part.start, start + part.end)
        for start, part in zip(starts, parts[:MORE], strict=True)
    )


def chosen_sentences(task: WritingTask, asked: Asked, parts: int) -> SentenceChoice:
    """The sentences of the best hits that answer what is asked, as far as they were not told before."""
    hits = task.hits[:PASSAGES]
    told = _spans(hits, task.told) if asked.instead else []
    shown = _spans(hits, task.shown)
    last = _spans(hits, task.told) if asked.about else []
    return choose_sentences(
        asked,
        scored(hits),
        task.frequencies,
        task.total,
        task.similarity,
        task.judge,
        task.skim,
        parts,
        told,
        shown,
        last,
    )


def _spans(hits: Sequence[PassageHit], told: Sequence[Told]) -> list[Span]:
    """Spans of sources as spans of the hits that have them."""
    return [
        (at, start - hit.passage.start, end - hit.passage.start)
        for at, hit in enumerate(hits)
        for source, start, end in told
        if source == hit.passage.source_id and start < hit.passage.end and hit.passage.start < end
    ]


def refused(task: WritingTask, support: float) -> Draft:
    """The word that the sources hold no answer, and of what they speak instead."""
    hits = task.hits[:PASSAGES]
    texts = [hit.passage.text for hit in hits]
    headings = [hit.passage.place.heading for hit in hits if hit.passage.place.heading]
    return Draft(refusal(task.question, texts, headings, task.spoken), refused=True, support=support)


def scored(hits: Sequence[PassageHit]) -> list[ScoredPassage]:
    """What sentences are chosen from."""
    return [
        ScoredPassage(
            hit.passage.text,
            hit.score,
            hit.passage.source_title,
            hit.passage.language,
            hit.similarity,
            hit.passage.place.heading or "",
        )
        for hit in hits
    ]
