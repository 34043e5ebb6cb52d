"""The names of a source's sections, as an overview lists them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quire.domain.documents import Mark
from quire.text.telling_words import EMPTY_HEADING

LONGEST = 80
NUMBERING = re.compile(
    r"^(?:\(?(?:\d+(?:\.\d+)*|[a-z](?=[.):])|[ivx]+(?=[.):]))[.):]?\s+|§\s*\d+\s*)(?=[^\W\d_])", re.IGNORECASE
)


def section_names(marks: Sequence[Mark], titles: Sequence[str]) -> list[str]:
    """The headings of the highest levels that have several, without numbers, titles and empty ones; else none."""
    known = {title.casefold() for title in titles}
    found = [
        (mark.level, name)
        for mark in marks
        if mark.kind == "heading" and (name := NUMBERING.sub("", mark.label, count=1).strip())
        if len(name) <= LONGEST and not EMPTY_HEADING.match(name) and name.casefold() not in known
    ]
    for most in sorted({level for level, _ in found}):
        names = list(dict.fromkeys(name for level, name in found if level <= most))
        if len(names) > 1:
            return names
    return []
