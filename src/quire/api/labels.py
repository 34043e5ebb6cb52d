"""Labels: groups of a notebook's sources, by hand or by topic."""

from __future__ import annotations

import builtins
from typing import Annotated

from pydantic import Field

from quire.api.capability import capability, shorthand
from quire.api.noun import Noun
from quire.domain.labels import Label, LabelId, Labelled, LabelName
from quire.domain.notebooks import Emoji, InNotebook, NotebookId
from quire.domain.pages import Page
from quire.domain.sources import Source

Limit = Annotated[int, Field(ge=1, le=1_000)]
Members = Annotated[builtins.list[str], Field(min_length=1, max_length=1_000, description="Ids of sources.")]


class Labels(Noun):
    """Groups of a notebook's sources; a source may be in several."""

    noun = "label"
    toolset = "labels"

    @capability("list_labels", "read", of=("notebook", "notebook_id"))
    async def list(
        self, notebook_id: NotebookId | None = None, limit: Limit = 200, cursor: str | None = None
    ) -> Page[Label]:
        """List a notebook's labels with the ids of their sources."""

    @capability("get_label", "read", of=("label", "label_id"))
    async def get(self, notebook_id: InNotebook | None, label_id: LabelId) -> Label:
        """Get one label."""

    @capability("list_label_sources", "read", of=("label", "label_id"), verb="sources")
    async def sources(
        self, notebook_id: InNotebook | None, label_id: LabelId, limit: Limit = 200, cursor: str | None = None
    ) -> Page[Source]:
        """List the sources under a label."""

    @capability("generate_labels", "write", of=("notebook", "notebook_id"), timeout=600, overwrites=True)
    async def generate(
        self,
        notebook_id: NotebookId | None = None,
        scope: Annotated[Labelled, Field(description="`all` also makes labels of earlier runs anew.")] = "unlabeled",
    ) -> Page[Label]:
        """Label sources by topic. Labels that a person made or changed keep their names and sources."""

    @capability("check_labels", "read", of=("notebook", "notebook_id"), published=False)
    async def is_current(self, notebook_id: NotebookId | None = None) -> bool:
        """Whether a notebook has been labelled by topic since its sources changed."""

    @capability("create_label", "write", of=("notebook", "notebook_id"))
    async def create(self, notebook_id: NotebookId | None, name: LabelName, emoji: Emoji = "") -> Label:
        """Make an empty label."""

    @capability("update_label", "write", of=("label", "label_id"), idempotent=True)
    async def update(
        self,
        notebook_id: InNotebook | None,
        label_id: LabelId,
        name: LabelName | None = None,
        emoji: Emoji | None = None,
    ) -> Label:
        """Give a label another name or emoji."""

    @shorthand
    async def rename(self, notebook_id: str | None, label_id: str, name: str) -> Label:
        """Give a label another name."""
        return await self.update(notebook_id, label_id, name=name)

    @shorthand
    async def set_emoji(self, notebook_id: str | None, label_id: str, emoji: str) -> Label:
        """Give a label an emoji, or take it away."""
        return await self.update(notebook_id, label_id, emoji=emoji)

    @capability("add_sources_to_label", "write", of=("label", "label_id"), idempotent=True)
    async def add_sources(self, notebook_id: InNotebook | None, label_id: LabelId, source_ids: Members) -> Label:
        """Put sources under a label; they keep their other labels."""

    @capability("remove_sources_from_label", "write", of=("label", "label_id"), idempotent=True)
    async def remove_sources(self, notebook_id: InNotebook | None, label_id: LabelId, source_ids: Members) -> Label:
        """Take sources from under a label. Nothing is deleted."""

    @capability("delete_labels", "destroy", of=("notebook", "notebook_id"))
    async def delete(
        self,
        notebook_id: NotebookId | None,
        label_ids: Annotated[builtins.list[str], Field(min_length=1, max_length=1_000, description="Their ids.")],
    ) -> Page[Label]:
        """Delete labels; their sources stay."""
