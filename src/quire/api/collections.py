"""Collections: groups of notebooks, each person's own."""

from __future__ import annotations

import builtins
from typing import Annotated

from pydantic import Field

from quire.api.capability import capability, shorthand
from quire.api.noun import Noun
from quire.domain.labels import Collection, CollectionId, CollectionName
from quire.domain.notebooks import Emoji, Notebook
from quire.domain.pages import Page

Limit = Annotated[int, Field(ge=1, le=1_000)]
Members = Annotated[builtins.list[str], Field(min_length=1, max_length=1_000, description="Ids of notebooks.")]


class Collections(Noun):
    """Your groups of notebooks; a notebook may be in several."""

    noun = "collection"
    toolset = "labels"

    @capability("list_collections", "read")
    async def list(self, limit: Limit = 200, cursor: str | None = None) -> Page[Collection]:
        """List your collections with the ids of their notebooks."""

    @capability("get_collection", "read", of=("collection", "collection_id"))
    async def get(self, collection_id: CollectionId) -> Collection:
        """Get one collection."""

    @capability("list_collection_notebooks", "read", of=("collection", "collection_id"), verb="notebooks")
    async def notebooks(
        self, collection_id: CollectionId, limit: Limit = 200, cursor: str | None = None
    ) -> Page[Notebook]:
        """List the notebooks in a collection."""

    @capability("create_collection", "write")
    async def create(self, name: CollectionName, emoji: Emoji = "") -> Collection:
        """Make an empty collection."""

    @capability("update_collection", "write", of=("collection", "collection_id"), idempotent=True)
    async def update(
        self, collection_id: CollectionId, name: CollectionName | None = None, emoji: Emoji | None = None
    ) -> Collection:
        """Give a collection another name or emoji."""

    @shorthand
    async def rename(self, collection_id: str, name: str) -> Collection:
        """Give a collection another name."""
        return await self.update(collection_id, name=name)

    @shorthand
    async def set_emoji(self, collection_id: str, emoji: str) -> Collection:
        """Give a collection an emoji, or take it away."""
        return await self.update(collection_id, emoji=emoji)

    @capability("add_notebooks_to_collection", "write", of=("collection", "collection_id"), idempotent=True)
    async def add_notebooks(self, collection_id: CollectionId, notebook_ids: Members) -> Collection:
        """Put notebooks into a collection."""

    @capability("remove_notebooks_from_collection", "write", of=("collection", "collection_id"), idempotent=True)
    async def remove_notebooks(self, collection_id: CollectionId, notebook_ids: Members) -> Collection:
        """Take notebooks out of a collection. Nothing is deleted."""

    @capability("delete_collections", "destroy")
    async def delete(
        self,
        collection_ids: Annotated[builtins.list[str], Field(min_length=1, max_length=1_000, description="Their ids.")],
    ) -> Page[Collection]:
        """Delete collections; their notebooks stay."""
