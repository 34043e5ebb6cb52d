"""Sources and answers as the page's templates show them."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

from quire.domain.chat import Answer, Citation, NearbyPassage
from quire.domain.documents import Place
from quire.domain.errors import QuireError
from quire.domain.source_kinds import known
from quire.domain.sources import Source, SourceText

# A citation's mark, perhaps behind those of others for the same words.
MARK = r"\s*(?:\[[0-9]+\]\s*)*?(\[{}\])"
GAP = re.compile(r"\n\n+")
STATES = {"processing": "Reading", "ready": "Ready", "failed": "Could not be read"}
WINDOW = 20_000
LEAD = 4_000
LINE = 400

Piece = tuple[str, Citation | None]


def shown_source(source: Source) -> dict[str, Any]:
    """`mark` changes with whatever is shown, so that a script knows what to replace."""
    here = source_link(source.notebook_id, source.id)
    return {
        "id": source.id,
        "title": source.title,
        "state": source.state,
        "says": STATES[source.state],
        "why": source.error or "",
        "kind": "" if source.kind == "unknown" else known(source.kind).label,
        "warnings": source.warnings,
        "link": here if source.version else "",
        "removal": f"{here}/delete",
        "mark": f"{source.state} {source.updated_at.timestamp()}",
    }


def in_a_form(error: QuireError) -> str:
    """A message begins with the name of an argument, which means nothing to whoever sees a form."""
    message = error.message.removeprefix(f"{error.details.get('field')}: ")
    return " ".join(filter(None, [message[:1].upper() + message[1:], error.hint]))


def shown_turn(notebook_id: str, answer: Answer) -> dict[str, Any]:
    """An answer in paragraphs, each in pieces: text, or a citation that stands there."""
    base = answer_link(notebook_id, answer)
    return {
        "id": answer.id,
        "conversation": answer.conversation_id,
        "question": answer.question,
        "paragraphs": paragraphs(answer),
        "citations": [shown_citation(citation, base) for citation in answer.citations],
        "more": [shown_nearby(passage, notebook_id) for passage in answer.more],
        "base": base,
        "answered": bool(answer.citations),
        "unsupported": [{"text": part.text, "why": part.why} for part in answer.unsupported],
        "confidence": answer.confidence,
        "warnings": answer.warnings,
        "further": answer.follow_up_questions,
    }


def shown_citation(citation: Citation, base: str) -> dict[str, Any]:
    return {
        "number": citation.number,
        "title": citation.source_title,
        "place": in_words(citation.place),
        "excerpt": citation.excerpt,
        "verified": citation.verified,
        "link": f"{base}/{citation.number}",
    }


def shown_nearby(passage: NearbyPassage, notebook_id: str) -> dict[str, Any]:
    return {
        "title": passage.source_title,
        "place": in_words(passage.place),
        "excerpt": passage.excerpt,
        "link": source_link(notebook_id, passage.source_id),
    }


def paragraphs(answer: Answer) -> list[list[Piece]]:
    """Only a number right after what its citation supports is a mark of ours; sources hold such numbers too."""
    marks: list[tuple[int, int, Citation | None]] = []
    for citation in answer.citations:
        found = re.compile(MARK.format(citation.number)).match(answer.text, citation.answer_end)
        if found:
            marks.append((*found.span(1), citation))
    marks += [(*gap.span(), None) for gap in GAP.finditer(answer.text)]
    shown: list[list[Piece]] = [[]]
    done = 0
    for start, end, mark in sorted(marks, key=lambda mark: mark[:2]):
        shown[-1].append((answer.text[done:start].rstrip(" "), None))
        done = end
        if mark is None:
            shown.append([])
        else:
            shown[-1].append(("", mark))
    shown[-1].append((answer.text[done:], None))
    return shown


def in_words(place: Place) -> str:
    """Where something stands, as a person would say it."""
    named = [(name, value) for name, value in place.model_dump().items() if value]
    return " · ".join(value if name in ("heading", "time") else f"{name} {value}" for name, value in named)


def shown_text(text: SourceText, notebook_id: str, start: int = 0, end: int = 0) -> dict[str, Any]:
    """A part of a source's text, with what stands from `start` to `end` of the source marked in it."""
    begin = text.start + (line_begin(text.text) if text.start else 0)
    shown = text.text[begin - text.start :]
    left, right = (max(0, start - begin), max(0, end - begin)) if end > start else (0, 0)
    here = source_link(notebook_id, text.source_id)
    return {
        "before": shown[:left],
        "marked": shown[left:right],
        "after": shown[right:],
        "earlier": f"{here}?start={max(0, begin - WINDOW)}&version={text.version}" if begin else "",
        "later": f"{here}?start={text.end}&version={text.version}" if text.end < text.characters else "",
    }


def line_begin(text: str) -> int:
    """Where a text that was cut anywhere has its first line, or word, from the beginning."""
    return next((at + 1 for at in (text.find("\n", 0, LINE), text.find(" ", 0, LINE)) if at >= 0), 0)


def source_link(notebook_id: str, source_id: str) -> str:
    return f"/notebooks/{quote(notebook_id, safe='')}/sources/{quote(source_id, safe='')}"


def answer_link(notebook_id: str, answer: Answer) -> str:
    return f"/notebooks/{quote(notebook_id, safe='')}/answers/{answer.conversation_id}/{answer.id}"
