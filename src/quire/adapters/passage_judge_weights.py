"""The weights of the judge of passages: made of what is fetched, and changed by what was learnt.

all-mpnet-base-v2 comes as one archive in five parts, in full numbers. What is kept of it is one file of 110 MB: every
matrix as int8 with a scale a column, the table of words with a scale a row, all else as it is, one after the other.
When it is loaded, the product of two narrow matrices that was learnt (`training`) is added to each.
"""

from __future__ import annotations

import io
import json
import math
import shutil
import struct
import zipfile
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from quire.adapters.arithmetic import arithmetic

LEARNT = "passage_judge.npz"
LEFT, RIGHT = ".left", ".right"
INT8, SCALE, WEIGHT, BIAS = ".int8", ".scale", ".weight", ".bias"
ARCHIVE, FOLDER, TENSORS, VOCABULARY, CARD = (
    "model.zip",
    "all-mpnet-base-v2",
    "model.safetensors",
    "vocab.txt",
    "README.md",
)
WEIGHTS = "weights.bin"
MOST = 127

LAYERS, WIDTH, HEADS, WORDS, BUCKETS = 12, 768, 12, 30_527, 32
# Places are counted from two on; more than these are never read.
PLACES = 258
WORD_TABLE, PLACE_TABLE = "embeddings.word_embeddings", "embeddings.position_embeddings"
BEGINNING, RELATIVE = "embeddings.LayerNorm", "encoder.relative_attention_bias"
MATRICES = {
    "attention.attn.q": (WIDTH, WIDTH),
    "attention.attn.k": (WIDTH, WIDTH),
    "attention.attn.v": (WIDTH, WIDTH),
    "attention.attn.o": (WIDTH, WIDTH),
    "intermediate.dense": (WIDTH, 4 * WIDTH),
    "output.dense": (4 * WIDTH, WIDTH),
}
# The last matrix of a layer meets values of very different size: it has a scale for each block of a column.
BLOCK = 128
NORMS = ("attention.LayerNorm", "output.LayerNorm")

Arrays = dict[str, Any]


class KeptTensor(NamedTuple):
    """A part of the file that is kept: its name, its kind of number, and its shape."""

    name: str
    kind: str
    shape: tuple[int, ...]


def kept() -> Iterator[KeptTensor]:
    """All parts of the file, in their order."""
    yield KeptTensor(WORD_TABLE + INT8, "int8", (WORDS, WIDTH))
    yield KeptTensor(WORD_TABLE + SCALE, "float32", (WORDS, 1))
    yield KeptTensor(PLACE_TABLE + WEIGHT, "float32", (PLACES, WIDTH))
    yield KeptTensor(RELATIVE + WEIGHT, "float32", (BUCKETS, HEADS))
    yield from _norm(BEGINNING)
    for layer in _layers():
        for matrix, (rows, columns) in MATRICES.items():
            yield KeptTensor(f"{layer}.{matrix}{INT8}", "int8", (rows, columns))
            yield KeptTensor(f"{layer}.{matrix}{SCALE}", "float32", (columns,))
            yield KeptTensor(f"{layer}.{matrix}{BIAS}", "float32", (columns,))
        for norm in NORMS:
            yield from _norm(f"{layer}.{norm}")


def _norm(name: str) -> Iterator[KeptTensor]:
    yield KeptTensor(name + WEIGHT, "float32", (WIDTH,))
    yield KeptTensor(name + BIAS, "float32", (WIDTH,))


def _layers() -> Iterator[str]:
    return (f"encoder.layer.{number}" for number in range(LAYERS))


def make(folder: Path) -> None:
    """Makes what is kept of the fetched parts that lie in a folder, and takes those away."""
    with (folder / ARCHIVE).open("wb") as whole:
        for part in sorted(folder.glob(f"{ARCHIVE}.*")):
            with part.open("rb") as content:
                shutil.copyfileobj(content, whole)
            part.unlink()
    with zipfile.ZipFile(folder / ARCHIVE) as packed:
        for name in (TENSORS, VOCABULARY, CARD):
            with packed.open(f"{FOLDER}/{name}") as content, (folder / name).open("wb") as out:
                shutil.copyfileobj(content, out)
    (folder / ARCHIVE).unlink()
    with (folder / WEIGHTS).open("wb") as out:
        for _, array in _rounded(folder / TENSORS):
            out.write(array.tobytes())
    (folder / TENSORS).unlink()


