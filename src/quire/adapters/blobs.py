"""Blobs as files named by their hash: temporary file, fsync, rename, directory fsync."""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
from collections.abc import AsyncIterator
from pathlib import Path

from quire.domain.errors import NotFound, TooLarge
from quire.domain.files import CHUNK


class FileBlobs:
    def __init__(self, root: Path) -> None:
        self._root = root

    async def put(self, chunks: AsyncIterator[bytes], limit: int) -> tuple[str, int]:
        await asyncio.to_thread(self._root.mkdir, parents=True, exist_ok=True, mode=0o700)
        temporary = self._root / f".{secrets.token_hex(8)}.part"
        digest, size = hashlib.sha256(), 0
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            async for chunk in chunks:
                size += len(chunk)
                if size > limit:
                    raise TooLarge(f"The file is larger than {limit:,} bytes.", limit=limit)
                digest.update(chunk)
                await asyncio.to_thread(_write_all, descriptor, chunk)
            await asyncio.to_thread(os.fsync, descriptor)
            sha256 = digest.hexdigest()
            await asyncio.to_thread(self._settle, temporary, sha256)
            return sha256, size
        finally:
            os.close(descriptor)
            temporary.unlink(missing_ok=True)

    async def get(self, sha256: str) -> AsyncIterator[bytes]:
        try:
            file = await asyncio.to_thread(self._file(sha256).open, "rb")
        except FileNotFoundError:
            raise NotFound("file", sha256) from None
        with file:
            while chunk := await asyncio.to_thread(file.read, CHUNK):
                yield chunk

    async def delete(self, sha256: str) -> None:
        await asyncio.to_thread(self._file(sha256).unlink, missing_ok=True)

    def path(self, sha256: str) -> str | None:
        return str(self._file(sha256).resolve())

    async def check(self) -> str:
        return f"files in {self._root}"

    def _file(self, sha256: str) -> Path:
        if len(sha256) != 64 or not sha256.isalnum():
            raise NotFound("file", sha256)
        return self._root / sha256[:2] / sha256

    def _settle(self, temporary: Path, sha256: str) -> None:
        target = self._file(sha256)
        target.parent.mkdir(exist_ok=True, mode=0o700)
        os.replace(temporary, target)
        for folder in (target.parent, self._root):
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


def _write_all(descriptor: int, chunk: bytes) -> None:
    view = memoryview(chunk)
    while view:
        view = view[os.write(descriptor, view) :]
