"""What a notebook's file says of itself, and where in it things are."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from quire.domain.notebook_file.rows import Id, Sha256

FORMAT: Literal["quire-notebook"] = "quire-notebook"
EDITION = 1
MANIFEST = "manifest.json"
INDEX = "index.md"
ORIGINALS = "originals/"
MEDIA_TYPE = "application/vnd.quire.notebook+zip"

UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
# Every name that may stand in a file: nothing else is looked at, so no name leads anywhere else.
NAMES = re.compile(
    rf"manifest\.json|index\.md|data/[a-z_]{{1,40}}\.jsonl|(?:notes|conversations)/{UUID}\.md"
    rf"|sources/{UUID}/[1-9][0-9]{{0,9}}\.md|originals/[0-9a-f]{{64}}"
)


class Entry(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", hide_input_in_errors=True)

    path: str
    size: Annotated[int, Field(ge=0)]
    sha256: Sha256


class Table(BaseModel):
    """A table: its name, and how many rows its file has."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", hide_input_in_errors=True)

    name: Annotated[str, Field(pattern=r"^[a-z_]{1,40}$")]
    rows: Annotated[int, Field(ge=0)]


class Manifest(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", hide_input_in_errors=True)

    format: Literal["quire-notebook"]
    version: int
    notebook_id: Id
    title: str
    tables: list[Table]
    files: list[Entry]


def rows_file(part: str) -> str:
    return f"data/{part}.jsonl"


def original_file(sha256: str) -> str:
    return f"{ORIGINALS}{sha256}"
