"""Source intros: where sources begin, which is where most of them say what they are about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quire.domain.passages import PassageHit
from quire.ports.search import Passages
from quire.ports.store import Tx
from quire.text.questions import summary_subject
from quire.text.words import query_tokens, tokens

SOURCES = 50
PASSAGES = 16
FEWEST = 2


def source_intros(
    tx: Tx, passages: Passages, notebook_id: str, question: str, source_ids: Sequence[str] | None
) -> list[PassageHit]:
    """The first passages of the sources that a question wants summed up."""
    titles = passages.titles(tx, notebook_id, limit=SOURCES)
    if source_ids:
        titles = {id: title for id, title in titles.items() if id in source_ids}
    wanted = _named(titles, summary_subject(question))
    each = max(FEWEST, PASSAGES // max(1, len(wanted)))
    first = passages.first_of(tx, wanted[: PASSAGES // FEWEST], each=each)
    return [PassageHit(passage=passage, score=1.0) for passage in first]


def _named(titles: Mapping[str, str], name: str) -> list[str]:
    """The sources whose titles have most of a name; all where there is no name."""
    words = set(query_tokens(name, ["en"]))
    if not words:
        return list(titles)
    shared = {id: len(words & set(tokens(title, "en"))) for id, title in titles.items()}
    most = max(shared.values(), default=0)
    return [id for id, count in shared.items() if count == most and 2 * count >= len(words)] if most else []
