"""Notes, as NotebookLM's clients ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from quire.domain import notes as ours
from quire.domain.files import Upload
from quire.notebooklm.codes import NoteKind
from quire.notebooklm.envelope import compact, parsed
from quire.notebooklm.methods import BY_NAME
from quire.notebooklm.methods.notes import Note, Notes
from quire.notebooklm.server.wire_call import Handler, WireCall

PAGE_SIZE = 1_000
UNTITLED = "New Note"
MOST_PASSAGES = 8 * 2**20
METHOD = BY_NAME["CREATE_NOTE"]


async def create_note(call: WireCall, names: Mapping[str, Any]) -> Note:
    """An empty note, or an answer of the chat, whose passages are kept beside it."""
    notebook_id, title = call.notebook(names), names.get("title") or UNTITLED
    content = names.get("content") or ""
    if names.get("mode") is not NoteKind.GENERATED:
        return row_of(await call.library.notes.create(notebook_id, title=title, content=content))
    passages, document = tuple(names.get("passages") or ()), names.get("document")
    whole = compact(METHOD.encode_response(Note("", content, passages=passages, document=document)))
    parts = call.library.parts
    sha256, _ = await put_blob(parts, Upload.of(whole, "passages.json"), MOST_PASSAGES)
    note = await call.library.notes.create(notebook_id, title=title, content=content)
    await parts.store.write(lambda tx: use_blob(tx, sha256, "note", note.id))
    return row_of(note, await saved(call, sha256))


async def saved(call: WireCall, sha256: str) -> Note:
    """A note as it was saved from the chat."""
    found: Note = METHOD.decode_response(parsed(await blob_text(call.library.parts, sha256)))
    return found


async def update_note(call: WireCall, names: Mapping[str, Any]) -> Note:
    """An empty title leaves the one there is."""
    note = await call.library.notes.update(
        call.notebook(names), names["note_id"], content=names.get("content", ""), title=names.get("title") or None
    )
    return row_of(note, (await all_saved(call, note.notebook_id)).get(note.id))


async def delete_note(call: WireCall, names: Mapping[str, Any]) -> None:
    for note_id in names["note_ids"]:
        await call.library.notes.delete(call.notebook(names), note_id)


async def list_notes(call: WireCall, names: Mapping[str, Any]) -> Notes:
    notebook_id = call.notebook(names)
    found: list[ours.Note] = []
    cursor: str | None = None
    while True:
        page = await call.library.notes.list(notebook_id, limit=PAGE_SIZE, cursor=cursor)
        found.extend(page.items)
        cursor = page.cursor
        if cursor is None:
            break
    kept = await all_saved(call, notebook_id)
    latest = max((note.updated_at or note.created_at for note in found), default=None)
    return Notes(tuple(row_of(note, kept.get(note.id)) for note in found), latest)


async def all_saved(call: WireCall, notebook_id: str) -> dict[str, Note]:
    """The notes of a notebook that were saved from the chat, by their ids."""
    rows = await call.library.read(lambda tx: tx.all("note_blobs", notebook_id=notebook_id))
    return {row["note_id"]: await saved(call, row["sha256"]) for row in rows}


def row_of(note: ours.Note, kept: Note | None = None) -> Note:
    """A note that was written anew since it was saved has no passages any more: they would not fit its words."""
    made = Note(
        id=note.id,
        content=note.content,
        title=note.title,
        kind=NoteKind.WRITTEN,
        author="quire",
        changed_at=note.updated_at or note.created_at,
    )
    if kept is None or kept.content != note.content:
        return made
    return replace(made, kind=NoteKind.GENERATED, passages=kept.passages, document=kept.document)


HANDLERS: dict[str, Handler] = {
    "CREATE_NOTE": create_note,
    "UPDATE_NOTE": update_note,
    "DELETE_NOTE": delete_note,
    "GET_NOTES_AND_MIND_MAPS": list_notes,
}
