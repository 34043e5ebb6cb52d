"""PNG files, looked at: their size, and that nothing of them is missing."""

from __future__ import annotations

import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def size_of_png(data: bytes) -> tuple[int, int]:
    """Width and height; ValueError where a part is missing or damaged."""
    if not data.startswith(SIGNATURE):
        raise ValueError("it is no PNG")
    at, size, ended = len(SIGNATURE), (0, 0), False
    while at + 12 <= len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body, told = data[at + 8 : at + 8 + length], data[at + 8 + length : at + 12 + length]
        if len(told) != 4 or struct.unpack(">I", told)[0] != zlib.crc32(kind + body):
            raise ValueError("a part of the PNG is damaged")
        if kind == b"IHDR":
            size = struct.unpack(">II", body[:8])
        ended = kind == b"IEND"
        at += 12 + length
    if not ended or not all(size):
        raise ValueError("the PNG is not whole")
    return size
