"""Guides that are kept: made when first asked for, and good for as long as the version they speak of."""

from __future__ import annotations

import asyncio

from quire import text as text_engine
from quire.domain.notebooks import NotebookSummary
from quire.domain.sources import SourceGuide
from quire.local.scope import Scope
from quire.ports.store import Row, Tx

SUMMARISED = 50


async def kept_guide(scope: Scope, source_id: str, version: int) -> SourceGuide | None:
    """The guide of a version, or None where there is no such version any more."""

    def look(tx: Tx) -> tuple[Row | None, Row | None]:
        known = tx.one("source_guide", source_id=source_id, version=version)
        return known, None if known else tx.one("version_text", id=source_id, version=version)

    known, row = await scope.read(look)
    if known is not None:
        return SourceGuide.model_validate_json(known["guide"])
    if row is None:
        return None
    guide = await asyncio.to_thread(text_engine.guide_of, source_id, row["title"], row["text"], row["language"])
    kept = {"source_id": source_id, "version": version, "guide": guide.model_dump_json()}
    await scope.write(lambda tx: tx.run("insert_source_guide", **kept))
    return guide


async def notebook_summary(scope: Scope) -> NotebookSummary:
    """What a notebook's sources are about, together."""
    rows = await scope.read(lambda tx: tx.all("ready_sources", notebook_id=scope.notebook_id, limit=SUMMARISED))
    guides = [guide for row in rows if (guide := await kept_guide(scope, row["id"], row["version"]))]
    return await asyncio.to_thread(text_engine.summary_of, guides)
