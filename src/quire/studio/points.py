"""Points: the sentences and items of a source that can be quoted by themselves, and its tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from quire.domain.documents import Document
from quire.domain.grounding import Statement
from quire.studio.source_text import SourceText, heading_of, shown
from quire.text.openings import is_telling
from quire.text.questions import meaning_of
from quire.text.sentences import Span, sentences
from quire.text.structure.parts import ItemList, Part, Prose, Section, Table
from quire.text.structure.scan import parts_of
from quire.text.structure.tables import filled, row_of
from quire.text.telling_words import EMPTY_HEADING, PLEASE, POINTING_BACK
from quire.text.words import is_piece, language_of, tokens

# A longer text is read in so many windows, spread evenly over it.
WINDOWS = 20
WHOLE_SENTENCE = re.compile(r"[.!…。！][\"'”’»)\]]*$")
BEGINS = re.compile(r"[\"'“‘«„(]?[^\W_a-zà-öø-ÿ]")
# What leans on something that stands elsewhere.
LEANING = re.compile(
    r"\b(?:above|below|aforementioned|foregoing|previous(?:ly)?|following|the latter|the former|as follows|next section"
    r"|(?:see|cf\.|siehe|voir|véase) (?:also|section|chapter|page|table|figure|auch|abschnitt|kapitel|seite)"
    r"|this (?:section|chapter|page|table|figure|example)|obige?[nrs]?|folgende[nrs]?|ci-dessus|ci-dessous|siguientes?"
    r"|(?:in|on) the other hand|in (?:table|figure|fig|section))\b"
    # "Divided among several families, they are ...": of something named before.
    r"|^[^,]{0,90}, (?:they|it|he|she|this|these|we|er|sie|es|il|elle|ils)\b",
    re.IGNORECASE,
)
# References, credits, addresses: what a text rests on rather than what it says.
CITING = re.compile(
    r"\bretrieved\b|\barchived\b|\bpp?\. ?\d|\bet al\b|\bvol\. ?\d|\bISBN\b|\bissue \d|\bpublisher\b|@|\bhttps?:"
    r"|\bwww\.",
    re.IGNORECASE,
)
POINTING_ON = re.compile(
    r"(?:this|these|those|here|there|for example|for instance|in addition|furthermore|moreover|additionally|similarly"
    r"|likewise|instead|otherwise|consequently|as a result|in contrast|by contrast|on the other hand|finally"
    r"|first(?:ly)?|second(?:ly)?|third(?:ly)?|another|both|neither|either|one of (?:them|these)|some of (?:them|these)"
    r"|we|our|i|my|you|your|zudem|außerdem|ferner|ebenso|dabei|dadurch|dies|dort|hier|wir|ich|sie"
    r"|de plus|en outre|ainsi|ceci|cela|nous"
    r"|además|también|así|esto|eso|nosotros)\b",
    re.IGNORECASE,
)
# What begins a clause that says when or although, and names nothing.
SUBORDINATE = re.compile(
    r"(?:while|when|whenever|if|unless|although|though|because|since|as|until|where|whereas|während|wenn|weil|obwohl"
    r"|als|da|quand|lorsque|si|bien que|comme|cuando|aunque|mientras|porque|como)\b",
    re.IGNORECASE,
)
# Whoever speaks for themselves is not to be quoted as if the matter were settled.
PERSONAL = re.compile(
    r"\b(?:i|we|our|my|us|you|your|ich|wir|unsere?|nous|notre|nos|nosotros|nuestr[oa]s?)\b", re.IGNORECASE
)
BROKEN_OFF = re.compile(r"^[^'’]*\.['’]$")
FEWEST_WORDS = 5
LONGEST = 320
FEWEST_ROWS, MOST_CELLS = 2, 12
ITEM_WORDS = 3
ANY_LINES = 60
# Their first lines say from whom, to whom and about what.
MAILS = ("email", "outlook")
LETTER = re.compile(r"[^\W\d_]{2}|[\u3040-\u9fff]")


@dataclass(frozen=True)
class Point:
    """A span that can be quoted by itself. `path` are the headings it stands under, the outermost first."""

    source: SourceText
    start: int
    end: int
    path: tuple[str, ...]
    item: bool = False
    opens: bool = False

    @cached_property
    def text(self) -> str:
        return shown(self.source.text[self.start : self.end])

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(tokens(self.text, self.source.language))

    @cached_property
    def defines(self) -> str:
        """What the sentence says the kind of, if it does."""
        subject, said = meaning_of(self.text)
        subject = subject.strip(" ,;:\"'“”")
        leans = POINTING_ON.match(subject) or SUBORDINATE.match(subject)
        return subject if said == "kind" and 0 < len(subject.split()) <= 6 and not leans else ""

    @cached_property
    def personal(self) -> bool:
        return PERSONAL.search(self.text) is not None

    @cached_property
    def statement(self) -> Statement:
        return self.source.statement(self.start, self.end)


@dataclass(frozen=True)
class TableRow:
    start: int
    end: int
    cells: tuple[Span, ...]


@dataclass(frozen=True)
class SourceTable:
    """A table of a source that names its columns."""

    source: SourceText
    path: tuple[str, ...]
    caption: str
    heads: tuple[str, ...]
    rows: tuple[TableRow, ...]

    def said(self, cell: Span) -> str:
        return shown(self.source.text[slice(*cell)].replace("\\|", "|"))

    @cached_property
    def key(self) -> int:
        """The column that names the rows: the first whose values are words, each of another row."""
        for column in range(len(self.heads)):
            values = [self.said(row.cells[column]) for row in self.rows]
            told = [value for value in values if value]
            worded = sum(any(letter.isalpha() for letter in value) for value in told)
            if len(told) * 2 > len(values) and worded * 2 > len(told) and len(set(told)) == len(told):
                return column
        return 0

    def row_statement(self, row: TableRow) -> Statement:
        """A row as one says it: its first cell, then the others by the names of their columns."""
        values = [self.said(cell) for cell in row.cells]
        named = [f"{head}: {value}" for head, value in zip(self.heads[1:], values[1:], strict=False) if head and value]
        text = f"{values[0]} – {'; '.join(named)}" if values[0] else "; ".join(named)
        return Statement(text=text, grounds=[self.source.grounds(row.start, row.end)])


@dataclass(frozen=True)
class SourceList:
    """A list of a source with the sentence or heading that introduces it."""

    source: SourceText
    path: tuple[str, ...]
    lead: str
    items: tuple[Span, ...]
    numbered: bool

    def statements(self) -> list[Statement]:
        return [self.source.statement(*item) for item in self.items]


@dataclass(frozen=True)
class ReadSource:
    source: SourceText
    points: tuple[Point, ...]
    tables: tuple[SourceTable, ...]
    lists: tuple[SourceList, ...]


def read_source(source: SourceText, most: int) -> ReadSource:
    """What can be quoted of a source; of one that is longer than `most`, of windows all over it."""
    points: list[Point] = []
    tables: list[SourceTable] = []
    lists: list[SourceList] = []
    names = {source.name.casefold(), source.title.casefold()}
    for start, end in windows(source.text, most):
        for part in parts_of(source.text, start, end, _above(source, start)):
            path = _path(part.section, names)
            if path is None:
                continue
            if isinstance(part, Table):
                tables += _table(source, part, path)
            else:
                if isinstance(part, ItemList):
                    lists += _list(source, part, path)
                points += _points(source, part, path)
    if not (points or tables or lists):
        points = list(_any_lines(source, most))
    return ReadSource(source, tuple(points), tuple(tables), tuple(lists))


def _any_lines(source: SourceText, most: int) -> Iterator[Point]:
    """The sentences of a source in which nothing stands well by itself, such as a very short one."""
    blank = source.text.find("\n\n", 0, most) if source.kind in MAILS else -1
    begin = blank + 2 if blank > 0 else 0
    if not source.text[begin:].strip():
        begin = 0
    found = ((begin + start, begin + end) for start, end in sentences(source.text[begin:most], source.language))
    spans = (span for span in found if LETTER.search(source.text, *span))
    for start, end in islice(spans, ANY_LINES):
        greets = begin > 0 and source.text[start:end].rstrip().endswith(",")
        if greets or source.text.startswith(("#", "```", "|--"), start):
            continue
        cells = row_of(source.text, start, end).cells if source.text.startswith("|", start) else ((start, end),)
        for cell in cells:
            if LETTER.search(source.text, *cell):
                yield Point(source, *cell, ())


def windows(text: str, most: int) -> list[Span]:
    """All of a text, or stretches of it that begin with lines."""
    if len(text) <= most:
        return [(0, len(text))]
    found: list[Span] = []
    for number in range(WINDOWS):
        start = number * len(text) // WINDOWS
        start = text.rfind("\n\n", 0, start) + 2 if number else 0
        stop = text.find("\n", start + most // WINDOWS)
        stop = len(text) if stop < 0 else stop
        start = max(start, found[-1][1] + 1 if found else 0)
        if start < stop:
            found.append((start, stop))
    return found


def _above(source: SourceText, start: int) -> Section | None:
    above = None
    heading = Document(text="", marks=list(source.marks)).place(start).heading if start else None
    for level, title in enumerate((heading or "").split(" > ") if heading else (), 1):
        above = Section(title, 0, 0, level, above)
    return above


def _path(section: Section | None, names: set[str]) -> tuple[str, ...] | None:
    """The headings over a part that say something; None under one that holds references, menus and the like."""
    if section is None:
        return ()
    titles = [one.title for one in section.path()]
    if any(EMPTY_HEADING.match(title.strip()) for title in titles):
        return None
    told = [name for title in reversed(titles) if (name := heading_of(title)) and name.casefold() not in names]
    return tuple(told)


def _points(source: SourceText, part: Part, path: tuple[str, ...]) -> Iterator[Point]:
    text = source.text
    if isinstance(part, ItemList):
        for item in part.items:
            start, end = item.text
            first = next(iter(sentences(text[start:end], source.language)), None)
            if first and can_be_quoted(text[start + first[0] : start + first[1]], item=True):
                yield Point(source, start + first[0], start + first[1], path, item=True)
    elif isinstance(part, Prose):
        opens = True
        for start, end in sentences(text[part.start : part.end], source.language):
            span = (part.start + start, part.start + end)
            if can_be_quoted(text[slice(*span)]):
                yield Point(source, *span, path, opens=opens)
            opens = False


def can_be_quoted(written: str, *, item: bool = False) -> bool:
    """Whether a sentence says something by itself: whole, no question, leaning on nothing before or after it."""
    text = shown(written)
    if not text or len(text) > LONGEST or not is_telling(text) or not WHOLE_SENTENCE.search(text):
        return False
    if not BEGINS.match(text) and not is_piece(text[:1]):
        return False
    if len(text.split()) < FEWEST_WORDS and not is_piece(text[:1]):
        return False
    if POINTING_BACK.match(text) or POINTING_ON.match(text) or (PLEASE.match(text) and not item):
        return False
    if LEANING.search(text) or CITING.search(text):
        return False
    return _balanced(text)


def _balanced(text: str) -> bool:
    pairs = (("(", ")"), ("[", "]"), ("“", "”"), ("«", "»"))
    return (
        all(text.count(one) == text.count(other) for one, other in pairs)
        and text.count('"') % 2 == 0
        and not BROKEN_OFF.search(text)
    )


def _table(source: SourceText, part: Table, path: tuple[str, ...]) -> Iterator[SourceTable]:
    text = source.text
    if part.head is None or len(part.rows) < FEWEST_ROWS:
        return
    heads = [shown(text[slice(*cell)]) for cell in part.head.cells]
    used = [column for column in range(len(heads)) if any(column in filled(row) for row in part.rows)]
    if not FEWEST_ROWS <= len(used) <= MOST_CELLS or not all(heads[column] for column in used[1:]):
        return
    rows = tuple(
        TableRow(row.start, row.end, tuple(row.cells[column] for column in used))
        for row in part.rows
        if len(row.cells) == len(heads) and len(filled(row)) * 2 >= len(used)
    )
    if len(rows) >= FEWEST_ROWS:
        caption = heading_of(shown(text[slice(*part.lead)])) if part.lead else ""
        yield SourceTable(source, path, caption, tuple(heads[column] for column in used), rows)


def _list(source: SourceText, part: ItemList, path: tuple[str, ...]) -> Iterator[SourceList]:
    text = source.text
    lead = shown(text[slice(*part.lead)]) if part.lead else ""
    depth = part.items[0].depth
    items = tuple(item.text for item in part.items if item.depth == depth)
    said = [shown(text[slice(*item)]) for item in items]
    good = [bool(one) and not CITING.search(one) and len(one) <= LONGEST for one in said]
    long_enough = sum(len(one.split()) >= ITEM_WORDS or is_piece(one[:1]) for one in said) * 2 >= len(said)
    if (lead or path) and len(items) >= FEWEST_ROWS and all(good) and long_enough:
        yield SourceList(source, path, lead, items, part.numbered)


def spoken_language(sources: Sequence[SourceText]) -> str:
    """The language that most of some sources are in."""
    counts: dict[str, int] = {}
    for source in sources:
        language = source.language or language_of(source.text[:5_000]) or "en"
        counts[language] = counts.get(language, 0) + min(len(source.text), 20_000)
    return max(counts, key=lambda one: counts[one], default="en")
