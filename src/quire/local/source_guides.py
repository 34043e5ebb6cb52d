"""Guides that are kept: made when first asked for, and good for as long as the version they speak of."""

from __future__ import annotations

import asyncio
import json

from quire import text as text_engine
from quire.domain.documents import Mark
from quire.domain.sources import SourceGuide
from quire.local.scope import Scope
from quire.ports.store import Row, Tx

# How guides are made; one that was made otherwise is made anew.
EDITION = 2


async def kept_guide(scope: Scope, source_id: str, version: int) -> SourceGuide | None:
    """The guide of a version, or None where there is no such version any more."""

    def look(tx: Tx) -> tuple[dict[str, object] | None, Row | None]:
        row = tx.one("source_guide", source_id=source_id, version=version)
        known = json.loads(row["guide"]) if row else {}
        if known.pop("edition", 1) == EDITION:
            return known, None
        return None, tx.one("version_text", id=source_id, version=version)

    known, row = await scope.read(look)
    if known is not None:
        return SourceGuide.model_validate(known)
    if row is None:
        return None
    guide = await asyncio.to_thread(_made, row)
    kept = {"source_id": source_id, "version": version}
    written = json.dumps({"edition": EDITION, **guide.model_dump()})
    await scope.write(lambda tx: tx.run("insert_source_guide", guide=written, **kept))
    return guide


def _made(row: Row) -> SourceGuide:
    marks = [Mark(**mark) for mark in json.loads(row["marks"])]
    return text_engine.guide_of(row["id"], row["title"], row["text"], row["language"], row["kind"], marks)
