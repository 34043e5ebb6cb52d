"""A text that somebody pasted, as a source keeps it."""

from __future__ import annotations

import hashlib

from quire import text as text_engine
from quire.domain.headings import says_nothing


def prepared_text(title: str | None, text: str) -> tuple[text_engine.Prepared, str]:
    """A pasted text as it is kept, and the hash by which it is recognised."""
    document = text_engine.pasted(text)
    name = (title or "").strip() or document.title or first_words(text)
    return text_engine.Prepared(document, name), hashlib.sha256(text.encode()).hexdigest()


def first_words(text: str) -> str:
    """How a text begins, for one that has no other title."""
    lines = [line.lstrip("# ").strip() for line in text.lstrip()[:1_000].splitlines()]
    line = next((line for line in lines if line and not says_nothing(line)), lines[0])
    return line if len(line) <= 80 else line[:77].rsplit(" ", 1)[0] + "..."
