"""Vectors on PostgreSQL: pgvector's exact scan of a notebook, or bytes as on SQLite where pgvector is not there.

There is no approximate index: with one, a search that is narrowed to a notebook loses what it should find.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from psycopg import sql

from quire.adapters.sql.postgres import PostgresTx
from quire.adapters.sql.postgres_types import extension_schema
from quire.adapters.sql.sqlite_vectors import SqliteVectors
from quire.ports.store import Tx

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

COLUMN = """
SELECT t.typname = 'halfvec' AS typed FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
WHERE a.attrelid = 'passage_vector'::regclass AND a.attname = 'vector'
"""
NEAREST = """
SELECT passage_seq, -score AS score FROM (
    SELECT v.passage_seq, v.vector OPERATOR({schema}.<#>) CAST(%(vector)s AS {schema}.halfvec) AS score
    FROM passage_vector v
    WHERE v.notebook_id = ANY(%(notebooks)s) AND v.model = %(model)s {visible}
    AND (CAST(%(sources)s AS text[]) IS NULL OR v.passage_seq IN (
        SELECT seq FROM passage WHERE source_id = ANY(%(sources)s)
    ))
) scored ORDER BY scored.score, passage_seq LIMIT %(limit)s
"""
NOT_HIDDEN = """AND v.passage_seq NOT IN (
    SELECT p.seq FROM hidden_version h JOIN passage p ON p.source_id = h.source_id AND p.version = h.version
)"""
MEANS = """
SELECT p.source_id, CAST({schema}.avg(v.vector) AS text) AS mean
FROM passage_vector v JOIN passage p ON p.seq = v.passage_seq
JOIN source s ON s.id = p.source_id AND s.version = p.version
WHERE v.notebook_id = %(notebook_id)s AND v.model = %(model)s GROUP BY p.source_id
"""
OF = """
SELECT passage_seq, CAST(vector AS text) AS vector FROM passage_vector WHERE passage_seq = ANY(%s) AND model = %s
"""


class PostgresVectors:
    def __init__(self) -> None:
        self._bytes = SqliteVectors()
        self._schema: str | None = None
        self._looked = False

    def add(self, tx: Tx, model: str, rows: Sequence[tuple[int, Any]]) -> None:
        if self._typed(tx) is None:
            self._bytes.add(tx, model, rows)
            return
        for seq, vector in rows:
            tx.run("insert_vector", passage_seq=seq, model=model, vector=written(vector))

    def nearest(
        self, tx: Tx, notebook_id: str, model: str, vector: Array, *, sources: Sequence[str] | None, limit: int
    ) -> dict[int, float]:
        if (schema := self._typed(tx)) is None:
            return self._bytes.nearest(tx, notebook_id, model, vector, sources=sources, limit=limit)
        return _nearest(tx, schema, [notebook_id], model, vector, sources, limit)

    def nearest_across(
        self, tx: Tx, notebook_ids: Sequence[str], model: str, vector: Array, *, limit: int
    ) -> dict[int, float]:
        if (schema := self._typed(tx)) is None:
            return self._bytes.nearest_across(tx, notebook_ids, model, vector, limit=limit)
        return _nearest(tx, schema, notebook_ids, model, vector, None, limit)

    def of_sources(self, tx: Tx, notebook_id: str, model: str) -> dict[str, Any]:
        if (schema := self._typed(tx)) is None:
            return self._bytes.of_sources(tx, notebook_id, model)
        import numpy

        query = sql.SQL(MEANS).format(schema=sql.Identifier(schema))
        found = {}
        for row in cast(PostgresTx, tx).connection.execute(query, {"notebook_id": notebook_id, "model": model}):
            mean = numpy.array(json.loads(row["mean"]), dtype=numpy.float32)
            found[row["source_id"]] = mean / max(1e-9, float(numpy.linalg.norm(mean)))
        return found

    def likeness(self, vectors: Sequence[Any], *, limit: int) -> tuple[list[dict[int, float]], float]:
        return self._bytes.likeness(vectors, limit=limit)

    def of(self, tx: Tx, model: str, seqs: Sequence[int]) -> dict[int, Array]:
        import numpy

        if self._typed(tx) is None:
            return self._bytes.of(tx, model, seqs)
        rows = cast(PostgresTx, tx).connection.execute(OF, [list(seqs), model])
        return {row["passage_seq"]: numpy.array(json.loads(row["vector"]), "float32") for row in rows}

    def _typed(self, tx: Tx) -> str | None:
        """The schema of pgvector in this database, which is looked at once; None where its vectors are bytes."""
        if not self._looked:
            connection = cast(PostgresTx, tx).connection
            row = connection.execute(COLUMN).fetchone()
            schema = extension_schema(connection)
            if row is not None and row["typed"] and schema is not None:
                self._schema = schema
            self._looked = True
        return self._schema


def written(vector: Array) -> str:
    """A vector as pgvector reads it."""
    return "[" + ",".join([f"{number:.6g}" for number in vector.tolist()]) + "]"


def _nearest(
    tx: Tx,
    schema: str,
    notebook_ids: Sequence[str],
    model: str,
    vector: Array,
    sources: Sequence[str] | None,
    limit: int,
) -> dict[int, float]:
    # Nothing is left out while no version is hidden.
    visible = sql.SQL(NOT_HIDDEN if tx.one("any_hidden_version") else "")
    rows = cast(PostgresTx, tx).connection.execute(
        sql.SQL(NEAREST).format(schema=sql.Identifier(schema), visible=visible),
        {
            "vector": written(vector),
            "notebooks": list(notebook_ids),
            "model": model,
            "sources": None if sources is None else list(sources),
            "limit": limit,
        },
    )
    return {row["passage_seq"]: float(row["score"]) for row in rows}
