"""The plain form: the sentences that answer, best first, or the word that the sources hold no answer."""

from __future__ import annotations

from collections.abc import Sequence

from quire.domain.passages import PassageHit
from quire.text.asked import Asked
from quire.text.candidates import ScoredPassage
from quire.text.check_citations import Draft
from quire.text.follow_ups import refusal
from quire.text.makers import WritingTask
from quire.text.quotes import draft_of_quotes
from quire.text.sentence_choice import PASSAGES, choose_sentences

PARTS = {"shorter": 1, "default": 3, "longer": 6}


def sentences(task: WritingTask, asked: Asked) -> Draft:
    hits = task.hits[:PASSAGES]
    question = task.query or asked.question
    limit = PARTS[task.configuration.length]
    chosen = choose_sentences(question, _scored(task, hits), task.frequencies, task.total, task.similarity, limit)
    if chosen.refused:
        texts = [hit.passage.text for hit in hits]
        headings = [hit.passage.place.heading for hit in hits if hit.passage.place.heading]
        return Draft(refusal(task.question, texts, headings), refused=True, support=chosen.confidence)
    return draft_of_quotes(hits, [(part.passage, part.start, part.end) for part in chosen.parts], chosen.confidence)


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
