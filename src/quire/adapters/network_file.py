"""Numbers in the file of a network (ONNX): where each tensor's bytes lie, so that others can be put in their place."""

from __future__ import annotations

from collections.abc import Iterator

# Numbers of fields, as ONNX's protocol buffers have them: a model's graph, its tensors, their names, and their numbers,
# as bytes or, where they are few, as floats.
GRAPH, INITIALIZER, NAME, RAW, FLOATS = 7, 5, 8, 9, 4
VARINT, FIXED64, DELIMITED, FIXED32 = 0, 1, 2, 5


def tensor_places(content: bytes | bytearray) -> dict[str, slice]:
    """The places of the bytes of all tensors that a network's file names, by their names."""
    found: dict[str, slice] = {}
    for graph in _fields(content, slice(0, len(content)), GRAPH):
        for tensor in _fields(content, graph, INITIALIZER):
            names = [bytes(content[place]).decode() for place in _fields(content, tensor, NAME)]
            for kind in (RAW, FLOATS):
                for place in _fields(content, tensor, kind):
                    found[names[0]] = place
    return found


def _fields(content: bytes | bytearray, within: slice, wanted: int) -> Iterator[slice]:
    """The places of one field's values in a message."""
    at, end = within.start, within.stop
    while at < end:
        key, at = _number(content, at)
        field, kind = key >> 3, key & 7
        if kind == VARINT:
            _, at = _number(content, at)
        elif kind == DELIMITED:
            length, at = _number(content, at)
            if field == wanted:
                yield slice(at, at + length)
            at += length
        elif kind in (FIXED32, FIXED64):
            at += 4 if kind == FIXED32 else 8
        else:
            raise ValueError(f"A network's file has a field of kind {kind}.")
    if at != end:
        raise ValueError("A network's file ends within a field.")


def _number(content: bytes | bytearray, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = content[at]
        value |= (byte & 0x7F) << shift
        at += 1
        if byte < 0x80:
            return value, at
        shift += 7
