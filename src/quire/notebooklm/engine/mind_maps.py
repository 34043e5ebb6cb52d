"""Mind maps that NotebookLM draws for whoever keeps them."""

from __future__ import annotations

from quire.domain.errors import Conflict, Upstream, WireDrift
from quire.domain.mind_maps import is_tree
from quire.notebooklm.engine.caller import Caller
from quire.notebooklm.engine.notebooks import GoogleNotebooks
from quire.notebooklm.engine.scope import GoogleScope
from quire.notebooklm.engine.settings import GoogleSettings


class GoogleMindMaps:
    def __init__(self, caller: Caller, notebooks: GoogleNotebooks, settings: GoogleSettings) -> None:
        self._caller = caller
        self._notebooks = notebooks
        self._settings = settings

    async def draw(
        self, scope: GoogleScope, source_ids: list[str] | None, language: str | None, instructions: str | None
    ) -> str:
        notebook_id = await scope.notebook_id()
        sources = source_ids or [source.id for source in (await self._notebooks.row(notebook_id)).sources]
        if not sources:
            raise Conflict("The notebook has no sources.", hint="Add a source first.", reason="no_sources")
        tree: str | None = await self._caller.call(
            "GENERATE_MIND_MAP",
            about=("notebook", notebook_id),
            notebook_id=notebook_id,
            source_ids=sources,
            language=language or await self._settings.language(),
            instructions=instructions or "",
        )
        if not tree:
            raise Upstream("NotebookLM drew no mind map.")
        if not is_tree(tree):
            raise WireDrift("yyryJe $[0]: expected a tree.", method="yyryJe", path="$[0]")
        return tree
