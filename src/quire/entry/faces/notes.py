"""Contract 2: six note tools that answer in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from quire.api.library import Library
from quire.domain.errors import InvalidInput, NotFound, QuireError
from quire.domain.notebooks import NotebookId
from quire.domain.notes import Content, Note, NoteHit, Title
from quire.domain.pages import Page
from quire.entry.faces.face import Face, Input, Result

EMPTY_ID = "Note ID cannot be empty"
EMPTY_TITLE = "Title cannot be empty"
EMPTY_CONTENT = "Content cannot be empty"
NOTHING_GIVEN = "At least one of title or content must be provided"
NO_NOTES = "No notes found. Create your first note! 📝"

Id = Annotated[str, Field(max_length=200, description="The note's id, such as a3f7b2c1.")]
Cursor = Annotated[str, Field(max_length=100, description="Where the page before this one said to go on.")]

AnyPage = TypeVar("AnyPage", bound=Page[Any])


class NoteFace(Face[Input, Result]):
    """Errors end with a cross; a missing note is named by the id that was asked for."""

    def error(self, error: QuireError, arguments: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        message = error.message.removesuffix(".")
        if isinstance(error, NotFound) and error.details.get("noun") == "note":
            message = f"Note with ID '{arguments.get('id')}' not found"
        return f"{message} ❌", error.body() | {"message": message}


class Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", hide_input_in_errors=True)


class AddInput(Strict):
    title: Annotated[Title, Field(description="The title of the note.")] = ""
    content: Annotated[Content, Field(description="The body of the note.")] = ""
    notebook_id: NotebookId | None = None


class AddNote(NoteFace[AddInput, Note]):
    tool = "add_note"
    aliases = ("AddNote",)
    description = "Create a note with a title and content."
    input = AddInput
    required = ("title", "content")

    async def call(self, library: Library, input: AddInput) -> Note:
        not_blank(input.title, EMPTY_TITLE)
        not_blank(input.content, EMPTY_CONTENT)
        return await library.notes.create(input.notebook_id, input.title, input.content)

    def text(self, result: Note, input: AddInput) -> str:
        return f"Added note '{result.title}' with ID {result.short_id} ✅"

    def structured(self, result: Note) -> dict[str, Any]:
        return facts(result)


class GetInput(Strict):
    id: Id = ""


class GetNote(NoteFace[GetInput, Note]):
    tool = "get_note"
    aliases = ("GetNote",)
    description = "Retrieve a note by its id."
    input = GetInput
    required = ("id",)

    async def call(self, library: Library, input: GetInput) -> Note:
        not_blank(input.id, EMPTY_ID)
        return await library.notes.get(None, input.id)

    def text(self, result: Note, input: GetInput) -> str:
        return (
            f"📝 Note {result.short_id}\n\nTitle: {result.title}\nContent: {result.content}\n\n"
            f"Created: {moment(result.created_at)}\nUpdated: {moment(result.updated_at)}"
        )

    def structured(self, result: Note) -> dict[str, Any]:
        return facts(result) | {"content": result.content}


class ListInput(Strict):
    notebook_id: NotebookId | None = None
    cursor: Cursor | None = None


class ListNotes(NoteFace[ListInput, Page[Note]]):
    tool = "list_notes"
    aliases = ("ListNotes",)
    description = "List all notes, newest first."
    input = ListInput

    async def call(self, library: Library, input: ListInput) -> Page[Note]:
        place, before = resumed(input.cursor)
        return numbered(await library.notes.list(input.notebook_id, cursor=place), before)

    def text(self, result: Page[Note], input: ListInput) -> str:
        return listing(result, input.cursor)

    def structured(self, result: Page[Note]) -> dict[str, Any]:
        return page_facts(result, [facts(note) for note in result])


class SearchInput(Strict):
    query: Annotated[str, Field(max_length=1_000, description="What to look for in titles and contents.")] = ""
    notebook_id: NotebookId | None = None
    cursor: Cursor | None = None


class SearchNotes(NoteFace[SearchInput, Page[NoteHit] | Page[Note]]):
    tool = "search_notes"
    aliases = ("SearchNotes",)
    description = "Find notes whose title or content contains the query, whatever its case."
    input = SearchInput
    required = ("query",)

    async def call(self, library: Library, input: SearchInput) -> Page[NoteHit] | Page[Note]:
        place, before = resumed(input.cursor)
        if not input.query.strip():
            return numbered(await library.notes.list(input.notebook_id, cursor=place), before)
        return numbered(await library.notes.search(input.notebook_id, input.query, cursor=place), before)

    def text(self, result: Page[NoteHit] | Page[Note], input: SearchInput) -> str:
        if not input.query.strip():
            return listing(result, input.cursor)  # type: ignore[arg-type]
        if not result.total:
            return f"No notes found matching '{input.query}' 🔍"
        entries = [
            f"{number}. [{hit.note.short_id}] {hit.note.title}\n"
            f"   {hit.field.capitalize()}: {hit.excerpt}\n"
            f"   Created: {moment(hit.note.created_at)}"
            for number, hit in enumerate(result, resumed(input.cursor)[1] + 1)
            if isinstance(hit, NoteHit)
        ]
        head = f"Found {result.total} note(s) matching '{input.query}' 🔍"
        return "\n\n".join([head, *entries, *remainder(result)])

    def structured(self, result: Page[NoteHit] | Page[Note]) -> dict[str, Any]:
        items = [
            facts(one.note) | {"field": one.field, "excerpt": one.excerpt} if isinstance(one, NoteHit) else facts(one)
            for one in result
        ]
        return page_facts(result, items)


class UpdateInput(Strict):
    id: Id = ""
    title: Annotated[Title, Field(description="The new title; kept when left out.")] | None = None
    content: Annotated[Content, Field(description="The new content; kept when left out.")] | None = None


class UpdateNote(NoteFace[UpdateInput, Note]):
    tool = "update_note"
    aliases = ("UpdateNote",)
    description = "Change a note's title, its content or both."
    input = UpdateInput
    required = ("id",)

    async def call(self, library: Library, input: UpdateInput) -> Note:
        not_blank(input.id, EMPTY_ID)
        note = await library.notes.get(None, input.id)
        if input.title is None and input.content is None:
            raise InvalidInput(NOTHING_GIVEN)
        not_blank(input.title, EMPTY_TITLE)
        not_blank(input.content, EMPTY_CONTENT)
        return await library.notes.update(None, note.id, content=input.content, title=input.title)

    def text(self, result: Note, input: UpdateInput) -> str:
        return f"Updated note '{result.title}' (ID: {result.short_id}) ✅"

    def structured(self, result: Note) -> dict[str, Any]:
        return facts(result)


class DeleteNote(NoteFace[GetInput, Note]):
    tool = "delete_note"
    aliases = ("DeleteNote",)
    description = "Delete a note permanently."
    input = GetInput
    required = ("id",)

    async def call(self, library: Library, input: GetInput) -> Note:
        not_blank(input.id, EMPTY_ID)
        return await library.notes.delete(None, input.id)

    def text(self, result: Note, input: GetInput) -> str:
        return f"Deleted note '{result.title}' (ID: {result.short_id}) ✅"

    def structured(self, result: Note) -> dict[str, Any]:
        return facts(result)


NOTE_FACES: tuple[Face[Any, Any], ...] = (
    AddNote(),
    GetNote(),
    ListNotes(),
    SearchNotes(),
    UpdateNote(),
    DeleteNote(),
)


def not_blank(text: str | None, message: str) -> None:
    if text is not None and not text.strip():
        raise InvalidInput(message)


def facts(note: Note) -> dict[str, Any]:
    """A note as fields; the text speaks of it by its short id, so `id` is that one."""
    return {
        "id": note.short_id,
        "note_id": note.id,
        "notebook_id": note.notebook_id,
        "title": note.title,
        "created_at": note.created_at.isoformat(),
        "updated_at": note.updated_at.isoformat() if note.updated_at else None,
    }


def page_facts(page: Page[Any], items: list[dict[str, Any]]) -> dict[str, Any]:
    return {"items": items, "total": page.total, "truncated": page.truncated, "cursor": page.cursor}


def resumed(cursor: str | None) -> tuple[str | None, int]:
    """The place a cursor stands for, and how many entries were listed before it."""
    if cursor is None:
        return None, 0
    place, _, before = cursor.rpartition("-")
    if not place or not before.isdecimal():
        raise InvalidInput("cursor: is not one that this list gave out.", field="cursor")
    return place, int(before)


def numbered(page: AnyPage, before: int) -> AnyPage:
    """The page with a cursor that also knows how far the numbers have come."""
    if page.cursor is not None:
        page.cursor = f"{page.cursor}-{before + len(page)}"
    return page


def listing(page: Page[Note], cursor: str | None) -> str:
    if not page.total:
        return NO_NOTES
    entries = [
        f"{number}. [{note.short_id}] {note.title}\n"
        f"   Created: {moment(note.created_at)} | Updated: {moment(note.updated_at)}"
        for number, note in enumerate(page, resumed(cursor)[1] + 1)
    ]
    return "\n\n".join([f"📝 All Notes ({page.total} total)", *entries, *remainder(page)])


def remainder(page: Page[Any]) -> list[str]:
    """How to go on, where not all fits into one answer."""
    return [f"... more: call again with cursor '{page.cursor}'"] if page.truncated else []


def moment(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC" if at else "Never"
