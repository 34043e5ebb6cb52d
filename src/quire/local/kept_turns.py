"""Turns of conversations that were held elsewhere, kept beside one's own."""

from __future__ import annotations

import re
from datetime import datetime

from quire.domain.chat import UUID, Answer, Citation, Turn
from quire.domain.errors import Conflict, InvalidInput, NotFound
from quire.domain.hygiene import NUL_IN_JSON
from quire.local.scope import Scope
from quire.local.source_rows import source_row
from quire.ports.store import Tx

# The year 9999, the last that there is.
LAST_SECOND = 253_402_300_799


def turn_in(text: str) -> Turn:
    """The turn that a text holds, whose ids can be ones of ours."""
    try:
        turn = Turn.model_validate_json(text)
        if NUL_IN_JSON.search(text):
            raise ValueError
        ids = (turn.answer.id, turn.answer.conversation_id)
        if not all(re.fullmatch(UUID, one) for one in ids) or not 0 <= turn.asked_at.timestamp() < LAST_SECOND:
            raise ValueError
    except (ValueError, RecursionError, OverflowError):
        raise InvalidInput("turn: is no turn of a conversation.", field="turn") from None
    return turn


def cited_here(tx: Tx, scope: Scope, answer: Answer) -> Answer:
    """The answer with those citations whose sources are in this notebook, each where its excerpt stands now."""
    found = [_placed(tx, scope, citation) for citation in answer.citations]
    return answer.model_copy(update={"citations": [one for one in found if one is not None]})


def _placed(tx: Tx, scope: Scope, citation: Citation) -> Citation | None:
    try:
        row = source_row(tx, citation.source_id)
    except NotFound:
        return None
    if row["notebook_id"] != scope.notebook_id:
        return None
    version = row["version"]
    kept = tx.one("version_text", id=citation.source_id, version=version)
    text = kept["text"] if kept else ""
    start, excerpt = citation.start, citation.excerpt
    if not excerpt or text[start : start + len(excerpt)] != excerpt:
        start = text.find(excerpt) if excerpt else -1
    stands = start >= 0
    at = max(0, start)
    facts = {
        "source_title": row["title"],
        "version": version,
        "start": at,
        "end": at + len(excerpt),
        "verified": citation.verified and stands,
        "passage_id": _passage(tx, citation.source_id, version, at) if stands else 0,
    }
    return citation.model_copy(update=facts)


def _passage(tx: Tx, source_id: str, version: int, start: int) -> int:
    row = tx.one("passage_at", source_id=source_id, version=version, start=start)
    return row["seq"] if row else 0


def same_turn(turn: Turn | None, conversation_id: str) -> Turn | None:
    """The turn that is there already, which must be one of this conversation."""
    if turn is not None and turn.answer.conversation_id != conversation_id:
        raise Conflict("There is an answer of this id in another conversation.")
    return turn


def microseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1_000_000)
