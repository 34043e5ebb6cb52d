"""Notebooks: make, list, rename, delete, sum up."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from quire.api.capability import capability
from quire.api.noun import Noun
from quire.domain.errors import Conflict
from quire.domain.files import Download, Upload
from quire.domain.notebooks import Emoji, Notebook, NotebookFormat, NotebookSummary, NotebookTitle, RecentNotebook
from quire.domain.pages import Page
from quire.domain.sharing import Role

Id = Annotated[str, Field(description="The notebook's id.", examples=["0f8fad5b-d9cb-469f-a165-70867728950e"])]


class Notebooks(Noun):
    """What holds sources, notes and conversations."""

    noun = "notebook"
    toolset = "notebooks"

    @capability("list_notebooks", "read", listed=True)
    async def list(
        self, limit: Annotated[int, Field(ge=1, le=1_000)] = 200, cursor: str | None = None
    ) -> Page[Notebook]:
        """List your notebooks, newest first."""

    @capability("create_notebook", "write", listed=True)
    async def create(self, title: NotebookTitle) -> Notebook:
        """Make a new, empty notebook."""

    @capability("get_notebook", "read", of=("notebook", "notebook_id"), needs=Role.CHAT_ONLY, listed=True)
    async def get(self, notebook_id: Id) -> Notebook:
        """Get one notebook."""

    @capability("list_recent_notebooks", "read", verb="recent", toolset="notebooks_more")
    async def list_recent(self, limit: Annotated[int, Field(ge=1, le=1_000)] = 20) -> Page[RecentNotebook]:
        """List the notebooks that you opened last, the last first."""

    @capability(
        "remove_notebook_from_recent",
        "write",
        of=("notebook", "notebook_id"),
        needs=Role.CHAT_ONLY,
        idempotent=True,
        verb="forget",
        toolset="notebooks_more",
    )
    async def remove_from_recent(self, notebook_id: Id) -> Notebook:
        """Take a notebook out of your recent ones until you open it again. Nothing is deleted."""

    @capability(
        "get_notebook_summary",
        "read",
        of=("notebook", "notebook_id"),
        needs=Role.CHAT_ONLY,
        timeout=120,
        verb="summary",
    )
    async def get_summary(self, notebook_id: Id) -> NotebookSummary:
        """What a notebook's sources are about, with topics and questions."""

    @capability(
        "rename_notebook", "write", of=("notebook", "notebook_id"), idempotent=True, listed=True, errors=(Conflict,)
    )
    async def rename(self, notebook_id: Id, title: NotebookTitle) -> Notebook:
        """Give a notebook another title."""

    @capability("set_notebook_emoji", "write", of=("notebook", "notebook_id"), idempotent=True, verb="emoji")
    async def set_emoji(self, notebook_id: Id, emoji: Emoji) -> Notebook:
        """Give a notebook an emoji, or take it away."""

    @capability(
        "copy_notebook", "write", of=("notebook", "notebook_id"), needs=Role.VIEWER, timeout=3600, toolset="transfer"
    )
    async def copy(self, notebook_id: Id, title: NotebookTitle | None = None) -> Notebook:
        """Copy a notebook of yours or shared with you: sources, labels, notes and chat settings, not conversations."""

    @capability("export_notebook", "read", of=("notebook", "notebook_id"), timeout=3600, toolset="transfer")
    async def export(
        self,
        notebook_id: Id,
        format: Annotated[NotebookFormat, Field(description="`markdown`: a ZIP of plain Markdown.")] = "quire",
    ) -> Download:
        """Get a whole notebook as one .quire file: sources, notes, artifacts, labels, your conversations."""

    @capability("import_notebook", "write", timeout=3600, errors=(Conflict,), toolset="transfer")
    async def import_(self, file: Upload) -> Notebook:
        """Make a notebook of a .quire file. It has the same ids where all of them are free, else it is a copy."""

    @capability(
        "delete_notebook",
        "destroy",
        of=("notebook", "notebook_id"),
        needs=Role.OWNER,
        listed=True,
        errors=(Conflict,),
    )
    async def delete(self, notebook_id: Id) -> Notebook:
        """Delete a notebook with everything in it. The inbox cannot be deleted."""
