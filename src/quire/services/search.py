"""Search: passages by words and by meaning, in one notebook."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from quire.domain.documents import Place
from quire.domain.passages import Passage, PassageHit
from quire.domain.ranking import fuse
from quire.domain.words import query_tokens
from quire.services.ports import Row, Tx
from quire.services.service import Parts

CANDIDATES = 100


async def find(
    parts: Parts, notebook_id: str, query: str, *, source_ids: Sequence[str] | None = None, limit: int = 10
) -> list[PassageHit]:
    """The passages that fit best. Only those of the current versions are in the index."""
    vector = await embedded(parts, query)

    def work(tx: Tx) -> list[PassageHit]:
        languages = [row["language"] for row in tx.all("languages_of", notebook_id=notebook_id)]
        words = query_tokens(query, languages)
        by_words = parts.index.match(tx, notebook_id, words, sources=source_ids, limit=CANDIDATES)
        by_meaning: dict[int, float] = {}
        if vector is not None and parts.embedder is not None:
            by_meaning = parts.vectors.nearest(
                tx, notebook_id, parts.embedder.name, vector, sources=source_ids, limit=CANDIDATES
            )
        found = []
        for seq, score in fuse(by_words, by_meaning)[:limit]:
            row = tx.one("passage_by_seq", seq=seq)
            if row is not None:
                found.append(PassageHit(passage=passage_of(row), score=score))
        return found

    return await parts.store.read(work)


async def embedded(parts: Parts, query: str) -> Any | None:
    """The query's vector, where there is an embedder."""
    if parts.embedder is None:
        return None
    vectors = await asyncio.to_thread(parts.embedder.embed, [query], "query")
    return vectors[0]


def passage_of(row: Row) -> Passage:
    return Passage(
        id=row["seq"],
        source_id=row["source_id"],
        source_title=row["title"],
        version=row["version"],
        start=row["start_at"],
        end=row["end_at"],
        text=row["text"],
        place=Place.model_validate_json(row["place"]),
    )
