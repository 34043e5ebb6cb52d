"""Search: passages by words and by meaning, in one notebook, or in several when asked."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from quire.domain.errors import QuireError
from quire.domain.passages import Passage, PassageHit
from quire.ports.search import (
    AnswerJudge,
    Embedder,
    Glossary,
    Index,
    PassageJudge,
    Passages,
    QuestionKinds,
    Vectors,
    WordHit,
)
from quire.ports.store import Read, Tx
from quire.text.across import KNOWN_WORDS, AcrossLanguages, foreign_language, shares_script
from quire.text.ranking import CANDIDATES, cosines, fuse, towards_best
from quire.text.words import language_of, query_tokens, repeating_query_tokens

log = logging.getLogger("quire.search")

# In so many notebooks it is looked whether they know the words of a query.
FEW = 20
# Of several notebooks so many passages are looked at for those of certain sources.
AMONG = 200


@dataclass(frozen=True)
class SearchPorts:
    """What a search goes through. Whoever hands in `read` sees to it that the caller may read the notebooks."""

    read: Read
    passages: Passages
    index: Index
    vectors: Vectors
    embedder: Embedder | None
    multilingual: Embedder | None = None
    judge: AnswerJudge | None = None
    passage_judge: PassageJudge | None = None
    glossary: Glossary | None = None
    kinds: QuestionKinds | None = None


@dataclass(frozen=True)
class FoundPassages:
    """What a search came to; `vector` is the query's, where meaning took part. `warnings` say why it did not.

    `across` compares with what is in another language than the query, where some of that was looked at.
    """

    hits: list[PassageHit]
    vector: Any | None = None
    warnings: tuple[str, ...] = ()
    across: AcrossLanguages | None = None


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


async def find_in(
    ports: SearchPorts,
    notebook_ids: Sequence[str],
    query: str,
    *,
    source_ids: Sequence[str] | None = None,
    limit: int = 10,
) -> FoundPassages:
    """The same in one notebook or in several."""
    if len(notebook_ids) == 1:
        return await find_passages(ports, notebook_ids[0], query, source_ids=source_ids, limit=limit)
    if source_ids is None:
        return await find_across(ports, notebook_ids, query, limit=limit)
    found = await find_across(ports, notebook_ids, query, limit=max(AMONG, limit))
    wanted = set(source_ids)
    return replace(found, hits=[hit for hit in found.hits if hit.passage.source_id in wanted][:limit])


def frequencies_in(
    tx: Tx, index: Index, notebook_ids: Sequence[str], words: Sequence[str]
) -> tuple[dict[str, int], int]:
    """In how many passages each word stands, and how many there are; of many notebooks in the first few."""
    counts: Counter[str] = Counter()
    total = 0
    for id in notebook_ids[:FEW]:
        own, passages = index.frequencies(tx, id, words)
        counts.update(own)
        total += passages
    return dict(counts), total


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
        across = self._across(tx, languages)
        words = repeating_query_tokens(self.query, languages if across is None else [*languages, across.language])
        if across is not None:
            words += [token for other in languages for token in across.tokens_in(other)]
        if across is not None and not self._knows(across.language):
            vector = None
        encoder, compared = self.ports.embedder, vector
        if vector is None:
            other = self._in_other_languages(languages) if across is None else None
            encoder, compared = (None, None) if other is None else (other.encoder, other.vector)
        near: dict[int, float] = {}
        moved, weight = near, 0.0
        if encoder is None:
            found = self.by_words(tx, words, [])
        else:
            weight = encoder.weight
            nearest = self.by_meaning(tx, encoder.name, compared)
            found = self.by_words(tx, words, list(nearest))
            both = list({*nearest, *(hit.seq for hit in found)}) if nearest else []
            vectors = self.ports.vectors.of(tx, encoder.name, both)
            near = cosines(compared, vectors)
            moved = cosines(towards_best(compared, vectors, fuse(found, near, weight)), vectors)
        ranked = fuse(found, moved, weight)
        passages: dict[int, Passage] = {}
        if across is not None:
            shared = self.by_meaning(tx, across.encoder.name, across.vector)
            numbers = {number for number, _ in ranked} | shared.keys()
            passages = self.ports.passages.by_number(tx, sorted(numbers))
            ranked = across.ranked(passages, found, shared, dict(ranked))
        ranked = ranked[: self.limit]
        if across is None:
            passages = self.ports.passages.by_number(tx, [number for number, _ in ranked])
        hits = [
            PassageHit.model_construct(passage=passages[number], score=score, similarity=near.get(number))
            for number, score in ranked
            if number in passages
        ]
        return FoundPassages(hits, vector, warnings, across)

    def _knows(self, language: str) -> bool:
        embedder = self.ports.embedder
        return embedder is not None and (embedder.languages is None or language in embedder.languages)

    def _across(self, tx: Tx, languages: Sequence[str]) -> AcrossLanguages | None:
        """How to compare with passages in other languages than the query's, where there are any."""
        language = foreign_language(self.query, languages, self.ports.multilingual, self.ports.glossary)
        if language is None:
            return None
        if language not in languages and shares_script(language, languages):
            words = query_tokens(self.query, [*languages, language])
            counts = [self.ports.index.frequencies(tx, id, words)[0] for id in self.notebook_ids[:FEW]]
            known = [word for word in words if any(count.get(word) for count in counts)]
            if len(known) >= KNOWN_WORDS * len(words):
                return None
        return self._compared(language, spoken=language in languages)

    def _in_other_languages(self, languages: Sequence[str]) -> AcrossLanguages | None:
        """The query among passages of its own language, where that is one that the embedder does not know."""
        encoder, language = self.ports.multilingual, language_of(self.query, languages)
        if encoder is None or language is None or encoder.languages is None or language not in encoder.languages:
            return None
        return self._compared(language, spoken=True) if language in languages else None

    def _compared(self, language: str, *, spoken: bool) -> AcrossLanguages | None:
        encoder = self.ports.multilingual
        assert encoder is not None
        try:
            vector = encoder.embed([self.query], "query")[0]
        except QuireError as error:
            log.warning("searching in one language alone: %s", error.message)
            return None
        return AcrossLanguages(self.query, language, encoder, vector, spoken, self.ports.glossary)
