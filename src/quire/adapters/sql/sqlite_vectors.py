"""Vectors of a notebook in memory: one block of numbers, kept by generation, bounded in bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from quire.services.ports import Tx

if TYPE_CHECKING:
    import numpy

BYTES = 512 * 1024 * 1024


class SqliteVectors:
    """Rows are float16; a block is float32, since numpy multiplies that several times faster."""

    def __init__(self, limit: int = BYTES) -> None:
        self._limit = limit
        self._blocks: OrderedDict[tuple[str, str], tuple[int, Any, Any]] = OrderedDict()

    def stored(self, vector: numpy.ndarray[Any, Any]) -> bytes:
        return vector.astype("float16").tobytes()

    def block(self, tx: Tx, notebook_id: str, model: str) -> tuple[Any, Any]:
        """The passages' numbers and their vectors, as of this transaction."""
        import numpy

        row = tx.one("generation_of", notebook_id=notebook_id)
        generation = row["number"] if row else 0
        key = (notebook_id, model)
        known = self._blocks.get(key)
        if known and known[0] == generation:
            self._blocks.move_to_end(key)
            return known[1], known[2]
        rows = tx.all("vectors_of", notebook_id=notebook_id, model=model)
        if not rows:
            return numpy.zeros(0, dtype=numpy.int64), numpy.zeros((0, 0), dtype=numpy.float32)
        seqs = numpy.array([row["passage_seq"] for row in rows], dtype=numpy.int64)
        raw = b"".join(bytes(row["vector"]) for row in rows)
        matrix = numpy.frombuffer(raw, dtype=numpy.float16).astype(numpy.float32).reshape(len(rows), -1)
        self._blocks[key] = (generation, seqs, matrix)
        while len(self._blocks) > 1 and sum(block[2].nbytes for block in self._blocks.values()) > self._limit:
            self._blocks.popitem(last=False)
        return seqs, matrix

    def nearest(
        self, tx: Tx, notebook_id: str, model: str, vector: Any, *, sources: Sequence[str] | None, limit: int
    ) -> dict[int, float]:
        """The passages nearest in meaning, with their cosine."""
        import numpy

        seqs, matrix = self.block(tx, notebook_id, model)
        if not len(seqs):
            return {}
        scores = matrix @ vector
        if sources is not None:
            wanted = {row["seq"] for source in sources for row in tx.all("current_passages", source_id=source)}
            kept = numpy.isin(seqs, numpy.fromiter(wanted, dtype=numpy.int64, count=len(wanted)))
            seqs, scores = seqs[kept], scores[kept]
        if len(scores) > limit:
            best = numpy.argpartition(-scores, limit)[:limit]
            return {int(seqs[i]): float(scores[i]) for i in best}
        return dict(zip(seqs.tolist(), scores.tolist(), strict=True))
