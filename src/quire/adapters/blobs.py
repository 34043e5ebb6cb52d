"""Blobs as files named by their hash: temporary file, fsync, rename, directory fsync."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import secrets
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from io import BufferedReader
from pathlib import Path
from typing import TypeVar

from quire.adapters.disk import on_disk
from quire.domain.errors import NotFound, TooLarge, Unsupported
from quire.domain.files import CHUNK
from quire.ports.blobs import Known
from quire.ports.finish_anyway import finish_anyway

Result = TypeVar("Result")

SHA256 = re.compile(r"[0-9a-f]{64}")
MOST_KNOWN = 10_000


class FileBlobs:
    def __init__(self, root: Path) -> None:
        self._root = root
        self._whole: dict[str, tuple[int, ...]] = {}

    async def put(self, chunks: AsyncIterator[bytes], limit: int, known: Known) -> tuple[str, int]:
        part = Part(self._root)
        try:
            await threaded(part.open)
            async for chunk in chunks:
                part.refuse_more_than(limit, chunk)
                await threaded(part.write, chunk)
            sha256 = part.digest.hexdigest()
            await known(sha256, part.size)
            await threaded(part.settle, self._file(sha256))
            return sha256, part.size
        finally:
            part.close()

    async def get(self, sha256: str, start: int = 0) -> AsyncIterator[bytes]:
        await self.verify(sha256)
        with self._opened(sha256) as file:
            file.seek(start)
            while chunk := await threaded(file.read, CHUNK):
                yield chunk

    async def verify(self, sha256: str) -> None:
        """That the bytes are what the hash says: read for that once, and again when something was done to them."""
        await threaded(self._compare, sha256)

    def delete(self, sha256: str) -> None:
        with on_disk():
            self._file(sha256).unlink(missing_ok=True)

    def path(self, sha256: str) -> str | None:
        return str(self._file(sha256).resolve())

    async def tidy(self, before: int) -> None:
        await threaded(tidy, self._root, before)

    async def room(self) -> int | None:
        return await threaded(self._free)

    async def check(self) -> str:
        return f"files in {self._root}"

    def _free(self) -> int:
        """What is free on the disk; where the folder is not made yet, on that of the one that it will be in."""
        there = next(place for place in (self._root, *self._root.absolute().parents) if place.is_dir())
        return shutil.disk_usage(there).free

    def _compare(self, sha256: str) -> None:
        with self._opened(sha256) as file:
            found = os.fstat(file.fileno())
            state = (found.st_ino, found.st_ctime_ns, found.st_mtime_ns, found.st_size)
            if self._whole.get(sha256) == state:
                return
            if hashlib.file_digest(file, "sha256").hexdigest() != sha256:
                raise damaged(sha256)
            if len(self._whole) >= MOST_KNOWN:
                self._whole.clear()
            self._whole[sha256] = state

    def _opened(self, sha256: str) -> BufferedReader:
        with on_disk():
            try:
                return self._file(sha256).open("rb")
            except FileNotFoundError:
                raise NotFound("file", sha256) from None

    def _file(self, sha256: str) -> Path:
        return self._root / key_of(sha256)


def damaged(sha256: str) -> Unsupported:
    return Unsupported(
        f"The stored file {sha256} is damaged.", hint="Restore it from a copy, or add the same file again."
    )


def key_of(sha256: str) -> str:
    """Where a blob lies under its root."""
    if not SHA256.fullmatch(sha256):
        raise NotFound("file", sha256)
    return f"{sha256[:2]}/{sha256}"


def tidy(folder: Path, before: int) -> None:
    """Removes parts whose process has died, once they are old enough."""
    for part in folder.glob(".*.part"):
        with suppress(FileNotFoundError):
            if part.stat().st_mtime_ns // 1000 < before:
                part.unlink()


class Part:
    """A file on its way in: under a name of its own until it is whole."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / f".{secrets.token_hex(8)}.part"
        self.digest = hashlib.sha256()
        self.size = 0
        self._descriptor: int | None = None

    def open(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)

    def refuse_more_than(self, limit: int, chunk: bytes) -> None:
        if self.size + len(chunk) > limit:
            raise TooLarge(f"The file is larger than {limit:,} bytes.", limit=limit)

    def write(self, chunk: bytes) -> None:
        assert self._descriptor is not None
        self.digest.update(chunk)
        self.size += len(chunk)
        view = memoryview(chunk)
        while view:
            view = view[os.write(self._descriptor, view) :]

    def settle(self, target: Path) -> None:
        assert self._descriptor is not None
        os.fsync(self._descriptor)
        target.parent.mkdir(exist_ok=True, mode=0o700)
        os.replace(self.path, target)
        for folder in (target.parent, self.path.parent):
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

    def close(self) -> None:
        """Lets go of the file, and of its bytes unless they were settled."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self.path.unlink(missing_ok=True)


async def threaded(work: Callable[..., Result], *arguments: object) -> Result:
    """On a thread, to its end: a file must not be closed under a write whose caller was cancelled."""
    with on_disk():
        return await finish_anyway(asyncio.to_thread(work, *arguments))
