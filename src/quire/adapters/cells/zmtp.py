"""ZMTP 3.0, as far as a client of Jupyter's kernels needs it: messages of frames over a socket in a folder.

Written out because the library gives no bound on what it holds of a peer's messages: its limits are on the size of
a frame and on the number of messages, and a message may have any number of frames. Here a message that is not read
yet stays in the peer's memory, and of one that is too large nothing is kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

MORE, LONG, COMMAND = 1, 2, 4
GREETING = b"\xff" + bytes(8) + b"\x7f" + b"\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
BUFFERED = 256 * 1024
MOST_FRAMES = 64


class Channel:
    """One connection to a peer. ConnectionError and IncompleteReadError tell of its end."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, most: int) -> None:
        self._reader = reader
        self._writer = writer
        self._most = most

    @classmethod
    async def connect(cls, path: Path, kind: str, most: int) -> Channel:
        """`kind` is ZeroMQ's name of our side, `most` the size of a message that is still kept."""
        reader, writer = await asyncio.open_unix_connection(str(path), limit=BUFFERED)
        made = cls(reader, writer, most)
        ready = False
        try:
            writer.write(GREETING + made._ready(kind))
            if not (await reader.readexactly(len(GREETING))).startswith(b"\xff"):
                raise ConnectionError("not a ZMTP peer")
            # Its READY, which names its kind; nothing depends on that.
            await made._frame(keep=False)
            if kind == "SUB":
                made.send([b"\x01"])
            ready = True
        finally:
            if not ready:
                made.close()
        return made

    def send(self, frames: Sequence[bytes]) -> None:
        last = len(frames) - 1
        for number, frame in enumerate(frames):
            self._writer.write(framed(MORE if number < last else 0, frame))

    async def receive(self) -> list[bytes] | None:
        """The frames of the next message; None for one that is too large, which is dropped as it comes."""
        frames: list[bytes] = []
        left = self._most
        more = True
        while more:
            flags, size, frame = await self._frame(keep=left >= 0, most=left)
            more = bool(flags & MORE)
            left -= size
            if frame is None or len(frames) >= MOST_FRAMES:
                left = -1
            elif not flags & COMMAND:
                frames.append(frame)
            more = more or (flags & COMMAND != 0 and not frames)
        return frames if left >= 0 else None

    def close(self) -> None:
        self._writer.close()

    async def _frame(self, *, keep: bool, most: int = 0) -> tuple[int, int, bytes | None]:
        flags = (await self._reader.readexactly(1))[0]
        size = int.from_bytes(await self._reader.readexactly(8 if flags & LONG else 1), "big")
        if keep and size <= most:
            return flags, size, await self._reader.readexactly(size)
        left = size
        while left:
            left -= len(await self._reader.readexactly(min(left, BUFFERED)))
        return flags, size, None

    @staticmethod
    def _ready(kind: str) -> bytes:
        body = b"\x05READY"
        for name, value in ((b"Socket-Type", kind.encode()), (b"Identity", b"")):
            body += bytes([len(name)]) + name + len(value).to_bytes(4, "big") + value
        return framed(COMMAND, body)


def framed(flags: int, body: bytes) -> bytes:
    if len(body) < 256:
        return bytes([flags, len(body)]) + body
    return bytes([flags | LONG]) + len(body).to_bytes(8, "big") + body
