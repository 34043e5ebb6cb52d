"""Narrowing: the part of a sentence or a row that answers, where the whole was told before."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from quire.domain.passages import Passage
from quire.text.asked import Asked
from quire.text.check_citations import Claim, Draft
from quire.text.judging import Shown
from quire.text.makers import WritingTask
from quire.text.questions import own_words
from quire.text.quotes import quoted
from quire.text.wanted import DAYS, NUMBER, TIME, WHERE, offers
from quire.text.words import query_tokens, tokens

# Where a sentence can be cut: before what says where, when, by whom, how; and behind a comma.
CUT = re.compile(
    r"(?<=[,;:—–])\s++|(?<!\s)\s++(?=(?:in|at|on|near|under|behind|from|by|with|for|until|after|before|because|since|to|im|am"
    r"|bei|auf|mit|von"
    r"|für|dans|à|chez|sur|par|pour|en|con|por|para|в|на|с|для)\b)",
    re.IGNORECASE,
)
# What parts clauses.
BETWEEN = re.compile(r"[,;:—–]\s++")
# What parts a sentence that tells several things; what is shorter tells nothing.
CLAUSE = re.compile(
    r"[,;:—–]\s++(?!(?:which|who|that)\b)|(?<!\s)\s++(?=(?:and|but|und|aber|et|mais|y|pero)\s)", re.IGNORECASE
)
SHORTEST = 12
# "in June" says when; "in the winter garden" says where.
SHORT = 2
CELL = re.compile(r"[^|\n]+")


def narrowed(draft: Draft, task: WritingTask, asked: Asked) -> Draft:
    """The draft, but for the part of its first quote that has what is wanted; unchanged where that cannot be told."""
    claim = draft.claims[0]
    passage = [*task.hits, *draft.added][claim.passage].passage
    start, end = claim.start - passage.start, claim.end - passage.start
    if passage.text.startswith("|", start):
        found = _cell(passage.text, start, end, asked, passage.language)
    else:
        found = _judged(passage, start, end, task, asked) or _phrase(passage.text, start, end, asked)
    if found is None:
        return draft
    text, first, last = found
    only = Claim(0, len(text), claim.passage, passage.start + first, passage.start + last, verified=True)
    return replace(draft, text=f"{text} [1]", claims=(only,))


def _phrase(text: str, start: int, end: int, asked: Asked) -> tuple[str, int, int] | None:
    """The piece of a sentence that has what is wanted, as it is shown and where it stands."""
    cuts = [start, *(found.end() for found in CUT.finditer(text, start, end)), end]
    known = own_words(asked.query)
    for first, last in pairwise(cuts):
        piece = text[first:last]
        if asked.wanted == "place":
            timed = NUMBER.search(piece) or DAYS.search(piece) or (TIME.search(piece) and len(piece.split()) <= SHORT)
            if not timed and WHERE.match(piece):
                return _clause(text, start, end, first, last)
        elif asked.wanted not in ("thing", "manner") and offers(piece, asked.wanted, known) == 1.0:
            return _clause(text, start, end, first, last)
    return None


def _judged(passage: Passage, start: int, end: int, task: WritingTask, asked: Asked) -> tuple[str, int, int] | None:
    """The clause that is judged to tell whether something is so; none where there is but one, or nobody can tell."""
    text = passage.text
    cuts = [start, *(found.end() for found in CLAUSE.finditer(text, start, end)), end]
    pieces = [(first, last) for first, last in pairwise(cuts) if last - first >= SHORTEST]
    if asked.kind != "yes-no" or task.judge is None or len(pieces) <= 1:
        return None
    shown = [Shown(text[first:last], text[start:end], passage.language) for first, last in pieces]
    verdicts = task.judge(asked.question, asked.language, shown)
    if any(verdict is None for verdict in verdicts):
        return None
    first, last = max(zip(pieces, verdicts, strict=True), key=lambda one: one[1] or 0.0)[0]
    return _plain(text[first:last]), first, last


def _clause(text: str, start: int, end: int, first: int, last: int) -> tuple[str, int, int]:
    """The clause that a piece stands in, as it is shown and where it stands; the piece where that is the whole."""
    before = max((found.end() for found in BETWEEN.finditer(text, start, first)), default=start)
    behind = BETWEEN.search(text, max(first, last - 2), end)
    after = behind.start() if behind else end
    if (before, after) != (start, end):
        first, last = before, after
    return _plain(text[first:last]), first, last


def _cell(text: str, start: int, end: int, asked: Asked, language: str | None) -> tuple[str, int, int] | None:
    """The cell of a row under the column that the question names, with the column's name; and where the row stands."""
    head = start
    while head > 1 and text.startswith("|", above := text.rfind("\n", 0, head - 1) + 1):
        head = above
    if head == start:
        return None
    names = [name.strip(" *`") for name in text[head : text.index("\n", head)].strip().strip("|").split("|")]
    row_end = text.find("\n", start)
    row_end = end if row_end < 0 else min(end, row_end)
    cells = [found.span() for found in CELL.finditer(text, start, row_end)]
    wanted = set(query_tokens(asked.question, [language]))
    for name, (first, last) in zip(names, cells, strict=False):
        if wanted & set(tokens(name, language)):
            return f"{name}: {_plain(text[first:last])}", start, row_end
    return None


def _plain(piece: str) -> str:
    return quoted(piece).strip(" ,;.")
