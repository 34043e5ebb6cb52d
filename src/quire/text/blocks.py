"""Blocks of a passage: what in it is a sentence, and what is a heading, an item of a list or code.

Only sentences and items are worth quoting by themselves; a heading says what the text below it is about.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from typing import Literal, NamedTuple

from quire.text.sentences import code_spans, sentences

BlockKind = Literal["sentence", "item", "heading", "lead", "code"]

ITEM = re.compile(r"(?:[-*+•‣▪◦·–]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s")
HEADING = re.compile(r"#{1,6}\s")
# Rules of tables and between parts, and pictures by their names only.
ORNAMENT = re.compile(r"[\s|:*_=+~#-]*$|!\[[^\]]*\]$")
ENDED = re.compile(r"[.!?…:;,。！？：؟।][\"'”’»)\]]*$")
TITLE_LENGTH = 80
# "2. Summer regatta": a line with a number and a few words over running text.
NUMBERED_TITLE = re.compile(r"(?:§ ?)?\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,4})[.)](?: [^\s.!?:;|]+){1,8}$")
# All forms and suggestions of an answer look at the same passages.
REMEMBERED = 256
# What goes on in the items under it: a colon, or "Call us at once if you".
LEADING = re.compile(
    r"[:：]$|\b(?:if|when|that|to|and|or|for|with|by|of|you|we|they|must|should|can|may|will|are|is|wenn|dass|sie|wir"
    r"|und|oder|für|mit|si|que|vous|nous|et|ou|pour|avec|usted|y|o|para|con)$",
    re.IGNORECASE,
)


class TextBlock(NamedTuple):
    """`section` counts the headings so far, `paragraph` the paragraphs and items of lists; `head` is the number of the
    heading or lead-in that stands over it."""

    start: int
    end: int
    kind: BlockKind
    section: int
    head: int | None
    paragraph: int = 0


@lru_cache(REMEMBERED)
def blocks(text: str, language: str | None = None) -> tuple[TextBlock, ...]:
    """Every sentence of a passage with what it is, in reading order."""
    spans = sentences(text, language)
    fences = code_spans(text)
    openings = [opening for opening, _ in fences]
    kinds: list[BlockKind] = []
    for start, end in spans:
        fence = bisect_right(openings, start) - 1
        kinds.append("code" if fence >= 0 and start < fences[fence][1] else _kind(text, start, end))
    found: list[TextBlock] = []
    section, paragraph, heading, head = 0, 0, None, None
    for place, (start, end) in enumerate(spans):
        kind = kinds[place]
        if kind == "sentence" and place and found[-1].kind == "item" and "\n" not in text[found[-1].end : start]:
            kind = "item"
        listed = kinds[place + 1 : place + 2] in (["item"], ["code"])
        if kind == "sentence" and listed and LEADING.search(text[start:end]):
            kind = "lead"
        if kind == "heading":
            section += 1
            head = heading = place
        elif kind == "sentence":
            # A lead-in is over where plain text goes on.
            head = heading
        if found and (kind != found[-1].kind or _begins(text, found[-1].end, start, kind)):
            paragraph += 1
        found.append(TextBlock(start, end, kind, section, head if head != place else None, paragraph))
        if kind == "lead":
            head = place
    return tuple(found)


def _begins(text: str, end: int, start: int, kind: BlockKind) -> bool:
    """Whether a block is the first of a paragraph or of an item."""
    lines = text.count("\n", end, start)
    return lines > 1 or (lines == 1 and (kind == "item" or text.startswith((">", "|"), start)))


def _kind(text: str, start: int, end: int) -> BlockKind:
    block = text[start:end]
    if HEADING.match(block) or ORNAMENT.match(block):
        return "heading"
    if len(block) <= TITLE_LENGTH and NUMBERED_TITLE.match(block) and _over_text(text, start, end):
        return "heading"
    if ITEM.match(block):
        return "item"
    # A short line by itself that does not end as sentences do is a title.
    alone = text[max(0, start - 2) : start] in ("", "\n\n") and text[end : end + 2] == "\n\n"
    if alone and len(block) <= TITLE_LENGTH and "\n" not in block and not ENDED.search(block) and block[0] not in "|>":
        return "heading"
    return "sentence"


def _over_text(text: str, start: int, end: int) -> bool:
    """Whether a line has a blank one over it, and under it one that begins as running text does."""
    under = text[end + 1 : end + 3]
    return (
        text[max(0, start - 2) : start] in ("", "\n\n")
        and text[end : end + 1] == "\n"
        and under[:1].isupper()
        and not ITEM.match(text, end + 1)
    )


def columns_over(text: str, row: int) -> str:
    """The first row of the table that a row stands in, which names its columns; empty where it is in none."""
    if not text.startswith("|", row):
        return ""
    while row > 1 and text.startswith("|", above := text.rfind("\n", 0, row - 1) + 1):
        row = above
    return text[row:].partition("\n")[0]
