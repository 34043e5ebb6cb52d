"""A source as it is told of: which of its own words say what it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property

from quire.domain.documents import Mark
from quire.text.blocks import ENDED, ITEM
from quire.text.document_kinds import document_kind
from quire.text.headings import plain
from quire.text.key_sentences import key_sentences, spread_sentences
from quire.text.openings import Span, cells, is_telling, opening_of, plain_line
from quire.text.quotes import quoted
from quire.text.section_names import section_names
from quire.text.telling_words import LABEL

# A key sentence is no longer than this; so many more are looked at for some that are fit.
LONGEST, MORE_SENTENCES = 260, 6
# So many sentences, and more, are spread over all of a source.
SPREAD = 3
# Of a longer source more is told, so much of its sentences.
TOLD = 0.3
WORD = re.compile(r"[^\W\d_]+")


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

    def spans(self, sentences: int, most: int = 0) -> list[Span]:
        """What tells of it: its heading, the sentence that says what it is, the head of its table, and so many
        sentences in all, of a long source up to `most`; where 0 are asked for, one only if no heading and no sections
        tell."""
        opening = self.opening
        if self.tabular:
            return list(opening.rows)
        spans: list[Span] = []
        if opening.title is not None and (not opening.sure or self.adds_title):
            spans.append(opening.title)
        if opening.telling and (opening.sure or sentences or not (spans and len(self.sections) > 1)):
            spans.append(opening.telling[0])
        spans += self._key_sentences(spans, sentences - 1, most - 1)
        if sentences > SPREAD:
            spans.sort()
        return spans or list(opening.rows) or ([opening.first] if opening.first else [])

    def _key_sentences(self, told: Sequence[Span], limit: int, most: int) -> list[Span]:
        if limit < 1:
            return []
        if limit < SPREAD:
            found = key_sentences(self.texts, self._language, limit + MORE_SENTENCES)
            spans = [Span(*one) for one in found]
            fit = [one for one in spans if one.end - one.start <= LONGEST and is_telling(self.written(one))]
            return [one for one in fit if one not in told][:limit]

        shown = {self.written(one) for one in told}

        def fit_to_tell(written: str) -> bool:
            return len(written) <= LONGEST and written not in shown and (is_telling(written) or _tells_after(written))

        def share(fit: int) -> int:
            return max(limit, min(most, round(TOLD * fit)))

        return [Span(*one) for one in spread_sentences(self.texts, self._language, share, fit_to_tell)]

    def written(self, span: Span) -> str:
        return self.texts[span.at][span.start : span.end]

    def shown(self, span: Span) -> str:
        """A span as it reads best: a heading, a row or a sentence without marks."""
        written = self.written(span)
        if written.startswith("#"):
            return plain_line(written)
        return " | ".join(filter(None, cells(written))) if written.startswith("|") else plain(quoted(written))


def _tells_after(written: str) -> bool:
    """Whether an item, or what stands behind a label, tells something: "Decision: we close at five." A list of names
    does not."""
    bare = written[found.end() :] if (found := ITEM.match(written)) else written
    bare = bare[found.end() :] if (found := LABEL.match(bare)) else bare
    words = WORD.findall(bare)
    capitals = sum(word[0].isupper() for word in words)
    return bool(words) and ENDED.search(bare) is not None and 2 * capitals <= len(words) and is_telling(bare)
