"""Headings of Markdown text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quire.domain.markdown_headings import atx

FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
UNDERLINE = re.compile(r" {0,3}(=++|-{2,}+)[ \t]*+$")
NOT_A_PARAGRAPH = re.compile(r"\s*$| {0,3}([-*+>|#]|\d+[.)]\s)| {4}|\t")
LINK = re.compile(r"!?\[([^\[\]]*+)\]\([^()]*+\)")
# A longer line is no heading; it is also what keeps the time that emphasis takes in bounds.
LONGEST = 500
EMPHASIS = re.compile(r"(\*\*|__|\*|`)(?=\S)(.+?)(?<=\S)\1")


def headings(text: str, start: int = 0) -> Iterator[tuple[int, int, str]]:
    """Offset, level and plain words of each heading from `start` on; those in code do not count."""
    fence, before, before_at, offset = "", "", start, start
    for line in text[start:].split("\n"):
        shown = line if len(line) <= LONGEST else ""
        mark = FENCE.match(line)
        if fence:
            shown = ""
            if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        elif mark:
            shown, fence = "", mark[1]
        found, underline = atx(shown), UNDERLINE.match(shown)
        if found and plain(found[1]):
            yield offset, found[0], plain(found[1])
        elif underline and before:
            yield before_at, 1 if underline[1][0] == "=" else 2, before
        before = "" if found or underline or NOT_A_PARAGRAPH.match(shown) else plain(shown)
        before_at = offset
        offset += len(line) + 1


def plain(heading: str) -> str:
    """A heading's words without links, emphasis and code marks."""
    return EMPHASIS.sub(r"\2", LINK.sub(r"\1", heading)).strip()
