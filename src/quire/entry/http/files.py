"""Files out: as attachments, or shown where nothing can come of it; whole or in part."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, AsyncIterator
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from quire.domain.files import Download
from quire.entry.http.answers import Refused

MEDIA_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+")
RANGE = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})")
UNSAFE = re.compile(r'[\x00-\x1f\x7f-\x9f"\\/]|[\u200b-\u200f\u202a-\u202e\u2066-\u2069]')
SAVED = "sandbox; default-src 'none'"
# A page's scripts run in an origin that is nobody's: without the session, and without a way to reach anything.
SHOWN = {
    "text/html": "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    "image/png": f"{SAVED}; style-src 'unsafe-inline'",
    # A browser shows no PDF in a sandbox; its own viewer keeps it from the page.
    "application/pdf": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
}


async def file_response(request: Request, file: Download, *, shown: bool = False) -> Response:
    """A file to be saved: it may hold anything, and this is the page's own origin. Few kinds can be `shown` at all."""
    media_type = file.media_type if MEDIA_TYPE.fullmatch(file.media_type) else "application/octet-stream"
    shown = shown and media_type in SHOWN
    headers = {
        "Content-Disposition": disposition(file.name, "inline" if shown else "attachment"),
        "Content-Security-Policy": SHOWN[media_type] if shown else SAVED,
        "Accept-Ranges": "bytes",
        "ETag": f'"{file.sha256}"',
        "Cache-Control": "private, no-cache",
    }
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    start, stop, status = 0, file.size, 200
    asked = wanted(request, file.size, headers["ETag"])
    if asked:
        start, stop, status = *asked, 206
        headers["Content-Range"] = f"bytes {start}-{stop - 1}/{file.size}"
    headers["Content-Length"] = str(stop - start)
    chunks = between(file, start, stop)
    first = await anext(chunks, b"")
    if request.method == "HEAD":
        await chunks.aclose()
        return Response(status_code=status, headers=headers, media_type=media_type)
    return StreamingResponse(first_and_rest(first, chunks), status, headers, media_type)


def wanted(request: Request, size: int, etag: str) -> tuple[int, int] | None:
    """The one range that is asked for; several at once, or of another version, get the whole file."""
    given = RANGE.fullmatch(request.headers.get("range", "").strip())
    if not given or given.groups() == ("", "") or request.headers.get("if-range", etag) != etag:
        return None
    first, last = given.groups()
    start = int(first) if first else max(0, size - int(last))
    stop = min(size, int(last) + 1) if first and last else size
    if first and last and int(last) < int(first):
        return None
    if start >= stop:
        raise Refused(416, "no_such_range", "The file is shorter.", headers={"Content-Range": f"bytes */{size}"})
    return start, stop


async def between(file: Download, start: int, stop: int) -> AsyncGenerator[bytes, None]:
    """The bytes from `start` up to `stop`."""
    left = stop - start
    async for chunk in file.chunks(start):
        yield chunk[:left]
        left -= len(chunk)
        if left <= 0:
            break


async def first_and_rest(first: bytes, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    if first:
        yield first
    async for chunk in chunks:
        yield chunk


def disposition(name: str, kind: str = "attachment") -> str:
    """A file's name for a header: nothing in it can end the value or lead into a folder."""
    clean = UNSAFE.sub("_", name.encode("utf-8", "replace").decode()).strip(" .")[:150] or "file"
    plain = clean.encode("ascii", "replace").decode().replace("?", "_")
    return f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{quote(clean, safe='')}"
