"""A source as it is told of: which of its own words say what it is."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import accumulate

from quire.domain.documents import Mark
from quire.text.document_kinds import document_kind
from quire.text.headings import plain
from quire.text.key_sentences import key_sentences
from quire.text.openings import Span, cells, is_telling, opening_of, plain_line
from quire.text.quotes import quoted
from quire.text.section_names import section_names

# A key sentence is no longer than this; so many more are looked at for some that are fit.
LONGEST, MORE_SENTENCES = 260, 6
# So many sentences of as many texts, and more, are spread over all of them.
SPREAD = 3


class ToldSource:
    """The first texts of a source; `file_kind` is what it came as, `marks` gives where its headings are."""

    def __init__(
        self,
        title: str,
        texts: Sequence[str],
        language: str | None,
        file_kind: str,
        marks: Callable[[], Sequence[Mark]],
    ) -> None:
        self.title, self.texts, self._language, self._marks = " ".join(title.split()), texts, language, marks
        self._file_kind = file_kind
        self.opening = opening_of(texts, title, language)
        own = self.opening.title
        self._titles = [self.title, *([plain_line(self.written(own))] if own else [])]

    @cached_property
    def sections(self) -> list[str]:
        return section_names(self._marks(), self._titles)

    @cached_property
    def kind(self) -> str:
        return document_kind(self._titles, self._file_kind, self.sections)

    @cached_property
    def tabular(self) -> bool:
        """Whether the head of its table tells most of it."""
        table = self.opening.tabular or document_kind((), self._file_kind) == "table"
        return table and bool(self.opening.rows) and not self.opening.sure

    @property
    def sure(self) -> bool:
        return self.opening.sure or self.tabular

    @property
    def adds_title(self) -> bool:
        """Whether the heading that it has for itself says more than the title that it has here."""
        return self._titles[-1].casefold() not in self.title.casefold()

    def spans(self, sentences: int) -> list[Span]:
        """What tells of it: its heading, the sentence that says what it is, the head of its table, and so many
        sentences in all; where 0 are asked for, one only if no heading and no sections tell."""
        opening = self.opening
        if self.tabular:
            return list(opening.rows)
        spans: list[Span] = []
        if opening.title is not None and (not opening.sure or self.adds_title):
            spans.append(opening.title)
        if opening.telling and (opening.sure or sentences or not (spans and len(self.sections) > 1)):
            spans.append(opening.telling[0])
        spans += self._key_sentences(spans, sentences - 1)
        return spans or list(opening.rows) or ([opening.first] if opening.first else [])

    def _key_sentences(self, told: Sequence[Span], limit: int) -> list[Span]:
        if limit < 1:
            return []
        if limit < SPREAD or len(self.texts) < SPREAD:
            return self._fit(range(len(self.texts)), told, limit + MORE_SENTENCES)[:limit]
        # A long overview tells of every part of a source, of long parts more.
        whole = sum(map(len, self.texts))
        middles = [(number + 0.5) * whole / limit for number in range(limit)]
        ends = list(accumulate(map(len, self.texts)))
        shares = Counter(bisect_left(ends, middle) for middle in middles)
        return [one for at in sorted(shares) for one in self._best(at, told, shares[at])]

    def _best(self, at: int, told: Sequence[Span], limit: int) -> list[Span]:
        """So many sentences that tell most of a text and can be told."""
        fit: list[Span] = []
        for looked_at in range(limit, limit + MORE_SENTENCES):
            fit = self._fit([at], told, looked_at)
            if len(fit) >= limit:
                break
        return fit[:limit]

    def _fit(self, places: Sequence[int], told: Sequence[Span], looked_at: int) -> list[Span]:
        """Of so many key sentences of some texts those that can be told and were not yet."""
        texts = [self.texts[at] for at in places]
        found = [Span(places[at], start, end) for at, start, end in key_sentences(texts, self._language, looked_at)]
        fit = [one for one in found if one.end - one.start <= LONGEST and is_telling(self.written(one))]
        return [one for one in fit if one not in told]

    def written(self, span: Span) -> str:
        return self.texts[span.at][span.start : span.end]

    def shown(self, span: Span) -> str:
        """A span as it reads best: a heading, a row or a sentence without marks."""
        written = self.written(span)
        if written.startswith("#"):
            return plain_line(written)
        return " | ".join(filter(None, cells(written))) if written.startswith("|") else plain(quoted(written))
