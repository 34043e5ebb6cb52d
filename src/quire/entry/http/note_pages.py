"""Pages of notes: to read, to write in a notebook, to change, to make a source of."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from quire.api.library import Library
from quire.domain.errors import QuireError
from quire.domain.notebooks import Notebook
from quire.domain.sharing import Role
from quire.entry.http.api import calling
from quire.entry.http.forms import form
from quire.entry.http.note_views import shown_note
from quire.entry.http.notebook_pages import NotebookPages, number_in
from quire.entry.http.notebook_views import in_a_form
from quire.entry.http.rendered_markdown import rendered_markdown
from quire.entry.http.safety import Access
from quire.entry.http.templates import Templates

NEW, EDIT = "/notes/new", "/notes/edit"


class NotePages:
    """Forms that work without a script; with one, the page of the notebook calls the API and stays where it is."""

    access: ClassVar[dict[str, Access]] = dict.fromkeys((NEW, EDIT), Access(body="call"))

    def __init__(self, library: Library, rendered: Templates, notebooks: NotebookPages) -> None:
        self._library = library
        self._rendered = rendered
        self._notebooks = notebooks

    def routes(self) -> list[Route]:
        one = "/notes/{note_id}"
        return [
            Route(NEW, self.add, methods=["POST"]),
            Route(EDIT, self.edit, methods=["POST"]),
            Route(one, self.note),
            Route(one + "/to-source", self.convert, methods=["POST"]),
            Route(one + "/delete", self.delete, methods=["POST"]),
        ]

    async def note(self, request: Request) -> Response:
        return await self._shown(request, request.path_params["note_id"])

    async def add(self, request: Request) -> Response:
        given = await form(request)
        notebook_id, content = given.get("notebook_id", ""), _lines(given)
        try:
            await calling(request, self._library).notes.create(notebook_id, given.get("title", ""), content)
        except QuireError as error:
            return await self._notebooks.shown(request, notebook_id, error, at="noting", given=given)
        return RedirectResponse(f"/notebooks/{notebook_id}", 303)

    async def edit(self, request: Request) -> Response:
        """Refused where somebody else has changed the note since; what was typed is not lost."""
        given = await form(request)
        note_id, revision = given.get("note_id", ""), number_in(given.get("revision"))
        notes = calling(request, self._library).notes
        try:
            note = await notes.update(None, note_id, _lines(given), given.get("title", ""), revision)
        except QuireError as error:
            return await self._shown(request, note_id, error, given)
        return RedirectResponse(f"/notes/{note.short_id}", 303)

    async def convert(self, request: Request) -> Response:
        await form(request)
        library = calling(request, self._library)
        note = await library.notes.get(None, request.path_params["note_id"])
        await library.notes.convert_to_source(None, note.id)
        return RedirectResponse(f"/notebooks/{note.notebook_id}", 303)

    async def delete(self, request: Request) -> Response:
        await form(request)
        library = calling(request, self._library)
        note = await library.notes.delete(None, request.path_params["note_id"])
        return RedirectResponse(_home(await library.notebooks.get(note.notebook_id)), 303)

    async def _shown(
        self, request: Request, note_id: str, problem: QuireError | None = None, given: dict[str, str] | None = None
    ) -> Response:
        library = calling(request, self._library)
        note = await library.notes.get(None, note_id)
        notebook = await library.notebooks.get(note.notebook_id)
        typed = {"title": note.title, "content": note.content} | (given or {})
        return await asyncio.to_thread(
            lambda: self._rendered(
                "note.html",
                problem.status if problem else 200,
                note=shown_note(note),
                text=rendered_markdown(note.content, request.url.netloc),
                content=note.content,
                revision=note.revision,
                typed=typed,
                problem=in_a_form(problem) if problem else "",
                notebook=notebook,
                home=_home(notebook),
                may_write=notebook.role >= Role.EDITOR,
                may_convert="convert_note" in {one.tool for one in library.capabilities},
            )
        )


def _home(notebook: Notebook) -> str:
    return "/" if notebook.inbox else f"/notebooks/{notebook.id}"


def _lines(given: dict[str, str]) -> str:
    return given.get("content", "").replace("\r\n", "\n")
