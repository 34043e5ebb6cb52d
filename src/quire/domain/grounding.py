"""Statements of artifacts, and what they rest on."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from quire.domain.documents import Place


class Grounds(BaseModel):
    """A span of one version of a source: `excerpt` is exactly what stands from `start` to `end`."""

    model_config = ConfigDict(frozen=True)

    source_id: str
    source_title: str
    version: int
    start: int
    end: int
    excerpt: str
    place: Place = Place()


class Statement(BaseModel):
    """What an artifact says, with the spans that bear it out; `verified` says that they were found to."""

    model_config = ConfigDict(frozen=True)

    text: str
    grounds: list[Grounds] = []
    verified: bool = True
