"""ZIP files that are made while they are sent: bytes wait in a pipe until they are taken."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator

PIECE = 512 * 1024
# From here on an entry needs the large form, which has to be known before it is written.
LARGE = 2**31 - 1
FIRST_YEAR = (1980, 1, 1, 0, 0, 0)


class Pipe:
    """What a ZipFile writes to: bytes wait here until they are taken."""

    def __init__(self) -> None:
        self._waiting: list[bytes] = []
        self._size = 0

    def write(self, data: bytes) -> int:
        self._waiting.append(bytes(data))
        self._size += len(data)
        return len(data)

    def flush(self) -> None:
        """There is nothing behind this to be flushed."""

    def close(self) -> None:
        """Nor to be closed."""

    def taken(self, least: int) -> Iterator[bytes]:
        """All that waits, if it is more than a little."""
        if self._size > least:
            yield b"".join(self._waiting)
            self._waiting.clear()
            self._size = 0


def zip_entry(
    path: str, method: int, at: tuple[int, int, int, int, int, int] = FIRST_YEAR, level: int = 1
) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(path, max(at, FIRST_YEAR))
    entry.compress_type = method
    # An entry that is given does not take the level from its archive. Python 3.13 still knows this name.
    entry._compresslevel = level  # type: ignore[attr-defined]
    entry.external_attr = 0o644 << 16
    return entry
