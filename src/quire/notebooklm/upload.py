"""The resumable upload of a source's file: announced, then sent, each by a POST."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from quire.domain.errors import InvalidInput, WireDrift
from quire.notebooklm.envelope import compact, parsed

UPLOAD_PATH = "/upload/_/"
COMMAND, PROTOCOL, OFFSET = "x-goog-upload-command", "x-goog-upload-protocol", "x-goog-upload-offset"
LENGTH, MEDIA_TYPE = "x-goog-upload-header-content-length", "x-goog-upload-header-content-type"
URL, STATUS = "x-goog-upload-url", "x-goog-upload-status"
START, FINALIZE, CANCEL, QUERY = "start", "upload, finalize", "cancel", "query"
ENQUEUED = "OK: Enqueued blob bytes for processing."


@dataclass(frozen=True, slots=True)
class Announced:
    """A file that is going to be sent."""

    notebook_id: str
    name: str
    source_id: str
    size: int | None = None
    media_type: str | None = None


def start_headers(announced: Announced) -> dict[str, str]:
    return {
        COMMAND: START,
        PROTOCOL: "resumable",
        LENGTH: str(announced.size or 0),
        MEDIA_TYPE: announced.media_type or "application/octet-stream",
    }


def start_body(announced: Announced) -> str:
    return compact(
        {"PROJECT_ID": announced.notebook_id, "SOURCE_NAME": announced.name, "SOURCE_ID": announced.source_id}
    )


def announced_in(body: bytes | str, headers: Mapping[str, str] = {}) -> Announced:
    """A file that a client announces."""
    try:
        fields = parsed(body)
        notebook_id, name, source_id = (fields[key] for key in ("PROJECT_ID", "SOURCE_NAME", "SOURCE_ID"))
        if not all(isinstance(value, str) and value for value in (notebook_id, name, source_id)):
            raise TypeError
        size = headers.get(LENGTH)
        length = int(size) if size else None
    except (KeyError, ValueError, TypeError):
        raise InvalidInput("The upload does not say which source it is for.") from None
    if length is not None and length < 0:
        raise InvalidInput("A file cannot be shorter than nothing.")
    return Announced(notebook_id, name, source_id, length, headers.get(MEDIA_TYPE))


def upload_id(url: str, hosts: tuple[str, ...]) -> str:
    """The id in the address that bytes are to be sent to; any other address is refused."""
    parts = urlsplit(url)
    ids = parse_qs(parts.query).get("upload_id", [])
    if parts.scheme != "https" or parts.hostname not in hosts or parts.path != UPLOAD_PATH or len(ids) != 1:
        raise WireDrift("The upload was sent to an address that is not NotebookLM's.", path=URL)
    return ids[0]
