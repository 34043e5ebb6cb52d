"""Passages: the spans of a source's text that are searched and cited."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from quire.domain.documents import Place


class Passage(BaseModel):
    """A span of one version of a source: `text` is exactly what stands from `start` to `end`."""

    model_config = ConfigDict(frozen=True)

    id: int
    source_id: str
    source_title: str
    version: int
    start: int
    end: int
    text: str
    place: Place
    language: str | None = None


class PassageHit(BaseModel):
    """A passage that a search found, best first; `similarity` is its cosine with the query, where it was compared."""

    model_config = ConfigDict(frozen=True)

    passage: Passage
    score: float
    similarity: float | None = None
