"""Jobs: follow long work, cancel it, fetch what it made."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from quire.api.capability import capability
from quire.api.noun import Noun
from quire.domain.errors import Conflict
from quire.domain.files import Download
from quire.domain.jobs import Job
from quire.domain.notebooks import InNotebook
from quire.domain.pages import Page

Id = Annotated[str, Field(description="The job's id.", examples=["7c9e6679-7425-40de-944b-e07fc1f90ae7"])]


class Jobs(Noun):
    """Long work, to follow, to cancel, to fetch the outcome of."""

    noun = "job"
    toolset = "jobs"

    @capability("list_jobs", "read")
    async def list(
        self,
        notebook_id: InNotebook | None = None,
        limit: Annotated[int, Field(ge=1, le=1_000)] = 50,
        cursor: str | None = None,
    ) -> Page[Job]:
        """List long-running work, newest first: of one notebook, or of all of yours."""

    @capability("get_job", "read", of=("job", "job_id"))
    async def get(self, job_id: Id) -> Job:
        """See how far a job is, and what came of it."""

    @capability("wait_for_job", "read", of=("job", "job_id"), timeout=3600)
    async def wait(self, job_id: Id) -> Job:
        """Wait until a job has ended, with progress. A failed job is an error here."""

    @capability("cancel_job", "write", of=("job", "job_id"), idempotent=True)
    async def cancel(self, job_id: Id) -> Job:
        """Stop a job. What it has done so far is kept."""

    @capability("get_job_file", "read", of=("job", "job_id"), verb="file", errors=(Conflict,))
    async def file(self, job_id: Id) -> Download:
        """Get the file that a job made."""
