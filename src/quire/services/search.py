"""Search: passages by words and by meaning, in one notebook."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from quire.domain.documents import Place
from quire.domain.errors import QuireError
from quire.domain.passages import Passage, PassageHit
from quire.domain.ranking import CANDIDATES, fuse
from quire.domain.words import query_tokens
from quire.services.ports import Row, Tx
from quire.services.service import Parts

log = logging.getLogger("quire.search")


@dataclass(frozen=True)
class Found:
    """What a search came to; `vector` is the query's, where meaning took part. `warnings` say why it did not."""

    hits: list[PassageHit]
    vector: Any | None
    warnings: tuple[str, ...] = ()


async def find(
    parts: Parts, notebook_id: str, query: str, *, source_ids: Sequence[str] | None = None, limit: int = 10
) -> Found:
    """The passages that fit best. Only those of the current versions are in the index."""
    languages = await parts.store.read(lambda tx: languages_of(tx, notebook_id))
    try:
        vector: Any | None = await embedded(parts, query, languages)
        warnings: tuple[str, ...] = ()
    except QuireError as error:
        log.warning("searching by words alone: %s", error.message)
        vector, warnings = None, (f"{error.message} Passages were found by their words alone.",)

    def work(tx: Tx) -> list[PassageHit]:
        words = query_tokens(query, languages)
        by_words = parts.index.match(tx, notebook_id, words, sources=source_ids, limit=CANDIDATES)
        by_meaning: dict[int, float] = {}
        weight = 0.0
        if vector is not None and parts.embedder is not None:
            weight = parts.embedder.weight
            by_meaning = parts.vectors.nearest(
                tx, notebook_id, parts.embedder.name, vector, sources=source_ids, limit=CANDIDATES
            )
        found = []
        for seq, score in fuse(by_words, by_meaning, weight)[:limit]:
            row = tx.one("passage_by_seq", seq=seq)
            if row is not None:
                found.append(PassageHit(passage=passage_of(row), score=score, similarity=by_meaning.get(seq)))
        return found

    return Found(await parts.store.read(work), vector, warnings)


def languages_of(tx: Tx, notebook_id: str) -> list[str]:
    """The languages of a notebook's sources."""
    return [row["language"] for row in tx.all("languages_of", notebook_id=notebook_id)]


async def embedded(parts: Parts, query: str, languages: Sequence[str]) -> Any | None:
    """The query's vector, where there is an embedder that was made for one of the languages."""
    embedder = parts.embedder
    if embedder is None or not (embedder.languages is None or embedder.languages.intersection(languages)):
        return None
    return (await asyncio.to_thread(embedder.embed, [query], "query"))[0]


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
        language=row["language"],
    )
