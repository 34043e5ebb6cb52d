"""The marks of citations in an answer's text, `[1]`, which documents on the wire leave out."""

from __future__ import annotations

import re

MARK = re.compile(r" ?\[(\d+)\]")


def unmarked(text: str) -> tuple[str, list[int]]:
    """A text without its marks, and for each place in it, the end too, where that stands then."""
    pieces: list[str] = []
    places: list[int] = []
    length = at = 0
    for mark in MARK.finditer(text):
        places.extend(range(length, length + mark.start() - at))
        length += mark.start() - at
        places.extend([length] * (mark.end() - mark.start()))
        pieces.append(text[at : mark.start()])
        at = mark.end()
    places.extend(range(length, length + len(text) - at + 1))
    return "".join([*pieces, text[at:]]), places
