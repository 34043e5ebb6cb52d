"""A whole book as one file."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from quire.domain.books import Fact

# Reserved in every book, so no file of one is ever in its place.
MANIFEST = ".quire/manifest.json"
PACKED = ("image/", "video/", "audio/", "font/woff")
UNPACKED = ("image/svg+xml", "image/bmp", "image/x-ms-bmp", "audio/x-wav", "audio/wav")
PACKED_TYPES = (
    "application/pdf", "application/zip", "application/gzip", "application/x-7z-compressed", "application/x-xz",
    "application/x-bzip2", "application/epub+zip", "application/java-archive",
)  # fmt: skip


class BookArchive(Fact):
    """Where a ZIP of a book can be had, and until when; the size is that of the files in it. A caller on the same
    machine is told the file's path too.

    A delta holds only what has changed since the state that was asked for, and its manifest what was deleted.
    """

    status: Literal["success"] = "success"
    archive_url: str
    local_path: str | None = None
    expires_at: datetime
    file_count: int
    total_size_bytes: int
    format: Literal["zip"] = "zip"
    valid_for_seconds: int
    archive_size_bytes: int
    sha256: str
    job_id: str
    manifest_hash: str
    delta: bool


def packed(mime: str) -> bool:
    """Whether files of a type are compressed by themselves, so that to do it again only costs time."""
    if mime in UNPACKED:
        return False
    return mime.startswith((*PACKED, "application/vnd.openxmlformats")) or mime in PACKED_TYPES
