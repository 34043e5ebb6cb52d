"""Quotes: how a cited span is shown in an answer. The citation itself keeps the exact text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quire.domain.passages import PassageHit
from quire.text.blocks import ITEM
from quire.text.check_citations import Claim, Draft

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


def draft_of_quotes(
    hits: Sequence[PassageHit], parts: Sequence[tuple[int, int, int]], support: float, *, together: bool = False
) -> Draft:
    """Quotes, each followed by its number; those of one source make one paragraph where they go `together`.

    A part is the number of a hit, and start and end in the text of its passage.
    """
    text = ""
    claims = []
    for number, (at, start, end) in enumerate(parts, 1):
        passage = hits[at].passage
        quote = quoted(passage.text[start:end])
        beside = together and number > 1 and hits[parts[number - 2][0]].passage.source_id == passage.source_id
        text += "" if not text else " " if beside and "\n" not in quote else "\n\n"
        begin = len(text)
        text += quote
        claims.append(Claim(begin, len(text), at, passage.start + start, passage.start + end, verified=True))
        text += f"\n[{number}]" if "\n" in text[begin:] else f" [{number}]"
    return Draft(text, tuple(claims), support=support)
