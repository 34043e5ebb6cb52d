"""Transformations: what is made of each source by itself, and kept as a note."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

TransformationId = Annotated[
    str, Field(description="Its id or name; built-in ones have names.", examples=["key-sentences"])
]
TransformationName = Annotated[str, Field(min_length=1, max_length=200, examples=["Plain summary"])]
Prompt = Annotated[
    str,
    Field(
        min_length=1,
        max_length=20_000,
        description="What a language model is to make of a source.",
        examples=["Sum this up in five plain sentences."],
    ),
]


class Transformation(BaseModel):
    """One that needs no language model is `built_in` and has no prompt."""

    model_config = ConfigDict(frozen=True)

    id: str
    name: str
    description: str = ""
    prompt: str | None = None
    built_in: bool = False
    created_at: datetime | None = None
    updated_at: datetime | None = None


class TransformedNote(BaseModel):
    """A note that a transformation made of a source; `current` while it is of the source's last version."""

    model_config = ConfigDict(frozen=True)

    note_id: str
    note_title: str
    source_id: str
    source_title: str
    transformation_id: str
    version: int
    current: bool
    made_at: datetime


BUILT_IN = {
    "key-sentences": Transformation(
        id="key-sentences",
        name="Key sentences",
        description="The sentences that tell most of a source, in its own words.",
        built_in=True,
    ),
    "outline": Transformation(
        id="outline",
        name="Outline",
        description="Headings as a list, each with how its part begins.",
        built_in=True,
    ),
    "dates-and-numbers": Transformation(
        id="dates-and-numbers",
        name="Dates and numbers",
        description="A table of dates, amounts, shares and measures, each with its sentence.",
        built_in=True,
    ),
    "glossary": Transformation(
        id="glossary",
        name="Glossary",
        description="A table of the terms and abbreviations that a source explains.",
        built_in=True,
    ),
}
