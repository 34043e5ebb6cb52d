"""Notes: write, read, find, watch, import and export."""

from __future__ import annotations

import builtins
from collections.abc import AsyncIterator
from typing import Annotated

from pydantic import Field

from quire.api.capability import capability
from quire.api.noun import Noun
from quire.domain.errors import Conflict
from quire.domain.files import Upload
from quire.domain.jobs import Job
from quire.domain.notebooks import InNotebook, NotebookId
from quire.domain.notes import Content, Note, NoteChange, NoteFormat, NoteHit, NoteId, Title, Watched
from quire.domain.pages import LAST, Page
from quire.domain.sources import AddedSource

Limit = Annotated[int, Field(ge=1, le=1_000)]


class Notes(Noun):
    """Notes, in notebooks or in the inbox."""

    noun = "note"
    toolset = "notes"

    @capability("add_note", "write", of=("notebook", "notebook_id"), listed=True, words=("title", "content"))
    async def create(
        self, notebook_id: NotebookId | None = None, title: Title = "New Note", content: Content = ""
    ) -> Note:
        """Add a note to a notebook, or to the inbox when none is named."""

    @capability("add_note_with_attachment", "write", of=("notebook", "notebook_id"), published=False)
    async def create_with_attachment(
        self,
        notebook_id: NotebookId | None,
        title: Title,
        content: Content,
        attachment: str,
        answer_id: Annotated[str, Field(description="The answer that it is saved from.")] | None = None,
    ) -> Note:
        """Add a note with a text that is kept beside it, for the client that wrote it to read again.

        A notebook has one note with the same text beside it, and one of an answer, under the title that was given last.
        """

    @capability("get_note_attachments", "read", of=("notebook", "notebook_id"), published=False)
    async def get_attachments(
        self,
        notebook_id: NotebookId | None,
        note_ids: Annotated[builtins.list[str], Field(max_length=1_000, description="Whole ids, no short ones.")],
    ) -> dict[str, str]:
        """The texts that are kept beside these notes, by the notes' ids; most notes have none."""

    @capability("get_note", "read", of=("note", "note_id"), listed=True)
    async def get(self, notebook_id: InNotebook | None, note_id: NoteId) -> Note:
        """Get one note by its id or its short id."""

    @capability("list_notes", "read", of=("notebook", "notebook_id"), listed=True)
    async def list(
        self, notebook_id: NotebookId | None = None, limit: Limit = 200, cursor: str | None = None
    ) -> Page[Note]:
        """List the notes of a notebook, newest first."""

    @capability("search_notes", "read", of=("notebook", "notebook_id"), listed=True)
    async def search(
        self,
        notebook_id: NotebookId | None,
        query: Annotated[str, Field(min_length=1, max_length=1_000, examples=["bread"])],
        limit: Limit = 200,
        cursor: str | None = None,
    ) -> Page[NoteHit]:
        """Find notes whose title or content contains the query, whatever its case, newest first."""

    @capability("update_note", "write", of=("note", "note_id"), listed=True, errors=(Conflict,))
    async def update(
        self,
        notebook_id: InNotebook | None,
        note_id: NoteId,
        content: Content | None = None,
        title: Title | None = None,
        revision: Annotated[int, Field(ge=1, description="Refuse if the note is not at this revision.")] | None = None,
    ) -> Note:
        """Change a note's content, its title or both; what is left out stays as it is."""

    @capability("delete_note", "destroy", of=("note", "note_id"), listed=True)
    async def delete(self, notebook_id: InNotebook | None, note_id: NoteId) -> Note:
        """Delete a note for good, and return what it was."""

    @capability("list_deleted_notes", "read", of=("notebook", "notebook_id"), published=False)
    async def list_deleted(self, notebook_id: NotebookId | None = None) -> builtins.list[str]:
        """The ids of notes that were deleted, the last first."""

    @capability("watch_notes", "read", of=("notebook", "notebook_id"), timeout=86_400)
    def watch(
        self,
        notebook_id: NotebookId | None = None,
        after: Annotated[int, Field(ge=0, le=LAST, description="Go on after this event; only new ones when left out.")]
        | None = None,
        limit: Annotated[int, Field(ge=1, le=10_000, description="End after so many changes.")] | None = None,
        seconds: Annotated[float, Field(gt=0, le=86_400, strict=False, description="End after so long.")] | None = None,
    ) -> AsyncIterator[NoteChange | Watched]:
        """Follow what happens to the notes of a notebook, as it happens."""

    @capability("import_notes", "write", of=("notebook", "notebook_id"), timeout=600)
    async def import_(self, notebook_id: NotebookId | None, file: Upload, wait: bool = True) -> Job:
        """Import notes from a Markdown file: each top-level heading begins a note. Runs as a job.

        A note that is there already, with the same title and content, is not made again.
        """

    @capability("convert_note", "write", of=("note", "note_id"), verb="to-source", toolset="sources_more", timeout=120)
    async def convert_to_source(self, notebook_id: InNotebook | None, note_id: NoteId) -> AddedSource:
        """Make a source of a note, so that answers cite it. Converted again, it is a new version of that source."""

    @capability(
        "convert_all_notes",
        "write",
        of=("notebook", "notebook_id"),
        verb="all-to-sources",
        toolset="sources_more",
        timeout=600,
    )
    async def convert_all_to_sources(self, notebook_id: NotebookId | None = None, wait: bool = True) -> Job:
        """Make a source of every note of a notebook, or a new version where its note has changed. Runs as a job."""

    @capability("export_notes", "read", of=("notebook", "notebook_id"), timeout=600)
    async def export(
        self,
        notebook_id: NotebookId | None = None,
        wait: bool = True,
        format: Annotated[NoteFormat, Field(description="`xlsx` has the notes' tables.")] = "markdown",
        note_ids: Annotated[builtins.list[str], Field(max_length=1_000, description="Only these notes.")] | None = None,
    ) -> Job:
        """Export notes as one file: Markdown, a Word document, or a workbook of their tables.

        Runs as a job whose `file` is the result.
        """
