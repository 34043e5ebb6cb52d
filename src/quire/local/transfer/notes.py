"""Notes, as they are moved: with what is kept beside them, and the ids of those that were deleted."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator

from quire.domain.errors import Conflict
from quire.domain.notebook_file.rows import DeletedNoteRow, NoteRow
from quire.local.files import use
from quire.local.transfer.part import Into, Part, Step, Whose, one_step, paged
from quire.ports.store import Tx

COLUMNS = ("id", "short_id", "title", "content", "created_at", "updated_at", "revision")


def _notes(tx: Tx, whose: Whose) -> Iterator[NoteRow]:
    for row in paged(tx, "notes_to_move", notebook_id=whose.notebook_id, person_id=whose.person_id):
        blobs = tx.all("note_blobs", notebook_id=whose.notebook_id, note_ids=json.dumps([row["id"]]))
        columns = {name: row[name] for name in COLUMNS}
        yield NoteRow(**columns, answer_id=row["answer_id"], attachments=sorted(blob["sha256"] for blob in blobs))


def _put_note(row: NoteRow, into: Into) -> list[Step]:
    def work(tx: Tx) -> None:
        id = row.id
        # Short ids of notes that are gone are not given again, but to the same note.
        while not tx.run("give_short_id", short_id=id[:8]) and tx.one("note_by_id", id=id[:8]) is not None:
            if not into.fresh:
                raise Conflict(f"There is another note '{id[:8]}' by now.")
            id = str(uuid.uuid5(uuid.UUID(id), "another"))
        values = row.model_dump(exclude={"attachments"}) | {"id": id, "short_id": id[:8], "content": row.content}
        folded = {"folded_title": row.title.casefold(), "folded_content": row.content.casefold()}
        tx.run("insert_moved_note", notebook_id=into.notebook_id, **values, **folded)
        for sha256 in row.attachments:
            use(tx, sha256, "note", id)

    return one_step(work)


def note_file(row: NoteRow) -> str:
    return f"notes/{row.id}.md"


def _deleted(tx: Tx, whose: Whose) -> Iterator[DeletedNoteRow]:
    for row in tx.all("deleted_notes_to_move", notebook_id=whose.notebook_id):
        yield DeletedNoteRow(id=row["note_id"], at=row["at"])


def _put_deleted(row: DeletedNoteRow, into: Into) -> list[Step]:
    def work(tx: Tx) -> None:
        tx.run("insert_deleted_note", notebook_id=into.notebook_id, note_id=row.id, at=row.at)

    return one_step(work)


NOTES = Part(
    "notes",
    NoteRow,
    _notes,
    _put_note,
    text=("content", note_file),
    listed=("Notes", lambda row: (row.title, note_file(row))),
)
DELETED_NOTES = Part("deleted_notes", DeletedNoteRow, _deleted, _put_deleted, copied=False)
