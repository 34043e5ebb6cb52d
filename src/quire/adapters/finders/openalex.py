"""OpenAlex: papers and books of all fields."""

from __future__ import annotations

from typing import Any

from quire.adapters.finders.service import LONGEST_SNIPPET, Access, Service, plain, rows, text_at, told
from quire.domain.errors import InvalidInput
from quire.domain.web_addresses import doi_of
from quire.ports.finders import Found

FIELDS = "id,doi,display_name,primary_location,best_oa_location,abstract_inverted_index"
MOST_WORDS = 600


class OpenAlex:
    name = "openalex"

    def __init__(self, access: Access) -> None:
        self._service = Service(self.name, "https://api.openalex.org", access, interval=0.2)

    async def find(self, query: str, limit: int, language: str | None) -> list[Found]:
        asked: dict[str, str | int] = {"search": query[:500], "per-page": limit, "select": FIELDS}
        if self._service.contact:
            asked["mailto"] = self._service.contact
        answer = await self._service.json("/works", asked)
        try:
            return told(rows(answer, "results"), self._found, limit)
        except InvalidInput:
            raise self._service.strange() from None

    def _found(self, row: dict[str, Any]) -> Found:
        """What can be read by everyone comes before the address of the DOI."""
        places = (("best_oa_location", "landing_page_url"), ("doi",), ("primary_location", "landing_page_url"), ("id",))
        url = next((found for place in places if (found := text_at(row, *place))), None)
        snippet = abstract(row.get("abstract_inverted_index"))
        return Found(
            plain(row.get("display_name")), url, snippet=snippet, doi=doi_of(text_at(row, "doi")), finder=self.name
        )


def abstract(index: Any) -> str:
    """An abstract that is told as the places of each of its words."""
    if not isinstance(index, dict):
        return ""
    words: dict[int, str] = {}
    for word, places in index.items():
        for place in places if isinstance(places, list) else ():
            if isinstance(place, int) and 0 <= place < MOST_WORDS:
                words[place] = str(word)
    return plain(" ".join(words[place] for place in sorted(words)))[:LONGEST_SNIPPET]
