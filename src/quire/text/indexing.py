"""Texts into passages: one transaction makes a version searchable."""

from __future__ import annotations

import hashlib
import json

from quire.domain.documents import Document, Mark
from quire.domain.hygiene import clean
from quire.ports.search import Index
from quire.ports.store import Tx
from quire.text.chunks import spans
from quire.text.headings import headings
from quire.text.words import language_of, tokens


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def pasted(text: str) -> Document:
    """A text that was given as such, with its Markdown headings."""
    text = clean(text)
    found = list(headings(text))
    marks = [Mark(offset=offset, kind="heading", label=label, level=level) for offset, level, label in found]
    return Document(text=text, title=found[0][2] if found and found[0][0] == 0 else None, marks=marks)


class Prepared:
    """What can be worked out before the transaction begins: passages, their places and their words."""

    def __init__(self, document: Document, title: str) -> None:
        self.document = document
        self.title = title
        # With the marks: a lesson that was only moved has another place.
        self.hash = digest("\0".join([document.text, *(mark.model_dump_json() for mark in document.marks)]))
        self.language = document.language or language_of(document.text[:20_000])
        self.title_words = " ".join(tokens(title, self.language))
        cut = spans(document)
        self.passages = [
            (start, end, place.model_dump_json(exclude_none=True), document.text[start:end])
            for (start, end), place in zip(cut, document.places(start for start, _ in cut), strict=True)
        ]
        self.words = [" ".join(tokens(text, self.language)) for *_, text in self.passages]


def settle(tx: Tx, index: Index, notebook_id: str, source_id: str, version: int, prepared: Prepared, at: int) -> None:
    """Makes `version` the one in force: text, passages and full text in one transaction.

    Vectors of passages that did not change are kept; of the version before only a text that is cited stays.
    """
    old = version - 1
    document = prepared.document
    tx.run(
        "insert_source_version",
        source_id=source_id,
        version=version,
        hash=prepared.hash,
        text=document.text,
        marks=json.dumps([mark.model_dump() for mark in document.marks]),
        language=prepared.language,
        warnings=json.dumps(document.warnings),
        characters=len(document.text),
        passages=len(prepared.passages),
        at=at,
    )
    rows = []
    for (start, end, place, text), words in zip(prepared.passages, prepared.words, strict=True):
        row = tx.one(
            "insert_passage",
            notebook_id=notebook_id,
            source_id=source_id,
            version=version,
            start_at=start,
            end_at=end,
            place=place,
            text=text,
            hash=digest(text),
        )
        assert row is not None
        rows.append((row["seq"], prepared.title_words, words))
    index.add(tx, notebook_id, rows)
    if old:
        tx.run("keep_vectors", source_id=source_id, version=version, old_version=old)
        forget(tx, index, notebook_id, source_id, old)
    tx.run("next_generation", notebook_id=notebook_id)


def forget(tx: Tx, index: Index, notebook_id: str, source_id: str, version: int) -> None:
    """Drops a version's passages, and its text unless an answer cites it."""
    gone = [row["seq"] for row in tx.all("passages_of_version", source_id=source_id, version=version)]
    index.remove(tx, notebook_id, gone)
    tx.run("delete_passages", source_id=source_id, version=version)
    tx.run("drop_uncited_version", source_id=source_id, version=version)
