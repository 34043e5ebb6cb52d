"""Markdown, kept as it is: its headings become marks, its front matter gives the title."""

from __future__ import annotations

import re
from pathlib import Path

from quire.adapters.readers.draft import Draft
from quire.adapters.readers.failures import reading
from quire.adapters.readers.limits import Limits
from quire.adapters.readers.text import decode
from quire.domain.hygiene import clean
from quire.text.headings import headings

FRONT = re.compile(r"\A(---|\+\+\+)\n(.*?)\n\1\n", re.DOTALL)
FRONT_TITLE = re.compile(r"^title[ \t]*+[:=](.*)", re.MULTILINE | re.IGNORECASE)


def read_markdown(path: Path, limits: Limits) -> Draft:
    draft = Draft(limits)
    with reading("a Markdown file"):
        write_markdown(draft, decode(path.read_bytes()))
    return draft.finish("The file is empty.")


def write_markdown(draft: Draft, text: str) -> None:
    text = clean(text)
    front = FRONT.match(text)
    if front:
        title = FRONT_TITLE.search(front[2])
        draft.suggest_title(_unquoted(title[1].strip()) if title else None)
    start = len(draft) + (2 if len(draft) else 0)
    draft.block(text)
    for offset, level, label in headings(text, front.end() if front else 0):
        draft.mark_at(start + offset, "heading", label, level)


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) > 2 and value[0] == value[-1] and value[0] in "\"'" else value
