"""Notebooks with passages for the tests of search, without reading any source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quire.adapters.sql.postgres import PostgresStore
from quire.adapters.sql.postgres_index import PostgresIndex
from quire.adapters.sql.postgres_vectors import PostgresVectors
from quire.adapters.sql.sqlite_index import SqliteIndex
from quire.adapters.sql.sqlite_vectors import SqliteVectors
from quire.domain.documents import Place
from quire.local.source_versions import insert_passages
from quire.ports.search import Index, Vectors
from quire.ports.store import Store, Tx
from quire.text.indexing import CutPassage


def index_of(store: Store) -> Index:
    return PostgresIndex() if isinstance(store, PostgresStore) else SqliteIndex()


def vectors_of(store: Store) -> Vectors:
    return PostgresVectors() if isinstance(store, PostgresStore) else SqliteVectors()


def add_notebook(tx: Tx, id: str) -> None:
    tx.run("insert_notebook", id=id, title=id, inbox_of=None, at=0)


def add_source(tx: Tx, notebook_id: str, id: str) -> None:
    values: dict[str, Any] = dict.fromkeys(("url", "blob", "file_name", "job_id", "given"))
    tx.run(
        "insert_source", id=id, notebook_id=notebook_id, title=id, kind="text", state="ready", whole=0, at=0, **values
    )


def add_passages(tx: Tx, notebook_id: str, source_id: str, count: int) -> list[int]:
    """Rows of passages; their texts do not matter to an index, which is given words."""
    passages = [CutPassage(number, number + 1, Place(), str(number), str(number), "") for number in range(count)]
    return insert_passages(tx, notebook_id, source_id, 1, passages)


def add_texts(
    tx: Tx, index: Index, notebook_id: str, source_id: str, texts: Sequence[str], title: str = ""
) -> list[int]:
    """A source of these passages, each with the words given."""
    add_source(tx, notebook_id, source_id)
    seqs = add_passages(tx, notebook_id, source_id, len(texts))
    index.add(tx, notebook_id, [(seq, title, text) for seq, text in zip(seqs, texts, strict=True)])
    tx.run("next_generation", notebook_id=notebook_id)
    return seqs
