"""Openings: where sources begin, which is where most of them say what they are about."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice

from quire.domain.passages import PassageHit
from quire.ports.store import Row, Tx
from quire.text.candidates import defining
from quire.text.questions import asks_for_summary, summed_up
from quire.text.search import passage_of
from quire.text.words import query_tokens, tokens

SOURCES = 50
PASSAGES = 16
FEWEST = 2


def openings(tx: Tx, notebook_id: str, question: str, source_ids: Sequence[str] | None) -> list[PassageHit]:
    """The first passages of the sources that a question wants summed up; none where it wants something else."""
    if not asks_for_summary(question):
        return []
    rows = tx.all("ready_sources", notebook_id=notebook_id, limit=SOURCES)
    firsts = [_first(tx, row["id"]) for row in rows if not source_ids or row["id"] in source_ids]
    wanted = _named([first for first in firsts if first], summed_up(question))
    share = max(FEWEST, PASSAGES // max(1, len(wanted)))
    seqs = [
        row["seq"]
        for first in wanted[: PASSAGES // FEWEST]
        for row in tx.all("passages_of_source", source_id=first["source_id"], after=0, limit=share)
    ]
    found = {row["seq"]: passage_of(row) for row in tx.all("passages_by_seq", seqs=json.dumps(seqs))}
    return [PassageHit(passage=found[seq], score=1.0) for seq in seqs if seq in found]


def _first(tx: Tx, source_id: str) -> Row | None:
    rows = tx.all("passages_of_source", source_id=source_id, after=0, limit=1)
    return rows[0] if rows else None


def _named(firsts: list[Row], name: str) -> list[Row]:
    """The sources whose titles have most of a name; all where there is no name."""
    words = set(query_tokens(name, ["en"]))
    if not words:
        return firsts
    shared = [(len(words & set(tokens(first["title"], "en"))), first) for first in firsts]
    most = max((count for count, _ in shared), default=0)
    return [first for count, first in shared if count == most and 2 * count >= len(words)] if most else []


def with_meaning(question: str, hits: Sequence[PassageHit], limit: int) -> list[PassageHit]:
    """The best hits, and of the others a few that say what the question wants to know the meaning of."""
    others = (hit for hit in hits[limit:] if defining(question, hit.passage.text, hit.passage.language))
    return [*hits[:limit], *islice(others, FEWEST)]
