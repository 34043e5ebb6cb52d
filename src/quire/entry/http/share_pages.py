"""The page on which a notebook is shared: with whom, as what, and its link."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from quire.api.library import Library
from quire.domain.errors import QuireError
from quire.domain.sharing import Permission, Role, ViewLevel
from quire.entry.http.api import calling
from quire.entry.http.forms import form
from quire.entry.http.notebook_views import in_a_form
from quire.entry.http.templates import Templates

ONE = "/notebooks/{notebook_id}/share"


class SharePages:
    """Forms that work without a script. Who may not change anything sees what there is, if that is theirs to see."""

    def __init__(self, library: Library, rendered: Templates) -> None:
        self._library = library
        self._rendered = rendered

    def routes(self) -> list[Route]:
        return [
            Route(ONE, self.page, methods=["GET"]),
            Route(ONE, self.share, methods=["POST"]),
            Route(ONE + "/remove", self.remove, methods=["POST"]),
            Route(ONE + "/link", self.link, methods=["POST"]),
            Route("/notebooks/{notebook_id}/leave", self.leave, methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        return await self._shown(request)

    async def share(self, request: Request) -> Response:
        """Somebody is added, or gets another permission."""
        given = await form(request)
        sharing, id = calling(request, self._library).sharing, request.path_params["notebook_id"]
        permission: Permission = "editor" if given.get("permission") == "editor" else "viewer"
        try:
            await sharing.add_user(id, given.get("email", ""), permission, given.get("message", ""))
        except QuireError as error:
            return await self._shown(request, error, given)
        return RedirectResponse(f"/notebooks/{id}/share", 303)

    async def remove(self, request: Request) -> Response:
        given = await form(request)
        sharing, id = calling(request, self._library).sharing, request.path_params["notebook_id"]
        try:
            await sharing.remove_user(id, given.get("email", ""))
        except QuireError as error:
            return await self._shown(request, error)
        return RedirectResponse(f"/notebooks/{id}/share", 303)

    async def link(self, request: Request) -> Response:
        """Who may open the link, and what viewers see."""
        given = await form(request)
        sharing, id = calling(request, self._library).sharing, request.path_params["notebook_id"]
        try:
            there = await sharing.get_status(id)
            level: ViewLevel = "chat" if given.get("level") == "chat" else "full"
            if level != there.view_level:
                await sharing.set_view_level(id, level)
            if (given.get("public") == "yes") != there.public:
                await sharing.set_public(id, given.get("public") == "yes")
        except QuireError as error:
            return await self._shown(request, error)
        return RedirectResponse(f"/notebooks/{id}/share", 303)

    async def leave(self, request: Request) -> Response:
        await form(request)
        await calling(request, self._library).sharing.leave(request.path_params["notebook_id"])
        return RedirectResponse("/", 303)

    async def _shown(
        self, request: Request, problem: QuireError | None = None, given: dict[str, str] | None = None
    ) -> Response:
        library, id = calling(request, self._library), request.path_params["notebook_id"]
        notebook = await library.notebooks.get(id)
        status = await library.sharing.get_status(id)
        here = library.engine.name == "local"
        return self._rendered(
            "share.html",
            problem.status if problem else 200,
            notebook=notebook,
            share=status,
            link=f"{str(request.base_url).rstrip('/')}/notebooks/{id}" if here else status.url,
            here=here,
            may_share=notebook.role >= Role.OWNER,
            problem=in_a_form(problem) if problem else "",
            given={"email": "", "message": "", "permission": "viewer"} | (given or {}),
        )
