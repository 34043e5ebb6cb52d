"""Research: find sources on the web or in a folder, read them, import them."""

from __future__ import annotations

import builtins
from typing import Annotated

from pydantic import Field

from quire.api.capability import capability
from quire.api.noun import Noun
from quire.domain.errors import Conflict, Unsupported
from quire.domain.notebooks import InNotebook, NotebookId
from quire.domain.pages import Page
from quire.domain.research import (
    MOST_PAGES,
    MOST_ROUNDS,
    MOST_SECONDS,
    Corpus,
    ListedResearch,
    ResearchId,
    ResearchMode,
    ResearchQuery,
    ResearchRun,
)
from quire.domain.sources import AddedSource

Limit = Annotated[int, Field(ge=1, le=1_000)]


class ResearchRuns(Noun):
    """Looking for sources: fast (find and rank), or deep (read pages and write a cited report)."""

    noun = "research"
    toolset = "research"

    @capability(
        "start_research",
        "write",
        of=("notebook", "notebook_id"),
        timeout=MOST_SECONDS,
        listed=True,
        open_world=True,
        errors=(Unsupported,),
    )
    async def start(
        self,
        notebook_id: NotebookId | None,
        query: ResearchQuery,
        source: Annotated[Corpus, Field(description="`drive` is the folder of the settings.")] = "web",
        mode: Annotated[ResearchMode, Field(description="`deep` reads pages and writes a report; minutes.")] = "fast",
        pages: Annotated[int, Field(ge=1, le=MOST_PAGES, description="Read at most so many (deep).")] | None = None,
        seconds: Annotated[int, Field(ge=1, le=MOST_SECONDS, description="Work at most so long (deep).")] | None = None,
        rounds: Annotated[int, Field(ge=1, le=MOST_ROUNDS, description="Search at most so often (deep).")]
        | None = None,
        wait: Annotated[bool, Field(description="Stay until it is over.")] = False,
    ) -> ResearchRun:
        """Look for sources on a topic or question. It goes on by itself; get_research tells how far it is."""

    @capability("get_research", "read", of=("research", "research_id"), listed=True, verb="status")
    async def poll(self, notebook_id: InNotebook | None, research_id: ResearchId) -> ResearchRun:
        """See how far a run is, and what it has found: pages, files, a report."""

    @capability("list_research", "read", of=("notebook", "notebook_id"))
    async def list(
        self, notebook_id: NotebookId | None = None, limit: Limit = 20, cursor: str | None = None
    ) -> Page[ListedResearch]:
        """List a notebook's runs, newest first."""

    @capability("wait_for_research", "read", of=("research", "research_id"), timeout=MOST_SECONDS)
    async def wait(
        self,
        notebook_id: InNotebook | None,
        research_id: ResearchId,
        seconds: Annotated[float, Field(gt=0, le=MOST_SECONDS, strict=False)] = 1_800.0,
    ) -> ResearchRun:
        """Wait until a run is over, with progress. One whose worker died goes on from its last step."""

    @capability("cancel_research", "write", of=("research", "research_id"), idempotent=True)
    async def cancel(self, notebook_id: InNotebook | None, research_id: ResearchId) -> ResearchRun:
        """Stop a run. One that is over stays as it is."""

    @capability(
        "import_research",
        "write",
        of=("research", "research_id"),
        timeout=MOST_SECONDS,
        idempotent=True,
        open_world=True,
        errors=(Conflict,),
    )
    async def import_sources(
        self,
        notebook_id: InNotebook | None,
        research_id: ResearchId,
        numbers: Annotated[builtins.list[int], Field(max_length=1_000, description="Of findings; all by default.")]
        | None = None,
        cited: Annotated[bool, Field(description="Only the report and what it cites.")] = False,
        wait: Annotated[bool, Field(description="False leaves pages to be fetched later.")] = True,
    ) -> Page[AddedSource]:
        """Add what a run found as sources. Each becomes one source, however often it is imported."""

    @capability(
        "discover_sources", "write", of=("notebook", "notebook_id"), timeout=60, open_world=True, errors=(Unsupported,)
    )
    async def discover(
        self,
        notebook_id: NotebookId | None,
        query: Annotated[ResearchQuery, Field(description="By default what the notebook is about.")] = "",
    ) -> ResearchRun:
        """Find pages on the web in one call, ranked and described. The run is kept, to import from."""
