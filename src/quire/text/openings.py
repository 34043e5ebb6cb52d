"""Openings: the parts of a text that tell what it is: its title, the sentence that says so, the head of its table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from quire.domain.headings import says_nothing
from quire.text.blocks import ENDED, HEADING, ITEM, ORNAMENT, TextBlock, blocks
from quire.text.headings import LONGEST as LONGEST_HEADING
from quire.text.headings import plain
from quire.text.questions import meaning_of
from quire.text.section_names import NUMBERING
from quire.text.telling_words import (
    ABOUT_ITSELF,
    BOILERPLATE,
    EMPTY_HEADING,
    IN_THIS,
    LABEL,
    PLEASE,
    POINTING_BACK,
    PURPOSE,
    SUBJECT,
)
from quire.text.words import is_piece, tokens

SHORTEST, LONGEST = 24, 420
# Languages whose characters say more need fewer of them.
DENSE_SHORTEST = 9
FEWEST_WORDS = 4
TITLE_LENGTH = 120
MOST_DIGITS = 0.2
# So many sentences from the beginning are weighed.
WEIGHED = 40
# What speaks for a sentence, and against it.
SAYS_PURPOSE, DEFINES_TITLE, DEFINES, UNDER_TITLE, ABOUT_SECTION, TITLE_WORDS = 3.0, 3.0, 0.7, 1.2, 1.0, 1.5
LATER, UNENDED, QUESTION, BACK, LONG, FIRST_PERSON, ASKS = 0.12, 1.2, 1.5, 1.0, 0.5, 0.5, 1.0
LONG_SENTENCE = 260
SURE = 2.0
SUBJECT_LINES = 12
# What is defined has no longer name.
SUBJECT_WORDS = 8
FIRST_LINE = 160
# So much of a text in rows makes it a table.
MOSTLY = 0.6
ROW = re.compile(r"\|.*\|$")
RULE = re.compile(r"[\s|:-]+$")
CELL = re.compile(r"(?<!\\)\|")
NUMERIC = re.compile(r"[\W\d_]*$")
# Sentences of the same sources are looked at again for each artifact, and for their beginnings.
REMEMBERED = 4096
FIRST_PERSONS = re.compile(r"(?:i|my|ich|je|yo|я)\b|我", re.IGNORECASE)


class Span(NamedTuple):
    """From `start` to `end` in the `at`th text."""

    at: int
    start: int
    end: int


@dataclass(frozen=True)
class Opening:
    """`title` is the heading a text has for itself, `telling` its sentences that may tell what it is, best first.

    `sure` says that the best one does. `rows` are the head of its main table and what stands as a title over it, and
    `tabular` says that it is hardly more than tables. `first` is its first line, whatever that is.
    """

    title: Span | None
    telling: tuple[Span, ...]
    sure: bool
    rows: tuple[Span, ...]
    tabular: bool
    first: Span | None


class _Line(NamedTuple):
    """A block with what it says and what it stands under."""

    span: Span
    block: TextBlock
    text: str
    heading: str


def opening_of(texts: Sequence[str], name: str, language: str | None) -> Opening:
    """What the first texts of a source tell of it; `name` is what the source is called."""
    lines = list(_lines(texts, language))
    prose = [line for line in lines if line.block.kind in ("sentence", "lead", "heading") and is_telling(line.text)]
    title = _title(lines)
    called = set(tokens(f"{name} {plain_line(title.text) if title else ''}", language))
    weighed = sorted(
        (
            (_worth(line, place, title, called, language), -place, line.span)
            for place, line in enumerate(prose[:WEIGHED])
            if title is None or line.span != title.span
        ),
        reverse=True,
    )
    in_rows = sum(len(line.text) for line in lines if line.text.startswith("|"))
    return Opening(
        title.span if title else None,
        tuple(_from_first_word(span, texts) for worth, _, span in weighed if worth > 0),
        bool(weighed) and weighed[0][0] >= SURE,
        tuple(_table_rows(lines)),
        in_rows > MOSTLY * sum(len(line.text) for line in lines),
        next(
            (line.span for line in lines if not (ORNAMENT.match(line.text) or says_nothing(plain_line(line.text)))),
            None,
        ),
    )


def _from_first_word(span: Span, texts: Sequence[str]) -> Span:
    """A sentence of a text's first line with what stands there before it: "Minutes, 6 May, 13:30. Taken by Ann."."""
    before = texts[0][: span.start].lstrip()
    if span.at or not before or "\n" in before or before[0] in "#|" or span.end > FIRST_LINE:
        return span
    return Span(0, texts[0].index(before), span.end)


def is_telling(written: str) -> bool:
    """Whether a line is prose that can tell something: no row, no label, no menu, no caption."""
    return DENSE_SHORTEST <= len(written) <= LONGEST and _tells(written)


@lru_cache(maxsize=REMEMBERED)
def _tells(written: str) -> bool:
    dense = is_piece(written[:1])
    if (not dense and len(written) < SHORTEST) or written[0] in "|!>[(#<`$":
        return False
    if not dense and len(written.split()) < FEWEST_WORDS:
        return False
    if sum(map(str.isdigit, written)) > MOST_DIGITS * len(written) or ITEM.match(written):
        return False
    return not (LABEL.match(written) or BOILERPLATE.search(written) or "://" in written)


