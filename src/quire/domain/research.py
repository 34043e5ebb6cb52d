"""Research: looking for sources, on the web or in a folder, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from quire.domain.errors import NotFound

ResearchState = Literal["in_progress", "completed", "no_results", "cancelled", "failed"]
ResearchMode = Literal["fast", "deep"]
Corpus = Literal["web", "drive"]
FindingKind = Literal["page", "file", "report"]
StepKind = Literal["planned", "searched", "read", "judged", "wrote"]

QUERY_LIMIT = 1_000
MOST_PAGES, MOST_SECONDS, MOST_ROUNDS = 500, 3_600, 10

ResearchId = Annotated[str, Field(description="The run's id.")]
ResearchQuery = Annotated[str, Field(max_length=QUERY_LIMIT, examples=["how bees find their way home"])]


class Budget(BaseModel):
    """What a deep run may use: pages that are read, seconds of work, rounds of searching for what is still open."""

    model_config = ConfigDict(frozen=True)

    pages: int = 40
    seconds: int = 600
    rounds: int = 3


class Finding(BaseModel):
    """Something that was found; the report of a deep run is one too. `source_id` is the source that it became.

    What the report cites is `cited`. A page has a `url`, a file the path `file` in the folder.
    """

    model_config = ConfigDict(frozen=True)

    number: int
    kind: FindingKind
    title: str
    url: str | None = None
    file: str | None = None
    description: str = ""
    finder: str = ""
    cited: bool = False
    report: str | None = None
    source_id: str | None = None


class ResearchStep(BaseModel):
    """What a run did, in words."""

    model_config = ConfigDict(frozen=True)

    kind: StepKind
    text: str
    at: datetime


class ListedResearch(BaseModel):
    """A run in a list. `reason` says why it failed or found nothing; `done` of `total` pages were read."""

    model_config = ConfigDict(frozen=True)

    id: str
    notebook_id: str
    query: str
    source: Corpus
    mode: ResearchMode
    state: ResearchState
    reason: str | None = None
    message: str = ""
    done: int = 0
    total: int | None = None
    found: int = 0
    created_at: datetime
    updated_at: datetime


class ResearchRun(ListedResearch):
    """A run with what it found, best first, and what it did; `warnings` tell of finders that failed."""

    summary: str = ""
    findings: list[Finding] = []
    steps: list[ResearchStep] = []
    warnings: list[str] = []
    budget: Budget | None = None
    session_id: str | None = None

    @property
    def report(self) -> str | None:
        return next((finding.report for finding in self.findings if finding.report), None)


def chosen_findings(findings: Sequence[Finding], numbers: Sequence[int] | None, cited: bool) -> list[Finding]:
    """What of a run's findings is wanted: those of these numbers, or what its report cites."""
    known = {finding.number: finding for finding in findings}
    for number in numbers or ():
        if number not in known:
            raise NotFound("finding", str(number), hint="get_research shows their numbers.")
    wanted = list(findings) if numbers is None else [known[number] for number in dict.fromkeys(numbers)]
    if cited and any(finding.cited for finding in findings):
        wanted = [finding for finding in wanted if finding.cited or finding.kind == "report"]
    return wanted
