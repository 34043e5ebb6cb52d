"""Lists: all items of the one list that is asked for, be it items, a column of a table, or headings in a row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from quire.text.asked import Asked
from quire.text.check_citations import Draft
from quire.text.forms.cited import Quote, cited
from quire.text.forms.question_words import QuestionWords
from quire.text.makers import WritingTask
from quire.text.questions import negated
from quire.text.quotes import lines_of
from quire.text.structure.parts import ItemList, Part, Section, Table
from quire.text.structure.tables import filled
from quire.text.structure.views import SourceView
from quire.text.words import query_tokens, tokens

# So much of a question must be said of a list, and where the list is called just as asked, so much.
LEAST_SHARE, LEAST_PLAINLY = 0.6, 0.45
LONGEST = 4_000
SUPPORT = 0.92
# So much of a question that does not ask for a list must be found with one.
PLAINLY = 0.75
# So many words of a question for a list say what is wanted listed.
HEADS = 2
LEADING = (":", "：", ":**", ":*")
COUNTED = re.compile(r"(\w+)\s+(?:\d{1,3}|[A-Z]|[IVX]{1,4})\b[.:)]?\s*")


class Listing(NamedTuple):
    """A list with what it is found by; `named` tells how far its own name (a lead-in, a heading, the head of a column)
    is in the question, `plainly` that nothing else is in it."""

    view: SourceView
    quotes: tuple[Quote, ...]
    share: float
    named: float
    plainly: bool
    rank: int


def lists(task: WritingTask, asked: Asked) -> Draft | None:
    """The list whose name and place are what a question for a list names, or one that is called just as asked."""
    plain_only = asked.kind == "fact" and asked.wanted == "thing"
    if not (asked.kind in ("list", "steps") or plain_only) or asked.parts:
        return None
    found = [
        listing
        for rank, view in enumerate(task.views)
        for listing in _Lists(view, QuestionWords(task, asked, view.language), asked, rank).found(asked.kind != "steps")
        if not plain_only or (listing.plainly and listing.share >= PLAINLY and len(listing.quotes) == 1)
    ]
    if not found:
        return None
    if asked.negated:
        # What belongs to a thing is no answer to what does not.
        found = [one for one in found if any(negated(quote.shown) for quote in one.quotes)]
        if not found:
            return None
    best = max(found, key=lambda listing: (round(listing.share, 2), round(listing.named, 2), -listing.rank))
    return cited(task, best.quotes, SUPPORT * (0.6 + 0.4 * best.share))


class _Lists:
    """The lists of one source."""

    def __init__(self, view: SourceView, words: QuestionWords, asked: Asked, rank: int) -> None:
        self._view, self._words, self._rank = view, words, rank
        self._own = frozenset(words.own)
        self._heads = _heads(words, asked.question)

    def found(self, headings: bool) -> Iterator[Listing]:
        """`headings` says whether all under a heading that is asked for are a list: parts of a text are no steps."""
        for part in self._view.parts:
            if isinstance(part, ItemList) and part.end - part.start <= LONGEST:
                yield from self._items(part)
            elif isinstance(part, Table) and part.end - part.start <= LONGEST:
                yield from self._table(part)
        yield from self._headings(headings)

    def _items(self, part: ItemList) -> Iterator[Listing]:
        lead = part.lead is not None and self._view.said(part.lead).endswith(LEADING)
        start = part.lead[0] if lead and part.lead else part.start
        quote = Quote(self._view, start, part.end, lines_of(self._view.text[start : part.end]))
        context = self._view.context(part)
        yield from self._listing(self._name(part), context, (quote,))
        for above, item in pairwise(part.items):
            if item.depth > above.depth:
                name = tokens(self._view.said(above.text), self._view.language)
                inner = Quote(self._view, item.start, above.end, lines_of(self._view.text[item.start : above.end]))
                yield from self._listing(name, context, (inner,))

    def _table(self, part: Table) -> Iterator[Listing]:
        """A column whose head is asked for; all rows where it is the table that is."""
        view, context = self._view, self._view.context(part)
        if not part.rows:
            return
        start, end = part.rows[0].start, part.rows[-1].end
        if part.head is not None:
            for column, cell in enumerate(part.head.cells):
                cells = [view.said(row.cells[column]) for row in part.rows if column < len(row.cells)]
                shown = "\n".join(f"- {said}" for said in dict.fromkeys(cells) if said)
                if shown:
                    quote = Quote(view, start, end, shown)
                    yield from self._listing(tokens(view.said(cell), view.language), context, (quote,))
        shown = "\n".join("- " + ", ".join(view.said(row.cells[at]) for at in filled(row)) for row in part.rows)
        yield from self._listing(self._name(part), context, (Quote(view, start, end, shown),), whole=True)

    def _headings(self, named: bool) -> Iterator[Listing]:
        """Headings of one level under one heading: those that are counted alike, or all where that one is asked for."""
        sections: dict[int, Section] = {}
        for part in self._view.parts:
            for section in part.section.path() if part.section else ():
                if section.end > section.start:
                    sections.setdefault(section.start, section)
        ordered = sorted(sections.values(), key=lambda section: (id(section.above), section.level, section.start))
        for _, group in groupby(ordered, key=lambda section: (id(section.above), section.level)):
            siblings = sorted(group, key=lambda section: section.start)
            if len(siblings) > 1:
                yield from self._series(siblings, named)

    def _series(self, siblings: Sequence[Section], named: bool) -> Iterator[Listing]:
        view = self._view
        context = [section.title for section in siblings[0].above.path()] if siblings[0].above else []
        around = tokens(" . ".join([view.title, *context]), view.language)
        counted = [(found[1].casefold(), section) for section in siblings if (found := COUNTED.match(section.title))]
        for name in dict.fromkeys(word for word, _ in counted):
            same = [section for word, section in counted if word == name]
            if len(same) > 1:
                yield from self._listing(tokens(name, view.language), around, self._quoted(same))
        if named and siblings[0].above is not None:
            name = siblings[0].above.title
            yield from self._listing(tokens(name, view.language), around, self._quoted(siblings))

    def _quoted(self, sections: Sequence[Section]) -> tuple[Quote, ...]:
        return tuple(Quote(self._view, section.start, section.end, f"- {section.title}") for section in sections)

    def _name(self, part: Part) -> list[str]:
        """What a part is called: its lead-in, else the heading right over it."""
        said = self._view.said(part.lead) if part.lead else part.section.title if part.section else ""
        return tokens(said, self._view.language)

    def _listing(
        self, name: Sequence[str], context: Sequence[str], quotes: tuple[Quote, ...], *, whole: bool = False
    ) -> Iterator[Listing]:
        words = self._words
        in_name = words.among(name, meant=True) & self._own
        if not in_name.intersection(self._heads):
            return
        matched = in_name | words.among(context, meant=True)
        precision = sum(words.has(words.words, word, meant=True) for word in name) / len(name)
        plainly = precision == 1.0
        share = words.share(matched)
        if words.named - matched or share < (LEAST_PLAINLY if plainly else LEAST_SHARE):
            return
        named = len(in_name) * precision + 0.5 * (self._heads[0] in in_name) - 0.01 * whole
        yield Listing(self._view, quotes, share, named, plainly, self._rank)


def _heads(words: QuestionWords, question: str) -> list[str]:
    """The first words that say something, what is written as one word being one: "follow-up actions"."""
    telling = words.heavy
    written = (query_tokens(word, [words.language]) for word in question.split())
    said = [found for one in written if (found := [word for word in one if word in telling])]
    return [word for one in said[:HEADS] for word in one] or words.heads
