"""Numbers in the file of a network (ONNX)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quire.adapters.arithmetic import arithmetic

# Numbers of fields, as ONNX's protocol buffers have them: a model's graph, its tensors, and of each its sizes, the kind
# of its numbers, its name, and these numbers, as bytes or, where they are few, as floats or whole numbers.
GRAPH, INITIALIZER, SIZES, KIND, NAME, RAW, FLOATS, WHOLE = 7, 5, 1, 2, 8, 9, 4, 5
VARINT, FIXED64, DELIMITED, FIXED32 = 0, 1, 2, 5
KINDS = {1: "float32", 2: "uint8", 3: "int8", 7: "int64", 9: "bool"}

Value = int | slice


def tensors(content: bytes) -> dict[str, Any]:
    """All tensors of a network's file by their names, as views of its bytes."""
    numpy = arithmetic()
    found: dict[str, Any] = {}
    for number, graph in _fields(content, slice(0, len(content))):
        if number != GRAPH or isinstance(graph, int):
            continue
        for inner, tensor in _fields(content, graph):
            if inner == INITIALIZER and isinstance(tensor, slice):
                name, kind, shape, numbers = _tensor(content, tensor)
                values = (
                    numpy.frombuffer(memoryview(content)[numbers], KINDS[kind])
                    if isinstance(numbers, slice)
                    else numpy.array(numbers, KINDS[kind])
                )
                found[name] = values.reshape(shape)
    return found


def _tensor(content: bytes, within: slice) -> tuple[str, int, list[int], slice | list[int]]:
    name, kind = "", 0
    shape: list[int] = []
    numbers: slice | list[int] = []
    for number, value in _fields(content, within):
        if number == SIZES:
            shape += [value] if isinstance(value, int) else _numbers(content, value)
        elif number == KIND and isinstance(value, int):
            kind = value
        elif number == NAME and isinstance(value, slice):
            name = content[value].decode()
        elif number in (RAW, FLOATS) and isinstance(value, slice):
            numbers = value
        elif number == WHOLE:
            numbers = _numbers(content, value) if isinstance(value, slice) else [value]
    return name, kind, shape, numbers


def _numbers(content: bytes, within: slice) -> list[int]:
    found, at = [], within.start
    while at < within.stop:
        value, at = _number(content, at)
        found.append(value)
    return found


def _fields(content: bytes, within: slice) -> Iterator[tuple[int, Value]]:
    """The fields of a message: their numbers, and their values, or where these lie."""
    at, end = within.start, within.stop
    while at < end:
        key, at = _number(content, at)
        field, kind = key >> 3, key & 7
        if kind == VARINT:
            value, at = _number(content, at)
            yield field, value
        elif kind == DELIMITED:
            length, at = _number(content, at)
            yield field, slice(at, at + length)
            at += length
        elif kind in (FIXED32, FIXED64):
            at += 4 if kind == FIXED32 else 8
        else:
            raise ValueError(f"A network's file has a field of kind {kind}.")
    if at != end:
        raise ValueError("A network's file ends within a field.")


def _number(content: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = content[at]
        value |= (byte & 0x7F) << shift
        at += 1
        if byte < 0x80:
            return value, at
        shift += 7
