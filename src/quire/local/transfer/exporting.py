"""Notebooks as files: made by a job, for whoever may read all of a notebook."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from quire.api.context import Context
from quire.api.engine import Subject
from quire.domain.errors import QuireError
from quire.domain.files import Download, Upload
from quire.domain.notebook_file.manifest import MEDIA_TYPE
from quire.domain.notebook_file.readable import slug
from quire.domain.notebooks import NotebookFormat
from quire.domain.sharing import Actor, Role
from quire.local.files import Files
from quire.local.job_queue import JobQueue
from quire.local.job_run import Finished, Run, Stopped
from quire.local.scope import Scope, SystemScope
from quire.local.transfer.markdown_folder import MarkdownFolder
from quire.local.transfer.packing import Packing
from quire.local.transfer.part import Whose
from quire.local.transfer.table import PARTS
from quire.local.workers import job

REPORT_SECONDS = 0.5


class NotebookExport:
    def __init__(self, system: SystemScope, files: Files, jobs: JobQueue) -> None:
        self._system = system
        self._files = files
        self._jobs = jobs

    async def export(self, scope: Scope, format: NotebookFormat) -> Download:
        ended = await self._jobs.start(scope, "export_notebook", {"format": format})
        assert ended.file is not None
        return ended.file

    @job("export_notebook")
    async def run_export(self, run: Run) -> Finished:
        """For as long as whoever asked may read the notebook."""
        context = Context(actor=Actor(id=run.person_id), door="job")
        scope = self._system.call(context, Subject("notebook", run.notebook_id), Role.VIEWER)
        whose = Whose(run.notebook_id, run.person_id)
        plain = run.payload["format"] == "markdown"
        packing = MarkdownFolder(whose) if plain else Packing(PARTS, whose, self._files)
        async with told(run, packing):
            await scope.read(packing.read)
        name = f"{slug(packing.title)}-markdown.zip" if plain else f"{slug(packing.title)}.quire"
        upload = Upload(name, lambda: told_of(run, packing))
        return Finished({"notebook_id": run.notebook_id}, upload, "application/zip" if plain else MEDIA_TYPE)

    async def file(self, notebook_id: str, person_id: str) -> Upload:
        """A notebook's file with one person's conversations, for the engine itself: no role is asked for."""
        packing = Packing(PARTS, Whose(notebook_id, person_id), self._files)
        await self._system.read(packing.read)
        return Upload(f"{slug(packing.title)}.quire", packing.chunks, media_type=MEDIA_TYPE)


async def told_of(run: Run, packing: Packing | MarkdownFolder) -> AsyncIterator[bytes]:
    async with told(run, packing):
        async for chunk in packing.chunks():
            yield chunk


@asynccontextmanager
async def told(run: Run, packing: Packing | MarkdownFolder) -> AsyncIterator[None]:
    """Makes what was packed the progress of the job, twice a second."""

    async def report() -> None:
        while True:
            await asyncio.sleep(REPORT_SECONDS)
            # Whether the job is still ours is seen by its heart-beat.
            with suppress(QuireError, Stopped):
                await run.advance(packing.done, None, "packing", None)

    reporting = asyncio.create_task(report())
    try:
        yield
    finally:
        reporting.cancel()
        await asyncio.wait({reporting})
