"""Notes as the page's templates show them."""

from __future__ import annotations

import re
from typing import Any

from quire.domain.notes import Note, folded_span

EXCERPT = 280
BEFORE = 80
# A run of blanks is only tried from its beginning; from anywhere in it, long runs would take their length squared.
LINE_ENDS = re.compile(r"(?<!\s)\s*\n\s*")


def shown_note(note: Note, asked: str = "") -> dict[str, Any]:
    """A note as the page shows it: texts in pieces, each with whether it is what was searched for."""
    return {
        "id": note.id,
        "short_id": note.short_id,
        "name": note.title,
        "title": _pieces(note.title, asked),
        "excerpt": _pieces(note.content, asked, EXCERPT),
        "at": note.created_at.isoformat(),
        "time": f"{note.created_at:%Y-%m-%d %H:%M} UTC",
        "mark": str(note.revision),
    }


def _pieces(text: str, asked: str, length: int = 0) -> list[tuple[str, bool]]:
    """Without a length all of it; with one, so much of it around what was searched for, without empty lines."""
    if length:
        text = text.strip()
    start, size = (folded_span(text, asked) if asked else None) or (0, 0)
    left, right = 0, len(text)
    if length:
        left = max(0, start - BEFORE)
        if left:
            left = start - len(text[left:start].partition(" ")[2] or text[left:start])
        right = max(start + size, min(right, left + length))
    pieces = [
        ("… " if left else "", False),
        (text[left:start], False),
        (text[start : start + size], True),
        (text[start + size : right], False),
        (" …" if right < len(text) else "", False),
    ]
    if length:
        pieces = [(LINE_ENDS.sub("\n", piece), marked) for piece, marked in pieces]
    return [(piece, marked) for piece, marked in pieces if piece]
