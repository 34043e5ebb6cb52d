"""Notes: short texts of a notebook."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from quire.domain.errors import InvalidInput

Title = Annotated[str, Field(max_length=1_000, examples=["Shopping list"])]
CONTENT_LIMIT = 1_000_000
Content = Annotated[str, Field(max_length=CONTENT_LIMIT, examples=["Milk and bread"])]
NoteFormat = Literal["markdown", "docx", "xlsx"]
ATTACHMENT_LIMIT = 8 * 2**20
NoteId = Annotated[
    str,
    Field(description="The note's id: all of it, or its first 8 characters.", examples=["1a2b3c4d"]),
]


class Note(BaseModel):
    model_config = ConfigDict(frozen=True)

    id: str
    short_id: str
    notebook_id: str
    title: str
    content: str
    created_at: datetime
    updated_at: datetime | None = None
    revision: int = 1


class NoteHit(BaseModel):
    """A note that matched a search, and where."""

    model_config = ConfigDict(frozen=True)

    note: Note
    field: Literal["content", "title"]
    excerpt: str


class NoteChange(BaseModel):
    """Something that happened to a note; `note` is absent once it is deleted."""

    model_config = ConfigDict(frozen=True)

    seq: int
    change: Literal["created", "updated", "deleted"]
    note_id: str
    at: datetime
    note: Note | None = None


class Watched(BaseModel):
    """How a watch ended; `after` continues it."""

    after: int
    changes: int


BEFORE, AFTER = 40, 28


def excerpt(text: str, start: int, length: int) -> str:
    """The match in bold with some words around it, on one line, `...` where it is cut."""
    end = start + length
    left, right = max(0, start - BEFORE), min(len(text), end + AFTER)
    before, match, after = text[left:start], text[start:end], text[end:right]
    if left and not text[left - 1].isspace():
        _, space, words = before.partition(" ")
        before = words if space else before
    if right < len(text) and not text[right].isspace():
        words, space, _ = after.rpartition(" ")
        after = words if space else after
    flat = " ".join(f"{before}**{match}**{after}".split())
    if right < len(text):
        flat = flat.rstrip(",;:") + "..."
    return ("..." if left else "") + flat


def folded_span(text: str, query: str) -> tuple[int, int] | None:
    """Where `query` stands in `text` when case is folded, as start and length in `text` itself.

    Folding can change lengths (`ß` becomes `ss`), so offsets are mapped back.
    """
    folded_query = query.casefold()
    simple = text.casefold()
    at = simple.find(folded_query)
    if at < 0 or not folded_query:
        return None
    if len(simple) == len(text):
        return at, len(folded_query)
    origin: list[int] = []
    for index, character in enumerate(text):
        origin.extend([index] * len(character.casefold()))
    start = origin[at]
    last = origin[at + len(folded_query) - 1]
    return start, last - start + 1


def hit(note: Note, query: str) -> NoteHit | None:
    """Where a note matches; content is shown before title, as a reader knows the title already."""
    for field, text in (("content", note.content), ("title", note.title)):
        span = folded_span(text, query)
        if span:
            return NoteHit(note=note, field=field, excerpt=excerpt(text, *span))  # type: ignore[arg-type]
    return None


def note_title(title: str) -> str:
    """A note's title as it is kept."""
    title = title.strip()
    if not title:
        raise InvalidInput("Title cannot be empty.", field="title")
    return title
