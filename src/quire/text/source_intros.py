"""Source intros: where sources begin, which is where most of them say what they are about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quire.domain.passages import PassageHit
from quire.ports.search import Passages, SourceHead
from quire.ports.store import Tx
from quire.text.named_sources import named
from quire.text.overview_questions import OverviewWish

COUNTED = 10_000
SHOWN = 12
PASSAGES = 16
FEWEST = 2
# Of no more sources it is looked at how they begin.
LOOKED_INTO = 40


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
    name = wish.name or wish.kind
    begun = _beginnings(tx, passages, heads) if name else {}
    chosen = named(heads, name, begun, wish.reader) if name else []
    wanted = chosen or (heads if not wish.name or (wish.of_these and not wish.keywords) else [])
    if not wanted:
        return None
    shown = spread(wanted, SHOWN)
    first = passages.first_of(tx, [head.id for head in shown], each=max(FEWEST, PASSAGES // len(shown)))
    hits = [PassageHit(passage=passage, score=1.0) for passage in first]
    some = bool(chosen) and (len(chosen) < len(heads) or len(heads) == 1)
    return SourceIntros(hits, wanted, wish, some) if hits else None


def _beginnings(tx: Tx, passages: Passages, heads: Sequence[SourceHead]) -> dict[str, str]:
    if len(heads) > LOOKED_INTO:
        return {}
    begun: dict[str, str] = {}
    for passage in passages.first_of(tx, [head.id for head in heads], each=FEWEST):
        begun[passage.source_id] = f"{begun.get(passage.source_id, '')}{passage.text}\n"
    return begun


def spread(heads: Sequence[SourceHead], limit: int) -> list[SourceHead]:
    """At most so many, evenly over all."""
    if len(heads) <= limit:
        return list(heads)
    return [heads[at * len(heads) // limit] for at in range(limit)]
