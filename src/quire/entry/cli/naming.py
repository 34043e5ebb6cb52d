"""Notebooks by the names that people give them."""

from __future__ import annotations

import re

from quire.api.library import Library
from quire.domain.errors import InvalidInput

UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


async def notebook_named(library: Library, name: str | None) -> str | None:
    """The id of a notebook that was given by its id or its title; what is neither is left for others to refuse."""
    if name is None or UUID.fullmatch(name):
        return name
    found = []
    cursor = None
    while True:
        page = await library.notebooks.list(limit=1_000, cursor=cursor)
        found += [one for one in page if one.title.casefold() == name.strip().casefold()]
        cursor = page.cursor
        if cursor is None:
            break
    if len(found) > 1:
        raise InvalidInput(
            f"There are {len(found)} notebooks of that title.", hint=f"Ids: {', '.join(one.id for one in found)}."
        )
    return found[0].id if found else name
