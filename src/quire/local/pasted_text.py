"""A text that somebody pasted, as a source keeps it."""

from __future__ import annotations

import hashlib

from quire import text as text_engine


def prepared_text(title: str | None, text: str) -> tuple[text_engine.Prepared, str]:
    """A pasted text as it is kept, and the hash by which it is recognised."""
    document = text_engine.pasted(text)
    name = (title or "").strip() or document.title or _first_words(text)
    return text_engine.Prepared(document, name), hashlib.sha256(text.encode()).hexdigest()


def _first_words(text: str) -> str:
    line = text.lstrip()[:1_000].splitlines()[0].lstrip("# ").strip()
    return line if len(line) <= 80 else line[:77].rsplit(" ", 1)[0] + "..."
