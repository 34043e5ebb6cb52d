"""Answers: what is told of a checked draft."""

from __future__ import annotations

import uuid

from quire.domain.chat import Answer, Citation, Confidence, NearbyPassage, UnsupportedPart
from quire.domain.documents import Document, Place
from quire.domain.passages import PassageHit
from quire.ports.search import Passages
from quire.ports.store import Tx
from quire.text.check_citations import Claim, Draft, Nearby
from quire.text.claim_check import Fault
from quire.text.wording import wording
from quire.text.words import language_of

WHYS: dict[Fault | None, str] = {
    None: "It names no source, and none plainly says it.",
    "words": "The source does not say this.",
    "number": "The source has another number or unit, or has it for something else.",
    "date": "The source has another date.",
    "name": "The source does not name this.",
    "negation": "The source denies what this says, or says what this denies.",
    "opposite": "The source says the opposite.",
    "role": "The source says so of someone or something else.",
    "comparison": "The source compares the other way.",
    "quantity": "The source says so of more, or of fewer.",
    "certainty": "The source says so less surely, or in another mode.",
    "length": "It is too long to be checked.",
}


def places_of(tx: Tx, passages: Passages, draft: Draft, hits: list[PassageHit]) -> list[Place]:
    """Where each claim's own words stand, and what is offered beside them: a passage may begin on another page."""
    versions: dict[tuple[str, int], Document] = {}
    places = []
    spans: list[Claim | Nearby] = [*draft.claims, *draft.more]
    for span in spans:
        passage = hits[span.passage].passage
        version = (passage.source_id, passage.version)
        if version not in versions:
            versions[version] = Document(text="", marks=passages.marks(tx, *version))
        places.append(versions[version].place(span.start) if versions[version].marks else passage.place)
    return places


def answer_of(
    question: str,
    draft: Draft,
    hits: list[PassageHit],
    places: list[Place],
    maker: str,
    conversation_id: str,
    further: list[str],
    language: str | None = None,
) -> Answer:
    """The answer of a draft. An excerpt is cut out of the passage that holds it, so it stands where it says.

    `places` are those of what is cited, then those of what is offered beside it; `language` is what Quire speaks.
    """
    citations = []
    for number, (claim, place) in enumerate(zip(draft.claims, places[: len(draft.claims)], strict=True), 1):
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
    more = [
        NearbyPassage(
            source_id=passage.source_id,
            source_title=passage.source_title,
            version=passage.version,
            start=near.start,
            end=near.end,
            excerpt=passage.text[near.start - passage.start : near.end - passage.start],
            place=place,
        )
        for near, place in zip(draft.more, places[len(draft.claims) :], strict=True)
        for passage in (hits[near.passage].passage,)
    ]
    return Answer(
        id=str(uuid.uuid4()),
        conversation_id=conversation_id,
        question=question,
        text=draft.text or wording(language or language_of(question)).no_answer,
        citations=citations,
        confidence=_confidence(draft),
        support=round(draft.support, 4),
        follow_up_questions=further,
        grounded=any(citation.verified for citation in citations) and not draft.unsupported,
        unsupported=[
            UnsupportedPart(
                text=draft.text[part.answer_start : part.answer_end],
                answer_start=part.answer_start,
                answer_end=part.answer_end,
                why=WHYS[part.fault],
            )
            for part in draft.unsupported
        ],
        more=more,
        maker=draft.maker or maker,
        warnings=list(draft.warnings),
    )


def _confidence(draft: Draft) -> Confidence:
    if not any(claim.verified for claim in draft.claims):
        return "low"
    if draft.support >= 0.75 and draft.sure and not draft.unsupported:
        return "high"
    return "medium" if draft.support >= 0.5 else "low"


def as_note(answer: Answer) -> str:
    """An answer as Markdown, with what it cites below it."""
    lines = [answer.text, "", "---"]
    for citation in answer.citations:
        place = citation.place.heading or (f"page {citation.place.page}" if citation.place.page else "")
        where = f", {place}" if place else ""
        lines.append(f"[{citation.number}] {citation.source_title}{where}: “{' '.join(citation.excerpt.split())}”")
    return "\n".join(lines) if answer.citations else answer.text