def _rounded(file: Path) -> Iterator[tuple[str, Any]]:
    """The parts of the file that is kept, of a file of tensors in full numbers."""
    numpy = arithmetic()
    content = numpy.memmap(file, dtype=numpy.uint8, mode="r")
    (length,) = struct.unpack("<Q", content[:8].tobytes())
    about = json.loads(content[8 : 8 + length].tobytes())

    def tensor(name: str) -> Any:
        begin, end = about[name]["data_offsets"]
        numbers = content[8 + length + begin : 8 + length + end]
        return numpy.frombuffer(numbers.tobytes(), numpy.float32).reshape(about[name]["shape"])

    rounded: Arrays = {}
    for part in kept():
        if part.name.endswith(INT8):
            name = part.name.removesuffix(INT8)
            words = name == WORD_TABLE
            numbers = tensor(name + WEIGHT) if words else tensor(name + WEIGHT).T
            rounded[part.name], rounded[name + SCALE] = in_eight_bits(numbers, 1 if words else 0)
        elif part.name not in rounded:
            rounded[part.name] = tensor(part.name)[: part.shape[0]]
        yield part.name, numpy.ascontiguousarray(rounded.pop(part.name)).reshape(part.shape)


def in_eight_bits(numbers: Any, axis: int) -> tuple[Any, Any]:
    """A matrix as int8, and the scale of each of its columns (or rows)."""
    numpy = arithmetic()
    scale = numpy.abs(numbers).max(axis=axis, keepdims=True) / numpy.float32(MOST)
    scale[scale == 0] = 1
    return numpy.rint(numbers / scale).astype(numpy.int8), scale.squeeze(0) if axis == 0 else scale


def in_blocks(numbers: Any) -> tuple[Any, Any]:
    """A matrix as the runtime wants it in blocks: column after column, 128 for zero, and the scales of the blocks."""
    numpy = arithmetic()
    rows, columns = numbers.shape
    blocks = numbers.T.reshape(columns, rows // BLOCK, BLOCK)
    scale = numpy.abs(blocks).max(axis=2, keepdims=True) / numpy.float32(MOST)
    scale[scale == 0] = 1
    return (numpy.rint(blocks / scale) + (MOST + 1)).astype(numpy.uint8), scale.reshape(-1)


def learnt() -> Mapping[str, Any]:
    """What was learnt, by the names of the tensors."""
    numpy = arithmetic()
    found = numpy.load(io.BytesIO(resources.files("quire.adapters").joinpath(LEARNT).read_bytes()))
    return {name: found[name].astype(numpy.float32) for name in found.files}


def tensors(content: bytes, changes: Mapping[str, Any]) -> Arrays:
    """The numbers of the network by the names of its graph: what is kept, and what was learnt."""
    numpy = arithmetic()
    base: Arrays = {}
    at = 0
    for part in kept():
        count = math.prod(part.shape)
        base[part.name] = numpy.frombuffer(content, part.kind, count, at).reshape(part.shape)
        at += base[part.name].nbytes

    def value(name: str) -> Any:
        return changes.get(name, base[name])

    def matrix(name: str) -> Any:
        numbers = base[name + INT8] * base[name + SCALE]
        return numbers + changes[name + LEFT] @ changes[name + RIGHT] if name + LEFT in changes else numbers

    found: Arrays = {
        "words.int8": base[WORD_TABLE + INT8],
        "words.scale": base[WORD_TABLE + SCALE],
        "places": base[PLACE_TABLE + WEIGHT],
        "begin.weight": base[BEGINNING + WEIGHT],
        "begin.bias": base[BEGINNING + BIAS],
    }
    for number, layer in enumerate(_layers()):
        names = {
            "attention": [f"{layer}.attention.attn.{one}" for one in "qkv"],
            "mixed": [f"{layer}.attention.attn.o"],
            "wide": [f"{layer}.intermediate.dense"],
        }
        for step, several in names.items():
            numbers, scale = in_eight_bits(numpy.concatenate([matrix(name) for name in several], axis=1), 0)
            found[f"{number}.{step}{INT8}"], found[f"{number}.{step}{SCALE}"] = numbers, scale
            found[f"{number}.{step}{BIAS}"] = numpy.concatenate([value(name + BIAS) for name in several])
        narrow = f"{layer}.output.dense"
        found[f"{number}.narrow{INT8}"], found[f"{number}.narrow{SCALE}"] = in_blocks(matrix(narrow))
        found[f"{number}.narrow{BIAS}"] = value(narrow + BIAS)
        for step, norm in zip(("first", "second"), NORMS, strict=True):
            found[f"{number}.{step}{WEIGHT}"] = value(f"{layer}.{norm}{WEIGHT}")
            found[f"{number}.{step}{BIAS}"] = value(f"{layer}.{norm}{BIAS}")
    found["relative"] = base[RELATIVE + WEIGHT]
    return found
