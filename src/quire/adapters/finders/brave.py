"""Brave's search, by its key."""

from __future__ import annotations

from typing import Any

from quire.adapters.finders.service import Access, Service, plain, rows, text_at, told
from quire.domain.errors import InvalidInput
from quire.ports.finders import Found

MOST = 20


class Brave:
    name = "brave"

    def __init__(self, access: Access) -> None:
        self._key = access.key
        self._service = Service(self.name, "https://api.search.brave.com", access, interval=1.0)

    async def find(self, query: str, limit: int, language: str | None) -> list[Found]:
        asked: dict[str, str | int] = {"q": query[:400], "count": min(limit, MOST), "text_decorations": "false"}
        headers = {"X-Subscription-Token": self._key}
        answer = await self._service.json("/res/v1/web/search", asked, headers=headers)
        try:
            return told(rows(answer, "web", "results"), self._found, limit)
        except InvalidInput:
            raise self._service.strange() from None

    def _found(self, row: dict[str, Any]) -> Found:
        more = row.get("extra_snippets")
        told = [row.get("description"), *(more if isinstance(more, list) else [])]
        snippet = " ".join(filter(None, map(plain, told[:4])))
        return Found(plain(row.get("title")), text_at(row, "url"), snippet=snippet, finder=self.name)
