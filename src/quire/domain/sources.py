"""Sources: what a notebook knows from."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

SourceState = Literal["processing", "ready", "failed"]

SourceId = Annotated[str, Field(description="The source's id.")]
SourceTitle = Annotated[str, Field(max_length=1_000, examples=["A list of bees"])]

TEXT_LIMIT = 500_000
FILE_LIMIT = 2 * 1024**3
URL_LIMIT = 8_000


class Source(BaseModel):
    """`state` tells whether it can be asked; `error` why not; `warnings` what could not be read of it.

    `stale` says that what it came from was another when it was last compared. `note_id` is the note it was made of.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    notebook_id: str
    title: str
    kind: str
    url: str | None = None
    file_name: str | None = None
    state: SourceState
    error: str | None = None
    version: int = 0
    characters: int = 0
    passages: int = 0
    language: str | None = None
    warnings: list[str] = []
    created_at: datetime
    updated_at: datetime
    checked_at: datetime | None = None
    stale: bool = False
    note_id: str | None = None


class AddedSource(Source):
    """A source as it is after it was given; `added` is false where the notebook had the same bytes already."""

    added: bool = True


class RefreshedSource(Source):
    """A source as it is after it was read again; `changed` is None while that is still being done."""

    changed: bool | None = None


class Freshness(BaseModel):
    """Whether a source is still what it came from; `why` says how that is known, or what is not."""

    model_config = ConfigDict(frozen=True)

    source_id: str
    title: str
    fresh: bool
    why: str
    checked_at: datetime


class CopiedSource(BaseModel):
    """A source that was copied: which one, and its copy."""

    model_config = ConfigDict(frozen=True)

    original_id: str
    source: Source


class SourceText(BaseModel):
    """The whole text of a source, or a part of it."""

    source_id: str
    title: str
    version: int
    characters: int
    start: int
    end: int
    text: str


class SourceGuide(BaseModel):
    """What a source is about: its own most telling sentences, and words to look for."""

    source_id: str
    title: str
    summary: str
    keywords: list[str]
