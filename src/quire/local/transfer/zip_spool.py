"""A ZIP file whose first entries are made in a transaction, into a file without a name, and sent afterwards."""

from __future__ import annotations

import asyncio
import hashlib
import tempfile
import zipfile
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager

from quire.domain.notebook_file.manifest import Entry
from quire.ports.zip_stream import PIECE, Pipe, zip_entry

LEVEL = 6
# What shrinks more than so many times is not packed: a reader may take it for a bomb.
HARMLESS_RATIO = 50
SAMPLE = 64 * 1024


class ZipSpool:
    """`add` and `entry` while it is made; then `spooled` gives what there is, and `waiting` what is made after that."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._pipe = Pipe()
        self._zip = zipfile.ZipFile(self._pipe, "w")
        self._file = tempfile.TemporaryFile()  # noqa: SIM115

    def add(self, path: str, data: bytes) -> None:
        with self.entry(path, shrinks=shrinks(data)) as write:
            write(data)
        self.drain(PIECE)

    @contextmanager
    def entry(self, path: str, *, shrinks: bool = True, large: bool = False) -> Iterator[Callable[[bytes], None]]:
        """One entry, which is written piece by piece."""
        method = zipfile.ZIP_DEFLATED if shrinks else zipfile.ZIP_STORED
        digest, size = hashlib.sha256(), 0
        with self._zip.open(zip_entry(path, method, level=LEVEL), "w", force_zip64=large) as target:

            def write(data: bytes) -> None:
                nonlocal size
                digest.update(data)
                size += len(data)
                target.write(data)

            yield write
        self.entries.append(Entry(path=path, size=size, sha256=digest.hexdigest()))

    def drain(self, least: int) -> None:
        """Puts what was made into the file."""
        for chunk in self._pipe.taken(least):
            self._file.write(chunk)

    async def spooled(self) -> AsyncIterator[bytes]:
        with self._file as file:
            file.seek(0)
            while chunk := await asyncio.to_thread(file.read, PIECE):
                yield chunk

    def waiting(self, least: int) -> Iterator[bytes]:
        return self._pipe.taken(least)

    def end(self) -> Iterator[bytes]:
        """The directory at the end; nothing comes after it."""
        self._zip.close()
        return self._pipe.taken(0)


def shrinks(data: bytes) -> bool:
    """Whether packing is worth it, judged by the beginning."""
    sample = data[:SAMPLE]
    packed = len(zlib.compress(sample, 1))
    return packed < len(sample) * 0.95 and packed * HARMLESS_RATIO > len(sample)
