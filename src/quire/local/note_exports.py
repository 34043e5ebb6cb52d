"""Notes as one file: Markdown, a document, or a workbook of their tables."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator

from quire.domain.errors import InvalidInput, TooLarge
from quire.domain.files import Upload
from quire.domain.markdown import MARK, notes_as_markdown
from quire.domain.notes import Note
from quire.local.job_run import Finished, Run
from quire.local.notes import note_of
from quire.local.timestamps import moment
from quire.local.workers import job
from quire.ports.office import DOCX, XLSX, OfficeFacts, OfficeFiles
from quire.ports.store import Row, Tx

BATCH = 100
# What is written at once has to be held at once; a Markdown file has no such end.
MOST_CHARACTERS = 20_000_000
UNSAFE_IN_NAMES = re.compile(r"[^\w .-]+")


class NoteExports:
    def __init__(self, office: OfficeFiles) -> None:
        self._office = office

    @job("export_notes")
    async def run_export(self, run: Run) -> Finished:
        """Notes as they were asked for: all of a notebook, oldest first, or those that were named."""
        if run.payload.get("format", "markdown") == "markdown":
            return await self._markdown(run)
        notes = [note async for batch in _batches(run) for note in batch]
        if not notes:
            raise InvalidInput("There are no notes to export.")
        characters = sum(len(note.content) for note in notes)
        if characters > MOST_CHARACTERS:
            raise TooLarge(
                f"The notes have {characters:,} characters; an office file may have {MOST_CHARACTERS:,}.",
                hint="Export fewer notes at once.",
            )
        notebook = await run.read(lambda tx: tx.one("notebook_by_id", id=run.notebook_id, person_id=run.person_id))
        name = notes[0].title if len(notes) == 1 else notebook["title"] if notebook else "Notes"
        facts = OfficeFacts(name, created=moment(run.now()))
        written = self._document if run.payload["format"] == "docx" else self._workbook
        return await written(notes, facts)

    async def _markdown(self, run: Run) -> Finished:
        text = [MARK]
        done = 0
        async for batch in _batches(run):
            done += len(batch)
            text.append(await asyncio.to_thread(notes_as_markdown, batch))
        return Finished({"notes": done}, Upload.of("".join(text), "notes.md"), "text/markdown")

    async def _document(self, notes: list[Note], facts: OfficeFacts) -> Finished:
        one = notes[0].content if len(notes) == 1 else [(note.title, note.content) for note in notes]
        file = Upload.of(await self._office.document(one, facts), f"{file_name(facts.title)}.docx")
        return Finished({"notes": len(notes)}, file, DOCX)

    async def _workbook(self, notes: list[Note], facts: OfficeFacts) -> Finished:
        content = await self._office.workbook_of_tables([(note.title, note.content) for note in notes], facts)
        if content is None:
            raise InvalidInput(
                "There is no table in the notes.", hint="A workbook holds tables; docx has all of a note."
            )
        return Finished({"notes": len(notes)}, Upload.of(content, f"{file_name(facts.title)}.xlsx"), XLSX)


async def _batches(run: Run) -> AsyncIterator[list[Note]]:
    """The notes of an export, a hundred at a time; one that was deleted meanwhile is left out."""
    wanted: list[str] | None = run.payload.get("note_ids")
    after, done = 0, 0
    while True:

        def work(tx: Tx, after: int = after, done: int = done) -> list[Row]:
            if wanted is None:
                return tx.all("notes_after", notebook_id=run.notebook_id, after=after, limit=BATCH)
            rows = [tx.one("note_by_id", id=id) for id in wanted[done : done + BATCH]]
            return [row for row in rows if row is not None and row["notebook_id"] == run.notebook_id]

        rows = await run.read(work)
        if not rows and (wanted is None or done >= len(wanted)):
            return
        if wanted is None:
            after = rows[-1]["seq"]
        done += len(rows) if wanted is None else BATCH
        yield [note_of(row) for row in rows]
        total = None if wanted is None else len(wanted)
        await run.advance(done if total is None else min(done, total), total, "exporting notes", None)


def file_name(title: str) -> str:
    """A title as the name of a file, on any system."""
    return " ".join(UNSAFE_IN_NAMES.sub(" ", title).split()).strip(" .")[:80].strip(" .") or "notes"
