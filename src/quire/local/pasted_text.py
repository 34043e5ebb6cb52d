"""A text that somebody pasted, as a source keeps it."""

from __future__ import annotations

import hashlib

from quire import text as text_engine
from quire.domain.headings import first_words


def prepared_text(title: str | None, text: str) -> tuple[text_engine.Prepared, str]:
    """A pasted text as it is kept, and the hash by which it is recognised."""
    document = text_engine.pasted(text)
    name = (title or "").strip() or document.title or first_words(text)
    return text_engine.Prepared(document, name), hashlib.sha256(text.encode()).hexdigest()
