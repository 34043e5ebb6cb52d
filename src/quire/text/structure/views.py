"""Views: the sources of the passages that were found, and what they are made of around these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from quire.domain.passages import Passage, PassageHit
from quire.text.sentences import Span
from quire.text.source_reader import SourceReader
from quire.text.structure.parts import Part, Section
from quire.text.structure.scan import parts_of
from quire.text.words import tokens

# Sources that are looked into, the best first; a text up to this length is looked at from end to end, of a longer one
# so much around each passage, and tables from their heads on.
SOURCES = 6
WHOLE, REACH = 40_000, 3_000
EVERYTHING = 1 << 40
# Where bars stand closer than this on average, a text is a table: too few words to tell its language by.
CELL = 30


@dataclass(frozen=True)
class SourceView:
    """A source's text, from `start` of it on, with its parts; offsets in `text` are not those of the source."""

    passage: Passage
    hits: tuple[int, ...]
    spans: tuple[Span, ...]
    language: str | None

    @property
    def text(self) -> str:
        return self.passage.text

    @property
    def title(self) -> str:
        return self.passage.source_title

    @cached_property
    def parts(self) -> list[Part]:
        above = None
        if self.passage.start and self.passage.place.heading:
            for level, title in enumerate(self.passage.place.heading.split(" > "), 1):
                above = Section(title, 0, 0, level, above)
        return [part for start, end in self.spans for part in parts_of(self.text, start, end, above)]

    def said(self, span: Span) -> str:
        return self.text[slice(*span)]

    def context(self, part: Part) -> list[str]:
        """The words of what a part stands under: the source's title, the headings, the lead-in."""
        headings = [section.title for section in part.section.path()] if part.section else []
        lead = self.said(part.lead) if part.lead else ""
        return tokens(" . ".join([self.title, *headings, lead]), self.language)


def views_of(hits: Sequence[PassageHit], reader: SourceReader | None, spoken: str | None) -> list[SourceView]:
    """The sources of the hits, in the order of their best. Tables, and what else tells no language by itself, are taken
    to be in the one that is `spoken`."""
    found: dict[str, list[int]] = {}
    for at, hit in enumerate(hits):
        found.setdefault(hit.passage.source_id, []).append(at)
    return [_view(hits, tuple(places), reader, spoken) for places in list(found.values())[:SOURCES]]


def _view(
    hits: Sequence[PassageHit], places: tuple[int, ...], reader: SourceReader | None, spoken: str | None
) -> SourceView:
    first = hits[places[0]].passage
    table = first.text.count("|") * CELL > len(first.text)
    language = (spoken or first.language) if table or first.language is None else first.language
    if reader is None:
        return SourceView(first, places[:1], ((0, len(first.text)),), language)
    whole = reader.around(first, EVERYTHING, EVERYTHING)
    if len(whole.text) <= WHOLE:
        return SourceView(whole, places, ((0, len(whole.text)),), language)
    spans: list[Span] = []
    for start, end in sorted(_window(whole.text, hits[at].passage) for at in places):
        if spans and start <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(end, spans[-1][1])
        else:
            spans.append((start, end))
    return SourceView(whole, places, tuple(spans), language)


def _window(text: str, passage: Passage) -> Span:
    """A passage and what is around it, from the head of the table that it begins in."""
    start, end = max(0, passage.start - REACH), min(len(text), passage.end + REACH)
    if text[passage.start] == "|":
        start = min(start, text.rfind("\n\n", 0, passage.start) + 2 if "\n\n" in text[: passage.start] else 0)
    start = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    return start, len(text) if stop < 0 else stop
