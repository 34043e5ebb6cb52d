"""Artifacts: what is made of a notebook's sources."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from quire.domain.errors import InvalidInput

ArtifactKind = Literal[
    "audio", "video", "report", "quiz", "flashcards", "mind_map", "data_table", "slide_deck", "infographic"
]
ArtifactState = Literal["pending", "in_progress", "draft", "ready", "failed"]
Maker = Literal["extractive", "model"]
KINDS: tuple[ArtifactKind, ...] = get_args(ArtifactKind)
NAMES: dict[ArtifactKind, str] = {
    "audio": "Audio overview",
    "video": "Video overview",
    "report": "Report",
    "quiz": "Quiz",
    "flashcards": "Flashcards",
    "mind_map": "Mind map",
    "data_table": "Data table",
    "slide_deck": "Slide deck",
    "infographic": "Infographic",
}
# What no link leads to.
UNLINKED: tuple[ArtifactKind, ...] = ("mind_map",)
ENDED: tuple[ArtifactState, ...] = ("draft", "ready", "failed")

PROMPT_LIMIT = 10_000
TITLE_LIMIT = 1_000
LONGEST_TEXT = 5_000
# JSON is read to twice that depth.
DEEPEST = 100

ArtifactId = Annotated[str, Field(description="The artifact's id.")]
ArtifactTitle = Annotated[str, Field(max_length=TITLE_LIMIT, examples=["Bees at a glance"])]
Instructions = Annotated[
    str, Field(max_length=PROMPT_LIMIT, description="What to focus on.", examples=["How bees find honey"])
]
FileFormat = Annotated[
    str, Field(max_length=20, description="One that list_artifacts shows; the main one when left out.")
]

# What can be chosen, whatever the kind; each kind says which of these it has.
ArtifactForm = Literal[
    "briefing_doc",
    "study_guide",
    "blog_post",
    "custom",
    "deep_dive",
    "brief",
    "critique",
    "debate",
    "explainer",
    "cinematic",
    "short",
    "detailed_deck",
    "presenter_slides",
]
Length = Literal["short", "default", "long"]
Quantity = Literal["fewer", "standard", "more"]
Difficulty = Literal["easy", "medium", "hard"]
Orientation = Literal["landscape", "portrait", "square"]
Detail = Literal["concise", "standard", "detailed"]


class Artifact(BaseModel):
    """`formats` are the files that can be downloaded, the main one first; `progress` goes from 0 to 1.

    `maker` is who wrote it: a language model, or the sources' own sentences. A `draft` can be edited before its files
    are made.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    notebook_id: str
    kind: ArtifactKind
    title: str
    state: ArtifactState
    progress: float = 0.0
    doing: str = ""
    options: dict[str, Any] = {}
    instructions: str = ""
    language: str = "en"
    source_ids: list[str] = []
    formats: list[str] = []
    maker: Maker | None = None
    warnings: list[str] = []
    error: str | None = None
    job_id: str | None = None
    created_at: datetime
    updated_at: datetime

    @property
    def ended(self) -> bool:
        return self.state in ENDED


class ArtifactContent(BaseModel):
    """What an artifact says, as data; its form is that of its kind."""

    artifact_id: str
    kind: ArtifactKind
    content: dict[str, Any]
    outline: dict[str, Any] | None = None


class ArtifactLink(BaseModel):
    """An address at which anyone who has it can get the artifact, until it expires, if it does."""

    artifact_id: str
    format: str
    url: str
    expires_at: datetime | None = None


class OfferedKind(BaseModel):
    """A kind of artifacts, and where it cannot be made here yet, what to do about it."""

    kind: ArtifactKind
    hint: str | None = None


class SuggestedReport(BaseModel):
    """A report that fits a notebook's sources; its `prompt` makes it."""

    title: str
    description: str
    prompt: str


def refuse_unbounded(content: Any) -> None:
    """No statement, heading or cell is a book: what renders them measures every letter. And no tree is a well."""
    waiting = [(content, 1)]
    while waiting:
        one, depth = waiting.pop()
        if isinstance(one, str) and len(one) > LONGEST_TEXT:
            raise InvalidInput(f"content: a text is longer than {LONGEST_TEXT:,} characters.", field="content")
        if depth > DEEPEST:
            raise InvalidInput(f"content: it is nested more than {DEEPEST} deep.", field="content")
        inner = one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
        waiting += [(each, depth + 1) for each in inner]
