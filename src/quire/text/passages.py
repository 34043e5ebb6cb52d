"""Cutting a document into passages: the spans that are searched and cited.

A passage is a run of whole sentences of one page, slide, sheet or chapter. Where to cut is a matter
of cost: passages should be of one size, and a cut is cheap before a heading, dear inside a paragraph
and dearest inside code.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from itertools import pairwise

from quire.domain.documents import Document
from quire.text.sentences import Span, code_spans, sentences
from quire.text.words import language_code, language_of

SIZE, LIMIT = 1_000, 1_200
# A character says more in these: half as many fill a passage.
DENSE, DENSE_SIZE, DENSE_LIMIT = frozenset({"zh", "ja", "ko"}), 500, 600
TOP_LEVEL = 2
SHORT, MOST_UNITS = 80, 60

INSIDE_CODE, INSIDE_PARAGRAPH, BETWEEN_LINES, BETWEEN_PARAGRAPHS, BEFORE_HEADING = 2.0, 0.3, 0.1, 0.0, -0.3
AFTER_HEADING = 1.0


def passage_spans(document: Document) -> list[Span]:
    """Start and end of each passage, in order; every character that is not blank is in exactly one."""
    text = document.text
    language = language_code(document.language) or language_of(text)
    size, limit = (DENSE_SIZE, DENSE_LIMIT) if language in DENSE else (SIZE, LIMIT)
    units = [piece for unit in sentences(text, language) for piece in _pieces(text, unit, limit)]
    starts = [start for start, _ in units]
    headings: dict[int, int] = {}
    edges = {0, len(units)}
    for mark in document.marks:
        index = bisect_left(starts, mark.offset)
        if mark.kind == "heading":
            headings[index] = mark.level
        elif mark.kind != "time":
            edges.add(index)
    # A heading right under another one stays with it.
    edges |= {index for index, level in headings.items() if level <= TOP_LEVEL and index - 1 not in headings}
    costs = _costs(text, units, headings)
    found: list[Span] = []
    for first, last in pairwise(sorted(edges)):
        found += [(units[a][0], units[b - 1][1]) for a, b in _packed(units, costs, first, last, size, limit)]
    return found


def _costs(text: str, units: list[Span], headings: dict[int, int]) -> list[float]:
    """What it costs to cut before each unit."""
    fenced = code_spans(text)
    openings = [opening for opening, _ in fenced]
    costs = [0.0]
    for index in range(1, len(units)):
        between = text[units[index - 1][1] : units[index][0]]
        at = bisect_right(openings, units[index][0]) - 1
        if at >= 0 and openings[at] < units[index][0] < fenced[at][1]:
            costs.append(INSIDE_CODE)
        elif index - 1 in headings:
            costs.append(AFTER_HEADING)
        elif index in headings:
            costs.append(BEFORE_HEADING)
        elif between.count("\n") > 1:
            costs.append(BETWEEN_PARAGRAPHS)
        else:
            costs.append(BETWEEN_LINES if "\n" in between else INSIDE_PARAGRAPH)
    return costs


def _packed(units: list[Span], costs: list[float], first: int, last: int, size: int, limit: int) -> list[Span]:
    """The cheapest way to pack units `first` to `last` into passages, as runs of unit numbers."""
    if units[last - 1][1] - units[first][0] <= limit:
        return [(first, last)]
    cuts = _cuts(units, costs, first, last, limit)
    best = [0.0]
    back = [0]
    for end in range(1, len(cuts)):
        stop, least, chosen = units[cuts[end] - 1][1], float("inf"), end - 1
        for start in range(end - 1, max(-1, end - 1 - MOST_UNITS), -1):
            length = stop - units[cuts[start]][0]
            if length > limit and start < end - 1:
                break
            cost = best[start] + ((length - size) / size) ** 2 + (costs[cuts[start]] if start else 0.0)
            if cost < least:
                least, chosen = cost, start
        best.append(least)
        back.append(chosen)
    runs = []
    end = len(cuts) - 1
    while end:
        runs.append((cuts[back[end]], cuts[end]))
        end = back[end]
    return runs[::-1]


def _cuts(units: list[Span], costs: list[float], first: int, last: int, limit: int) -> list[int]:
    """The units before which a cut is considered: not between short ones, so that long lists cost little time."""
    cuts = [first]
    for index in range(first + 1, last):
        start, end = units[index]
        begun = units[cuts[-1]][0]
        if start - begun >= SHORT or end - begun > limit // 2 or costs[index] < 0:
            cuts.append(index)
    return [*cuts, last]


def _pieces(text: str, unit: Span, limit: int) -> list[Span]:
    """A sentence, cut between words where it is longer than a passage may be."""
    start, end = unit
    pieces = []
    while end - start > limit:
        half = start + limit // 2
        cut = max(text.rfind(space, half, start + limit) for space in (" ", "\n", "\t"))
        if cut < 0:
            cut = start + limit
            while cut > half and unicodedata.category(text[cut])[0] == "M":
                cut -= 1
        pieces.append((start, start + len(text[start:cut].rstrip())))
        start = cut
        while text[start].isspace():
            start += 1
    pieces.append((start, end))
    return pieces
