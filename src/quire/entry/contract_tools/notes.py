"""Contract 2: six note tools that answer in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Annotated, Any

from pydantic import Field

from quire.api.library import Library
from quire.domain.errors import InvalidInput, NotFound, QuireError
from quire.domain.notebooks import NotebookId
from quire.domain.notes import Content, Note, Title
from quire.domain.pages import Page
from quire.entry.contract_tools.contract import Contract
from quire.entry.contract_tools.contract_tool import ContractTool, Strict

EMPTY_ID = "Note ID cannot be empty"
EMPTY_TITLE = "Title cannot be empty"
EMPTY_CONTENT = "Content cannot be empty"
NOTHING_GIVEN = "At least one of title or content must be provided"
# So much of an unknown id is told again.
NAMED = 1_000
NO_NOTES = "No notes found. Create your first note! 📝"

Id = Annotated[str, Field(description="The note's id, such as a3f7b2c1.")]
Cursor = Annotated[str, Field(max_length=100, description="Where the page before this one said to go on.")]


class NoteContract(Contract):
    """Errors end with a cross; a missing note is named by the id that was asked for."""

    def error(self, error: QuireError, arguments: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        message = error.message.removesuffix(".")
        if isinstance(error, NotFound) and error.details.get("noun") == "note":
            message = f"Note with ID '{str(arguments.get('id'))[:NAMED]}' not found"
        return f"{message} ❌", error.body() | {"message": message}


class AddInput(Strict):
    title: Annotated[Title, Field(description="The title of the note.")] = ""
    content: Annotated[Content, Field(description="The body of the note.")] = ""
    notebook_id: NotebookId | None = None


class AddNote(ContractTool[AddInput, Note]):
    tool = "add_note"
    aliases = ("AddNote",)
    description = "Create a note with a title and content."
    input = AddInput
    required = ("title", "content")

    def call(self, library: Library, input: AddInput) -> partial[Any]:
        not_blank(input.title, EMPTY_TITLE)
        not_blank(input.content, EMPTY_CONTENT)
        return partial(library.notes.create, input.notebook_id, input.title, input.content)

    def answer(self, result: Note, input: AddInput) -> tuple[str, dict[str, Any]]:
        return f"Added note '{on_one_line(result.title)}' with ID {result.short_id} ✅", facts(result)


class GetInput(Strict):
    id: Id = ""


class GetNote(ContractTool[GetInput, Note]):
    tool = "get_note"
    aliases = ("GetNote",)
    description = "Retrieve a note by its id."
    input = GetInput
    required = ("id",)

    def call(self, library: Library, input: GetInput) -> partial[Any]:
        not_blank(input.id, EMPTY_ID)
        return partial(library.notes.get, None, input.id)

    def answer(self, result: Note, input: GetInput) -> tuple[str, dict[str, Any]]:
        text = (
            f"📝 Note {result.short_id}\n\nTitle: {on_one_line(result.title)}\nContent: {result.content}\n\n"
            f"Created: {moment(result.created_at)}\nUpdated: {moment(result.updated_at)}"
        )
        return text, facts(result) | {"content": result.content}


class ListInput(Strict):
    notebook_id: NotebookId | None = None
    cursor: Cursor | None = None


class ListNotes(ContractTool[ListInput, Page[Note]]):
    tool = "list_notes"
    aliases = ("ListNotes",)
    description = "List the notes of a notebook, or of the inbox when none is named, newest first."
    input = ListInput

    def call(self, library: Library, input: ListInput) -> partial[Any]:
        return partial(library.notes.list, input.notebook_id, cursor=cursor_parts(input.cursor)[0])

    def answer(self, result: Page[Note], input: ListInput) -> tuple[str, dict[str, Any]]:
        return listing(result, input.cursor)


class SearchInput(Strict):
    query: Annotated[str, Field(max_length=1_000, description="What to look for in titles and contents.")] = ""
    notebook_id: NotebookId | None = None
    cursor: Cursor | None = None


class SearchNotes(ContractTool[SearchInput, Page[Any]]):
    tool = "search_notes"
    aliases = ("SearchNotes",)
    description = "Find notes whose title or content contains the query, whatever its case."
    input = SearchInput
    required = ("query",)

    def call(self, library: Library, input: SearchInput) -> partial[Any]:
        place, _ = cursor_parts(input.cursor)
        if not input.query.strip():
            return partial(library.notes.list, input.notebook_id, cursor=place)
        return partial(library.notes.search, input.notebook_id, input.query, cursor=place)

    def answer(self, result: Page[Any], input: SearchInput) -> tuple[str, dict[str, Any]]:
        if not input.query.strip():
            return listing(result, input.cursor)
        before = numbered(result, input.cursor)
        items = [facts(hit.note) | {"field": hit.field, "excerpt": hit.excerpt} for hit in result]
        entries = [
            f"{number}. [{hit.note.short_id}] {on_one_line(hit.note.title)}\n"
            f"   {hit.field.capitalize()}: {hit.excerpt}\n"
            f"   Created: {moment(hit.note.created_at)}"
            for number, hit in enumerate(result, before + 1)
        ]
        head = f"Found {result.total} note(s) matching '{on_one_line(input.query)}' 🔍"
        if not result.total:
            head = f"No notes found matching '{on_one_line(input.query)}' 🔍"
        return "\n\n".join([head, *entries, *remainder(result)]), page_facts(result, items)


class UpdateInput(Strict):
    id: Id = ""
    title: Annotated[Title, Field(description="The new title; kept when left out.")] | None = None
    content: Annotated[Content, Field(description="The new content; kept when left out.")] | None = None


class UpdateNote(ContractTool[UpdateInput, Note]):
    tool = "update_note"
    aliases = ("UpdateNote",)
    description = "Change a note's title, its content or both."
    input = UpdateInput
    required = ("id",)

    def call(self, library: Library, input: UpdateInput) -> partial[Any]:
        not_blank(input.id, EMPTY_ID)
        if refusal(input):
            return partial(library.notes.get, None, input.id)
        return partial(library.notes.update, None, input.id, content=input.content, title=input.title)

    def answer(self, result: Note, input: UpdateInput) -> tuple[str, dict[str, Any]]:
        """A note that is not there is told before what is wrong with its change."""
        if message := refusal(input):
            raise InvalidInput(message)
        return f"Updated note '{on_one_line(result.title)}' (ID: {result.short_id}) ✅", facts(result)


def refusal(input: UpdateInput) -> str | None:
    """What is wrong with a change, whatever the note."""
    if input.title is None and input.content is None:
        return NOTHING_GIVEN
    if input.title is not None and not input.title.strip():
        return EMPTY_TITLE
    return EMPTY_CONTENT if input.content is not None and not input.content.strip() else None


class DeleteNote(ContractTool[GetInput, Note]):
    tool = "delete_note"
    aliases = ("DeleteNote",)
    description = "Delete a note permanently."
    input = GetInput
    required = ("id",)

    def call(self, library: Library, input: GetInput) -> partial[Any]:
        not_blank(input.id, EMPTY_ID)
        return partial(library.notes.delete, None, input.id)

    def answer(self, result: Note, input: GetInput) -> tuple[str, dict[str, Any]]:
        return f"Deleted note '{on_one_line(result.title)}' (ID: {result.short_id}) ✅", facts(result)


NOTE_TOOLS: tuple[ContractTool[Any, Any], ...] = (
    AddNote(),
    GetNote(),
    ListNotes(),
    SearchNotes(),
    UpdateNote(),
    DeleteNote(),
)


def not_blank(text: str, message: str) -> None:
    if not text.strip():
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


def cursor_parts(cursor: str | None) -> tuple[str | None, int]:
    """The place a cursor stands for, and how many entries were listed before it."""
    if cursor is None:
        return None, 0
    place, _, before = cursor.rpartition("-")
    if not place or not before.isdecimal():
        raise InvalidInput("cursor: is not one that this list gave out.", field="cursor")
    return place, int(before)


def numbered(page: Page[Any], cursor: str | None) -> int:
    """How many entries came before the page; its cursor then tells how many come before the next."""
    before = cursor_parts(cursor)[1]
    if page.cursor is not None:
        page.cursor = f"{page.cursor}-{before + len(page)}"
    return before


def listing(page: Page[Note], cursor: str | None) -> tuple[str, dict[str, Any]]:
    before = numbered(page, cursor)
    entries = [
        f"{number}. [{note.short_id}] {on_one_line(note.title)}\n"
        f"   Created: {moment(note.created_at)} | Updated: {moment(note.updated_at)}"
        for number, note in enumerate(page, before + 1)
    ]
    text = "\n\n".join([f"📝 All Notes ({page.total} total)", *entries, *remainder(page)])
    return text if page.total else NO_NOTES, page_facts(page, [facts(note) for note in page])


def remainder(page: Page[Any]) -> list[str]:
    """How to go on, where not all fits into one answer."""
    return [f"... more: call again with cursor '{page.cursor}'"] if page.truncated else []


def on_one_line(text: str) -> str:
    """A title as texts show it: with line breaks it could pass for entries of its own."""
    return " ".join(text.splitlines())


def moment(at: datetime | None) -> str:
    return f"{at.isoformat(' ')[:16]} UTC" if at else "Never"
