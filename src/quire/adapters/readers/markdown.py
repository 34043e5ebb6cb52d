"""Markdown, kept as it is: its headings become marks, its front matter gives the title."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from quire.adapters.readers.draft import Draft
from quire.adapters.readers.failures import reading
from quire.adapters.readers.hygiene import clean
from quire.adapters.readers.limits import Limits
from quire.adapters.readers.text import decode

FRONT = re.compile(r"\A(---|\+\+\+)\n(.*?)\n\1\n", re.DOTALL)
FRONT_TITLE = re.compile(r"""^title\s*[:=]\s*(["']?)(.+?)\1\s*$""", re.MULTILINE | re.IGNORECASE)
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$")
UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
NOT_A_PARAGRAPH = re.compile(r"\s*$| {0,3}([-*+>|#]|\d+[.)]\s)| {4}|\t")
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
EMPHASIS = re.compile(r"(\*\*|__|\*|`)(?=\S)(.+?)(?<=\S)\1")


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
        draft.suggest_title(title[2] if title else None)
    start = len(draft) + (2 if len(draft) else 0)
    draft.block(text)
    for offset, level, label in headings(text, front.end() if front else 0):
        draft.mark_at(start + offset, "heading", label, level)


def headings(text: str, start: int = 0) -> Iterator[tuple[int, int, str]]:
    """Offset, level and plain words of each heading from `start` on; those in code do not count."""
    fence, before, before_at, offset = "", "", start, start
    for line in text[start:].split("\n"):
        shown = line
        mark = FENCE.match(line)
        if fence:
            shown = ""
            if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        elif mark:
            shown, fence = "", mark[1]
        found, underline = HEADING.match(shown), UNDERLINE.match(shown)
        if found and plain(found[2]):
            yield offset, len(found[1]), plain(found[2])
        elif underline and before:
            yield before_at, 1 if underline[1][0] == "=" else 2, before
        before = "" if found or underline or NOT_A_PARAGRAPH.match(shown) else plain(shown)
        before_at = offset
        offset += len(line) + 1


def plain(heading: str) -> str:
    """A heading's words without links, emphasis and code marks."""
    return EMPHASIS.sub(r"\2", LINK.sub(r"\1", heading)).strip()
