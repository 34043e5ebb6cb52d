"""Pages of artifacts: making one, looking at it, its files, and what else can be done with it."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from quire.api.library import Library
from quire.domain.artifact_options import OPTIONS
from quire.domain.artifacts import Artifact, ArtifactLink
from quire.domain.errors import Conflict, NotAllowed, QuireError
from quire.entry.http.api import calling
from quire.entry.http.files import file_response
from quire.entry.http.forms import form
from quire.entry.http.notebook_pages import NotebookPages
from quire.entry.http.rendered_markdown import LONGEST, rendered_markdown
from quire.entry.http.safety import Access
from quire.entry.http.studio_views import shown_artifact
from quire.entry.http.templates import Templates

MAKE = "/artifacts"
ONE = "/notebooks/{notebook_id}/artifacts/{artifact_id}"
TEXT = "md"


class StudioPages:
    """Forms that work without a script; with one, the page of the notebook calls the API and stays where it is."""

    access: ClassVar[dict[str, Access]] = {MAKE: Access(body="call")}

    def __init__(self, library: Library, rendered: Templates, notebooks: NotebookPages) -> None:
        self._library = library
        self._rendered = rendered
        self._notebooks = notebooks

    def routes(self) -> list[Route]:
        return [
            Route(MAKE, self.make, methods=["POST"]),
            Route(ONE, self.artifact),
            Route(ONE + "/files/{format}", self.file),
            Route(ONE + "/shown/{format}", self.shown),
            Route(ONE + "/rename", self.rename, methods=["POST"]),
            Route(ONE + "/retry", self.retry, methods=["POST"]),
            Route(ONE + "/cancel", self.cancel, methods=["POST"]),
            Route(ONE + "/share", self.share, methods=["POST"]),
            Route(ONE + "/delete", self.delete, methods=["POST"]),
        ]

    async def make(self, request: Request) -> Response:
        """The form holds the options of every kind; those of the kind that is meant begin with its name."""
        given = await form(request)
        notebook_id, kind = given.get("notebook_id", ""), given.get("kind", "")
        names = {f"{kind}.{name}": name for name in (OPTIONS[kind].model_fields if kind in OPTIONS else ())}
        chosen = {name: given[field] for field, name in names.items() if given.get(field)}
        chosen |= {name: given[name] for name in ("instructions", "language") if given.get(name)}
        try:
            artifacts = calling(request, self._library).artifacts
            await artifacts.generate(notebook_id, kind, wait=False, **chosen)  # type: ignore[arg-type]
        except QuireError as error:
            return await self._notebooks.shown(request, notebook_id, error, at="making", given=given)
        return RedirectResponse(f"/notebooks/{notebook_id}#studio", 303)

    async def artifact(self, request: Request) -> Response:
        return await self._shown(request, await self._one(request))

    async def file(self, request: Request) -> Response:
        return await self._file(request, shown=False)

    async def shown(self, request: Request) -> Response:
        return await self._file(request, shown=True)

    async def rename(self, request: Request) -> Response:
        given = await form(request)
        notebook_id, id = _ids(request)
        await calling(request, self._library).artifacts.rename(notebook_id, id, given.get("title", ""))
        return _back(notebook_id)

    async def retry(self, request: Request) -> Response:
        await form(request)
        notebook_id, id = _ids(request)
        await calling(request, self._library).artifacts.retry_failed(notebook_id, id, wait=False)
        return _back(notebook_id)

    async def cancel(self, request: Request) -> Response:
        await form(request)
        artifact = await self._one(request)
        if artifact.job_id is None:
            raise Conflict("This cannot be cancelled here.")
        await calling(request, self._library).jobs.cancel(artifact.job_id)
        return _back(artifact.notebook_id)

    async def share(self, request: Request) -> Response:
        given = await form(request)
        notebook_id, id = _ids(request)
        format = given.get("format") or None
        link = await calling(request, self._library).artifacts.share(notebook_id, id, format)
        return await self._shown(request, await self._one(request), link)

    async def delete(self, request: Request) -> Response:
        await form(request)
        notebook_id, id = _ids(request)
        await calling(request, self._library).artifacts.delete(notebook_id, id)
        return _back(notebook_id)

    async def _one(self, request: Request) -> Artifact:
        return await calling(request, self._library).artifacts.get(*_ids(request))

    async def _file(self, request: Request, *, shown: bool) -> Response:
        # Some files are made when they are asked for, which is not for links of other sites to do.
        if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise NotAllowed("Pages of other sites may not call this server.")
        artifacts = calling(request, self._library).artifacts
        file = await artifacts.download(*_ids(request), request.path_params["format"])
        return await file_response(request, file, shown=shown)

    async def _shown(self, request: Request, artifact: Artifact, link: ArtifactLink | None = None) -> Response:
        library = calling(request, self._library)
        one = shown_artifact(artifact)
        told = one["view"] == "text" or (one["view"] in ("audio", "video") and TEXT in artifact.formats)
        text = await self._text(library, artifact) if told else None
        notebook = await library.notebooks.get(artifact.notebook_id)
        return await asyncio.to_thread(
            lambda: self._rendered(
                "artifact.html",
                artifact=one,
                text=None if text is None else rendered_markdown(text, request.url.netloc),
                notebook=notebook,
                link=link,
            )
        )

    async def _text(self, library: Library, artifact: Artifact) -> str | None:
        """What it says in words, unless that is too much for a page."""
        file = await library.artifacts.download(artifact.notebook_id, artifact.id, TEXT)
        if file.size > LONGEST * 4:
            return None
        return (await file.read()).decode("utf-8", "replace")


def _ids(request: Request) -> tuple[str, str]:
    return request.path_params["notebook_id"], request.path_params["artifact_id"]


def _back(notebook_id: str) -> Response:
    return RedirectResponse(f"/notebooks/{notebook_id}#studio", 303)
