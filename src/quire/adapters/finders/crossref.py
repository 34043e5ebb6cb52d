"""Crossref: what has a DOI."""

from __future__ import annotations

from typing import Any

from quire.adapters.finders.service import Access, Service, plain, rows, text_at, told
from quire.domain.errors import InvalidInput
from quire.domain.web_addresses import doi_of
from quire.ports.finders import Found

FIELDS = "DOI,title,abstract,URL,resource"


class Crossref:
    name = "crossref"

    def __init__(self, access: Access) -> None:
        self._service = Service(self.name, "https://api.crossref.org", access, interval=0.5)

    async def find(self, query: str, limit: int, language: str | None) -> list[Found]:
        asked: dict[str, str | int] = {"query.bibliographic": query[:500], "rows": limit, "select": FIELDS}
        if self._service.contact:
            asked["mailto"] = self._service.contact
        answer = await self._service.json("/works", asked)
        try:
            return told(rows(answer, "message", "items"), self._found, limit)
        except InvalidInput:
            raise self._service.strange() from None

    def _found(self, row: dict[str, Any]) -> Found:
        titles = row.get("title")
        title = titles[0] if isinstance(titles, list) and titles else titles
        doi = doi_of(text_at(row, "DOI"))
        url = text_at(row, "resource", "primary", "URL") or text_at(row, "URL") or (doi and f"https://doi.org/{doi}")
        return Found(plain(title), url, snippet=plain(row.get("abstract")), doi=doi, finder=self.name)
