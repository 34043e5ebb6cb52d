"""What lines say by their form: a label with its value, a question with its answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from quire.text.sentences import Span
from quire.text.structure.parts import Field, ItemList, Part, Prose, Question, Section, Table
from quire.text.structure.tables import fields

# A label of a few words, set off by a colon; what follows a colon in an address or a time is no value.
LABELLED = re.compile(
    r"[*_`]{0,3}([^\W\d_][^:：|(),;\n]{0,48}?)[*_`]{0,3}[ \t]?[:：][*_`]{0,3}(?:[ \t]+|(?<=：))(\S.*)"
)
LABEL_WORDS = 6
# What is longer is a text that begins with a word and a colon.
VALUE_LENGTH = 240
# A short line by itself, of which the first words may be a label: "Server Quack Quackling".
SHORT_LINE = re.compile(r"[^\W\d_][^\n]{2,78}[^\s.!?…:;,。！？；，]")
TITLE = re.compile(r"[^\W\d_][^\n:：|]{1,58}[^\s.!?…:;,|。！？；，-]")
ASKING = ("?", "？", "؟", "?**", "?*", "？**")
ASKED = re.compile(r"(?:\*\*)?(?:q|f|question|frage|pregunta|p|в|вопрос|问|問)(?:\d{0,3})[.:：)][ \t]*", re.IGNORECASE)
ANSWERED = re.compile(
    r"(?:\*\*)?(?:a|r|answer|antwort|réponse|respuesta|о|ответ|答)[.:：)](?:\*\*)?[ \t]*", re.IGNORECASE
)
QUESTION_LENGTH = 240


def labelled(text: str, part: Part) -> Iterator[Field]:
    """The labels of a part with their values."""
    if isinstance(part, Table):
        yield from fields(text, part)
    elif isinstance(part, ItemList):
        for item in part.items:
            yield from _line(text, item.text[0], item.end, item.start)
    elif isinstance(part, Prose):
        start = part.start
        for line in text[part.start : part.end].split("\n"):
            yield from _line(text, start, start + len(line.rstrip()), start)
            start += len(line) + 1


def titled(text: str, part: Part) -> Iterator[Field]:
    """Items and paragraphs that begin with a short line by itself: what they say, by that title."""
    spans = [(item.text[0], item.end, item.start) for item in part.items] if isinstance(part, ItemList) else []
    for start, end, begin in (
        spans or [(part.start, part.end, part.start)] if isinstance(part, ItemList | Prose) else ()
    ):
        stop = text.find("\n", start, end)
        if stop > 0 and TITLE.fullmatch(text, start, stop) and text[stop + 1 : end].strip():
            yield Field(begin, end, (start, stop), (stop + 1, end))


def _line(text: str, start: int, end: int, begin: int) -> Iterator[Field]:
    found = LABELLED.match(text, start, end)
    if found and len(found[1].split()) <= LABEL_WORDS and end - found.start(2) <= VALUE_LENGTH:
        yield Field(begin, end, found.span(1), (found.start(2), end))


def short_line(text: str, part: Part) -> bool:
    """Whether a part is one short line that does not end as sentences do."""
    return isinstance(part, Prose) and SHORT_LINE.fullmatch(text, part.start, part.end) is not None


def questions(text: str, parts: Sequence[Part]) -> Iterator[Question]:
    """The questions that a text puts, as headings or lines, with all that stands under them up to the next."""
    at = 0
    while at < len(parts):
        part = parts[at]
        asked = _asked(text, parts, at)
        if asked is None:
            at += 1
            continue
        question, first = asked
        last = first
        while last + 1 < len(parts) and parts[last + 1].section is part.section and not _puts(text, parts[last + 1]):
            last += 1
        if first < len(parts) and parts[first].section is part.section and not _puts(text, parts[first]):
            start = ANSWERED.match(text, parts[first].start, parts[first].end)
            yield Question(question, (start.end() if start else parts[first].start, parts[last].end))
        at = max(at + 1, last + 1)


def _asked(text: str, parts: Sequence[Part], at: int) -> tuple[Span, int] | None:
    """The question that begins with a part, and the number of the part that answers it."""
    part = parts[at]
    section: Section | None = part.section
    if section is not None and (at == 0 or parts[at - 1].section is not section) and section.title.endswith(ASKING):
        return (section.start, section.end), at
    return ((part.start, part.end), at + 1) if _puts(text, part) else None


def _puts(text: str, part: Part) -> bool:
    """Whether a part is nothing but one question."""
    said = text[part.start : part.end]
    if not isinstance(part, Prose) or len(said) > QUESTION_LENGTH:
        return False
    return said.endswith(ASKING) and said.rstrip("*?？").count(". ") == 0
