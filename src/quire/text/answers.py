"""Answers: what is told of a checked draft."""

from __future__ import annotations

import uuid

from quire.domain.chat import Answer, Citation, Confidence
from quire.domain.documents import Document, Place
from quire.domain.passages import PassageHit
from quire.ports.search import Passages
from quire.ports.store import Tx
from quire.text.check_citations import Draft
from quire.text.follow_ups import REFUSALS

REFUSAL = REFUSALS["en"][0]


def places_of(tx: Tx, passages: Passages, draft: Draft, hits: list[PassageHit]) -> list[Place]:
    """Where each claim's own words stand: its passage may begin on another page, or under another heading."""
    versions: dict[tuple[str, int], Document] = {}
    places = []
    for claim in draft.claims:
        passage = hits[claim.passage].passage
        version = (passage.source_id, passage.version)
        if version not in versions:
            versions[version] = Document(text="", marks=passages.marks(tx, *version))
        places.append(versions[version].place(claim.start) if versions[version].marks else passage.place)
    return places


def answer_of(
    question: str,
    draft: Draft,
    hits: list[PassageHit],
    places: list[Place],
    maker: str,
    conversation_id: str,
    further: list[str],
) -> Answer:
    """The answer of a draft. An excerpt is cut out of the passage that holds it, so it stands where it says."""
    citations = []
    for number, (claim, place) in enumerate(zip(draft.claims, places, strict=True), 1):
        passage = hits[claim.passage].passage
        excerpt = passage.text[claim.start - passage.start : claim.end - passage.start]
        citations.append(
            Citation(
                number=number,
                source_id=passage.source_id,
                source_title=passage.source_title,
                version=passage.version,
                passage_id=passage.id,
                start=claim.start,
                end=claim.end,
                excerpt=excerpt,
                place=place,
                answer_start=claim.answer_start,
                answer_end=claim.answer_end,
                verified=claim.verified and bool(excerpt.strip()),
            )
        )
    return Answer(
        id=str(uuid.uuid4()),
        conversation_id=conversation_id,
        question=question,
        text=draft.text or REFUSAL,
        citations=citations,
        confidence=_confidence(draft),
        support=round(draft.support, 4),
        follow_up_questions=further,
        grounded=any(citation.verified for citation in citations),
        maker=draft.maker or maker,
        warnings=list(draft.warnings),
    )


def _confidence(draft: Draft) -> Confidence:
    if not any(claim.verified for claim in draft.claims):
        return "low"
    return "high" if draft.support >= 0.75 else "medium" if draft.support >= 0.5 else "low"


def as_note(answer: Answer) -> str:
    """An answer as Markdown, with what it cites below it."""
    lines = [answer.text, "", "---"]
    for citation in answer.citations:
        place = citation.place.heading or (f"page {citation.place.page}" if citation.place.page else "")
        where = f", {place}" if place else ""
        lines.append(f"[{citation.number}] {citation.source_title}{where}: “{' '.join(citation.excerpt.split())}”")
    return "\n".join(lines) if answer.citations else answer.text
