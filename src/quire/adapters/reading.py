"""The reader port: an upload onto disk, its kind found out, its text read."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from quire.adapters.readers import HEAD, LIMITS, Limits, read, sniff
from quire.domain.documents import Document
from quire.domain.errors import InvalidInput
from quire.domain.files import Upload
from quire.services.ports import ReadingProgress


class FileReader:
    """`cache` is where what must be unpacked once is kept."""

    def __init__(self, cache: Path, limits: Limits = LIMITS) -> None:
        self._cache = cache
        self._limits = limits

    async def read(
        self, file: Upload, *, url: str | None = None, progress: ReadingProgress | None = None
    ) -> tuple[Document, str]:
        with tempfile.TemporaryDirectory(prefix="quire-read-") as folder:
            path = Path(folder) / "file"
            head = b""
            with path.open("wb") as target:  # noqa: ASYNC230
                async for chunk in file.chunks():
                    if len(head) < HEAD:
                        head += chunk[: HEAD - len(head)]
                    await asyncio.to_thread(target.write, chunk)
            if not head:
                raise InvalidInput("The file is empty.")
            kind = sniff(file.name, None, head)
            document = await read(path, kind, self._limits, url=url, progress=progress, cache=self._cache)
            return document, "url" if url else kind
