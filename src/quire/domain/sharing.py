"""Who acts, what a member of a notebook may do, and how a notebook is shared."""

from __future__ import annotations

import hashlib
from datetime import datetime
from enum import IntEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer

OWNER_ID = "owner"
# By this much a secret scanner, or a person, knows a token when they see one.
TOKEN_BEGINS = "quire_"  # noqa: S105


class Role(IntEnum):
    """Ordered: a higher role may do all that a lower one may.

    A viewer of a notebook whose view level is `chat` is CHAT_ONLY: asks it, and reads neither sources nor notes.
    """

    CHAT_ONLY = 0
    VIEWER = 1
    EDITOR = 2
    OWNER = 3


# A number in Python, where roles are compared; a word for whoever reads JSON.
RoleInWords = Annotated[
    Role,
    PlainSerializer(lambda role: role.name.lower(), return_type=str, when_used="json"),
]
ViewLevel = Literal["full", "chat"]
# What others can be given; a notebook has one owner.
Permission = Literal["viewer", "editor"]
Email = Annotated[
    str, Field(min_length=3, max_length=254, description="An e-mail address.", examples=["ada@example.com"])
]


class Actor(BaseModel):
    """The user on whose behalf something is done."""

    model_config = ConfigDict(frozen=True)

    id: str
    name: str = ""


LOCAL_OWNER = Actor(id=OWNER_ID, name="local owner")


class Person(Actor):
    """Someone who may call."""

    email: str | None = None
    owner: bool = False
    created_at: datetime


class Token(BaseModel):
    """What proves who someone is. The token itself is shown once, when it is made."""

    model_config = ConfigDict(frozen=True)

    id: str
    person_id: str
    label: str
    created_at: datetime
    expires_at: datetime | None = None
    used_at: datetime | None = None


class NewToken(Token):
    token: str


class SignedIn(BaseModel):
    """Whose token this is. It holds until it is taken back or has run out."""

    model_config = ConfigDict(frozen=True)

    actor: Actor
    token_id: str
    token_hash: str
    expires_at: datetime | None = None


class RemovedPerson(Person):
    """Someone who is no longer there, and what became of what only they owned."""

    given_to: str | None = None
    given: list[str] = []
    exported: list[str] = []
    deleted: list[str] = []


class SharedUser(BaseModel):
    """With whom a notebook is shared; one who is `pending` is let in as soon as they are on this server."""

    model_config = ConfigDict(frozen=True)

    email: str
    name: str = ""
    permission: Literal["owner", "editor", "viewer"]
    pending: bool = False
    message: str = ""


class ShareStatus(BaseModel):
    """How a notebook is shared. `view_level` is what viewers see of it: all, or only its chat."""

    model_config = ConfigDict(frozen=True)

    notebook_id: str
    public: bool
    view_level: ViewLevel
    users: list[SharedUser]
    by_link: int = Field(0, description="How many came by the public link.")
    message: str = ""
    url: str


class OpenedNotebook(BaseModel):
    """A notebook that is in your list from now on, and the words that you were welcomed with."""

    model_config = ConfigDict(frozen=True)

    notebook_id: str
    title: str
    role: RoleInWords
    message: str = ""


class SharingEntry(BaseModel):
    """Who let whom in to what."""

    model_config = ConfigDict(frozen=True)

    at: datetime
    actor: str
    action: str
    subject: str
    notebook_id: str | None = None
    title: str = ""
    detail: str = ""


def hash_of(token: bytes) -> str:
    """What is kept of a token; it is too long to be found out from that."""
    return hashlib.sha256(token).hexdigest()
