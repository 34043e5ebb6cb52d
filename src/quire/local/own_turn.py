"""Answers belong to who asked."""

from __future__ import annotations

from quire.domain.errors import NotFound
from quire.local.scope import Scope
from quire.ports.store import Row, Tx


def own_turn(tx: Tx, scope: Scope, answer_id: str) -> Row:
    """An answer that the caller got from this notebook; any other is not there."""
    row = tx.one("turn_by_id", id=answer_id)
    if row is None or row["notebook_id"] != scope.notebook_id or row["person_id"] != scope.actor_id:
        raise NotFound("answer", answer_id)
    return row
