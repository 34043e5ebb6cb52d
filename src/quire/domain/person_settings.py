"""What each person sets for themselves, and how much there may be and is of everything."""

from __future__ import annotations

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


class Usage(BaseModel):
    """What a person has, in the notebooks that are their own. `file_size` is that of their sources' files, in bytes."""

    model_config = ConfigDict(frozen=True)

    notebooks: int
    sources: int
    characters: int
    notes: int
    conversations: int
    file_size: int
    jobs: int
