"""Search: passages by words and by meaning, in one notebook, or in several when asked."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from quire.domain.documents import Place
from quire.domain.errors import QuireError
from quire.domain.passages import Passage, PassageHit
from quire.domain.ranking import CANDIDATES, fuse
from quire.domain.words import query_tokens
from quire.services.index import WordHit
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
    parts: Parts,
    notebook_id: str,
    query: str,
    *,
    source_ids: Sequence[str] | None = None,
    limit: int = 10,
    languages: list[str] | None = None,
) -> Found:
    """The passages of a notebook that fit best. Only those of the current versions are in the index.

    Whoever knows the notebook's languages already saves a transaction by telling them.
    """

    def by_words(tx: Tx, words: list[str]) -> list[WordHit]:
        return parts.index.match(tx, notebook_id, words, sources=source_ids, limit=CANDIDATES)

    def by_meaning(tx: Tx, model: str, vector: Any) -> dict[int, float]:
        return parts.vectors.nearest(tx, notebook_id, model, vector, sources=source_ids, limit=CANDIDATES)

    return await _find(parts, [notebook_id], query, by_words, by_meaning, limit, languages)


async def find_across(parts: Parts, notebook_ids: Sequence[str], query: str, *, limit: int = 10) -> Found:
    """The same in several notebooks, each of which the caller may read."""

    def by_words(tx: Tx, words: list[str]) -> list[WordHit]:
        return parts.index.match_across(tx, notebook_ids, words, limit=CANDIDATES)

    def by_meaning(tx: Tx, model: str, vector: Any) -> dict[int, float]:
        return parts.vectors.nearest_across(tx, notebook_ids, model, vector, limit=CANDIDATES)

    return await _find(parts, notebook_ids, query, by_words, by_meaning, limit)


async def _find(
    parts: Parts,
    notebook_ids: Sequence[str],
    query: str,
    by_words: Callable[[Tx, list[str]], list[WordHit]],
    by_meaning: Callable[[Tx, str, Any], dict[int, float]],
    limit: int,
    languages: list[str] | None = None,
) -> Found:
    vector: Any | None = None
    warnings: tuple[str, ...] = ()
    if parts.embedder is not None:
        if languages is None:
            languages = await parts.store.read(lambda tx: parts.index.languages(tx, notebook_ids))
        try:
            vector = await embedded(parts, query, languages)
        except QuireError as error:
            log.warning("searching by words alone: %s", error.message)
            warnings = (f"{error.message} Passages were found by their words alone.",)

    def work(tx: Tx) -> list[PassageHit]:
        spoken = parts.index.languages(tx, notebook_ids) if languages is None else languages
        words = query_tokens(query, spoken)
        near: dict[int, float] = {}
        weight = 0.0
        if vector is not None and parts.embedder is not None:
            weight = parts.embedder.weight
            near = by_meaning(tx, parts.embedder.name, vector)
        ranked = fuse(by_words(tx, words), near, weight)[:limit]
        rows = {row["seq"]: row for row in tx.all("passages_by_seq", seqs=json.dumps([seq for seq, _ in ranked]))}
        return [
            PassageHit(passage=passage_of(rows[seq]), score=score, similarity=near.get(seq))
            for seq, score in ranked
            if seq in rows
        ]

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
