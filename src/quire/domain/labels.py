"""Labels of sources, and collections of notebooks."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from quire.domain.errors import InvalidInput

LabelId = Annotated[str, Field(description="The label's id.")]
LabelIds = Annotated[list[str], Field(max_length=1_000, description="Only with these labels.")]
LabelName = Annotated[str, Field(max_length=200, examples=["Beekeeping"])]
CollectionId = Annotated[str, Field(description="The collection's id.")]
CollectionName = Annotated[str, Field(max_length=200, examples=["Gardening"])]
Labelled = Literal["all", "unlabeled"]


class Label(BaseModel):
    """A group of sources. A source may have several labels; one that was `generated` may be made anew by topic."""

    model_config = ConfigDict(frozen=True)

    id: str
    notebook_id: str
    name: str
    emoji: str | None = None
    generated: bool = False
    source_ids: list[str]
    created_at: datetime
    updated_at: datetime


class Collection(BaseModel):
    """A group of notebooks, its maker's own."""

    model_config = ConfigDict(frozen=True)

    id: str
    name: str
    emoji: str | None = None
    notebook_ids: list[str]
    created_at: datetime
    updated_at: datetime


def given_name(name: str) -> str:
    """A name as it is kept: on one line."""
    name = " ".join(name.split())
    if not name:
        raise InvalidInput("name: must not be empty.", field="name")
    return name
