"""What each person sets for themselves, and how much there may be and is of everything."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

LanguageCode = Annotated[
    str,
    Field(
        max_length=40,
        description="Code or own name: `de`, `pt_BR`, `日本語`; empty for that of each question.",
        examples=["de"],
    ),
]


class OutputLanguage(BaseModel):
    """The language in which Quire speaks to a person; without a code it is that of each question."""

    model_config = ConfigDict(frozen=True)

    code: str | None = None
    name: str | None = None


class CallLimit(BaseModel):
    """How often a tool may be called, `*` being all of them together, and how often it was in the time that counts."""

    model_config = ConfigDict(frozen=True)

    tool: str
    calls: int
    seconds: float
    used: int = 0


class Limits(BaseModel):
    """The most there can be; None where only the disk sets a limit. Sizes are in bytes."""

    model_config = ConfigDict(frozen=True)

    notebooks: int | None = None
    sources_per_notebook: int | None = None
    characters_per_text: int
    characters_per_note: int
    characters_per_question: int
    file_size: int
    upload_size: int
    disk_free: int | None = None
    calls: list[CallLimit] = []


class Allowance(BaseModel):
    """How much of what a service allows in some time is used up, in percent, and when it begins anew."""

    model_config = ConfigDict(frozen=True)

    window: str
    used: float
    resets_at: datetime | None = None


class Usage(BaseModel):
    """What a person has, in the notebooks that are their own; None is what is not counted.

    `file_size` is that of their sources' files, in bytes. `allowances` are those of a service that has some.
    """

    model_config = ConfigDict(frozen=True)

    notebooks: int
    sources: int
    characters: int
    notes: int | None = None
    conversations: int | None = None
    file_size: int | None = None
    jobs: int | None = None
    allowances: list[Allowance] = []
