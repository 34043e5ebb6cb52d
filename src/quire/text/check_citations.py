"""Checks what an answer claims against what it cites.

A draft is an answer whose parts name passages. A part is verified when its own words stand in
what it cites: enough of its content words, and every number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from quire.domain.passages import Passage
from quire.text.sentences import sentences
from quire.text.words import language_of, tokens

NUMBERS = r"\d{1,3}(?:\s*+[,;]\s*+\d{1,3})*+"
MARKER = re.compile(rf"(?:(?<!\s)\s++)?\[({NUMBERS})\]")
# Other ways in which models write a mark, and marks that stand behind a sentence's end instead of before it.
ODD_MARKER = re.compile(rf"[\[【](?:passages?|sources?|\^)?\s*+({NUMBERS})(?:†[^\[\]【】]*+)?[\]】]", re.IGNORECASE)
LATE_MARKERS = re.compile(rf"((?<![.!?…。！？])[.!?…。！？]++[\"'”’)»]*+)((?:[ \t]*+\[{NUMBERS}\])++)")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
ENOUGH = 0.5
# A sentence without a mark is given to the passage that has nearly all of its words, if it says something.
PLAINLY = 0.75
FEW_WORDS = 3
REACH = 2


@dataclass(frozen=True)
class Claim:
    """A part of an answer, and the span of a passage that it rests on (offsets in the source's text)."""

    answer_start: int
    answer_end: int
    passage: int
    start: int
    end: int
    verified: bool


@dataclass(frozen=True)
class Draft:
    """`text` holds `[n]` after each claim; n counts the cited spans in the order of the text.

    `maker` is who wrote it where that is not who was asked; `warnings` say why.
    """

    text: str
    claims: tuple[Claim, ...] = ()
    refused: bool = False
    support: float = 0.0
    maker: str = ""
    warnings: tuple[str, ...] = ()


def draft_of(written: str, passages: Sequence[Passage]) -> Draft:
    """What a language model wrote, with `[n]` for the n-th passage, as a checked draft.

    Marks that name no passage are dropped; a claim that its passage does not bear out is kept, unverified.
    A sentence without a mark gets that of a passage that plainly says the same.
    """
    written = LATE_MARKERS.sub(r"\2\1", ODD_MARKER.sub(r"[\1]", written))
    text: list[str] = []
    length = 0
    claims: list[Claim] = []
    scores: list[float] = []
    for start, end in sentences(written):
        sentence = written[start:end]
        gap = written[_end_before(written, start) : start]
        numbers = [int(number) for mark in MARKER.finditer(sentence) for number in re.findall(r"\d+", mark[1])]
        bare = MARKER.sub("", sentence)
        text.append(gap + bare)
        begin = length + len(gap)
        length += len(gap) + len(bare)
        marks = []
        known = [number - 1 for number in dict.fromkeys(numbers) if 1 <= number <= len(passages)]
        for index in known or _unmarked(bare, passages):
            score, span = best_span(bare, passages[index])
            scores.append(score)
            claims.append(Claim(begin, length, index, *span, verified=score >= ENOUGH))
            marks.append(f"[{len(claims)}]")
        if marks:
            tail = " " + "".join(marks)
            text.append(tail)
            length += len(tail)
    support = sum(scores) / len(scores) if scores else 0.0
    return Draft("".join(text).strip(), tuple(claims), refused=not claims, support=support)


def _unmarked(sentence: str, passages: Sequence[Passage]) -> list[int]:
    """The passage that plainly says what a sentence without a mark does; small models forget the marks."""
    if len(set(tokens(sentence, language_of(sentence)))) < FEW_WORDS:
        return []
    scores = [(support(sentence, passage.text), -index) for index, passage in enumerate(passages)]
    likely = [-index for score, index in sorted(scores, reverse=True) if score >= PLAINLY]
    return [index for index in likely[:REACH] if best_span(sentence, passages[index])[0] >= PLAINLY][:1]


def best_span(claim: str, passage: Passage) -> tuple[float, tuple[int, int]]:
    """The one or two sentences of a passage that bear a claim out best, with the share of its words they hold."""
    spans = sentences(passage.text) or [(0, len(passage.text))]
    best = (-1.0, spans[0])
    for first in range(len(spans)):
        for last in range(first, min(first + REACH, len(spans))):
            span = (spans[first][0], spans[last][1])
            score = support(claim, passage.text[span[0] : span[1]]) - 0.05 * (last - first)
            if score > best[0]:
                best = (score, span)
    score, (start, end) = best
    return score, (passage.start + start, passage.start + end)


def support(claim: str, evidence: str) -> float:
    """The share of a claim's content words that stand in the evidence; 0 when one of its numbers does not."""
    language = language_of(evidence)
    words = set(tokens(claim, language))
    if not words:
        return 0.0
    held = set(tokens(evidence, language))
    if not set(NUMBER.findall(claim)) <= set(NUMBER.findall(evidence)):
        return 0.0
    return len(words & held) / len(words)


def _end_before(text: str, start: int) -> int:
    """Where the white space before a sentence begins."""
    at = start
    while at and text[at - 1].isspace():
        at -= 1
    return at
