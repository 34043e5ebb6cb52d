"""Scratch notebooks: cells that live for a session, and what became of running them."""

from __future__ import annotations

import mimetypes
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from quire.domain.cells import MEDIA_TYPES, Cell, CellStatus, CellType, Output, Sheet, language_of

KEPT_EXECUTIONS = 100
TEXT_LIMIT = 16 * 1024 * 1024
RESERVED = ("list", "current", "templates")
# Templates by their names, and how people call them.
PATTERNS = {
    "tree_of_thought": "Tree of Thought",
    "beam_search": "Beam Search",
    "mcts": "Monte Carlo Tree Search",
    "graph_of_thought": "Graph of Thought",
    "ooda_loop": "OODA Loop",
    "orchestration_suggest": "Tool Orchestration",
    "ulysses_protocol": "Ulysses Protocol",
    "compare_sources": "Compare Sources",
}
PATTERNS_IN_WORDS = ", ".join(f"{name} ({title})" for name, title in PATTERNS.items())

FORMAT_MEDIA_TYPES = {"srcmd": "text/markdown", "ipynb": "application/x-ipynb+json", "json": "application/json"}
EXPORTS_ROOT = "file:///notebooks"
# What the JSON of a notebook says of it beside its cells, which another notebook made of that has for itself.
JSON_FACTS = ("id", "sessionId", "title", "cellCount", "pattern", "createdAt")

ScratchFormat = Annotated[Literal["srcmd", "ipynb", "json"], Field(description="The format of the text.")]
ScratchId = Annotated[str, Field(description="The scratch notebook's id.")]
SessionId = Annotated[str, Field(description="The session's id.")]
ExecutionId = Annotated[str, Field(description="The run's id.")]
Pattern = Annotated[
    str,
    Field(
        max_length=60,
        description=f"A template to start from: {PATTERNS_IN_WORDS}.",
        examples=["ooda_loop"],
    ),
]
Revision = Annotated[int, Field(ge=1, description="Refuse if the notebook is not at this revision.")]
Seconds = Annotated[float, Field(gt=0, le=3_600, strict=False, description="Stop a cell that runs longer.")]


class CellSummary(BaseModel):
    """A cell in a list: what it is, not what stands in it."""

    model_config = ConfigDict(frozen=True)

    id: str
    type: CellType
    language: str | None = None
    filename: str | None = None
    status: CellStatus = "idle"


class ScratchNotebook(BaseModel):
    """A scratch notebook. `session_id` and `id` are all that its address is made of."""

    model_config = ConfigDict(frozen=True)

    id: str
    session_id: str
    uri: str
    owner: str
    title: str
    language: str
    pattern: str | None = None
    cell_count: int
    revision: int = 1
    created_at: datetime
    updated_at: datetime
    last_executed: datetime | None = None
    total_executions: int = 0
    has_errors: bool = False
    expires_at: datetime
    cells: list[CellSummary] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)


class ScratchView(BaseModel):
    """A notebook with all of its cells, as others may see them: no scripts in what they put out."""

    model_config = ConfigDict(frozen=True)

    notebook: ScratchNotebook
    sheet: Sheet


class ScratchText(BaseModel):
    """A notebook as srcmd."""

    model_config = ConfigDict(frozen=True)

    notebook: ScratchNotebook
    text: str


class CellChange(BaseModel):
    """What an edit came to: the cell, where it stands, and the notebook's new revision. `uri` is the cell's."""

    model_config = ConfigDict(frozen=True)

    uri: str
    notebook_id: str
    revision: int
    index: int
    cell: Cell


class CellOutput(BaseModel):
    """Something that a running cell put out, as it came. One that is `updated` takes the place of all that the
    notebook shows under its `display_id`."""

    model_config = ConfigDict(frozen=True)

    cell_id: str
    output: Output
    updated: bool = False


class CellCleared(BaseModel):
    """All that a running cell has put out so far is gone."""

    model_config = ConfigDict(frozen=True)

    cell_id: str
    cleared: Literal[True] = True


class Execution(BaseModel):
    """One run of a cell. Its outputs are kept although it failed."""

    model_config = ConfigDict(frozen=True)

    id: str
    uri: str = ""
    notebook_id: str
    cell_id: str
    status: Literal["ok", "failed", "timed_out", "interrupted", "died"]
    execution_count: int | None = None
    outputs: list[Output]
    started_at: datetime
    finished_at: datetime
    message: str = ""


class ScratchRun(BaseModel):
    """All code cells from top to bottom; the first that fails ends the run."""

    model_config = ConfigDict(frozen=True)

    notebook_id: str
    status: Literal["ok", "failed"]
    executions: list[Execution]
    skipped: int = 0


class Exported(BaseModel):
    """A notebook in a format. `uri` is readable as a resource while the notebook lives."""

    model_config = ConfigDict(frozen=True)

    notebook_id: str
    format: ScratchFormat
    media_type: str
    uri: str
    path: str | None = None
    files: list[str]
    text: str


class Saved(BaseModel):
    """Where a notebook was kept for good."""

    model_config = ConfigDict(frozen=True)

    notebook_id: str
    kind: Literal["source", "note"]
    id: str
    title: str


def export_media_type(path: str) -> str:
    """The media type of an exported file, which its name tells."""
    if path.endswith(".ipynb"):
        return FORMAT_MEDIA_TYPES["ipynb"]
    if path.endswith(".md"):
        return "text/markdown"
    if language := language_of(path):
        return MEDIA_TYPES[language]
    return mimetypes.guess_type(path)[0] or "text/plain"
