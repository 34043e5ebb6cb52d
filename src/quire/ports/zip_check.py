"""ZIP files of strangers: looked at before anything in them is unpacked."""

from __future__ import annotations

import stat
import struct
import zipfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from quire.domain.errors import InvalidInput, TooLarge

MOST_ENTRIES = 500_000
MOST_NAMES = 256 * 2**20
MOST_UNPACKED = 64 * 2**30
# All of it together: texts and rows shrink ten times or less, and we do not pack what shrinks much more.
MOST_RATIO = 100
RATIO_FROM = 32 * 2**20

END, END_SIZE, LONGEST_COMMENT = b"PK\x05\x06", 22, 2**16
END64, LOCATOR, LOCATOR_SIZE = b"PK\x06\x06", b"PK\x06\x07", 20
ENCRYPTED = 0x1 | 0x40 | 0x2000


def refused(why: str) -> InvalidInput:
    return InvalidInput(f"The file is damaged or was not made by Quire: {why}. Nothing was written.")


def opened(path: Path, may_hold: Callable[[str], bool]) -> zipfile.ZipFile:
    """An archive that is what it seems: so many entries of such names, none of them twice, hidden or linked."""
    size = path.stat().st_size
    _refuse_long_directory(path, size)
    with ExitStack() as opening:
        try:
            archive = opening.enter_context(zipfile.ZipFile(path))
        except (zipfile.BadZipFile, ValueError, OSError, RuntimeError, struct.error):
            raise refused("it is not a ZIP file") from None
        _check(archive.infolist(), size, may_hold)
        opening.pop_all()
    return archive


def _check(entries: list[zipfile.ZipInfo], size: int, may_hold: Callable[[str], bool]) -> None:
    if len(entries) > MOST_ENTRIES:
        raise TooLarge(f"The file holds more than {MOST_ENTRIES:,} files.")
    names: set[str] = set()
    unpacked = packed = 0
    for entry in entries:
        if entry.orig_filename != entry.filename or not may_hold(entry.filename):
            raise refused("it holds a file that does not belong in it")
        if entry.filename.casefold() in names:
            raise refused("it holds a file twice")
        names.add(entry.filename.casefold())
        mode = entry.external_attr >> 16
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            raise refused("it holds a link")
        if entry.flag_bits & ENCRYPTED:
            raise refused("it is encrypted")
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise refused("it is packed in a way that Quire does not use")
        unpacked += entry.file_size
        packed += entry.compress_size
    # Entries that share bytes would be more than the file is long.
    if packed > size:
        raise refused("its files overlap")
    if unpacked > MOST_UNPACKED or (unpacked > RATIO_FROM and unpacked > MOST_RATIO * size):
        raise TooLarge("The file expands to more than a notebook may hold.")


def _refuse_long_directory(path: Path, size: int) -> None:
    """Before it is read whole: an entry takes ten times the memory that it takes in the file."""
    with path.open("rb") as file:
        file.seek(max(0, size - END_SIZE - LONGEST_COMMENT))
        tail = file.read()
        at = tail.rfind(END)
        if at < 0 or len(tail) - at < END_SIZE:
            raise refused("it is not a ZIP file")
        count, length = struct.unpack("<HL", tail[at + 10 : at + 16])
        locator = tail[max(0, at - LOCATOR_SIZE) : at]
        if locator.startswith(LOCATOR):
            (place,) = struct.unpack("<Q", locator[8:16])
            if place > size:
                raise refused("it is not a ZIP file")
            file.seek(place)
            record = file.read(56)
            if len(record) < 56 or not record.startswith(END64):
                raise refused("it is not a ZIP file")
            count, length = struct.unpack("<QQ", record[32:48])
    if count > MOST_ENTRIES or length > MOST_NAMES:
        raise TooLarge(f"The file holds more than {MOST_ENTRIES:,} files.")
