"""The port for reading: a file on its way in, or one that lies on this machine, into a document."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quire.adapters.readers import HEAD, KINDS, LIMITS, Kind, Limits, read, sniff
from quire.adapters.readers.failures import needs, too_large
from quire.adapters.turns import Turns
from quire.domain.documents import Document
from quire.domain.errors import InvalidInput, NotFound
from quire.domain.files import Upload

if TYPE_CHECKING:
    from quire.adapters.readers.process import Progress


PROCESSES = 4


class FileReader:
    """Reads files of every kind, a few at once, those that a caller waits for first.

    `cache` is where speech recognition keeps its model; `model` names another. `installed` tells of an extra whether
    it is there.
    """

    def __init__(
        self,
        cache: Path,
        limits: Limits = LIMITS,
        model: Path | None = None,
        installed: Callable[[str], bool] = lambda extra: True,
    ) -> None:
        self._cache = cache
        self._limits = limits
        self._model = model
        self._installed = installed
        self._processes = Turns(PROCESSES)

    def unreadable(self, name: str, media_type: str, head: bytes) -> str | None:
        kind = KINDS[sniff(name, media_type, head[:HEAD])]
        if kind.reader and kind.extra and not self._installed(kind.extra):
            return needs(kind.extra, kind.what).message
        return None if kind.reader else kind.refusal

    async def read(
        self, file: Upload, *, whole: bool = False, media_type: str | None = None, progress: Progress | None = None
    ) -> tuple[Document, str]:
        """The document and its kind; what cannot be read raises with a reason."""
        if file.path is not None:
            kind = self._checked(file.name, media_type, await asyncio.to_thread(head_of, file.path))
            return await self._document(file.path, kind, whole, progress), kind
        folder = self._cache if await asyncio.to_thread(self._cache.is_dir) else None
        descriptor, name = await asyncio.to_thread(tempfile.mkstemp, prefix="reading-", dir=folder)
        path = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as copy:
                kind = await self._copied(file, media_type, copy)
            return await self._document(path, kind, whole, progress), kind
        finally:
            await asyncio.to_thread(path.unlink, missing_ok=True)

    async def _document(self, path: Path, kind: str, whole: bool, progress: Progress | None) -> Document:
        return await read(
            path,
            kind,
            self._limits,
            whole=whole,
            progress=progress,
            cache=self._cache,
            model=self._model,
            place=self._processes.taken(),
        )

    async def _copied(self, file: Upload, media_type: str | None, copy: Any) -> str:
        """Copies a file and tells its kind; one that will be refused is not copied to its end."""
        head, size = b"", 0
        kind: str | None = None
        async for chunk in file.chunks():
            size += len(chunk)
            if kind is None:
                head += chunk
                if len(head) >= HEAD:
                    kind = self._checked(file.name, media_type, head)
            if kind is not None:
                self._fits(KINDS[kind], size)
            await asyncio.to_thread(copy.write, chunk)
        return kind or self._checked(file.name, media_type, head)

    def _checked(self, name: str, media_type: str | None, head: bytes) -> str:
        kind = sniff(name, media_type, head[:HEAD])
        if not KINDS[kind].reader:
            raise InvalidInput(KINDS[kind].refusal)
        return kind

    def _fits(self, kind: Kind, size: int) -> None:
        most = self._limits.largest(kind)
        if most is not None and size > most:
            raise too_large(kind.what, most)


def head_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(HEAD)
    except FileNotFoundError:
        raise NotFound("file", path.name) from None
