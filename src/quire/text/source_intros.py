"""Source intros: where sources begin, which is where most of them say what they are about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from quire.domain.passages import PassageHit
from quire.ports.search import Passages, SourceHead
from quire.ports.store import Tx
from quire.text.document_kinds import document_kind
from quire.text.overview_questions import OverviewWish
from quire.text.words import language_of, query_tokens, tokens

COUNTED = 10_000
SHOWN = 12
PASSAGES = 16
FEWEST = 2
# Where a source says who wrote it.
OPENING = 200
WORD = re.compile(r"\w+")
TITLES = frozenset({"mr", "mrs", "ms", "dr", "prof"})
# What people call by either name.
ALIKE = {"contract": "agreement", "invoice": "bill", "estimate": "bill"}


@dataclass(frozen=True)
class SourceIntros:
    """The first passages of the sources that are to be told of, and the heads of all of them.

    Where they are too many, passages are those of some, spread evenly. `named` says that they were chosen by a name.
    """

    hits: list[PassageHit]
    heads: list[SourceHead]
    wish: OverviewWish
    named: bool

    @property
    def left(self) -> int:
        """How many sources are not shown."""
        return len(self.heads) - len({hit.passage.source_id for hit in self.hits})


def source_intros(
    tx: Tx, passages: Passages, notebook_ids: Sequence[str], wish: OverviewWish, source_ids: Sequence[str] | None
) -> SourceIntros | None:
    """Where the sources begin that a question wants an overview of; None where it wants one of something else."""
    heads = [head for id in notebook_ids for head in passages.heads(tx, id, limit=COUNTED)][:COUNTED]
    if source_ids:
        heads = [head for head in heads if head.id in set(source_ids)]
    chosen = (named(heads, wish.name) or _opened_by(tx, passages, heads, wish.name)) if wish.name else []
    wanted = chosen or (heads if not wish.name or wish.of_these else [])
    if not wanted:
        return None
    shown = spread(wanted, SHOWN)
    first = passages.first_of(tx, [head.id for head in shown], each=max(FEWEST, PASSAGES // len(shown)))
    hits = [PassageHit(passage=passage, score=1.0) for passage in first]
    return SourceIntros(hits, wanted, wish, bool(chosen)) if hits else None


def spread(heads: Sequence[SourceHead], limit: int) -> list[SourceHead]:
    """At most so many, evenly over all."""
    if len(heads) <= limit:
        return list(heads)
    return [heads[at * len(heads) // limit] for at in range(limit)]


def named(heads: Sequence[SourceHead], name: str) -> list[SourceHead]:
    """The sources that have most of a name in their titles or file names, else those of the kind that it names."""
    exact = [head for head in heads if head.title.casefold() == name.casefold()]
    if exact:
        return exact
    language = language_of(name)
    words = set(query_tokens(name, [language]))
    if not words:
        return []
    shared = [
        len(words & set(tokens(f"{head.title} {head.file_name or ''}".replace("_", " "), language))) for head in heads
    ]
    most = max(shared, default=0)
    if most and 2 * most >= len(words):
        return [head for head, count in zip(heads, shared, strict=True) if count == most]
    kind = document_kind([name], "none")
    if kind == "document":
        return []
    return [head for head in heads if _alike(document_kind([head.title], head.kind)) == _alike(kind)]


def _opened_by(tx: Tx, passages: Passages, heads: Sequence[SourceHead], name: str) -> list[SourceHead]:
    """The sources that name whoever wrote them, or whom they are of, where they begin: "the article by Ann Marsh"."""
    people = {word for word in WORD.findall(name) if word[0].isupper() and word.casefold() not in TITLES}
    if not people or len(heads) > SHOWN:
        return []
    begun: dict[str, str] = {}
    for passage in passages.first_of(tx, [head.id for head in heads], each=FEWEST):
        begun[passage.source_id] = f"{begun.get(passage.source_id, '')}{passage.text}\n"
    found = [head for head in heads if people <= set(WORD.findall(begun.get(head.id, "")))]
    of_kind = [head for head in found if document_kind([head.title], head.kind) in WORD.findall(name.casefold())]
    signed = [head for head in found if people <= set(WORD.findall(begun[head.id][:OPENING]))]
    return of_kind or next((one for one in (found, signed) if len(one) == 1), [])


def _alike(kind: str) -> str:
    return ALIKE.get(kind, kind)
