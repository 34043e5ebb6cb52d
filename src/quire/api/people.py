"""People: who may call, and the tokens that prove it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from quire.api.capability import SERVER, capability
from quire.api.noun import Noun
from quire.domain.errors import Conflict
from quire.domain.pages import Page
from quire.domain.sharing import Email, NewToken, Person, RemovedPerson, Role, SharingEntry, Token

Name = Annotated[str, Field(min_length=1, max_length=200, examples=["Ada Lovelace"])]
Called = Annotated[str, Field(max_length=254, description="An e-mail address or id.", examples=["ada@example.com"])]
Oneself = Annotated[
    str,
    Field(max_length=254, description="An e-mail address or id; yourself when left out.", examples=["ada@example.com"]),
]
Limit = Annotated[int, Field(ge=1, le=1_000)]


class People(Noun):
    """Who may use this server. Its owner lets people in; everybody has tokens of their own."""

    noun = "person"
    toolset = "sharing"

    @capability("whoami", "read", of=SERVER, needs=Role.CHAT_ONLY)
    async def whoami(self) -> Person:
        """Who you are to this server."""

    @capability("add_person", "write", of=SERVER, needs=Role.OWNER, errors=(Conflict,))
    async def add(self, name: Name, email: Email) -> Person:
        """Let somebody use this server. Notebooks that were shared with the address before are theirs at once."""

    @capability("list_people", "read", of=SERVER, needs=Role.OWNER)
    async def list(self, limit: Limit = 200, cursor: str | None = None) -> Page[Person]:
        """List the people of this server."""

    @capability("get_person", "read", of=("person", "person"), verb="show")
    async def get(self, person: Oneself | None = None) -> Person:
        """Get one person."""

    @capability(
        "update_person",
        "write",
        of=("person", "person"),
        needs=Role.OWNER,
        idempotent=True,
        errors=(Conflict,),
    )
    async def update(
        self, person: Oneself | None = None, name: Name | None = None, email: Email | None = None
    ) -> Person:
        """Give somebody another name or address."""

    @capability("remove_person", "destroy", of=("person", "person"), needs=Role.OWNER, timeout=600, errors=(Conflict,))
    async def remove(
        self,
        person: Called,
        give_to: Annotated[str, Field(description="Who gets their notebooks and books.")] | None = None,
        export_to: Annotated[str, Field(description="A new folder here for them as files, before they are deleted.")]
        | None = None,
        delete_all: Annotated[bool, Field(description="Delete their notebooks and books.")] = False,
    ) -> RemovedPerson:
        """Take somebody off this server: their tokens and sessions end at once.

        What only they own is given to another person, exported and deleted, or deleted; say which.
        """

    @capability("create_token", "write", of=("person", "person"), verb="token")
    async def create_token(
        self,
        person: Oneself | None = None,
        label: Annotated[str, Field(max_length=200, description="What it is for.", examples=["laptop"])] = "",
        days: Annotated[int, Field(ge=0, le=3_650, description="How long it holds; 0 for ever.")] = 90,
    ) -> NewToken:
        """Make a token, which is shown this once."""

    @capability("list_tokens", "read", of=("person", "person"), verb="tokens")
    async def list_tokens(self, person: Oneself | None = None) -> Page[Token]:
        """List somebody's tokens: what for, until when, and when last used."""

    @capability("revoke_token", "destroy", of=("token", "token_id"), verb="revoke")
    async def revoke_token(self, token_id: Annotated[str, Field(description="The token's id.")]) -> Token:
        """End a token, and all that runs by it, at once."""

    @capability("list_access_log", "read", of=SERVER, needs=Role.OWNER, verb="log")
    async def log(self, limit: Limit = 50, cursor: str | None = None) -> Page[SharingEntry]:
        """Who let whom in to what on this server, newest first."""
