"""Versions of a source's text: one transaction makes a version searchable, or takes it away."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from quire.ports.search import Index
from quire.ports.store import Tx

if TYPE_CHECKING:
    from quire.text.indexing import CutPassage, Prepared

# So many passages go into one statement.
BATCH = 500


def put_version(
    tx: Tx, index: Index, notebook_id: str, source_id: str, version: int, prepared: Prepared, at: int
) -> None:
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
    numbers = insert_passages(tx, notebook_id, source_id, version, prepared.passages)
    words = (passage.words for passage in prepared.passages)
    rows = [(number, prepared.title_words, text_words) for number, text_words in zip(numbers, words, strict=True)]
    index.add(tx, notebook_id, rows)
    if old:
        tx.run("keep_vectors", source_id=source_id, version=version, old_version=old)
        drop_version(tx, index, notebook_id, source_id, old)
    tx.run("next_generation", notebook_id=notebook_id)


def insert_passages(
    tx: Tx, notebook_id: str, source_id: str, version: int, passages: Sequence[CutPassage]
) -> list[int]:
    """The numbers that the passages got, in their order."""
    numbers: list[int] = []
    for start in range(0, len(passages), BATCH):
        values = [
            (passage.start, passage.end, passage.place.model_dump_json(exclude_none=True), passage.text, passage.hash)
            for passage in passages[start : start + BATCH]
        ]
        rows = tx.all(
            "insert_passages",
            notebook_id=notebook_id,
            source_id=source_id,
            version=version,
            passages=json.dumps(values, ensure_ascii=False),
        )
        # A database returns them in any order.
        numbers += sorted(row["seq"] for row in rows)
    return numbers


def index_again(tx: Tx, index: Index) -> None:
    """Gives full text to notebooks whose passages have none that is counted, as in early stores."""
    for notebook in tx.all("uncounted_notebooks"):
        from quire.text.words import tokens

        of = {"notebook_id": notebook["notebook_id"], "limit": BATCH}
        index.drop(tx, of["notebook_id"])
        after = 0
        while rows := tx.all("passages_to_index", **of, after=after):
            after = rows[-1]["seq"]
            cut = [[" ".join(tokens(row[part], row["language"])) for part in ("title", "text")] for row in rows]
            index.add(tx, of["notebook_id"], [(row["seq"], *words) for row, words in zip(rows, cut, strict=True)])


def drop_version(tx: Tx, index: Index, notebook_id: str, source_id: str, version: int) -> None:
    """Drops a version's passages, and its text unless an answer cites it."""
    gone = [row["seq"] for row in tx.all("passages_of_version", source_id=source_id, version=version)]
    index.remove(tx, notebook_id, gone)
    tx.run("delete_passages", source_id=source_id, version=version)
    tx.run("drop_uncited_version", source_id=source_id, version=version)
