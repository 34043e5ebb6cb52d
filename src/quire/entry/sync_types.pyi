"""Written by scripts/make_stub.py; types only, there is no such module when Quire runs."""

from collections.abc import Generator

from quire.domain.files import Download, Upload
from quire.domain.jobs import Job
from quire.domain.notebooks import Notebook
from quire.domain.notes import Note, NoteChange, NoteHit, Watched
from quire.domain.pages import Page

class Notebooks:
    def list(self, limit: int = 200, cursor: str | None = None) -> Page[Notebook]:
        """List your notebooks, newest first."""
    def create(self, title: str) -> Notebook:
        """Make a new, empty notebook."""
    def get(self, notebook_id: str) -> Notebook:
        """Get one notebook."""
    def rename(self, notebook_id: str, title: str) -> Notebook:
        """Give a notebook another title."""
    def delete(self, notebook_id: str) -> Notebook:
        """Delete a notebook with everything in it. The inbox cannot be deleted."""

class Notes:
    def create(self, notebook_id: str | None = None, title: str = "New Note", content: str = "") -> Note:
        """Add a note to a notebook, or to the inbox when none is named."""
    def get(self, notebook_id: str | None, note_id: str) -> Note:
        """Get one note by its id or its short id."""
    def list(self, notebook_id: str | None = None, limit: int = 200, cursor: str | None = None) -> Page[Note]:
        """List the notes of a notebook, newest first."""
    def search(self, notebook_id: str | None, query: str, limit: int = 200, cursor: str | None = None) -> Page[NoteHit]:
        """Find notes whose title or content contains the query, whatever its case, newest first."""
    def update(
        self,
        notebook_id: str | None,
        note_id: str,
        content: str | None = None,
        title: str | None = None,
        revision: int | None = None,
    ) -> Note:
        """Change a note's content, its title or both; what is left out stays as it is."""
    def delete(self, notebook_id: str | None, note_id: str) -> Note:
        """Delete a note for good, and return what it was."""
    def watch(
        self,
        notebook_id: str | None = None,
        after: int | None = None,
        limit: int | None = None,
        seconds: float | None = None,
    ) -> Generator[NoteChange | Watched]:
        """Follow what happens to the notes of a notebook, as it happens."""
    def import_(self, notebook_id: str | None, file: Upload, wait: bool = True) -> Job:
        """Import notes from a Markdown file: each top-level heading begins a note. Runs as a job."""
    def export(self, notebook_id: str | None = None, wait: bool = True) -> Job:
        """Export all notes of a notebook as one Markdown file. Runs as a job whose `file` is the result."""

class Jobs:
    def list(self, notebook_id: str | None = None, limit: int = 50, cursor: str | None = None) -> Page[Job]:
        """List long-running work, newest first: of one notebook, or of all of yours."""
    def get(self, job_id: str) -> Job:
        """See how far a job is, and what came of it."""
    def wait(self, job_id: str) -> Job:
        """Wait until a job has ended, with progress. A failed job is an error here."""
    def cancel(self, job_id: str) -> Job:
        """Stop a job. What it has done so far is kept."""
    def file(self, job_id: str) -> Download:
        """Get the file that a job made."""

class Services:
    @property
    def notebooks(self) -> Notebooks: ...
    @property
    def notes(self) -> Notes: ...
    @property
    def jobs(self) -> Jobs: ...
