"""Sharing: who else may use a notebook, and what of it they see."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from quire.api.capability import capability
from quire.api.noun import Noun
from quire.domain.errors import Conflict, LimitReached
from quire.domain.pages import Page
from quire.domain.sharing import (
    Email,
    OpenedNotebook,
    Permission,
    Role,
    ShareStatus,
    SharingEntry,
    ViewLevel,
)

Id = Annotated[str, Field(description="The notebook's id.", examples=["0f8fad5b-d9cb-469f-a165-70867728950e"])]
Granted = Annotated[Permission, Field(description="Editors also change what is in it.")]
Welcome = Annotated[str, Field(max_length=2_000, description="What they read when they open it.")]


class Sharing(Noun):
    """Who else may use a notebook. Nobody finds one that is not shared with them."""

    noun = "share"
    toolset = "sharing"

    @capability("get_share_status", "read", of=("notebook", "notebook_id"), needs=Role.EDITOR, verb="status")
    async def get_status(self, notebook_id: Id) -> ShareStatus:
        """With whom a notebook is shared, and its link."""

    @capability(
        "set_notebook_public",
        "write",
        of=("notebook", "notebook_id"),
        needs=Role.OWNER,
        idempotent=True,
        verb="public",
    )
    async def set_public(
        self,
        notebook_id: Id,
        public: Annotated[bool, Field(description="False takes it back, also from those who came by the link.")] = True,
        welcome_message: Welcome = "",
    ) -> ShareStatus:
        """Let everybody on this server who has a notebook's link open it as a viewer."""

    @capability(
        "set_view_level",
        "write",
        of=("notebook", "notebook_id"),
        needs=Role.OWNER,
        idempotent=True,
        verb="view",
        errors=(Conflict,),
    )
    async def set_view_level(
        self,
        notebook_id: Id,
        level: Annotated[ViewLevel, Field(description="`chat`: they ask, and read no sources or notes.")],
    ) -> ShareStatus:
        """Say what viewers see of a notebook: all of it, or only its chat."""

    @capability(
        "share_notebook",
        "write",
        of=("notebook", "notebook_id"),
        needs=Role.OWNER,
        idempotent=True,
        verb="add",
        errors=(Conflict, LimitReached),
    )
    async def add_user(
        self,
        notebook_id: Id,
        email: Email,
        permission: Granted = "viewer",
        welcome_message: Welcome = "",
    ) -> ShareStatus:
        """Share a notebook with somebody. One who is not on this server yet is let in once they are."""

    @capability(
        "update_share",
        "write",
        of=("notebook", "notebook_id"),
        needs=Role.OWNER,
        idempotent=True,
        errors=(Conflict,),
    )
    async def update_user(self, notebook_id: Id, email: Email, permission: Granted) -> ShareStatus:
        """Give somebody another permission."""

    @capability(
        "unshare_notebook",
        "destroy",
        of=("notebook", "notebook_id"),
        needs=Role.OWNER,
        verb="remove",
        errors=(Conflict,),
    )
    async def remove_user(self, notebook_id: Id, email: Email) -> ShareStatus:
        """Share a notebook with somebody no longer; it ends at once."""

    @capability("open_shared_notebook", "write", of=("link", "notebook_id"), needs=Role.CHAT_ONLY, idempotent=True)
    async def open(self, notebook_id: Id) -> OpenedNotebook:
        """Open a notebook that is shared with you or public. From then on it is in your list."""

    @capability(
        "leave_notebook",
        "destroy",
        of=("notebook", "notebook_id"),
        needs=Role.CHAT_ONLY,
        errors=(Conflict,),
    )
    async def leave(self, notebook_id: Id) -> OpenedNotebook:
        """Leave a notebook that is shared with you."""

    @capability("list_sharing_log", "read", of=("notebook", "notebook_id"), needs=Role.OWNER, verb="log")
    async def log(
        self, notebook_id: Id, limit: Annotated[int, Field(ge=1, le=1_000)] = 50, cursor: str | None = None
    ) -> Page[SharingEntry]:
        """Who shared a notebook with whom, newest first."""
