"""Texts into passages: one transaction makes a version searchable."""

from __future__ import annotations

import hashlib
import json

from quire.domain.chunks import spans
from quire.domain.documents import Document, Mark
from quire.domain.words import language_of, tokens
from quire.services.index import Index
from quire.services.ports import Tx


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class Prepared:
    """What can be worked out before the transaction begins: passages, their places and their words."""

    def __init__(self, document: Document, title: str) -> None:
        self.document = document
        self.title = title
        self.hash = digest(document.text)
        self.language = document.language or language_of(document.text[:20_000])
        self.title_words = " ".join(tokens(title, self.language))
        self.passages = [
            (start, end, document.place(start).model_dump_json(exclude_none=True), document.text[start:end])
            for start, end in spans(document)
        ]
        self.words = [" ".join(tokens(text, self.language)) for *_, text in self.passages]


def settle(tx: Tx, index: Index, notebook_id: str, source_id: str, version: int, prepared: Prepared, at: int) -> None:
    """Makes `version` the one in force: text, passages and full text in one transaction.

    Vectors of passages that did not change are kept; the version before is dropped.
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
    """Drops a version with its passages."""
    gone = [row["seq"] for row in tx.all("passages_of_version", source_id=source_id, version=version)]
    index.remove(tx, notebook_id, gone)
    tx.run("delete_passages", source_id=source_id, version=version)
    tx.run("delete_source_version", source_id=source_id, version=version)


def document_of(text: str, marks: str) -> Document:
    return Document(text=text, marks=[Mark(**mark) for mark in json.loads(marks)])
