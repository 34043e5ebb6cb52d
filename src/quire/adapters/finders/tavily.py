"""Tavily's search, by its key."""

from __future__ import annotations

from typing import Any

from quire.adapters.finders.service import Access, Service, plain, rows, text_at, told
from quire.domain.errors import InvalidInput
from quire.ports.finders import Found

MOST = 20


class Tavily:
    name = "tavily"

    def __init__(self, access: Access) -> None:
        self._key = access.key
        self._service = Service(self.name, "https://api.tavily.com", access)

    async def find(self, query: str, limit: int, language: str | None) -> list[Found]:
        content = {"query": query[:400], "max_results": min(limit, MOST), "search_depth": "basic"}
        headers = {"Authorization": f"Bearer {self._key}"}
        answer = await self._service.json("/search", headers=headers, content=content)
        try:
            return told(rows(answer, "results"), self._found, limit)
        except InvalidInput:
            raise self._service.strange() from None

    def _found(self, row: dict[str, Any]) -> Found:
        return Found(plain(row.get("title")), text_at(row, "url"), snippet=plain(row.get("content")), finder=self.name)
