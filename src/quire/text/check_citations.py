"""Checks what an answer claims against what it cites.

A draft is an answer whose parts name passages. A part is verified when what it cites says the same
(`claim_check.py`). What no passage bears out is kept, and marked as such in the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from quire.domain.passages import Passage, PassageHit
from quire.text.claim_check import Fault, fault_of
from quire.text.sentences import sentences
from quire.text.wording import wording
from quire.text.words import language_of, tokens

NUMBERS = r"\d{1,3}(?:\s*+[,;]\s*+\d{1,3})*+"
MARKER = re.compile(rf"(?:(?<!\s)\s++)?\[({NUMBERS})\]")
# Other ways in which models write a mark, and marks that stand behind a sentence's end instead of before it.
ODD_MARKER = re.compile(rf"[\[【](?:passages?|sources?|\^)?\s*+({NUMBERS})(?:†[^\[\]【】]*+)?[\]】]", re.IGNORECASE)
LATE_MARKERS = re.compile(rf"((?<![.!?…。！？])[.!?…。！？]++[\"'”’)»]*+)((?:[ \t]*+\[{NUMBERS}\])++)")
# Where less of a claim's words stands, nothing is compared.
ENOUGH = 0.3
# A sentence without a mark is given to the passage that has nearly all of its words, if it says something.
PLAINLY = 0.75
FEW_WORDS = 3
REACH = 2
# So many sentences in a row may bear out one claim, and so many places of a passage are compared with it.
SENTENCES = 3
PLACES = 6
# What a further sentence costs: the shortest place that says it all is cited.
LONGER = 0.15
# Sentences that claim nothing: what comes next, what the sources do not say, courtesies.
SAYS_NOTHING = re.compile(
    r"[\W_]*+(?:here (?:is|are)\b|in (?:summary|short)\W*+$|(?:i )?hope (?:this|that) helps|let me know\b|sure\b\W*+$"
    r"|(?:yes|no|certainly|of course)\W*+$|(?:the|these|your|given|provided|available)? ?"
    r"(?:sources?|passages?|documents?|texts?|notebook)[^.]{0,60} (?:do(?:es)?|did|is|are) ?n[o']t\b)",
    re.IGNORECASE,
)


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
class Unsupported:
    """A part of an answer that no source bears out; `fault` is what differs, None where it cites nothing."""

    answer_start: int
    answer_end: int
    fault: Fault | None = None


@dataclass(frozen=True)
class Nearby:
    """A span of a passage (offsets in the source's text) that was found near and is no part of the answer."""

    passage: int
    start: int
    end: int


@dataclass(frozen=True)
class Draft:
    """`text` holds `[n]` after each claim; n counts the cited spans in the order of the text.

    A passage is cited by its number among the hits that the draft was written from, and behind them those `added`: what
    was read beyond them. `more` is offered beside the answer. `maker` is who wrote it where that is not who was asked;
    `warnings` say why. Where it is not `sure`, its confidence is not high, however much supports it.
    """

    text: str
    claims: tuple[Claim, ...] = ()
    unsupported: tuple[Unsupported, ...] = ()
    refused: bool = False
    support: float = 0.0
    maker: str = ""
    warnings: tuple[str, ...] = ()
    added: tuple[PassageHit, ...] = ()
    more: tuple[Nearby, ...] = ()
    sure: bool = True


def draft_of(written: str, passages: Sequence[Passage]) -> Draft:
    """What a language model wrote, with `[n]` for the n-th passage, as a checked draft.

    Marks that name no passage are dropped. A sentence without a mark gets that of a passage that plainly says the same.
    Behind one that no passage bears out the text says so.
    """
    written = LATE_MARKERS.sub(r"\2\1", ODD_MARKER.sub(r"[\1]", written))
    doubt = wording(language_of(MARKER.sub("", written))).unsupported
    text: list[str] = []
    length = 0
    claims: list[Claim] = []
    unsupported: list[Unsupported] = []
    scores: list[float] = []
    for start, end in sentences(written):
        sentence = written[start:end]
        gap = written[_end_before(written, start) : start]
        numbers = [int(number) for mark in MARKER.finditer(sentence) for number in re.findall(r"\d+", mark[1])]
        bare = MARKER.sub("", sentence)
        text.append(gap + bare)
        begin = length + len(gap)
        length += len(gap) + len(bare)
        known = [number - 1 for number in dict.fromkeys(numbers) if 1 <= number <= len(passages)]
        checked = [(index, check(bare, passages[index])) for index in known or _unmarked(bare, passages)]
        fault = _fault(bare, [(passages[index], one) for index, one in checked])
        marks = []
        for index, one in checked:
            good = one.fault is None or (fault is None and one.score >= ENOUGH and len(checked) > 1)
            claims.append(Claim(begin, length, index, *one.span, verified=good and not fault))
            marks.append(f"[{len(claims)}]")
        tail = " " + "".join(marks) if marks else ""
        if checked:
            scores.append(0.0 if fault else max(one.score for _, one in checked))
        if fault or (not checked and claims_something(bare)):
            unsupported.append(Unsupported(begin, length, fault))
            tail += " " + doubt
            scores += [] if checked else [0.0]
        text.append(tail)
        length += len(tail)
    support = sum(scores) / len(scores) if scores else 0.0
    return Draft("".join(text).strip(), tuple(claims), tuple(unsupported), refused=not claims, support=support)


def claims_something(sentence: str) -> bool:
    """Whether a sentence says something that sources must bear out: no question, heading, lead-in or courtesy."""
    plain = sentence.strip().rstrip("*_\"'”’)»")
    if not plain or plain.startswith(("#", "```", "|")) or plain.endswith(("?", "？", ":", "：")):
        return False
    if not plain.endswith((".", "!", "…", "。", "！")) and len(tokens(plain, language_of(plain))) < FEW_WORDS:
        return False
    return bool(tokens(plain, language_of(plain))) and SAYS_NOTHING.match(plain) is None


@dataclass(frozen=True)
class Checked:
    """How much of a claim's words a passage holds, where, and what is wrong with the claim."""

    score: float
    span: tuple[int, int]
    fault: Fault | None


def check(claim: str, passage: Passage) -> Checked:
    """A claim beside the sentences of a passage that bear it out, or else come nearest."""
    spans = sentences(passage.text) or [(0, len(passage.text))]
    places = []
    for first in range(len(spans)):
        for last in range(first, min(first + SENTENCES, len(spans))):
            span = (spans[first][0], spans[last][1])
            places.append((support(claim, passage.text[span[0] : span[1]]) - LONGER * (last - first), span))
    places.sort(key=lambda place: -place[0])
    context = f"{passage.source_title} {passage.place.heading or ''}"
    nearest: Checked | None = None
    for score, (start, end) in places[:PLACES]:
        fault: Fault | None = "words" if score < ENOUGH else fault_of(claim, passage.text[start:end], context)
        found = Checked(max(0.0, score), (passage.start + start, passage.start + end), fault)
        if fault is None:
            return found
        nearest = nearest or found
    assert nearest is not None
    return nearest


def _fault(claim: str, checked: Sequence[tuple[Passage, Checked]]) -> Fault | None:
    """What is wrong with a claim that cites these places; several may bear it out together."""
    if not checked or any(one.fault is None for _, one in checked):
        return None
    first = checked[0][1].fault
    if len(checked) == 1:
        return first
    spans = [passage.text[one.span[0] - passage.start : one.span[1] - passage.start] for passage, one in checked]
    return first if fault_of(claim, "\n".join(spans)) else None


def _unmarked(sentence: str, passages: Sequence[Passage]) -> list[int]:
    """The passage that plainly says what a sentence without a mark does; small models forget the marks."""
    if len(set(tokens(sentence, language_of(sentence)))) < FEW_WORDS:
        return []
    scores = [(support(sentence, passage.text), -index) for index, passage in enumerate(passages)]
    likely = [-index for score, index in sorted(scores, reverse=True) if score >= PLAINLY]
    return [index for index in likely[:REACH] if check(sentence, passages[index]).score >= PLAINLY][:1]


def support(claim: str, evidence: str) -> float:
    """The share of a claim's content words that stand in the evidence."""
    language = language_of(evidence)
    words = set(tokens(claim, language))
    held = set(tokens(evidence, language))
    return len(words & held) / len(words) if words else 0.0


def _end_before(text: str, start: int) -> int:
    """Where the white space before a sentence begins."""
    at = start
    while at and text[at - 1].isspace():
        at -= 1
    return at
