"""Asking finders, and what their answers come to."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from quire import text as text_engine
from quire.domain.errors import QuireError, Unsupported
from quire.domain.research import Corpus
from quire.ports.finders import Answers, Failure, Finders
from quire.ports.search import Embedder

if TYPE_CHECKING:
    from quire.text.found_pages import Nearness, RankedPage

EACH = 20
MISSING: dict[Corpus, tuple[str, str]] = {
    "web": (
        "No finder is set up.",
        "quire config set finders wikipedia,openalex names some that need no key.",
    ),
    "drive": (
        "There is no folder of files to look in.",
        "quire config set drive FOLDER names the folder whose files can be found and added.",
    ),
}


class Searched(NamedTuple):
    """What was found, best first; `reason` says why that is nothing, `failed` that nobody could be asked."""

    pages: list[RankedPage]
    warnings: list[str]
    reason: str | None = None
    failed: bool = False


class Searching:
    def __init__(self, finders: Finders, embedder: Embedder | None) -> None:
        self._finders = finders
        self._embedder = embedder

    def check(self, corpus: Corpus) -> None:
        """Refuses what cannot be looked for here."""
        if not self._finders.names(corpus):
            message, hint = MISSING[corpus]
            raise Unsupported(message, hint=hint)

    async def search(self, query: str, corpus: Corpus, limit: int, about: str = "") -> Searched:
        """What finders know, best first; what is not `about` something that is looked for comes later."""
        language = text_engine.language_of(query)
        answers = await self._finders.find(query, corpus, limit=EACH, language=language)
        pages = await asyncio.to_thread(
            text_engine.rank_found, query, answers.found, limit, self._nearness(language), about
        )
        warnings = [" ".join(filter(None, (one.reason, one.hint))) for one in answers.failures]
        if pages:
            return Searched(pages, warnings)
        failed = len(answers.failures) == len(self._finders.names(corpus))
        return Searched([], warnings, _why(answers, corpus), failed)

    def _nearness(self, language: str | None) -> Nearness | None:
        """Meaning takes part where the embedder was made for the language of the query."""
        embedder = self._embedder
        if embedder is None or not embedder.local or not embedder.calibrated:
            return None
        if embedder.languages is not None and (language or "en") not in embedder.languages:
            return None

        def nearness(query: str, texts: list[str]) -> Sequence[float]:
            try:
                (asked,) = embedder.embed([query], "query")
                return [float(cosine) for cosine in embedder.embed(texts, "passage") @ asked]
            except QuireError:
                return [0.0] * len(texts)

        return nearness


def _why(answers: Answers, corpus: Corpus) -> str:
    if corpus == "drive" and not answers.failures:
        return "No file of the folder has these words in its name or text."
    if not answers.failures:
        return "No finder knows of anything on this. Other words, or fewer, may help."
    told = " ".join(_told(one) for one in answers.failures)
    if len(answers.failures) < len(answers.found):
        return f"Those that answered know of nothing on this. {told}"
    return f"No finder could be asked. {told} {answers.failures[0].hint or ''}".strip()


def _told(failure: Failure) -> str:
    return failure.reason
