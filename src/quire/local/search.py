"""What the text engine searches with, on behalf of one call."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from quire import text as text_engine
from quire.local.scope import Scope
from quire.local.stored_passages import StoredPassages
from quire.ports.search import AnswerJudge, Embedder, Glossary, Index, PassageJudge, QuestionKinds, Vectors

if TYPE_CHECKING:
    from quire.local.job_run import Run
    from quire.text import SearchPorts

Search = Callable[["Scope | Run"], "SearchPorts"]


def searching(
    index: Index,
    vectors: Vectors,
    embedder: Embedder | None,
    multilingual: Embedder | None,
    judge: AnswerJudge | None,
    passage_judge: PassageJudge | None,
    glossary: Glossary | None,
    kinds: QuestionKinds | None,
) -> Search:
    """The ports of a search, which read through the scope of the call."""
    passages = StoredPassages()
    return lambda scope: text_engine.SearchPorts(
        scope.read, passages, index, vectors, embedder, multilingual, judge, passage_judge, glossary, kinds
    )
