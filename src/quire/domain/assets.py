"""Assets of a book: what they are called, and what they are."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import unicodedata
from datetime import datetime
from typing import Annotated, Literal, get_args

from pydantic import Field

from quire.domain.books import Fact, mime_of
from quire.domain.errors import InvalidInput, TooLarge

MEBIBYTE = 1024 * 1024
DIRECT_LIMIT = 10 * MEBIBYTE
ASSET_LIMIT = 100 * MEBIBYTE
NAME_LIMIT = 120
SNIFFED = 512

AssetType = Annotated[Literal["images", "slides", "videos", "audio"], Field(description="Which kind.")]
ASSET_TYPES: tuple[str, ...] = get_args(get_args(AssetType)[0])
FileName = Annotated[str, Field(description="Made safe where it is not.", max_length=1_000)]
Base64 = Annotated[
    str,
    Field(
        description="The bytes in base64, below 10 MiB.",
        examples=["iVBORw0KGgo="],
        json_schema_extra={"contentEncoding": "base64"},
    ),
]
FileSize = Annotated[int, Field(description="The size in bytes from 10 to 100 MiB; you get an address to upload to.")]


class Asset(Fact):
    """An asset, and where it can be had: by an address, and for a caller on the same machine as a file."""

    cdn_url: str
    local_path: str | None = None
    file_size: int
    mime_type: str
    upload_timestamp: datetime
    uploaded_by_agent_id: str
    asset_type: str
    filename: str
    original_filename: str
    path: str
    file_hash: str


class AssetUploaded(Fact):
    """What an upload came to; by `presigned` it is still to come, to `upload_url` until `expires_at`."""

    status: Literal["success"] = "success"
    method: Literal["direct", "presigned"]
    cdn_url: str
    file_size: int
    mime_type: str
    path: str
    filename: str
    original_filename: str
    file_hash: str | None = None
    upload_url: str | None = None
    expires_at: datetime | None = None


def asset_path(asset_type: str, filename: str) -> str:
    return f"assets/{asset_type}/{filename}"


def safe_name(filename: str) -> str:
    """A file name of letters, digits and _ . - that no tool mistakes for a path, an option or a hidden file."""
    last = re.split(r"[/\\]", filename)[-1]
    plain = "".join(c for c in unicodedata.normalize("NFKD", last) if not unicodedata.combining(c))
    clean = re.sub(r"[^A-Za-z0-9_.-]+", "_", plain)
    stem, dot, ending = clean.rpartition(".") if "." in clean[1:] else (clean, "", "")
    stem = stem.strip("._-")
    ending = ending.strip("_-")[:20]
    if not stem:
        stem = f"file-{short_hash(filename)}"
    return f"{stem[: NAME_LIMIT - 21]}{dot if ending else ''}{ending}"


def other_name(filename: str) -> str:
    """A name for a file whose safe name another file has: the same with a short hash."""
    stem, dot, ending = safe_name(filename).rpartition(".")
    if not dot:
        stem, ending = ending, ""
    return f"{stem}-{short_hash(filename)}{dot}{ending}"


def short_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def decoded(binary_data: str) -> bytes:
    """The bytes of strict base64: its own alphabet, padding, and nothing between."""
    if len(binary_data) > (DIRECT_LIMIT + 2) // 3 * 4:
        raise TooLarge(
            f"binary_data: holds {DIRECT_LIMIT // MEBIBYTE} MiB or more.",
            hint="Leave it out and give file_size; you get an address to upload to.",
            field="binary_data",
        )
    try:
        data = base64.b64decode(binary_data, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidInput("binary_data: is not valid base64.", field="binary_data") from None
    if base64.b64encode(data).decode() != binary_data:
        raise InvalidInput("binary_data: is not valid base64.", field="binary_data")
    if not data:
        raise InvalidInput("binary_data: must not be empty.", field="binary_data")
    if len(data) >= DIRECT_LIMIT:
        raise TooLarge(
            f"binary_data: holds {DIRECT_LIMIT // MEBIBYTE} MiB or more.",
            hint="Leave it out and give file_size; you get an address to upload to.",
            field="binary_data",
        )
    return data


def check_size(file_size: int) -> int:
    """A size that is uploaded to an address of its own."""
    if file_size > ASSET_LIMIT:
        raise TooLarge(f"file_size: is too large; at most {ASSET_LIMIT:,} bytes are kept.", field="file_size")
    if file_size < DIRECT_LIMIT:
        raise InvalidInput("file_size: is below 10 MiB; send the bytes as binary_data.", field="file_size")
    return file_size


MAGIC: list[tuple[int, bytes, str]] = [
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (0, b"BM", "image/bmp"),
    (0, b"%PDF-", "application/pdf"),
    (0, b"\x1aE\xdf\xa3", "video/webm"),
    (0, b"OggS", "audio/ogg"),
    (0, b"fLaC", "audio/flac"),
    (0, b"ID3", "audio/mpeg"),
    (8, b"WEBP", "image/webp"),
    (8, b"WAVE", "audio/x-wav"),
    (8, b"AVI ", "video/x-msvideo"),
    (4, b"ftypavif", "image/avif"),
    (4, b"ftypqt", "video/quicktime"),
    (4, b"ftypM4A", "audio/mp4"),
    (4, b"ftyp", "video/mp4"),
]
# Kinds of file that share their first bytes with others, where the name tells which one it is.
SAME_BEGINNING = {
    "video/webm": ("video/x-matroska", "audio/webm"),
    "audio/ogg": ("video/ogg", "audio/opus"),
    "video/mp4": ("audio/mp4", "video/quicktime", "image/heic", "image/avif", "video/x-m4v"),
    "image/bmp": ("image/x-ms-bmp",),
    "audio/x-wav": ("audio/wav",),
}


def mime_type(filename: str, beginning: bytes) -> str:
    """A media type by name and content; a content that is known to be something else is believed."""
    named = mime_of(filename)
    for offset, magic, found in MAGIC:
        if beginning[offset : offset + len(magic)] == magic:
            return named if named in SAME_BEGINNING.get(found, ()) else found
    return named
