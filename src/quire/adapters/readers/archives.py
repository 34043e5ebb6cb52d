"""Zip files that hold documents, read within limits and never unpacked to disk."""

from __future__ import annotations

import posixpath
import zipfile
from pathlib import Path
from types import TracebackType
from urllib.parse import unquote

from quire.adapters.readers.failures import damaged, protected
from quire.adapters.readers.limits import MIB, Limits
from quire.domain.errors import TooLarge

# Small files of one repeated word compress without end, and harm nobody.
RATIO_FROM = 8 * MIB
ENCRYPTED = 0x1


class Archive:
    """The members of a zip file by name; what it would expand to is checked before anything is read."""

    def __init__(self, path: Path, what: str, limits: Limits) -> None:
        self.what = what
        self._left = limits.expanded_bytes
        self._zip = zipfile.ZipFile(path)
        entries = self._zip.infolist()
        if len(entries) > limits.entries:
            raise TooLarge(f"The file holds more than {limits.entries:,} files.")
        if sum(entry.file_size for entry in entries) > limits.expanded_bytes:
            raise self._bomb()
        for entry in entries:
            if entry.file_size > RATIO_FROM and entry.file_size > limits.ratio * max(entry.compress_size, 1):
                raise self._bomb()
        self._entries = {entry.filename: entry for entry in entries}
        self._folded = {entry.filename.lower(): entry for entry in entries}

    def __enter__(self) -> Archive:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()

    def __contains__(self, name: str) -> bool:
        return self._find(name) is not None

    def read(self, name: str) -> bytes:
        """A member's bytes; one that is not there is a sign of damage."""
        entry = self._find(name)
        if entry is None:
            raise damaged(self.what)
        if entry.flag_bits & ENCRYPTED:
            raise protected(self.what)
        with self._zip.open(entry) as file:
            data = file.read(self._left + 1)
        self._left -= len(data)
        if self._left < 0:
            raise self._bomb()
        return data

    def get(self, name: str) -> bytes | None:
        return self.read(name) if name in self else None

    def _find(self, name: str) -> zipfile.ZipInfo | None:
        return self._entries.get(name) or self._folded.get(name.lower())

    def _bomb(self) -> TooLarge:
        return TooLarge("The file expands to more than one file may hold.")


def resolved(source: str, target: str) -> str:
    """The member that a reference in the member `source` points to."""
    path = unquote(target.partition("#")[0])
    if path.startswith("/"):
        return path.lstrip("/")
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
