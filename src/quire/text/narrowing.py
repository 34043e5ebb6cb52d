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
# A quote may begin or end so many characters beside another of the same sentences: behind the mark of an item.
EDGE = 4
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
    """The draft, but for the part of its first quote that has what is wanted; unchanged where that cannot be told, or
    where it is a part of the last answer as it is."""
    if _leaves_out(draft, task):
        return draft
    hits = [*task.hits, *draft.added]
    pieces = [
        (claim, piece) for claim in draft.claims if (piece := _piece(hits[claim.passage].passage, claim, task, asked))
    ]
    # Of rows each tells its own; of sentences the best is enough.
    rows = all(_is_row(hits[claim.passage].passage, claim) for claim in draft.claims)
    if not pieces or pieces[0][0] != draft.claims[0] or (rows and len(pieces) < len(draft.claims)):
        return draft
    text, claims = "", []
    for number, (claim, (shown, first, last)) in enumerate(pieces if rows else pieces[:1], 1):
        text += "\n" if text else ""
        start = hits[claim.passage].passage.start
        claims.append(
            Claim(len(text), len(text) + len(shown), claim.passage, start + first, start + last, verified=True)
        )
        text += f"{shown} [{number}]"
    return replace(draft, text=text, claims=tuple(claims))


def _piece(passage: Passage, claim: Claim, task: WritingTask, asked: Asked) -> tuple[str, int, int] | None:
    """The part of a quote that has what is wanted, as it is shown and where it stands."""
    start, end = claim.start - passage.start, claim.end - passage.start
    if _is_row(passage, claim):
        return _cell(passage.text, start, end, asked, passage.language)
    typed = _phrase(passage.text, start, end, asked)
    # Whether something is so, no type of words tells.
    return typed if typed and asked.kind != "yes-no" else _judged(passage, start, end, task, asked) or typed


def _is_row(passage: Passage, claim: Claim) -> bool:
    return passage.text.startswith("|", claim.start - passage.start)


def _leaves_out(draft: Draft, task: WritingTask) -> bool:
    """Whether a draft has only some of the sentences that were told."""
    hits = [*task.hits, *draft.added]
    spans = [(hits[claim.passage].passage, claim.start, claim.end) for claim in draft.claims]
    return any(
        not any(one.source_id == source and first <= start + EDGE and end <= last + EDGE for one, first, last in spans)
        for source, start, end in task.told
    )


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
    """The clause that is judged to answer; none where there is but one, or nobody can tell."""
    text = passage.text
    cuts = [start, *(found.end() for found in CLAUSE.finditer(text, start, end)), end]
    pieces = [(first, last) for first, last in pairwise(cuts) if last - first >= SHORTEST]
    if task.judge is None or len(pieces) <= 1:
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
    """The cell of a row under the column that the question names, with the names of both; and where the row stands."""
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
    for at, (name, (first, last)) in enumerate(zip(names, cells, strict=False)):
        if wanted & set(tokens(name, language)):
            row = f"{_plain(text[slice(*cells[0])])}, " if at else ""
            return f"{row}{name}: {_plain(text[first:last])}", start, row_end
    return None


def _plain(piece: str) -> str:
    return quoted(piece).strip(" ,;.")
