"""arXiv: preprints, told as an Atom feed."""

from __future__ import annotations

import asyncio
import re

from lxml import etree

from quire.adapters.finders.service import Access, Service, plain
from quire.adapters.readers.markup import Element, attribute, child, children, parse_xml
from quire.domain.errors import InvalidInput
from quire.domain.web_addresses import doi_of
from quire.ports.finders import Found
from quire.text.words import tokens

WORD = re.compile(r"\w+")
WORDS = 5


class Arxiv:
    name = "arxiv"

    def __init__(self, access: Access) -> None:
        self._service = Service(self.name, "https://export.arxiv.org", access, interval=3.0)

    async def find(self, query: str, limit: int, language: str | None) -> list[Found]:
        """All telling words must be there; where nothing has them all, any of them."""
        words = [word for word in WORD.findall(query) if len(word) > 2 and tokens(word, language)][:WORDS]
        for joint in (" AND ", " OR "):
            wanted = joint.join(f"all:{word}" for word in words or ["research"])
            found = await self._asked(wanted, limit)
            if found or len(words) < 2:
                return found
        return []

    async def _asked(self, wanted: str, limit: int) -> list[Found]:
        data = await self._service.bytes("/api/query", {"search_query": wanted, "start": 0, "max_results": limit})
        try:
            feed = await asyncio.to_thread(parse_xml, data)
        except (etree.XMLSyntaxError, InvalidInput, ValueError):
            raise self._service.strange() from None
        found = [self._found(entry) for entry in children(feed, "entry")]
        return [one for one in found[:limit] if one.title]

    def _found(self, entry: Element) -> Found:
        links = [one for one in children(entry, "link") if attribute(one, "rel") == "alternate"]
        url = attribute(links[0], "href") if links else _text(child(entry, "id"))
        doi = doi_of(_text(child(entry, "doi")))
        snippet = _text(child(entry, "summary"))
        return Found(_text(child(entry, "title")), url, snippet=snippet, doi=doi, finder=self.name)


def _text(element: Element | None) -> str:
    return "" if element is None else plain("".join(element.itertext()))
