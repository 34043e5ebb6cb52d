"""Wikipedia, in the language of the question."""

from __future__ import annotations

import re
from typing import Any

from quire.adapters.finders.service import Access, Service, plain, rows, text_at, told
from quire.domain.errors import InvalidInput
from quire.ports.finders import Found

USUAL = "https://{language}.wikipedia.org"
LANGUAGE = re.compile(r"[a-z]{2,3}")
MOST = 20


class Wikipedia:
    """Its address may hold {language}."""

    name = "wikipedia"

    def __init__(self, access: Access) -> None:
        self._access = access
        self._services: dict[str, Service] = {}

    async def find(self, query: str, limit: int, language: str | None) -> list[Found]:
        spoken = language if language and LANGUAGE.fullmatch(language) else "en"
        service = self._services.get(spoken) or self._services.setdefault(spoken, self._made(spoken))
        asked: dict[str, str | int] = {
            "action": "query",
            "format": "json",
            "formatversion": 2,
            "generator": "search",
            "gsrsearch": query[:300],
            "gsrlimit": min(limit, MOST),
            "prop": "info|extracts",
            "inprop": "url",
            "exintro": 1,
            "explaintext": 1,
            "exsentences": 3,
            "exlimit": "max",
        }
        answer = await service.json("/w/api.php", asked)
        try:
            pages = rows(answer, "query", "pages")
        except InvalidInput:
            raise service.strange() from None
        pages.sort(key=lambda page: page["index"] if isinstance(page.get("index"), int) else len(pages))
        return told(pages, self._found, limit)

    def _made(self, language: str) -> Service:
        own = self._access.address
        access = self._access._replace(address=own.replace("{language}", language) if own else None)
        return Service(self.name, USUAL.format(language=language), access, interval=0.2)

    def _found(self, row: dict[str, Any]) -> Found:
        return Found(
            plain(row.get("title")), text_at(row, "fullurl"), snippet=plain(row.get("extract")), finder=self.name
        )
