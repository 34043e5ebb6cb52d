"""The start page: notebooks, and the notes of the inbox, without a script or live with one."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Scope

from quire.api.library import Library
from quire.domain.errors import InvalidInput, NotSignedIn, QuireError
from quire.domain.files import Upload
from quire.domain.pages import Page
from quire.domain.sharing import LOCAL_OWNER
from quire.entry.http.answers import Refused, headers_of, json_answer
from quire.entry.http.api import calling
from quire.entry.http.arguments import at_most, base_name, pairs, received
from quire.entry.http.callers import Callers
from quire.entry.http.files import file_response
from quire.entry.http.forms import form
from quire.entry.http.multipart import Multipart
from quire.entry.http.note_pages import NotePages
from quire.entry.http.note_views import shown_note
from quire.entry.http.notebook_pages import SOURCES, NotebookPages
from quire.entry.http.safety import FILE, Access, is_loopback
from quire.entry.http.share_pages import SharePages
from quire.entry.http.sign_in import SignIn
from quire.entry.http.studio_pages import StudioPages
from quire.entry.http.templates import Templates
from quire.entry.settings import Settings

SHOWN = 50
SHELVED = 24
IMPORT = "/import"
PROGRAMS = ("/api", "/mcp", "/files/")


class StartPage:
    """The page's routes, and how errors look to a browser."""

    access: ClassVar[dict[str, Access]] = {
        **SignIn.access,
        **NotePages.access,
        **StudioPages.access,
        "/export": Access(called=True),
        "/notes": Access(body="call"),
        IMPORT: FILE,
        SOURCES: FILE,
    }

    def __init__(self, library: Library, settings: Settings, callers: Callers) -> None:
        self._library = library
        self._settings = settings
        self._callers = callers
        self._rendered = Templates()
        self._sign_in = SignIn(library, settings, callers, self._rendered)
        self._sharing = SharePages(library, self._rendered)
        self._notebooks = NotebookPages(library, settings, self._rendered)

    def routes(self) -> list[Route]:
        return [
            Route("/", self.start),
            Route("/notes", self.add, methods=["POST"]),
            Route(IMPORT, self.import_, methods=["POST"]),
            Route("/export", self.export),
            *self._sign_in.routes(),
            *self._sharing.routes(),
            *self._notebooks.routes(),
            *NotePages(self._library, self._rendered, self._notebooks).routes(),
            *StudioPages(self._library, self._rendered, self._notebooks).routes(),
        ]

    async def start(self, request: Request) -> Response:
        query = dict(pairs(request.scope["query_string"]))
        # A link on another site must not sign somebody in as someone else.
        if "token" in query and request.headers.get("sec-fetch-site", "none") in ("none", "same-origin"):
            return await self._sign_in.by_token(request, query["token"], "/")
        return await self._started(request, query)

    async def add(self, request: Request) -> Response:
        given = await form(request)
        title, content = given.get("title", ""), given.get("content", "").replace("\r\n", "\n")
        try:
            await calling(request, self._library).notes.create(title=title, content=content)
        except InvalidInput as error:
            return await self._started(request, {}, (title, content), error)
        return RedirectResponse("/", 303)

    async def import_(self, request: Request) -> Response:
        sent = Multipart(request.headers.get("content-type", ""), received(request))
        await sent.fields("file")
        file = Upload(base_name(sent.file_name), partial(at_most, self._settings.upload_limit, sent.chunks()))
        await calling(request, self._library).notes.import_(None, file)
        return RedirectResponse("/", 303)

    async def export(self, request: Request) -> Response:
        if request.method != "GET":
            raise Refused(405, "wrong_method", "This route takes GET.", headers={"Allow": "GET"})
        library = calling(request, self._library)
        job = await library.notes.export()
        return await file_response(request, await library.jobs.file(job.id))

    def answer(self, scope: Scope, error: QuireError | Refused) -> Response:
        """An error as a page for a browser, as JSON for everything else."""
        request = Request(scope)
        page = "text/html" in request.headers.get("accept", "") and not scope["path"].startswith(PROGRAMS)
        if not page:
            return json_answer(error)
        # Whoever is known here, and is told what to do, has to sign in elsewhere: at Google.
        elsewhere = scope.get("quire.actor") is not None and isinstance(error, QuireError) and error.hint
        if isinstance(error, NotSignedIn) and not elsewhere:
            return self._sign_in.asked_for(request, error)
        body = error.body()
        return self._rendered(
            "error.html", error.status, headers_of(error), message=body["message"], hint=body.get("hint")
        )

    async def _started(
        self,
        request: Request,
        query: dict[str, str],
        draft: tuple[str, str] = ("", ""),
        problem: InvalidInput | None = None,
    ) -> Response:
        library = calling(request, self._library)
        after = await library.engine.events.last()
        asked = query.get("q", "").strip()
        cursor = query.get("cursor")
        older = query.get("older")
        notebooks: Page[Any] = Page(items=[], total=0)
        if not asked and cursor is None:
            notebooks = await library.notebooks.list(limit=SHELVED, cursor=older)
        page: Page[Any]
        if asked:
            page = await library.notes.search(None, asked, limit=SHOWN, cursor=cursor)
            shown = [hit.note for hit in page]
        else:
            page = await library.notes.list(None, limit=SHOWN, cursor=cursor)
            shown = list(page)
        offered = {capability.tool for capability in library.capabilities}
        # Notes may be of a megabyte each.
        notes = await asyncio.to_thread(lambda: [shown_note(note, asked) for note in shown])
        return self._rendered(
            "start.html",
            problem.status if problem else 200,
            notes=notes,
            page=page,
            asked=asked,
            first=cursor is None,
            notebooks=[notebook for notebook in notebooks if notebook.source_count or not notebook.inbox],
            older_notebooks=notebooks.cursor or "",
            older=older,
            after=after,
            live="watch_notes" in offered,
            moves={"import_notes", "export_notes"} <= offered,
            problem=problem.message if problem else "",
            title=draft[0],
            content=draft[1],
            # The command would act as the owner, and tells where things lie on the server's machine.
            stdio=self._snippet_stdio() if request.scope["quire.actor"] == LOCAL_OWNER else "",
            http=self._snippet_http(request),
            token_needed=self._callers.needed,
            signed_in=request.scope["quire.session"],
        )

    def _snippet_stdio(self) -> str:
        """The command as this machine can run it; from elsewhere, as it is called."""
        server: dict[str, Any] = {"command": "quire", "args": ["mcp"]}
        if is_loopback(self._settings.host):
            beside = Path(sys.executable).with_name("quire")
            if beside.exists():
                server["command"] = str(beside)
            own = {}
            if self._settings.home != Settings.model_validate({"home": "~/.quire"}).home:
                own["QUIRE_HOME"] = str(self._settings.home)
            if self._settings.engine != "local":
                own["QUIRE_ENGINE"] = self._settings.engine
            if own:
                server["env"] = own
        return _snippet(server)

    def _snippet_http(self, request: Request) -> str:
        base = self._settings.public_url or str(request.base_url)
        server: dict[str, Any] = {"type": "http", "url": base.rstrip("/") + "/mcp"}
        if self._callers.needed:
            owner = request.scope["quire.actor"] == LOCAL_OWNER
            token = (owner and self._callers.shown_token) or "YOUR_TOKEN"
            server["headers"] = {"Authorization": f"Bearer {token}"}
        return _snippet(server)


def _snippet(server: dict[str, Any]) -> str:
    text = json.dumps({"mcpServers": {"quire": server}}, indent=2, ensure_ascii=False)
    return re.sub(r"\[\s+(\"mcp\")\s+\]", r"[\1]", text)
