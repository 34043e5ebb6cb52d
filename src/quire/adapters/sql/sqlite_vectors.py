"""Vectors as bytes: one block of numbers a notebook in memory, kept by generation, bounded in bytes."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from quire.ports.store import Tx

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]
    Block = tuple[Array, Array]

BYTES = 512 * 1024 * 1024
# Across notebooks so many times the passages that are wanted are looked at again, number by number.
CLOSER = 10
# So many vectors at a time are compared with all.
BLOCK = 256


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
        seqs, matrix = self._numbers(tx, notebook_id, model)
        if not len(seqs) or matrix.shape[1] != len(vector):
            return {}
        scores = _cosines(matrix, vector)
        if sources is not None:
            import numpy

            wanted = tx.all("passages_of_sources", notebook_id=notebook_id, source_ids=json.dumps(list(sources)))
            kept = numpy.isin(seqs, [row["seq"] for row in wanted])
            seqs, scores = seqs[kept], scores[kept]
        return best(seqs, scores, limit)

    def nearest_across(
        self, tx: Tx, notebook_ids: Sequence[str], model: str, vector: Array, *, limit: int
    ) -> dict[int, float]:
        rows = tx.all("generations_of", notebook_ids=json.dumps(list(notebook_ids)))
        numbers = {row["notebook_id"]: row["number"] for row in rows}
        seqs, signs = self._signs(tx, numbers, model, len(vector))
        if not len(seqs):
            return {}
        near = best(seqs, _agreeing(signs, vector), limit * CLOSER)
        seqs, matrix = _rows(tx, model, list(near))
        return best(seqs, _cosines(matrix, vector), limit)

    def of_sources(self, tx: Tx, notebook_id: str, model: str) -> dict[str, Any]:
        import numpy

        seqs, matrix = self._numbers(tx, notebook_id, model)
        places = {seq: place for place, seq in enumerate(seqs.tolist())}
        rows: dict[str, list[int]] = {}
        for row in tx.all("passage_sources", notebook_id=notebook_id):
            if row["seq"] in places:
                rows.setdefault(row["source_id"], []).append(places[row["seq"]])
        means = {source_id: matrix[found].mean(axis=0) for source_id, found in rows.items()}
        return {source_id: mean / max(1e-9, float(numpy.linalg.norm(mean))) for source_id, mean in means.items()}

    def likeness(self, vectors: Sequence[Any], *, limit: int) -> tuple[list[dict[int, float]], float]:
        import numpy

        count = len(vectors)
        if count < 2:
            return [{} for _ in vectors], 0.0
        matrix = numpy.array(vectors)
        middle = matrix.mean(axis=0)
        # The square of the mean is the mean of all pairs, each vector with itself among them.
        mean = (float(middle @ middle) * count - 1) / (count - 1)
        nearest: list[dict[int, float]] = []
        for start in range(0, count, BLOCK):
            cosines = matrix[start : start + BLOCK] @ matrix.T
            for number, row in enumerate(cosines, start):
                row[number] = -2.0
                nearest.append(best(numpy.arange(count), row, min(limit, count - 1)))
        return nearest, mean

    def _numbers(self, tx: Tx, notebook_id: str, model: str) -> Block:
        """The passages of a notebook and their vectors, a row a passage."""
        known = tx.one("generation_of", notebook_id=notebook_id)
        number = None if known is None else known["number"]
        key = (notebook_id, model, "numbers")
        block = self._blocks.get(key, number)
        if block is None:
            block = _block(tx, notebook_id, model)
            self._blocks.put(key, number, block)
        return block

    def of(self, tx: Tx, model: str, seqs: Sequence[int]) -> dict[int, Array]:
        known, matrix = _rows(tx, model, seqs)
        return dict(zip(known.tolist(), matrix, strict=True))

    def _signs(self, tx: Tx, numbers: dict[str, int], model: str, width: int) -> Block:
        """The passages of these notebooks, and the signs of their vectors, a column a passage."""
        import numpy

        whole = ("", model, "signs")
        known = self._blocks.get(whole, numbers)
        if known is not None:
            return known
        parts = []
        for notebook_id, number in numbers.items():
            key = (notebook_id, model, "signs")
            block = self._blocks.get(key, number)
            if block is None:
                seqs, matrix = _block(tx, notebook_id, model)
                block = (seqs, _packed(matrix))
                self._blocks.put(key, number, block)
            if len(block[1]) == _columns(width):
                parts.append(block)
        if not parts:
            return numpy.empty(0, "int64"), numpy.empty((0, 0), "uint64")
        joined = (
            numpy.concatenate([seqs for seqs, _ in parts]),
            numpy.concatenate([signs for _, signs in parts], axis=1),
        )
        self._blocks.put(whole, numbers, joined)
        return joined


def _cosines(matrix: Array, vector: Array) -> Array:
    """Not by `@`: its threads are no faster here, and turn idly for 20 ms afterwards, beside an embedder that works."""
    import numpy

    found: Array = numpy.einsum("ij,j->i", matrix, vector)
    return found


class Kept:
    """Blocks by key and generation, the least used of them let go beyond a number of bytes."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._blocks: OrderedDict[tuple[str, str, str], tuple[object, Block]] = OrderedDict()
        self.bytes = 0

    def get(self, key: tuple[str, str, str], generation: object) -> Block | None:
        with self._lock:
            known = self._blocks.get(key)
            if known is None or known[0] != generation:
                return None
            self._blocks.move_to_end(key)
            return known[1]

    def put(self, key: tuple[str, str, str], generation: object, block: Block) -> None:
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


def _columns(width: int) -> int:
    """How many numbers of 64 bits so many signs fill."""
    return -(-width // 64)


def _packed(matrix: Array) -> Array:
    """Which numbers are above zero, a bit each, 64 of a vector in a row."""
    import numpy

    bits = numpy.packbits(matrix > 0, axis=1)
    room = numpy.zeros((len(bits), 8 * _columns(matrix.shape[1])), "uint8")
    room[:, : bits.shape[1]] = bits
    return numpy.ascontiguousarray(room.view("uint64").T)


def _agreeing(signs: Array, vector: Array) -> Array:
    """In how many signs each passage is like the vector, less a constant."""
    import numpy

    agreeing = numpy.zeros(signs.shape[1], "int16")
    for row, own in zip(signs, _packed(vector[None, :])[:, 0], strict=True):
        agreeing -= numpy.bitwise_count(row ^ own)
    return agreeing


def _block(tx: Tx, notebook_id: str, model: str) -> Block:
    query = "visible_vectors_of" if tx.one("any_hidden_version") else "vectors_of"
    rows = tx.all(query, notebook_id=notebook_id, model=model)
    return _matrix([(row["passage_seq"], row["vector"]) for row in rows])


def _rows(tx: Tx, model: str, seqs: Sequence[int]) -> Block:
    rows = tx.all("vectors_by_passage", seqs=json.dumps(list(seqs)), model=model)
    return _matrix([(row["passage_seq"], row["vector"]) for row in rows])


def _matrix(rows: Sequence[tuple[int, bytes]]) -> Block:
    import numpy

    seqs = numpy.array([seq for seq, _ in rows], dtype=numpy.int64)
    raw = b"".join([vector for _, vector in rows])
    width = len(raw) // 2 // len(rows) if rows else 0
    return seqs, numpy.frombuffer(raw, dtype=numpy.float16).astype(numpy.float32).reshape(len(rows), width)


def _size(block: Block) -> int:
    return int(block[0].nbytes + block[1].nbytes)
