"""Indexing: a document cut into passages, with the words that each is found by."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

from quire.domain.documents import Document, Mark, Place
from quire.domain.headings import same_words, says_nothing
from quire.domain.hygiene import clean
from quire.text.headings import headings
from quire.text.passages import passage_spans
from quire.text.words import language_of, tokens


class CutPassage(NamedTuple):
    """A passage before it has a number: its span, its text, and its words as an index takes them."""

    start: int
    end: int
    place: Place
    text: str
    hash: str
    words: str


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def pasted(text: str) -> Document:
    """A text that was given as such, with its Markdown headings."""
    text = clean(text)
    found = list(headings(text))
    marks = [Mark(offset=offset, kind="heading", label=label, level=level) for offset, level, label in found]
    first = found[0][2] if found and found[0][0] == 0 else None
    return Document(text=text, title=None if first is None or says_nothing(first) else first, marks=marks)


def with_telling_headings(document: Document, title: str) -> Document:
    """Without the marks of headings that say nothing, and of a first one that says what the title does."""
    marks = [mark for mark in document.marks if mark.kind != "heading" or not says_nothing(mark.label)]
    first = next((mark for mark in marks if mark.kind == "heading"), None)
    if first is not None and same_words(first.label, title):
        marks = [mark for mark in marks if mark is not first]
    return document if len(marks) == len(document.marks) else document.model_copy(update={"marks": marks})


class Prepared:
    """What can be worked out before the transaction begins: passages, their places and their words."""

    def __init__(self, document: Document, title: str) -> None:
        spans = passage_spans(document)
        self.document = document = with_telling_headings(document, title)
        self.title = title
        # With the marks: a lesson that was only moved has another place.
        self.hash = digest("\0".join([document.text, *(mark.model_dump_json() for mark in document.marks)]))
        self.language = document.language or language_of(document.text[:20_000])
        self.title_words = " ".join(tokens(title, self.language))
        places = document.places(start for start, _ in spans)
        self.passages = [self._cut(start, end, place) for (start, end), place in zip(spans, places, strict=True)]

    @classmethod
    def again(cls, document: Document, title: str, hash: str, spans: Iterable[tuple[int, int, Place]]) -> Prepared:
        """A document that was cut before, with the passages that it was cut into."""
        made = cls.__new__(cls)
        made.document = document
        made.title = title
        made.hash = hash
        made.language = document.language
        made.title_words = " ".join(tokens(title, document.language))
        made.passages = [made._cut(start, end, place) for start, end, place in spans]
        return made

    def _cut(self, start: int, end: int, place: Place) -> CutPassage:
        text = self.document.text[start:end]
        return CutPassage(start, end, place, text, digest(text), " ".join(tokens(text, self.language)))
