"""The file of a network: its tensors, and that a broken one is told."""

from __future__ import annotations

import struct

import pytest

from quire.adapters.network_file import tensors

pytest.importorskip("numpy", reason="numpy comes with the extra embedder")

FLOAT, BYTES, SIGNED = 1, 2, 3


def number(value: int) -> bytes:
    found = b""
    while value >= 0x80:
        found += bytes([value & 0x7F | 0x80])
        value >>= 7
    return found + bytes([value])


def field(at: int, value: bytes) -> bytes:
    return number(at << 3 | 2) + number(len(value)) + value


def tensor(name: str, kind: int, sizes: bytes, numbers: bytes) -> bytes:
    return field(5, sizes + number(2 << 3) + number(kind) + field(8, name.encode()) + numbers)


def test_tensors_are_found_by_name_whatever_stands_between_them() -> None:
    two_by_three = number(1 << 3) + number(2) + number(1 << 3) + number(3)
    packed = field(1, number(150) + number(2))
    graph = (
        tensor("weights", SIGNED, two_by_three, field(9, struct.pack("6b", -3, -2, -1, 0, 1, 2)))
        + field(1, b"a node")
        + tensor("long", BYTES, packed, field(9, bytes(range(150)) * 2))
        + tensor("scale", FLOAT, b"", field(4, struct.pack("f", 0.5)))
        + tensor("zero", BYTES, b"", field(5, number(86)))
        + tensor("other", BYTES, b"", number(5 << 3) + number(34))
    )
    fixed = number(9 << 3 | 5) + b"1234" + number(10 << 3 | 1) + b"12345678"
    found = tensors(number(1 << 3) + number(8) + fixed + field(7, graph) + field(8, b"an opset"))
    assert found["weights"].tolist() == [[-3, -2, -1], [0, 1, 2]]
    assert found["long"].shape == (150, 2)
    assert {name: found[name].tolist() for name in ("scale", "zero", "other")} == {
        "scale": 0.5,
        "zero": 86,
        "other": 34,
    }
    assert len(found) == 5


@pytest.mark.parametrize(
    "content",
    [
        field(7, tensor("w", SIGNED, b"", field(9, b"1")))[:-1],
        number(7 << 3 | 3) + b"x",
        number(7 << 3 | 2),
        field(7, tensor("w", SIGNED, number(1 << 3) + number(9), field(9, b"1"))),
    ],
)
def test_a_broken_file_is_told(content: bytes) -> None:
    with pytest.raises((ValueError, IndexError)):
        tensors(content)
