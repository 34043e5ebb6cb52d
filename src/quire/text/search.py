"""Search: passages by words and by meaning, in one notebook, or in several when asked."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from quire.domain.errors import QuireError
from quire.domain.passages import PassageHit
from quire.ports.search import Embedder, Index, Passages, Vectors, WordHit
from quire.ports.store import Read, Tx
from quire.text.ranking import CANDIDATES, cosines, fuse, towards_best
from quire.text.words import language_of, repeating_query_tokens

log = logging.getLogger("quire.search")


@dataclass(frozen=True)
class SearchPorts:
    """What a search goes through. Whoever hands in `read` sees to it that the caller may read the notebooks."""

    read: Read
    passages: Passages
    index: Index
    vectors: Vectors
    embedder: Embedder | None


@dataclass(frozen=True)
class FoundPassages:
    """What a search came to; `vector` is the query's, where meaning took part. `warnings` say why it did not."""

    hits: list[PassageHit]
    vector: Any | None = None
    warnings: tuple[str, ...] = ()


async def find_passages(
    ports: SearchPorts, notebook_id: str, query: str, *, source_ids: Sequence[str] | None = None, limit: int = 10
) -> FoundPassages:
    """The passages of a notebook that fit best. Only those of the current versions are in the index."""

    candidates = max(CANDIDATES, limit)

    def by_words(tx: Tx, words: list[str], also: list[int]) -> list[WordHit]:
        return ports.index.match(tx, notebook_id, words, sources=source_ids, limit=candidates, also=also)

    def by_meaning(tx: Tx, model: str, vector: Any) -> dict[int, float]:
        return ports.vectors.nearest(tx, notebook_id, model, vector, sources=source_ids, limit=candidates)

    return await _Search(ports, [notebook_id], query, by_words, by_meaning, limit).found()


async def find_across(ports: SearchPorts, notebook_ids: Sequence[str], query: str, *, limit: int = 10) -> FoundPassages:
    """The same in several notebooks."""

    candidates = max(CANDIDATES, limit)

    def by_words(tx: Tx, words: list[str], also: list[int]) -> list[WordHit]:
        return ports.index.match_across(tx, notebook_ids, words, limit=candidates, also=also)

    def by_meaning(tx: Tx, model: str, vector: Any) -> dict[int, float]:
        return ports.vectors.nearest_across(tx, notebook_ids, model, vector, limit=candidates)

    return await _Search(ports, notebook_ids, query, by_words, by_meaning, limit).found()


@dataclass(frozen=True)
class _Search:
    """One search, whichever notebooks it is in."""

    ports: SearchPorts
    notebook_ids: Sequence[str]
    query: str
    by_words: Callable[[Tx, list[str], list[int]], list[WordHit]]
    by_meaning: Callable[[Tx, str, Any], dict[int, float]]
    limit: int

    async def found(self) -> FoundPassages:
        """One transaction where the query's vector is made on this machine: a thread costs more than a snapshot."""
        read, embedder = self.ports.read, self.ports.embedder
        if embedder is None or embedder.local:
            return await read(self._whole)
        languages = await read(self._languages)
        vector, warnings = await asyncio.to_thread(self._vector, languages)
        return await read(lambda tx: self._found(tx, languages, vector, warnings))

    def _whole(self, tx: Tx) -> FoundPassages:
        languages = self._languages(tx)
        return self._found(tx, languages, *self._vector(languages))

    def _languages(self, tx: Tx) -> list[str]:
        return self.ports.index.languages(tx, self.notebook_ids)

    def _vector(self, languages: Sequence[str]) -> tuple[Any | None, tuple[str, ...]]:
        """The query's vector, where there is an embedder that was made for its language and for one of these."""
        embedder = self.ports.embedder
        if embedder is None:
            return None, ()
        if languages and embedder.languages is not None and not embedder.languages.intersection(languages):
            return None, ()
        own = language_of(self.query, languages)
        if not (embedder.languages is None or own is None or own in embedder.languages):
            return None, ()
        try:
            return embedder.embed([self.query], "query")[0], ()
        except QuireError as error:
            log.warning("searching by words alone: %s", error.message)
            return None, (f"{error.message} Passages were found by their words alone.",)

    def _found(self, tx: Tx, languages: list[str], vector: Any | None, warnings: tuple[str, ...]) -> FoundPassages:
        words = repeating_query_tokens(self.query, languages)
        embedder = self.ports.embedder
        near: dict[int, float] = {}
        moved, weight = near, 0.0
        if vector is None or embedder is None:
            found = self.by_words(tx, words, [])
        else:
            weight = embedder.weight
            nearest = self.by_meaning(tx, embedder.name, vector)
            found = self.by_words(tx, words, list(nearest))
            both = list({*nearest, *(hit.seq for hit in found)}) if nearest else []
            vectors = self.ports.vectors.of(tx, embedder.name, both)
            near = cosines(vector, vectors)
            moved = cosines(towards_best(vector, vectors, fuse(found, near, weight)), vectors)
        ranked = fuse(found, moved, weight)[: self.limit]
        passages = self.ports.passages.by_number(tx, [number for number, _ in ranked])
        hits = [
            PassageHit.model_construct(passage=passages[number], score=score, similarity=near.get(number))
            for number, score in ranked
            if number in passages
        ]
        return FoundPassages(hits, vector, warnings)
