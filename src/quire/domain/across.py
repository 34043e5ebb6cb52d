"""Questions to several notebooks at once: what was found says in which."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from quire.domain.chat import Answer, Citation
from quire.domain.passages import PassageHit

NotebookIds = Annotated[
    list[str], Field(min_length=1, max_length=1_000, description="Only these notebooks; all of yours when left out.")
]


class LibraryHit(PassageHit):
    """A passage, and the notebook that it was found in."""

    notebook_id: str
    notebook_title: str


class LibraryCitation(Citation):
    """A citation, and the notebook that its source is in."""

    notebook_id: str
    notebook_title: str


class LibraryAnswer(Answer):
    """An answer from several notebooks. `left_out` names those whose sources the caller may not read."""

    citations: list[LibraryCitation]  # type: ignore[assignment]
    notebooks: int
    left_out: list[str]


class LibraryHits(BaseModel):
    """The passages that fit best, best first. `left_out` names notebooks whose sources the caller may not read."""

    model_config = ConfigDict(frozen=True)

    items: list[LibraryHit]
    notebooks: int
    left_out: list[str] = []
