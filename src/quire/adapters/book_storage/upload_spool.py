"""Uploads on their way in, as files that grow."""

from __future__ import annotations

import fcntl
import hashlib
import os
from contextlib import suppress
from pathlib import Path

from quire.adapters.disk import on_disk
from quire.domain.errors import Conflict
from quire.domain.files import CHUNK


class UploadFolder:
    def __init__(self, root: Path) -> None:
        self._root = root

    def open(self, id: str) -> GrowingFile:
        with on_disk():
            self._root.mkdir(parents=True, exist_ok=True, mode=0o700)
            return GrowingFile(self._root / f"{id}.part")

    def received(self, id: str) -> int:
        with on_disk():
            try:
                return (self._root / f"{id}.part").stat().st_size
            except FileNotFoundError:
                return 0

    def tidy(self, before: int) -> None:
        with on_disk():
            for part in self._root.glob("*.part"):
                with suppress(FileNotFoundError):
                    if part.stat().st_mtime_ns // 1000 < before:
                        part.unlink()


class GrowingFile:
    """Locked for as long as it is open, so that two senders cannot mix their bytes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._descriptor)
            raise Conflict("Another request is sending this upload.", hint="Ask how far it is, and go on.") from None
        self.size = os.fstat(self._descriptor).st_size

    @property
    def path(self) -> Path:
        return self._path

    def write(self, chunk: bytes) -> None:
        with on_disk():
            view = memoryview(chunk)
            while view:
                written = os.pwrite(self._descriptor, view, self.size)
                self.size += written
                view = view[written:]

    def cut(self, size: int) -> None:
        with on_disk():
            os.ftruncate(self._descriptor, size)
            self.size = size

    def beginning(self, size: int) -> bytes:
        with on_disk():
            return os.pread(self._descriptor, size, 0)

    def digest(self) -> str:
        digest = hashlib.sha256()
        with on_disk():
            os.fsync(self._descriptor)
            at = 0
            while chunk := os.pread(self._descriptor, CHUNK, at):
                digest.update(chunk)
                at += len(chunk)
        return digest.hexdigest()

    def close(self, *, ended: bool) -> None:
        """An upload that came to its end may have been moved away already."""
        with on_disk():
            if ended:
                self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
