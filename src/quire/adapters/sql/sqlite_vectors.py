"""Vectors as bytes: one block of numbers a notebook in memory, kept by generation, bounded in bytes."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from quire.services.ports import Tx

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

BYTES = 512 * 1024 * 1024
# Across notebooks so many times the passages that are wanted are looked at again, number by number.
CLOSER = 10


class SqliteVectors:
    """Rows are float16; a block is float32, since numpy multiplies that several times faster.

    Across notebooks only the signs of the numbers are kept, a bit each; what is near by them is then looked
    at by its own numbers.
    """

    def __init__(self, limit: int = BYTES) -> None:
        self._blocks = Kept(limit)

    @property
    def held(self) -> int:
        """How many bytes are in memory."""
        return self._blocks.bytes

    def add(self, tx: Tx, model: str, rows: Sequence[tuple[int, Any]]) -> None:
        for seq, vector in rows:
            tx.run("insert_vector", passage_seq=seq, model=model, vector=vector.astype("float16").tobytes())

    def nearest(
        self, tx: Tx, notebook_id: str, model: str, vector: Array, *, sources: Sequence[str] | None, limit: int
    ) -> dict[int, float]:
        known = tx.one("generation_of", notebook_id=notebook_id)
        if known is None:
            return {}
        key = (notebook_id, model, "numbers")
        block = self._blocks.get(key, known["number"])
        if block is None:
            block = _block(tx, notebook_id, model)
            self._blocks.put(key, known["number"], block)
        seqs, matrix = block
        if matrix.shape[1] != len(vector):
            return {}
        scores = matrix @ vector
        if sources is not None:
            import numpy

            wanted = tx.all("passages_of_sources", notebook_id=notebook_id, source_ids=json.dumps(list(sources)))
            kept = numpy.isin(seqs, [row["seq"] for row in wanted])
            seqs, scores = seqs[kept], scores[kept]
        return best(seqs, scores, limit)

    def nearest_across(
        self, tx: Tx, notebook_ids: Sequence[str], model: str, vector: Array, *, limit: int
    ) -> dict[int, float]:
        import numpy

        signs = numpy.packbits(vector > 0)
        parts = []
        for known in tx.all("generations_of", notebook_ids=json.dumps(list(notebook_ids))):
            key = (known["notebook_id"], model, "signs")
            block = self._blocks.get(key, known["number"])
            if block is None:
                seqs, matrix = _block(tx, known["notebook_id"], model)
                block = (seqs, numpy.packbits(matrix > 0, axis=1))
                self._blocks.put(key, known["number"], block)
            if block[1].shape[1] == len(signs):
                parts.append(block)
        if not parts:
            return {}
        seqs = numpy.concatenate([part[0] for part in parts])
        bits = numpy.concatenate([part[1] for part in parts])
        wide = "uint64" if bits.shape[1] % 8 == 0 else "uint8"
        apart = numpy.bitwise_count(bits.view(wide) ^ signs.view(wide)).sum(axis=1, dtype="int16")
        near = best(seqs, -apart, limit * CLOSER)
        rows = tx.all("vectors_by_passage", seqs=json.dumps(list(near)), model=model)
        seqs, matrix = _matrix([(row["passage_seq"], row["vector"]) for row in rows])
        return best(seqs, matrix @ vector, limit)


class Kept:
    """Blocks by key and generation, the least used of them let go beyond a number of bytes."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._blocks: OrderedDict[tuple[str, str, str], tuple[int, tuple[Array, Array]]] = OrderedDict()
        self.bytes = 0

    def get(self, key: tuple[str, str, str], generation: int) -> tuple[Array, Array] | None:
        with self._lock:
            known = self._blocks.get(key)
            if known is None or known[0] != generation:
                return None
            self._blocks.move_to_end(key)
            return known[1]

    def put(self, key: tuple[str, str, str], generation: int, block: tuple[Array, Array]) -> None:
        with self._lock:
            if old := self._blocks.pop(key, None):
                self.bytes -= _size(old[1])
            self._blocks[key] = (generation, block)
            self.bytes += _size(block)
            while self.bytes > self._limit:
                _, (_, gone) = self._blocks.popitem(last=False)
                self.bytes -= _size(gone)


def best(seqs: Array, scores: Array, limit: int) -> dict[int, float]:
    """The passages with the highest scores."""
    import numpy

    if len(scores) > limit:
        chosen = numpy.argpartition(-scores, limit)[:limit]
        seqs, scores = seqs[chosen], scores[chosen]
    return dict(zip(seqs.tolist(), scores.tolist(), strict=True))


def _block(tx: Tx, notebook_id: str, model: str) -> tuple[Array, Array]:
    rows = tx.all("vectors_of", notebook_id=notebook_id, model=model)
    return _matrix([(row["passage_seq"], row["vector"]) for row in rows])


def _matrix(rows: Sequence[tuple[int, bytes]]) -> tuple[Array, Array]:
    import numpy

    seqs = numpy.array([seq for seq, _ in rows], dtype=numpy.int64)
    raw = b"".join([vector for _, vector in rows])
    width = len(raw) // 2 // len(rows) if rows else 0
    return seqs, numpy.frombuffer(raw, dtype=numpy.float16).astype(numpy.float32).reshape(len(rows), width)


def _size(block: tuple[Array, Array]) -> int:
    return int(block[0].nbytes + block[1].nbytes)
