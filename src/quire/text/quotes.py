"""Quotes: how a cited span is shown in an answer. The citation itself keeps the exact text."""

from __future__ import annotations

import re

from quire.text.blocks import ITEM

# A source's own marks of reference would be taken for the answer's.
REFERENCE = re.compile(r"\s?\[(?:\d{1,3}(?:[,–-]\s?\d{1,3})*|[a-z]|note \d{1,3}|citation needed)\]")
FENCE = ("```", "~~~")


def quoted(text: str) -> str:
    """A span as it reads best: on one line, without marks of reference; lists, tables and code keep their lines."""
    if any(line.lstrip().startswith(FENCE) for line in text.splitlines()):
        return text
    lines = [" ".join(REFERENCE.sub("", line).split()) for line in text.splitlines()]
    lines = [line for line in lines if line]
    if len(lines) > 1 and any(ITEM.match(line) or line.startswith("|") for line in lines[1:]):
        return "\n".join(lines)
    whole = " ".join(lines)
    mark = ITEM.match(whole)
    return whole[mark.end() :].lstrip() if mark else whole
