"""Mind maps that are drawn for whoever keeps them."""

from __future__ import annotations

import asyncio
import json

from quire.local.artifact_making import ArtifactMaking
from quire.local.scope import Scope


class LocalMindMaps:
    def __init__(self, making: ArtifactMaking) -> None:
        self._making = making

    async def draw(
        self, scope: Scope, source_ids: list[str] | None, language: str | None, instructions: str | None
    ) -> str:
        from quire.domain.mind_maps import MindMapOptions
        from quire.studio.kind import Brief
        from quire.studio.mind_maps import MindMapKind

        await scope.check()
        evidence = await self._making.evidence(scope, scope.notebook_id, source_ids, instructions or "")
        row = await scope.read(lambda tx: tx.one("notebook_title", id=scope.notebook_id))
        kind = MindMapKind()
        title = row["title"] if row else ""
        brief = Brief(MindMapOptions(), instructions or "", language or evidence.language, "", title)
        outline = await asyncio.to_thread(kind.outline, evidence, brief)
        return json.dumps(kind.content(outline, brief).root.plain(), ensure_ascii=False)
