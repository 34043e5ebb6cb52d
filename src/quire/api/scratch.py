"""Scratch notebooks: cells for a session, which can be run."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Literal

from pydantic import Field

from quire.api.capability import capability
from quire.api.noun import Noun
from quire.domain.cells import MOST_CELLS, Cell, CellId, FileName, Language, Source
from quire.domain.errors import NotFound
from quire.domain.notebooks import NotebookId
from quire.domain.pages import Page
from quire.domain.scratch import (
    TEXT_LIMIT,
    CellChange,
    CellCleared,
    CellOutput,
    Execution,
    ExecutionId,
    Exported,
    Pattern,
    Revision,
    Saved,
    ScratchFormat,
    ScratchId,
    ScratchNotebook,
    ScratchRun,
    ScratchText,
    ScratchView,
    Seconds,
    SessionId,
)

CELL_SECONDS = 120.0

Index = Annotated[int, Field(ge=0, le=MOST_CELLS, description="Where it stands, from 0; at the end when left out.")]
InSession = Annotated[SessionId, Field(description="Refuse if it is not in this session.")]
SourcesOf = Annotated[
    str,
    Field(description="A notebook. The texts of its sources become the cell sources.py, which compare_sources reads."),
]
Title = Annotated[str, Field(max_length=1_000, examples=["Bee counts"])]


class Scratch(Noun):
    """Notebooks for a session, of cells that can be run."""

    noun = "scratch"
    toolset = "scratch"

    @capability("create_scratch", "write", verb="new", errors=(NotFound,))
    async def create(
        self, pattern: Pattern | None = None, title: Title | None = None, sources_of: SourcesOf | None = None
    ) -> ScratchNotebook:
        """Make a scratch notebook of cells that run Python or JavaScript, empty or from a template."""

    @capability("list_scratch", "read")
    async def list(self) -> Page[ScratchNotebook]:
        """List your scratch notebooks, newest first."""

    @capability("get_scratch", "read", of=("scratch", "notebook_id"), verb="show")
    async def get(self, notebook_id: ScratchId) -> ScratchNotebook:
        """Show a scratch notebook: its address, its cells by id and kind, and when it expires."""

    @capability("delete_scratch", "destroy", of=("scratch", "notebook_id"), verb="delete")
    async def delete(self, notebook_id: ScratchId) -> ScratchNotebook:
        """Delete a scratch notebook, and end all that it runs."""

    @capability("import_scratch", "write", timeout=120, verb="import")
    async def import_(
        self,
        format: ScratchFormat,
        text: Annotated[str, Field(max_length=TEXT_LIMIT, description="The notebook itself.")] | None = None,
        path: Annotated[str, Field(max_length=4_096, description="Its file or folder, where the server is local.")]
        | None = None,
    ) -> ScratchNotebook:
        """Make a scratch notebook from srcmd, a Jupyter notebook or JSON."""

    @capability("add_cell", "write", of=("scratch", "notebook_id"), verb="add")
    async def add_cell(
        self,
        notebook_id: ScratchId,
        type: Annotated[Literal["markdown", "code", "title", "package.json", "raw"], Field(description="Its kind.")],
        source: Source,
        language: Language | None = None,
        filename: FileName | None = None,
        index: Index | None = None,
        revision: Revision | None = None,
    ) -> CellChange:
        """Add a cell to a scratch notebook. Code is in the notebook's language unless its file name says otherwise."""

    @capability("update_cell", "write", of=("scratch", "notebook_id"), verb="update")
    async def update_cell(
        self,
        notebook_id: ScratchId,
        cell_id: CellId,
        source: Source | None = None,
        language: Language | None = None,
        filename: FileName | None = None,
        revision: Revision | None = None,
    ) -> CellChange:
        """Change what stands in a cell, its language or its file name; what is left out stays as it is."""

    @capability("move_cell", "write", of=("scratch", "notebook_id"), verb="move")
    async def move_cell(
        self,
        notebook_id: ScratchId,
        cell_id: CellId,
        index: Annotated[int, Field(ge=0, le=MOST_CELLS, description="Where it shall stand, from 0.")],
        revision: Revision | None = None,
    ) -> CellChange:
        """Move a cell to another place in its notebook."""

    @capability("delete_cell", "destroy", of=("scratch", "notebook_id"), verb="delete-cell")
    async def delete_cell(
        self, notebook_id: ScratchId, cell_id: CellId, revision: Revision | None = None
    ) -> CellChange:
        """Delete a cell, and return what it was."""

    @capability("run_cell", "write", of=("scratch", "notebook_id"), timeout=3_700, verb="run-cell")
    def run_cell(
        self, notebook_id: ScratchId, cell_id: CellId, timeout: Seconds = CELL_SECONDS
    ) -> AsyncIterator[CellOutput | CellCleared | Execution]:
        """Run a code cell in the notebook's kernel, which keeps its state; what it puts out comes as it does."""

    @capability("run_all", "write", of=("scratch", "notebook_id"), timeout=3_700, verb="run")
    def run_all(
        self, notebook_id: ScratchId, timeout: Seconds = CELL_SECONDS
    ) -> AsyncIterator[CellOutput | CellCleared | Execution | ScratchRun]:
        """Run all code cells from top to bottom; the first that fails ends it."""

    @capability("interrupt_scratch", "write", of=("scratch", "notebook_id"), verb="interrupt")
    async def interrupt(self, notebook_id: ScratchId) -> ScratchNotebook:
        """Stop what a scratch notebook is running; its state is kept where that can be done."""

    @capability("restart_scratch", "write", of=("scratch", "notebook_id"), verb="restart")
    async def restart(self, notebook_id: ScratchId) -> ScratchNotebook:
        """End a scratch notebook's kernels; the next cell that runs begins afresh."""

    @capability("export_scratch", "write", of=("scratch", "notebook_id"), timeout=120, verb="export")
    async def export(self, notebook_id: ScratchId, format: ScratchFormat = "srcmd") -> Exported:
        """Write a scratch notebook as srcmd, Jupyter notebook or JSON, with a file for each cell beside it."""

    @capability("save_scratch", "write", of=("scratch", "notebook_id"), timeout=180, verb="save")
    async def save(
        self,
        notebook_id: ScratchId,
        kind: Annotated[Literal["source", "note"], Field(description="What it becomes.")] = "source",
        into: Annotated[NotebookId, Field(description="The notebook it is kept in; the inbox when left out.")]
        | None = None,
    ) -> Saved:
        """Keep a scratch notebook in a notebook for good, with its outputs, so that answers can cite its cells."""

    @capability("current_scratch", "read", published=False)
    async def current(self) -> ScratchNotebook:
        """The newest notebook of this connection; of the caller where a call comes by none."""

    @capability("view_scratch", "read", of=("scratch", "notebook_id"), published=False)
    async def view(self, notebook_id: ScratchId, session_id: InSession | None = None) -> ScratchView:
        """A notebook with all of its cells, as others may see them."""

    @capability("view_scratch_text", "read", of=("scratch", "notebook_id"), published=False)
    async def view_text(self, notebook_id: ScratchId, session_id: InSession | None = None) -> ScratchText:
        """A notebook as srcmd."""

    @capability("view_cell", "read", of=("scratch", "notebook_id"), published=False)
    async def view_cell(self, notebook_id: ScratchId, cell_id: CellId, session_id: InSession | None = None) -> Cell:
        """One cell, as others may see it."""

    @capability("view_execution", "read", of=("scratch", "notebook_id"), published=False)
    async def view_execution(
        self, notebook_id: ScratchId, execution_id: ExecutionId, session_id: InSession | None = None
    ) -> Execution:
        """One run of a cell, as long as it is kept."""

    @capability("list_executions", "read", of=("scratch", "notebook_id"), published=False)
    async def executions(self, notebook_id: ScratchId) -> Page[str]:
        """The ids of the runs that are kept, newest first."""

    @capability("list_exports", "read", of=("session", "session_id"), published=False)
    async def exports(self, session_id: SessionId) -> Page[str]:
        """The paths of what the exports of a session have left."""

    @capability("read_export", "read", of=("session", "session_id"), published=False)
    async def exported(
        self, session_id: SessionId, path: Annotated[str, Field(max_length=4_096, description="In its session.")]
    ) -> str:
        """A file that an export has left."""

    @capability("read_template", "read", published=False)
    async def template(self, pattern: Pattern) -> str:
        """A notebook to start from, as srcmd."""
