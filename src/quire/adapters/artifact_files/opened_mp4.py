"""What is in an MP4 file: its boxes, read without the program that wrote them."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LARGEST_INDEX = 256 * 1024 * 1024


@dataclass(frozen=True)
class Track:
    kind: str
    codec: str
    seconds: float
    width: float
    height: float


@dataclass(frozen=True)
class OpenedMp4:
    """`streams` says that its index comes before what it indexes, so that it can be played while it is fetched."""

    tracks: tuple[Track, ...]
    streams: bool


def opened_mp4(path: Path) -> OpenedMp4:
    """Raises ValueError where it is none."""
    names: list[str] = []
    index = b""
    whole = path.stat().st_size
    with path.open("rb") as file:
        at = 0
        while at < whole:
            file.seek(at)
            head = file.read(16)
            if len(head) < 8:
                raise ValueError("a box is cut off")
            size, name = struct.unpack(">I4s", head[:8])
            begin = 8
            if size == 1 and len(head) == 16:
                size, begin = struct.unpack(">Q", head[8:])[0], 16
            if size < begin or at + size > whole:
                raise ValueError("a box is cut off")
            names.append(name.decode("latin-1"))
            if name == b"moov":
                if size > LARGEST_INDEX:
                    raise ValueError("its index is too large")
                file.seek(at + begin)
                index = file.read(size - begin)
            at += size
    if names[:1] != ["ftyp"] or "mdat" not in names or not index:
        raise ValueError("it is no MP4 file")
    try:
        tracks = tuple(_track(body) for name, body in _boxes(index) if name == "trak")
    except (struct.error, KeyError, IndexError):
        raise ValueError("its index cannot be read") from None
    return OpenedMp4(tracks, names.index("moov") < names.index("mdat"))


def _boxes(body: bytes) -> Iterator[tuple[str, bytes]]:
    at = 0
    while at + 8 <= len(body):
        size, name = struct.unpack_from(">I4s", body, at)
        if size < 8 or at + size > len(body):
            raise ValueError("a box is cut off")
        yield name.decode("latin-1"), body[at + 8 : at + size]
        at += size


def _track(body: bytes) -> Track:
    boxes = dict(_boxes(body))
    media = dict(_boxes(boxes["mdia"]))
    table = dict(_boxes(dict(_boxes(media["minf"]))["stbl"]))
    head = media["mdhd"]
    scale, length = struct.unpack_from(">IQ", head, 20) if head[0] == 1 else struct.unpack_from(">II", head, 12)
    width, height = struct.unpack(">II", boxes["tkhd"][-8:])
    kind, codec = media["hdlr"][8:12].decode("latin-1"), table["stsd"][12:16].decode("latin-1")
    return Track(kind, codec, length / scale if scale else 0.0, width / 65536, height / 65536)
