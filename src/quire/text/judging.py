"""What a judge of answers is shown of a sentence: itself, and what stands around it that says what it is about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from quire.text.blocks import ORNAMENT, blocks, columns_over
from quire.text.candidates import ASKS, Candidate, ScoredPassage

TITLE, HEADING, HEAD, COLUMNS, BEFORE = 60, 60, 120, 160, 160


class Shown(NamedTuple):
    """A sentence, a row or a list with what stands over and before it."""

    text: str
    around: str


# How surely each of some texts answers a question: above zero, it rather does.
Judge = Callable[[str, Sequence[Shown]], Sequence[float]]


def to_judge(passage: ScoredPassage, candidate: Candidate) -> Shown:
    """A candidate as a judge is shown it."""
    text = passage.text
    found = blocks(text, passage.language)
    place = next((at for at, block in enumerate(found) if block.end > candidate.start), None)
    over, before = "", ""
    if place is not None:
        block = found[place]
        if block.head is not None:
            over = text[found[block.head].start : found[block.head].end]
            over = "" if ORNAMENT.match(over) else over
        if place and (block.paragraph == found[place - 1].paragraph or ASKS.search(text[: found[place - 1].end])):
            before = text[found[place - 1].start : found[place - 1].end]
    heading = passage.heading.rpartition(" > ")[2]
    around = [
        passage.title[:TITLE],
        heading[:HEADING] if heading.strip("# ") != over.strip("# ") else "",
        over.lstrip("# ")[-HEAD:],
        columns_over(text, candidate.start)[:COLUMNS],
        before[-BEFORE:] if before != over else "",
    ]
    return Shown(text[candidate.start : candidate.end], ". ".join(part for part in around if part))
