"""Notes, as NotebookLM's clients ask for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from quire.domain import notes as ours
from quire.domain.errors import Unsupported
from quire.notebooklm.codes import NoteKind
from quire.notebooklm.envelope import compact, parsed
from quire.notebooklm.methods import BY_NAME
from quire.notebooklm.methods.notes import Note, Notes
from quire.notebooklm.server.chat import answer_with
from quire.notebooklm.server.wire_call import Handler, WireCall

PAGE_SIZE = 1_000
UNTITLED = "New Note"
METHOD = BY_NAME["CREATE_NOTE"]


async def create_note(call: WireCall, names: Mapping[str, Any]) -> Note:
    """An empty note, or an answer of the chat, whose passages are kept beside it; of one answer there is one note."""
    notebook_id, title = call.notebook(names), names.get("title") or UNTITLED
    content = names.get("content") or ""
    if names.get("mode") is not NoteKind.GENERATED:
        return row_of(await call.library.notes.create(notebook_id, title=title, content=content))
    passages, document = tuple(names.get("passages") or ()), names.get("document")
    whole = compact(METHOD.encode_response(Note("", content, passages=passages, document=document)))
    chunk_ids = (passage.chunk_id for passage in passages)
    answer_id = await answer_with(call.library, notebook_id, chunk_ids, content)
    note = await call.library.notes.create_with_attachment(notebook_id, title, content, whole, answer_id)
    return row_of(note, whole)


async def update_note(call: WireCall, names: Mapping[str, Any]) -> Note:
    """An empty title leaves the one there is."""
    note = await call.library.notes.update(
        call.notebook(names), names["note_id"], content=names.get("content", ""), title=names.get("title") or None
    )
    return row_of(note, (await attachments(call, note.notebook_id, [note])).get(note.id))


async def delete_note(call: WireCall, names: Mapping[str, Any]) -> None:
    for note_id in names["note_ids"]:
        await call.library.notes.delete(call.notebook(names), note_id)


async def list_notes(call: WireCall, names: Mapping[str, Any]) -> Notes:
    notebook_id = call.notebook(names)
    rows: list[Note] = []
    cursor: str | None = None
    while True:
        page = await call.library.notes.list(notebook_id, limit=PAGE_SIZE, cursor=cursor)
        kept = await attachments(call, notebook_id, page.items)
        rows.extend(row_of(note, kept.get(note.id)) for note in page.items)
        cursor = page.cursor
        if cursor is None:
            changed_at = max((row.changed_at for row in rows if row.changed_at), default=None)
            return Notes((*rows, *await deleted(call, notebook_id)), changed_at)


async def attachments(call: WireCall, notebook_id: str, notes: Sequence[ours.Note]) -> dict[str, str]:
    """What clients keep beside notes, by the notes' ids; nothing with an engine that keeps nothing there."""
    try:
        return await call.library.notes.get_attachments(notebook_id, [note.id for note in notes])
    except Unsupported:
        return {}


async def deleted(call: WireCall, notebook_id: str) -> tuple[Note, ...]:
    """What is left of deleted notes; none with an engine that does not know."""
    try:
        return tuple(Note(id, deleted=True) for id in await call.library.notes.list_deleted(notebook_id))
    except Unsupported:
        return ()


def row_of(note: ours.Note, attachment: str | None = None) -> Note:
    """A note, with the passages of the answer that it was saved from.

    One that was written anew since then has none any more: they would not fit its words.
    """
    made = Note(
        id=note.id,
        content=note.content,
        title=note.title,
        kind=NoteKind.WRITTEN,
        author="quire",
        changed_at=note.updated_at or note.created_at,
    )
    saved: Note | None = METHOD.decode_response(parsed(attachment)) if attachment else None
    if saved is None or saved.content != note.content:
        return made
    return replace(made, kind=NoteKind.GENERATED, passages=saved.passages, document=saved.document)


HANDLERS: dict[str, Handler] = {
    "CREATE_NOTE": create_note,
    "UPDATE_NOTE": update_note,
    "DELETE_NOTE": delete_note,
    "GET_NOTES_AND_MIND_MAPS": list_notes,
}
