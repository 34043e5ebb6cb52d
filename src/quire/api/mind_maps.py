"""Mind maps: interactive ones, which are artifacts, and trees that are kept as notes."""

from __future__ import annotations

import builtins
import json
from typing import Any

from quire.api.artifacts import Artifacts
from quire.api.capability import capability, shorthand
from quire.api.notes import Notes
from quire.api.noun import Noun
from quire.domain.artifacts import Instructions
from quire.domain.errors import NotFound
from quire.domain.mind_maps import KeptMindMap, MindMapForm, is_tree
from quire.domain.notebooks import NotebookId
from quire.domain.notes import Note

PAGE = 1_000


class MindMaps(Noun):
    """Both kinds of mind maps under one roof, as NotebookLM's clients know them; tools and commands have artifacts."""

    noun = "mind_map"
    toolset = "studio"

    @capability("draw_mind_map", "read", of=("notebook", "notebook_id"), timeout=600, published=False)
    async def draw(
        self,
        notebook_id: NotebookId | None,
        source_ids: builtins.list[str] | None = None,
        language: str | None = None,
        instructions: Instructions | None = None,
    ) -> str:
        """The tree of a mind map as JSON, which is kept nowhere."""

    @shorthand
    async def list(self, notebook_id: str | None = None) -> builtins.list[KeptMindMap]:
        """The mind maps of a notebook, artifacts and notes."""
        artifacts = await self._artifacts.list(notebook_id, kind="mind_map", limit=PAGE)
        made = [KeptMindMap(id=one.id, title=one.title, kind="interactive", state=one.state) for one in artifacts]
        return made + [
            _noted(note) for note in await self._notes.list(notebook_id, limit=PAGE) if is_tree(note.content)
        ]

    @shorthand
    async def generate(
        self,
        notebook_id: str | None,
        source_ids: builtins.list[str] | None = None,
        language: str | None = None,
        instructions: str | None = None,
        kind: MindMapForm = "interactive",
    ) -> KeptMindMap:
        """Make a mind map: an interactive artifact, or a note that holds its tree."""
        if kind == "note":
            tree = await self.draw(notebook_id, source_ids, language, instructions)
            return _noted(await self._notes.create(notebook_id, json.loads(tree)["name"][:200], tree))
        made = await self._artifacts.generate(
            notebook_id, "mind_map", instructions, source_ids=source_ids, language=language
        )
        return KeptMindMap(id=made.id, title=made.title, kind="interactive", state=made.state)

    @shorthand
    async def get_tree(self, notebook_id: str | None, mind_map_id: str) -> dict[str, Any]:
        """The tree of a mind map: names and children."""
        found: dict[str, Any]
        try:
            file = await self._artifacts.download(notebook_id, mind_map_id, "json")
            found = json.loads(await file.read())
        except NotFound:
            found = json.loads((await self._tree_note(notebook_id, mind_map_id)).content)
        return found

    @shorthand
    async def rename(self, notebook_id: str | None, mind_map_id: str, title: str) -> KeptMindMap:
        """Give a mind map another title."""
        try:
            one = await self._artifacts.rename(notebook_id, mind_map_id, title)
        except NotFound:
            note = await self._tree_note(notebook_id, mind_map_id)
            return _noted(await self._notes.update(notebook_id, note.id, title=title))
        return KeptMindMap(id=one.id, title=one.title, kind="interactive", state=one.state)

    @shorthand
    async def delete(self, notebook_id: str | None, mind_map_id: str) -> None:
        """Delete a mind map."""
        try:
            await self._artifacts.delete(notebook_id, mind_map_id)
        except NotFound:
            await self._notes.delete(notebook_id, (await self._tree_note(notebook_id, mind_map_id)).id)

    @property
    def _artifacts(self) -> Artifacts:
        return Artifacts(self.engine, self.engine.done_by("artifacts"), self.context)

    @property
    def _notes(self) -> Notes:
        return Notes(self.engine, self.engine.done_by("notes"), self.context)

    async def _tree_note(self, notebook_id: str | None, id: str) -> Note:
        try:
            note = await self._notes.get(notebook_id, id)
        except NotFound:
            raise NotFound("mind map", id) from None
        if not is_tree(note.content):
            raise NotFound("mind map", id)
        return note


def _noted(note: Note) -> KeptMindMap:
    return KeptMindMap(id=note.id, title=note.title, kind="note", state="ready")
