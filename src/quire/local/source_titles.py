"""Sources that get another title: they are found by its words, and no longer by those of the old one."""

from __future__ import annotations

import asyncio

from quire.local.scope import Scope
from quire.local.source_versions import STEP
from quire.ports.search import Index
from quire.ports.store import Row, Tx


async def index_title(scope: Scope, index: Index, source_id: str) -> None:
    """Puts the passages of a source into the index again, a step at a time: a long one must not hold up others."""
    after = 0
    while True:
        where = {"source_id": source_id, "after": after, "limit": STEP}
        rows = await scope.read(lambda tx, where=where: tx.all("passages_of_newest", **where))  # type: ignore[misc]
        if not rows:
            return
        cut = await asyncio.to_thread(_words, rows)

        def work(tx: Tx, where: dict[str, object] = where, cut: list[tuple[int, str, str]] = cut) -> None:
            # A version that came meanwhile has the title's words already, and its passages other numbers.
            there = {row["seq"] for row in tx.all("passages_of_newest", **where)}
            again = [one for one in cut if one[0] in there]
            index.remove(tx, scope.notebook_id, [one[0] for one in again])
            index.add(tx, scope.notebook_id, again)

        await scope.write(work)
        after = rows[-1]["seq"]


def _words(rows: list[Row]) -> list[tuple[int, str, str]]:
    from quire.text.words import tokens

    return [
        (row["seq"], " ".join(tokens(row["title"], row["language"])), " ".join(tokens(row["text"], row["language"])))
        for row in rows
    ]
