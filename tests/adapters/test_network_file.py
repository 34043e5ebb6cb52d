"""The file of a network: where its tensors lie, and that a broken one is told."""

from __future__ import annotations

import struct

import pytest

from quire.adapters.network_file import tensor_places


def number(value: int) -> bytes:
    found = b""
    while value >= 0x80:
        found += bytes([value & 0x7F | 0x80])
        value >>= 7
    return found + bytes([value])


def field(at: int, value: bytes) -> bytes:
    return number(at << 3 | 2) + number(len(value)) + value


def tensor(name: str, raw: bytes = b"", floats: bytes = b"") -> bytes:
    dims = number(1 << 3) + number(300)
    content = dims + field(8, name.encode())
    return field(5, content + (field(9, raw) if raw else b"") + (field(4, floats) if floats else b""))


def test_tensors_are_found_by_name_whatever_stands_between_them() -> None:
    graph = tensor("weights", raw=bytes(range(200))) + field(1, b"a node") + tensor("scale", floats=struct.pack("f", 2))
    fixed = number(9 << 3 | 5) + b"1234" + number(10 << 3 | 1) + b"12345678"
    content = number(1 << 3) + number(8) + fixed + field(7, graph) + field(8, b"an opset")
    places = tensor_places(content)
    assert content[places["weights"]] == bytes(range(200))
    assert struct.unpack("f", content[places["scale"]]) == (2.0,)
    assert set(places) == {"weights", "scale"}


@pytest.mark.parametrize(
    "content", [field(7, tensor("w", raw=b"1"))[:-1], number(7 << 3 | 3) + b"x", number(7 << 3 | 2)]
)
def test_a_broken_file_is_told(content: bytes) -> None:
    with pytest.raises((ValueError, IndexError)):
        tensor_places(content)
