"""SearXNG: a search engine that one runs oneself."""

from __future__ import annotations

from typing import Any

from quire.adapters.finders.service import Access, Service, plain, rows, text_at, told
from quire.domain.errors import InvalidInput, QuireError, Upstream
from quire.ports.finders import Found


class Searxng:
    name = "searxng"

    def __init__(self, access: Access) -> None:
        self._service = Service(self.name, "", access)

    async def find(self, query: str, limit: int, language: str | None) -> list[Found]:
        asked: dict[str, str | int] = {"q": query, "format": "json", "language": language or "all", "safesearch": 0}
        try:
            answer = await self._service.json("/search", asked)
        except QuireError as error:
            if "(403)" in error.message:
                raise Upstream(
                    "searxng does not answer in JSON.", hint="Its settings.yml needs `json` among search.formats."
                ) from None
            raise
        try:
            return told(rows(answer, "results"), self._found, limit)
        except InvalidInput:
            raise self._service.strange() from None

    def _found(self, row: dict[str, Any]) -> Found:
        return Found(plain(row.get("title")), text_at(row, "url"), snippet=plain(row.get("content")), finder=self.name)
