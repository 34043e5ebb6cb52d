"""Notes: write, read, find, watch, import and export."""

from __future__ import annotations

import asyncio
import builtins
import uuid
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Annotated, Any

from pydantic import Field

from quire.api.capability import capability
from quire.domain.errors import Conflict, InvalidInput, NotFound, TooLarge
from quire.domain.files import Upload
from quire.domain.jobs import Job
from quire.domain.markdown import MARK, notes_as_markdown, notes_from_markdown
from quire.domain.notebooks import InNotebook, NotebookId
from quire.domain.notes import CONTENT_LIMIT, Content, Note, NoteChange, NoteHit, NoteId, Title, Watched, hit
from quire.domain.pages import Page
from quire.local.files import MARKDOWN_LIMIT, blob_text, put_blob
from quire.local.jobs import start
from quire.local.service import LAST, Service, cursor_at, moment, position
from quire.local.workers import Finished, Run, job
from quire.ports.store import Row, Tx

Limit = Annotated[int, Field(ge=1, le=1_000)]
BATCH = 100
CHANGES = {"note.created": "created", "note.updated": "updated", "note.deleted": "deleted"}


class Notes(Service):
    noun = "note"
    toolset = "notes"

    @capability("add_note", "write", of=("notebook", "notebook_id"), listed=True)
    async def create(
        self, notebook_id: NotebookId | None = None, title: Title = "New Note", content: Content = ""
    ) -> Note:
        """Add a note to a notebook, or to the inbox when none is named."""
        title = _titled(title)

        def work(tx: Tx) -> Note:
            note = insert(tx, self.notebook_id, str(uuid.uuid4()), title, content, self.now())
            self.event(tx, "note.created", note.id)
            return note

        return await self.write(work)

    @capability("get_note", "read", of=("note", "note_id"), listed=True)
    async def get(self, notebook_id: InNotebook | None, note_id: NoteId) -> Note:
        """Get one note by its id or its short id."""
        return await self.read(lambda tx: self._one(tx, notebook_id, note_id))

    @capability("list_notes", "read", of=("notebook", "notebook_id"), listed=True)
    async def list(
        self, notebook_id: NotebookId | None = None, limit: Limit = 200, cursor: str | None = None
    ) -> Page[Note]:
        """List the notes of a notebook, newest first."""

        def work(tx: Tx) -> Page[Note]:
            before = position(cursor)
            rows = tx.all("notes_of", notebook_id=self.notebook_id, before=before, limit=limit + 1)
            total = tx.one("count_notes", notebook_id=self.notebook_id)
            more = len(rows) > limit
            rows = rows[:limit]
            return Page[Note].model_validate(
                {
                    "items": [fields_of(row) for row in rows],
                    "total": total["total"] if total else 0,
                    "truncated": more,
                    "cursor": cursor_at(rows[-1]) if more else None,
                }
            )

        return await self.read(work)

    @capability("search_notes", "read", of=("notebook", "notebook_id"), listed=True)
    async def search(
        self,
        notebook_id: NotebookId | None,
        query: Annotated[str, Field(min_length=1, max_length=1_000)],
        limit: Limit = 200,
        cursor: str | None = None,
    ) -> Page[NoteHit]:
        """Find notes whose title or content contains the query, whatever its case, newest first."""
        folded = query.casefold()

        def work(tx: Tx) -> Page[NoteHit]:
            before = position(cursor)
            found = [row["seq"] for row in tx.all("search_notes", notebook_id=self.notebook_id, query=folded)]
            left = [seq for seq in found if seq < before]
            shown = left[:limit]
            rows = [tx.one("note_by_seq", seq=seq) for seq in shown]
            hits = [hit(note_of(row), query) for row in rows if row is not None]
            more = len(left) > limit
            return Page[NoteHit].model_construct(
                items=[one for one in hits if one is not None],
                total=len(found),
                truncated=more,
                cursor=f"{shown[-1]:x}" if more else None,
            )

        return await self.read(work)

    @capability("update_note", "write", of=("note", "note_id"), listed=True)
    async def update(
        self,
        notebook_id: InNotebook | None,
        note_id: NoteId,
        content: Content | None = None,
        title: Title | None = None,
        revision: Annotated[int, Field(ge=1, description="Refuse if the note is not at this revision.")] | None = None,
    ) -> Note:
        """Change a note's content, its title or both; what is left out stays as it is."""
        if content is None and title is None:
            raise InvalidInput("At least one of title or content must be provided.")
        new_title = None if title is None else _titled(title)

        def work(tx: Tx) -> Note:
            old = self._one(tx, notebook_id, note_id, "note_to_change")
            if revision is not None and revision != old.revision:
                raise Conflict(
                    f"The note is at revision {old.revision}, not {revision}.",
                    hint="Read it again and repeat the change.",
                    revision=old.revision,
                )
            text = old.content if content is None else content
            name = old.title if new_title is None else new_title
            row = tx.one(
                "update_note",
                id=old.id,
                title=name,
                content=text,
                folded_title=name.casefold(),
                folded_content=text.casefold(),
                at=self.now(),
            )
            if row is None:
                raise NotFound("note", note_id)
            self.event(tx, "note.updated", old.id)
            return note_of(row)

        return await self.write(work)

    @capability("delete_note", "destroy", of=("note", "note_id"), listed=True)
    async def delete(self, notebook_id: InNotebook | None, note_id: NoteId) -> Note:
        """Delete a note for good, and return what it was."""

        def work(tx: Tx) -> Note:
            note = self._one(tx, notebook_id, note_id, "note_to_change")
            tx.run("release_blobs", kind="note", subject_id=note.id)
            tx.run("delete_note", id=note.id)
            self.event(tx, "note.deleted", note.id)
            return note

        return await self.write(work)

    @capability("watch_notes", "read", of=("notebook", "notebook_id"), timeout=86_400)
    async def watch(
        self,
        notebook_id: NotebookId | None = None,
        after: Annotated[int, Field(ge=0, le=LAST, description="Go on after this event; only new ones when left out.")]
        | None = None,
        limit: Annotated[int, Field(ge=1, le=10_000, description="End after so many changes.")] | None = None,
        seconds: Annotated[float, Field(gt=0, le=86_400, strict=False, description="End after so long.")] | None = None,
    ) -> AsyncIterator[NoteChange | Watched]:
        """Follow what happens to the notes of a notebook, as it happens."""
        seq = await self.read(lambda tx: _last_event(tx)) if after is None else after
        notebook = await self.read(lambda tx: self.notebook_id)
        changes = 0
        end = None if seconds is None else asyncio.get_running_loop().time() + seconds
        async with aclosing(self.parts.hub.after(seq)) as batches:  # type: ignore[type-var]
            while True:
                try:
                    async with asyncio.timeout_at(end):
                        batch = await anext(batches)
                except (TimeoutError, StopAsyncIteration):
                    yield Watched(after=seq, changes=changes)
                    return
                for event in batch:
                    seq = event.seq
                    if event.notebook_id != notebook or event.kind not in CHANGES:
                        continue
                    row = await self.read(lambda tx, id=event.subject_id: tx.one("note_by_id", id=id))  # type: ignore[misc]
                    yield NoteChange(
                        seq=event.seq,
                        change=CHANGES[event.kind],  # type: ignore[arg-type]
                        note_id=event.subject_id,
                        at=event.at,
                        note=note_of(row) if row is not None else None,
                    )
                    changes += 1
                    if changes == limit:
                        yield Watched(after=event.seq, changes=changes)
                        return

    @capability("import_notes", "write", of=("notebook", "notebook_id"), timeout=600)
    async def import_(self, notebook_id: NotebookId | None, file: Upload, wait: bool = True) -> Job:
        """Import notes from a Markdown file: each top-level heading begins a note. Runs as a job."""
        await self.read(lambda tx: None)
        sha256, _ = await put_blob(self.parts, file, MARKDOWN_LIMIT)
        return await start(self, "import_notes", {"sha256": sha256, "name": file.name}, blob=sha256, wait=wait)

    @capability("export_notes", "read", of=("notebook", "notebook_id"), timeout=600)
    async def export(self, notebook_id: NotebookId | None = None, wait: bool = True) -> Job:
        """Export all notes of a notebook as one Markdown file. Runs as a job whose `file` is the result."""
        return await start(self, "export_notes", {}, wait=wait)

    @job("import_notes")
    async def run_import(self, run: Run) -> Finished:
        """Batches of notes, each in one transaction with the place to go on from."""
        text = await blob_text(self.parts, run.payload["sha256"])
        drafts = notes_from_markdown(text, untitled=run.payload["name"])
        for title, content in drafts:
            if len(content) > CONTENT_LIMIT:
                raise TooLarge(f"The note '{title[:80]}' is longer than {CONTENT_LIMIT:,} characters.")
        done = int(run.place or 0)
        await run.advance(done, len(drafts), "importing notes", str(done))
        while done < len(drafts):
            batch = drafts[done : done + BATCH]
            done += len(batch)

            def work(tx: Tx, batch: builtins.list[tuple[str, str]] = batch) -> None:
                for title, content in batch:
                    note = insert(tx, run.notebook_id, str(uuid.uuid4()), title, content, self.now())
                    self.event(tx, "note.created", note.id, run.notebook_id)

            await run.advance(done, len(drafts), "importing notes", str(done), work)
        return Finished({"notes": len(drafts)})

    @job("export_notes")
    async def run_export(self, run: Run) -> Finished:
        """All notes, oldest first, in one file."""
        text = [MARK]
        after, done = 0, 0
        while True:
            rows = await self.parts.store.read(
                lambda tx, after=after: tx.all(  # type: ignore[misc]
                    "notes_after", notebook_id=run.notebook_id, after=after, limit=BATCH
                )
            )
            if not rows:
                break
            after = rows[-1]["seq"]
            done += len(rows)
            text.append(notes_as_markdown([note_of(row) for row in rows]))
            await run.advance(done, None, "exporting notes", None)
        return Finished({"notes": done}, Upload.of("".join(text), "notes.md"), "text/markdown")

    def _one(self, tx: Tx, notebook_id: str | None, note_id: str, query: str = "note_by_id") -> Note:
        row = tx.one(query, id=note_id)
        if row is None or (notebook_id is not None and row["notebook_id"] != notebook_id):
            raise NotFound("note", note_id)
        return note_of(row)


