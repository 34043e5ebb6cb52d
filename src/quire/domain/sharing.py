"""Who acts, and what a member of a notebook may do."""

from __future__ import annotations

from enum import IntEnum

from pydantic import BaseModel, ConfigDict

OWNER_ID = "owner"


class Role(IntEnum):
    """Ordered: a higher role may do all that a lower one may."""

    VIEWER = 1
    EDITOR = 2
    OWNER = 3


class Actor(BaseModel):
    """The user on whose behalf something is done."""

    model_config = ConfigDict(frozen=True)

    id: str
    name: str = ""


LOCAL_OWNER = Actor(id=OWNER_ID, name="local owner")


class Person(Actor):
    """Someone who may call, and the hash of the token that proves it."""

    token_hash: str | None = None
