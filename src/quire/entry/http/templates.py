"""The page's templates, and its static files."""

from __future__ import annotations

from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from quire import __version__


class Templates:
    """Everything that a template shows is escaped."""

    def __init__(self) -> None:
        self._environment = Environment(
            loader=PackageLoader("quire.entry", "web/templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals["version"] = __version__

    def __call__(
        self, template: str, status: int = 200, headers: dict[str, str] | None = None, **values: Any
    ) -> Response:
        text = self._environment.get_template(template).render(values)
        return HTMLResponse(text, status, {"Cache-Control": "no-store", **(headers or {})})


class Static(StaticFiles):
    """Scripts import each other by plain names, so a browser asks whether it still has the newest."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        return response
