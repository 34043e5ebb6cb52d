"""Notes, as NotebookLM's clients ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from quire.domain import notes as ours
from quire.notebooklm.codes import NoteKind
from quire.notebooklm.methods.notes import Note, Notes
from quire.notebooklm.server.desk import Desk, Handler

PAGE_SIZE = 1_000
UNTITLED = "New Note"


async def create_note(desk: Desk, names: Mapping[str, Any]) -> Note:
    """An empty note, or an answer of the chat, whose passages are told back as they came."""
    note = await desk.library.notes.create(
        desk.notebook(names), title=names.get("title") or UNTITLED, content=names.get("content") or ""
    )
    made = row_of(note)
    if names.get("mode") is not NoteKind.GENERATED:
        return made
    return replace(made, kind=NoteKind.GENERATED, passages=names.get("passages", ()), document=names.get("document"))


async def update_note(desk: Desk, names: Mapping[str, Any]) -> Note:
    """An empty title leaves the one there is."""
    note = await desk.library.notes.update(
        desk.notebook(names), names["note_id"], content=names.get("content", ""), title=names.get("title") or None
    )
    return row_of(note)


async def delete_note(desk: Desk, names: Mapping[str, Any]) -> None:
    for note_id in names["note_ids"]:
        await desk.library.notes.delete(desk.notebook(names), note_id)


async def list_notes(desk: Desk, names: Mapping[str, Any]) -> Notes:
    notebook_id = desk.notebook(names)
    found: list[ours.Note] = []
    cursor: str | None = None
    while True:
        page = await desk.library.notes.list(notebook_id, limit=PAGE_SIZE, cursor=cursor)
        found.extend(page.items)
        cursor = page.cursor
        if cursor is None:
            break
    latest = max((note.updated_at or note.created_at for note in found), default=None)
    return Notes(tuple(row_of(note) for note in found), latest)


def row_of(note: ours.Note) -> Note:
    return Note(
        id=note.id,
        content=note.content,
        title=note.title,
        kind=NoteKind.WRITTEN,
        author="quire",
        changed_at=note.updated_at or note.created_at,
    )


HANDLERS: dict[str, Handler] = {
    "CREATE_NOTE": create_note,
    "UPDATE_NOTE": update_note,
    "DELETE_NOTE": delete_note,
    "GET_NOTES_AND_MIND_MAPS": list_notes,
}
