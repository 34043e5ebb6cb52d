"""Notes on the wire, and the mind maps that are kept as notes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from quire.notebooklm.codes import NoteKind
from quire.notebooklm.documents import SAVED_DOCUMENT, SAVED_PASSAGE, Citation, Document
from quire.notebooklm.kinds import code, integer, moment, text
from quire.notebooklm.methods.method import OPTIONS, Method, Repeat
from quire.notebooklm.wire import At, Done, Each, Either, Mark, Maybe, Node, Part, Record, Slot, Sole

DELETED = 2


@dataclass(slots=True)
class Note:
    """A note, or a mind map; `deleted` ones have kept their id only."""

    id: str
    content: str | None = None
    title: str | None = None
    kind: NoteKind | None = None
    author: str | None = None
    changed_at: datetime | None = None
    artifact_kind: int | None = None
    source_ids: tuple[str, ...] = ()
    passages: tuple[Citation, ...] = ()
    document: Document | None = None
    deleted: bool = False

    @property
    def tree(self) -> dict[str, Any] | None:
        """The mind map that the content is, if it is one."""
        if not self.content or not self.content.lstrip().startswith("{"):
            return None
        try:
            found = json.loads(self.content)
        except (ValueError, RecursionError):
            return None
        return found if isinstance(found, dict) and ("children" in found or "nodes" in found) else None


@dataclass(slots=True)
class Notes:
    notes: tuple[Note, ...] = ()
    at: datetime | None = None


NOTEBOOK_ID = Slot("notebook_id", text, needed=True)
NOTE = Record(
    Note,
    At(
        {
            0: Slot("id", text, needed=True),
            1: Slot("content", text),
            2: At(
                {
                    0: Slot("kind", code(NoteKind), loose=True),
                    1: Slot("author", text, loose=True),
                    2: Slot("changed_at", moment, loose=True),
                    3: Slot("artifact_kind", integer, loose=True),
                    4: Each("source_ids", [Slot("", text, needed=True)], loose=True),
                },
                loose=True,
            ),
            3: Each("passages", SAVED_PASSAGE, loose=True),
            4: Slot("title", text),
            5: Part("document", SAVED_DOCUMENT, loose=True),
        }
    ),
)


class Entry(Either):
    """A place in the list of notes: the note, what is left of a deleted one, or the older `[id, content]`."""

    def __init__(self) -> None:
        self.note = Record(Note, [Slot("id", text, needed=True), NOTE.layout])
        self.gone = Record(Note, [Slot("id", text, needed=True), Mark(None), Mark(DELETED)], deleted=True)
        super().__init__(self.note, self.gone, Record(Note, [Slot("id", text, needed=True), Slot("content", text)]))

    def wire(self, value: Any) -> Any:
        return (self.gone if value.deleted else self.note).wire(value)


ONE: Node = Either(Sole([Part("", NOTE, needed=True)]), Sole(Part("", NOTE, needed=True)))

METHODS = (
    Method(
        "CYK0Xb",
        "CREATE_NOTE",
        # An empty note (mode [1], filled by the next call), or an answer of the chat with its passages (mode [2]).
        Record(
            dict,
            [
                NOTEBOOK_ID,
                Slot("content", text, empty=""),
                [Slot("mode", code(NoteKind), empty=1)],
                Each("passages", SAVED_PASSAGE, loose=True),
                Slot("title", text, empty="New Note"),
                Maybe(Part("document", SAVED_DOCUMENT, loose=True)),
                Maybe([Slot("trailer", integer)]),
            ],
        ),
        ONE,
        repeat=Repeat.TWICE,
    ),
    Method(
        "cYAfTb",
        "UPDATE_NOTE",
        Record(
            dict,
            [
                NOTEBOOK_ID,
                Slot("note_id", text, needed=True),
                [[[Slot("content", text, empty=""), Slot("title", text, empty=""), [], 0]]],
            ],
        ),
        Either(*ONE.layouts, Done()),  # type: ignore[attr-defined]
        repeat=Repeat.SAME,
    ),
    Method(
        "AH0mwd",
        "DELETE_NOTE",
        Record(dict, [NOTEBOOK_ID, None, Each("note_ids", Slot("", text, needed=True), needed=True)]),
        Done(),
        repeat=Repeat.SAME,
    ),
    Method(
        "cFji9",
        "GET_NOTES_AND_MIND_MAPS",
        Record(dict, [NOTEBOOK_ID, None, Slot("since", moment), OPTIONS]),
        Record(Notes, At({0: Each("notes", Entry()), 1: Slot("at", moment, loose=True)})),
    ),
)
