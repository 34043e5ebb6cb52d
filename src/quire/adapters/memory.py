"""The ports that are not SQL, in memory: for tests and trials. The store in memory is SQLite's `:memory:`."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from typing import Any

from quire.domain.errors import NotFound, TooLarge
from quire.domain.files import CHUNK, Download, Upload
from quire.ports.blobs import Known


class MemoryBlobs:
    def __init__(self) -> None:
        self._bytes: dict[str, bytes] = {}

    async def put(self, chunks: AsyncIterator[bytes], limit: int, known: Known) -> tuple[str, int]:
        data = bytearray()
        async for chunk in chunks:
            if len(data) + len(chunk) > limit:
                raise TooLarge(f"The file is larger than {limit:,} bytes.", limit=limit)
            data += chunk
        sha256 = hashlib.sha256(data).hexdigest()
        await known(sha256, len(data))
        self._bytes[sha256] = bytes(data)
        return sha256, len(data)

    async def get(self, sha256: str, start: int = 0) -> AsyncIterator[bytes]:
        if sha256 not in self._bytes:
            raise NotFound("file", sha256)
        data = self._bytes[sha256]
        for at in range(start, len(data), CHUNK):
            yield data[at : at + CHUNK]

    async def verify(self, sha256: str) -> None:
        """They lie nowhere on this machine."""

    def delete(self, sha256: str) -> None:
        self._bytes.pop(sha256, None)

    def path(self, sha256: str) -> str | None:
        return None

    async def tidy(self, before: int) -> None:
        """There is nothing to tidy in memory."""

    async def room(self) -> int | None:
        return None

    async def check(self) -> str:
        return f"{len(self._bytes)} files in memory"


class MemoryFiles:
    """Files that were fetched, by their hashes."""

    def __init__(self) -> None:
        self._blobs = MemoryBlobs()

    async def put(self, upload: Upload, limit: int) -> tuple[str, int]:
        async def known(sha256: str, size: int) -> None:
            """Nobody else has to know."""

        return await self._blobs.put(upload.chunks(), limit, known)

    def download(self, facts: dict[str, Any], *, local: bool) -> Download:
        return Download(**facts).opened_from(lambda start: self._blobs.get(facts["sha256"], start))


class FixedClock:
    """A clock that stands until it is moved."""

    def __init__(self, microseconds: int = 1_765_117_800_000_000) -> None:
        self.microseconds = microseconds

    def now(self) -> int:
        return self.microseconds

    def move(self, *, seconds: float) -> None:
        self.microseconds += int(seconds * 1e6)