def plain_line(written: str) -> str:
    """A heading's words, without its marks."""
    return plain(HEADING.sub("", written[:LONGEST_HEADING], count=1)).strip(" #:*_")


def cells(row: str) -> list[str]:
    """What stands in the cells of a row."""
    return [cell.strip().replace("\\|", "|") for cell in CELL.split(row.strip()[1:-1])]


def _lines(texts: Sequence[str], language: str | None) -> Iterator[_Line]:
    heading = ""
    for at, text in enumerate(texts):
        for block in blocks(text, language):
            written = text[block.start : block.end]
            quoted = text.startswith(">", text.rfind("\n", 0, block.start) + 1)
            if block.kind != "code" and not quoted:
                yield _Line(Span(at, block.start, block.end), block, written, heading)
            if HEADING.match(written):
                heading = plain_line(written)


def _title(lines: Sequence[_Line]) -> _Line | None:
    """The first heading that says something, where no prose stands before it; else a letter's subject, else the first
    line if it is short and no sentence."""
    for line in lines:
        if line.text.startswith("#") and _says_something(line):
            return line
        if line.text.startswith("|") or (
            line.block.kind != "heading" and is_telling(line.text) and ENDED.search(line.text)
        ):
            break
    subject = next((line for line in lines[:SUBJECT_LINES] if SUBJECT.match(line.text)), None)
    if subject is not None:
        return subject
    first = next((line for line in lines if line.text[0] != "#" and not ORNAMENT.match(line.text)), None)
    if first is not None and first.text[0] not in "|-*>" and _says_something(first):
        return _with_second(first, lines)
    return next((line for line in lines if line.text.startswith("# ") and _says_something(line)), None)


def _with_second(first: _Line, lines: Sequence[_Line]) -> _Line:
    """A title with the line right under it where that is a title, too: who writes, and then what it is."""
    under = next(
        (line for line in lines if line.span.at == first.span.at and line.span.start == first.span.end + 1), None
    )
    if under is None or not _says_something(under):
        return first
    span = Span(first.span.at, first.span.start, under.span.end)
    return first._replace(span=span, text=f"{first.text}\n{under.text}")


def _says_something(line: _Line) -> bool:
    """Whether a line is a title in words of its own: no sentence, no number of a page, no name of a menu."""
    if ORNAMENT.match(line.text) or len(line.text) > TITLE_LENGTH or line.block.kind in ("item", "lead", "code"):
        return False
    if not line.text.startswith("#") and ENDED.search(line.text):
        return False
    words = NUMBERING.sub("", plain_line(line.text), count=1)
    if any(pattern.match(words) for pattern in (EMPTY_HEADING, ABOUT_ITSELF, NUMERIC)) or BOILERPLATE.search(words):
        return False
    if says_nothing(words):
        return False
    return words[0] not in "![|<" and (line.text.startswith("#") or not LABEL.match(words + " "))


def _worth(line: _Line, place: int, title: _Line | None, called: set[str], language: str | None) -> float:
    """How far a sentence tells what the whole is."""
    subject, said = meaning_of(line.text)
    about = set(tokens(subject, language))
    words = set(tokens(line.text, language))
    worth = 1.0 - LATER * place
    if PURPOSE.match(line.text) or IN_THIS.search(line.text):
        worth += SAYS_PURPOSE
    if about and about <= called and said == "kind":
        worth += DEFINES_TITLE
    elif about and said == "kind" and "," not in subject and len(subject.split()) <= SUBJECT_WORDS:
        worth += DEFINES
    if title is not None and line.heading and line.heading == plain_line(title.text):
        worth += UNDER_TITLE
    if ABOUT_ITSELF.match(line.heading):
        worth += ABOUT_SECTION
    worth += TITLE_WORDS * len(called & words) / (len(called) or 1)
    worth -= UNENDED * (not ENDED.search(line.text) or line.text.endswith((":", ",", ";", "：")))
    worth -= ASKS * bool(PLEASE.match(line.text))
    worth -= QUESTION * line.text.endswith(("?", "？"))
    worth -= BACK * bool(POINTING_BACK.match(line.text))
    worth -= FIRST_PERSON * bool(FIRST_PERSONS.match(line.text))
    return worth - LONG * (len(line.text) > LONG_SENTENCE)


def _table_rows(lines: Sequence[_Line]) -> Iterator[Span]:
    """The title over the first table, where it has one, and the head of the longest."""
    tables: list[list[_Line]] = []
    for line in lines:
        if not ROW.match(line.text) or "\n" in line.text:
            continue
        last = tables[-1][-1].span if tables else None
        if last is not None and last.at == line.span.at and line.span.start - last.end <= 1:
            tables[-1].append(line)
        else:
            tables.append([line])
    told = [[line for line in table if not RULE.match(line.text)] for table in tables]
    told = [table for table in told if table]
    if not told:
        return
    longest = max(told, key=len)
    if is_head(longest[0].text):
        first = told[0][0]
        if first is not longest[0] and len([cell for cell in cells(first.text) if cell]) == 1:
            yield first.span
        yield longest[0].span
    else:
        row = next((line for line in told[0] if any(not NUMERIC.match(cell) for cell in cells(line.text))), None)
        if row is not None:
            yield row.span


def is_head(row: str) -> bool:
    """Whether a row names columns: all but the first have words, and none is a number."""
    named = cells(row)
    return len(named) > 1 and all(named[1:]) and not any(cell and NUMERIC.match(cell) for cell in named)
