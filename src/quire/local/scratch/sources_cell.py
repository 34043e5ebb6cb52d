"""The texts of a notebook's sources as a cell: what runs in cells cannot reach the library, so they are put there."""

from __future__ import annotations

import json
from collections.abc import Sequence

from quire.api.sources import Sources
from quire.domain.cells import Cell, Sheet
from quire.domain.errors import InvalidInput, NotFound
from quire.domain.sources import Source

FILE_NAME = "sources.py"
HEAD = "# The sources of a notebook, as they were when this was made; `characters` is how long each is there.\n"
MOST_SOURCES = 50
# Of all texts together. Written as JSON one of them takes six characters at most, and a cell holds a million.
MOST_CHARACTERS = 150_000
LONGEST_TITLE = 200
EXAMPLE_ONLY = "It works on an example; `sources_of` names a notebook whose sources it shall have instead."
NAMED = 3


async def with_sources(sheet: Sheet, sources: Sources, notebook_id: str) -> Sheet:
    """The sheet with the texts of a notebook's sources: in the place of its example, or before all else.

    `sources` are the guarded capabilities of whoever asks, so nobody gets what they may not read.
    """
    found = await sources.list(notebook_id, limit=MOST_SOURCES)
    read = [source for source in found if source.version]
    each = fair_share([source.characters for source in read], MOST_CHARACTERS)
    kept = []
    for source in read:
        try:
            text = await sources.get_fulltext(notebook_id, source.id, limit=max(1, each))
        except NotFound:
            continue
        title = source.title[:LONGEST_TITLE]
        kept.append({"id": source.id, "title": title, "characters": text.characters, "text": text.text})
    if not kept:
        raise InvalidInput(
            "sources_of: the notebook has no source that has been read.",
            hint="Add one, or wait until it is read.",
            field="sources_of",
        )
    # JSON of texts and numbers is Python too, as long as it is not written in surrogates.
    cell = Cell(
        type="code", filename=FILE_NAME, source=f"{HEAD}SOURCES = {json.dumps(kept, ensure_ascii=False, indent=4)}"
    )
    cells = [cell if one.filename == FILE_NAME else one for one in sheet.cells]
    warnings = left_out(found.items, found.total, each)
    return sheet.model_copy(update={"cells": cells if cell in cells else [cell, *cells], "warnings": warnings})


def fair_share(lengths: Sequence[int], most: int) -> int:
    """How long each text may be, so that all of them fit: what short ones leave goes to the others."""
    left = most
    for number, length in enumerate(sorted(lengths)):
        share = left // (len(lengths) - number)
        if length > share:
            return share
        left -= length
    return most


def left_out(sources: Sequence[Source], total: int, each: int) -> list[str]:
    """What a reader of the cell has to know."""
    warnings = []
    if cut := [source for source in sources if source.version and source.characters > each]:
        warnings.append(f"Only the first {each:,} characters are there of {named(cut)}.")
    if unread := [source for source in sources if not source.version]:
        warnings.append(f"Left out, since they have no text: {named(unread)}.")
    if total > len(sources):
        warnings.append(f"Left out: all but the first {len(sources)} of {total} sources.")
    return warnings


def named(sources: Sequence[Source]) -> str:
    more = f" and {len(sources) - NAMED} more" if len(sources) > NAMED else ""
    return ", ".join(f"'{source.title[:LONGEST_TITLE]}'" for source in sources[:NAMED]) + more
