"""Notebooks: what holds everything else."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from quire.domain.errors import InvalidInput
from quire.domain.sharing import Role, RoleInWords

NotebookId = Annotated[str, Field(description="The inbox when left out.")]
InNotebook = Annotated[str, Field(description="Its notebook.")]
Emoji = Annotated[str, Field(max_length=32, description="One emoji; none when empty.", examples=["🐝"])]
NotebookTitle = Annotated[str, Field(max_length=1_000, examples=["Bees"])]


NotebookFormat = Literal["quire", "markdown"]


class Notebook(BaseModel):
    model_config = ConfigDict(frozen=True)

    id: str
    title: str
    emoji: str | None = None
    inbox: bool = False
    role: RoleInWords = Role.OWNER
    source_count: int = 0
    description: str | None = None
    created_at: datetime
    updated_at: datetime


class RecentNotebook(Notebook):
    """A notebook, and when the caller last opened it."""

    viewed_at: datetime


class NotebookSummary(BaseModel):
    """What a notebook's sources are about: their own telling sentences, topics, and questions they can answer."""

    model_config = ConfigDict(frozen=True)

    summary: str
    topics: list[str]
    questions: list[str]
    sources: int


def titled(title: str) -> str:
    """A notebook's title as it is kept."""
    title = title.strip()
    if not title:
        raise InvalidInput("title: must not be empty.", field="title")
    return title
