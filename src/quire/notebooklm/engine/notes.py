"""Notes at Google."""

from __future__ import annotations

import builtins

from quire.domain.errors import Conflict, InvalidInput, NotFound, Unsupported
from quire.domain.notes import Note, NoteHit, hit, note_title
from quire.domain.pages import Page, page_of_all
from quire.notebooklm.engine.caller import Caller
from quire.notebooklm.engine.probing import Since, once_made
from quire.notebooklm.engine.rows import note_of
from quire.notebooklm.engine.scope import GoogleScope, Whereabouts
from quire.notebooklm.methods import notes as wire

NEW = "New Note"


class GoogleNotes:
    def __init__(self, caller: Caller, whereabouts: Whereabouts, since: Since) -> None:
        self._caller = caller
        self._whereabouts = whereabouts
        self._since = since

    async def create(self, scope: GoogleScope, title: str, content: str) -> Note:
        """Made empty and then filled, as NotebookLM's own page does it."""
        title, notebook_id = note_title(title), await scope.notebook_id()
        before = {row.id for row in await self._all(notebook_id)}

        async def made() -> wire.Note | None:
            rows = await self._all(notebook_id)
            return next((row for row in rows if row.id not in before and row.title in (title, NEW)), None)

        row: wire.Note = await self._caller.call(
            "CREATE_NOTE", about=("notebook", notebook_id), probe=made, notebook_id=notebook_id, title=title
        )
        self._whereabouts.tell("note", row.id, notebook_id)
        with once_made("note", note_id=row.id):
            await self._write(notebook_id, row.id, title, content)
            return await self._one(notebook_id, row.id)

    async def get(self, scope: GoogleScope, note_id: str) -> Note:
        return await self._one(await scope.notebook_id(), note_id)

    async def list(self, scope: GoogleScope, limit: int, cursor: str | None) -> Page[Note]:
        notebook_id = await scope.notebook_id()
        return page_of_all(await self._notes(notebook_id), limit, cursor, lambda note: note)

    async def search(self, scope: GoogleScope, query: str, limit: int, cursor: str | None) -> Page[NoteHit]:
        notes = await self._notes(await scope.notebook_id())
        hits = [found for note in notes if (found := hit(note, query)) is not None]
        return page_of_all(hits, limit, cursor, lambda found: found)

    async def update(
        self, scope: GoogleScope, note_id: str, content: str | None, title: str | None, revision: int | None
    ) -> Note:
        if content is None and title is None:
            raise InvalidInput("At least one of title or content must be provided.")
        if revision is not None:
            raise Unsupported("NotebookLM keeps no revisions of notes.")
        notebook_id = await scope.notebook_id()
        old = await self._one(notebook_id, note_id)
        await self._write(
            notebook_id,
            old.id,
            old.title if title is None else note_title(title),
            old.content if content is None else content,
        )
        return await self._one(notebook_id, old.id)

    async def delete(self, scope: GoogleScope, note_id: str) -> Note:
        notebook_id = await scope.notebook_id()
        note = await self._one(notebook_id, note_id)
        await self._caller.call("DELETE_NOTE", about=("note", note.id), notebook_id=notebook_id, note_ids=[note.id])
        self._whereabouts.forget("note", note.id)
        return note

    async def list_deleted(self, scope: GoogleScope) -> builtins.list[str]:
        listed = await self._listed(await scope.notebook_id())
        return [row.id for row in listed.notes if row.deleted]

    async def _write(self, notebook_id: str, note_id: str, title: str, content: str) -> None:
        await self._caller.call(
            "UPDATE_NOTE",
            about=("note", note_id),
            notebook_id=notebook_id,
            note_id=note_id,
            title=title,
            content=content,
        )

    async def _listed(self, notebook_id: str) -> wire.Notes:
        found: wire.Notes = await self._caller.call(
            "GET_NOTES_AND_MIND_MAPS", about=("notebook", notebook_id), notebook_id=notebook_id
        )
        return found

    async def _all(self, notebook_id: str) -> builtins.list[wire.Note]:
        """Notes, and the mind maps that are kept as notes."""
        return [row for row in (await self._listed(notebook_id)).notes if not row.deleted]

    async def _notes(self, notebook_id: str) -> builtins.list[Note]:
        rows = await self._all(notebook_id)
        for row in rows:
            self._whereabouts.tell("note", row.id, notebook_id)
        notes = [note_of(row, notebook_id) for row in rows]
        return sorted(notes, key=lambda note: note.created_at, reverse=True)

    async def _one(self, notebook_id: str, note_id: str) -> Note:
        found = [note for note in await self._notes(notebook_id) if note_id in (note.id, note.short_id)]
        if not found:
            raise NotFound("note", note_id)
        if len(found) > 1:
            raise Conflict("Several notes begin so: name the whole id.")
        return found[0]