def insert(tx: Tx, notebook_id: str, id: str, title: str, content: str, at: int) -> Note:
    """A new note; its short id is the beginning of its long one, so both are drawn again on a collision."""
    while not tx.run("give_short_id", short_id=id[:8]):
        id = str(uuid.uuid4())
    row = tx.one(
        "insert_note",
        id=id,
        short_id=id[:8],
        notebook_id=notebook_id,
        title=title,
        content=content,
        folded_title=title.casefold(),
        folded_content=content.casefold(),
        at=at,
    )
    if row is None:
        raise RuntimeError("an inserted note was not returned")
    return note_of(row)


def note_of(row: Row) -> Note:
    return Note.model_validate(fields_of(row))


def fields_of(row: Row) -> dict[str, Any]:
    """A note before it is one: pydantic makes a whole page of them in one step."""
    updated_at = row["updated_at"]
    return {
        "id": row["id"],
        "short_id": row["short_id"],
        "notebook_id": row["notebook_id"],
        "title": row["title"],
        "content": row["content"],
        "created_at": moment(row["created_at"]),
        "updated_at": None if updated_at is None else moment(updated_at),
        "revision": row["revision"],
    }


def _titled(title: str) -> str:
    title = title.strip()
    if not title:
        raise InvalidInput("Title cannot be empty.", field="title")
    return title


def _last_event(tx: Tx) -> int:
    row = tx.one("last_event")
    return int(row["seq"]) if row else 0
