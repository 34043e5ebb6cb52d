"""Search: passages by words and by meaning, in one notebook, or in several when asked."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from quire.domain.documents import Place
from quire.domain.errors import QuireError
from quire.domain.passages import Passage, PassageHit
from quire.local.parts import Parts
from quire.ports.search import WordHit
from quire.ports.store import Row, Tx
from quire.text.ranking import CANDIDATES, fuse
from quire.text.words import language_of, query_tokens

Result = TypeVar("Result")

log = logging.getLogger("quire.search")


@dataclass(frozen=True)
class Found:
    """What a search came to; `vector` is the query's, where meaning took part. `warnings` say why it did not."""

    hits: list[PassageHit]
    vector: Any | None
    warnings: tuple[str, ...] = ()


class Read(Protocol):
    """Runs work in a transaction: the store's own, or a caller's, which checks the role first."""

    async def __call__(self, work: Callable[[Tx], Result], /) -> Result: ...


async def find(
    parts: Parts,
    notebook_id: str,
    query: str,
    *,
    source_ids: Sequence[str] | None = None,
    limit: int = 10,
    read: Read | None = None,
) -> Found:
    """The passages of a notebook that fit best. Only those of the current versions are in the index."""

    def by_words(tx: Tx, words: list[str]) -> list[WordHit]:
        return parts.index.match(tx, notebook_id, words, sources=source_ids, limit=CANDIDATES)

    def by_meaning(tx: Tx, model: str, vector: Any) -> dict[int, float]:
        return parts.vectors.nearest(tx, notebook_id, model, vector, sources=source_ids, limit=CANDIDATES)

    return await Search(parts, [notebook_id], query, by_words, by_meaning, limit).run(read or parts.store.read)


async def find_across(parts: Parts, notebook_ids: Sequence[str], query: str, *, limit: int = 10) -> Found:
    """The same in several notebooks, each of which the caller may read."""

    def by_words(tx: Tx, words: list[str]) -> list[WordHit]:
        return parts.index.match_across(tx, notebook_ids, words, limit=CANDIDATES)

    def by_meaning(tx: Tx, model: str, vector: Any) -> dict[int, float]:
        return parts.vectors.nearest_across(tx, notebook_ids, model, vector, limit=CANDIDATES)

    return await Search(parts, notebook_ids, query, by_words, by_meaning, limit).run(parts.store.read)


@dataclass(frozen=True)
class Search:
    """One search, whichever notebooks it is in."""

    parts: Parts
    notebook_ids: Sequence[str]
    query: str
    by_words: Callable[[Tx, list[str]], list[WordHit]]
    by_meaning: Callable[[Tx, str, Any], dict[int, float]]
    limit: int

    async def run(self, read: Read) -> Found:
        """One transaction where the query's vector is made on this machine: a thread costs more than a snapshot."""
        embedder = self.parts.embedder
        if embedder is None or embedder.local:
            return await read(self._whole)
        languages = await read(self._languages)
        vector, warnings = await asyncio.to_thread(self._vector, languages)
        return await read(lambda tx: self._found(tx, languages, vector, warnings))

    def _whole(self, tx: Tx) -> Found:
        languages = self._languages(tx)
        return self._found(tx, languages, *self._vector(languages))

    def _languages(self, tx: Tx) -> list[str]:
        return self.parts.index.languages(tx, self.notebook_ids)

    def _vector(self, languages: Sequence[str]) -> tuple[Any | None, tuple[str, ...]]:
        """The query's vector, where there is an embedder that was made for its language and for one of these."""
        embedder = self.parts.embedder
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

    def _found(self, tx: Tx, languages: list[str], vector: Any | None, warnings: tuple[str, ...]) -> Found:
        near: dict[int, float] = {}
        weight = 0.0
        if vector is not None and self.parts.embedder is not None:
            weight = self.parts.embedder.weight
            near = self.by_meaning(tx, self.parts.embedder.name, vector)
        ranked = fuse(self.by_words(tx, query_tokens(self.query, languages)), near, weight)[: self.limit]
        rows = {row["seq"]: row for row in tx.all("passages_by_seq", seqs=json.dumps([seq for seq, _ in ranked]))}
        hits = [
            PassageHit.model_construct(passage=passage_of(rows[seq]), score=score, similarity=near.get(seq))
            for seq, score in ranked
            if seq in rows
        ]
        return Found(hits, vector, warnings)


def languages_of(tx: Tx, notebook_id: str) -> list[str]:
    """The languages of a notebook's sources."""
    return [row["language"] for row in tx.all("languages_of", notebook_id=notebook_id)]


def passage_of(row: Row) -> Passage:
    """A row as a passage; what the store holds was checked when it was written."""
    return Passage.model_construct(
        id=row["seq"],
        source_id=row["source_id"],
        source_title=row["title"],
        version=row["version"],
        start=row["start_at"],
        end=row["end_at"],
        text=row["text"],
        place=Place.model_construct(**json.loads(row["place"])),
        language=row["language"],
    )
