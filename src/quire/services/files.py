"""Files that rows refer to: bytes first, row second; what no row needs is swept after a day."""

from __future__ import annotations

from typing import Any

from quire.domain.errors import InvalidInput
from quire.domain.files import Download, Upload
from quire.services.ports import Tx
from quire.services.service import Parts

MARKDOWN_LIMIT = 64 * 1024 * 1024
LINK_SECONDS = 3600
KEPT_UNUSED = 24 * 3600 * 1_000_000


async def put_blob(parts: Parts, upload: Upload, limit: int) -> tuple[str, int]:
    """Stores an upload's bytes; the row that needs them must say so with `use_blob` in its own transaction."""
    sha256, size = await parts.blobs.put(upload.chunks(), limit)
    at = parts.clock.now()
    await parts.store.write(lambda tx: tx.run("insert_blob", sha256=sha256, size=size, at=at))
    return sha256, size


async def blob_text(parts: Parts, sha256: str) -> str:
    """A stored file as text."""
    data = b"".join([chunk async for chunk in parts.blobs.get(sha256)])
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidInput("The file is not UTF-8 text.") from None
    if "\0" in text:
        raise InvalidInput("The file contains NUL characters.")
    return text


def use_blob(tx: Tx, sha256: str, kind: str, subject_id: str) -> None:
    tx.run("use_blob", sha256=sha256, kind=kind, subject_id=subject_id)


def download(parts: Parts, facts: dict[str, Any]) -> Download:
    """A stored file that can be read, with the address where `quire serve` gives it out for an hour."""
    token = parts.signer.sign(facts, LINK_SECONDS)
    file = Download(**facts, url=f"{parts.public_url}/files/{token}", path=parts.blobs.path(facts["sha256"]))
    return file.opened_by(lambda: parts.blobs.get(facts["sha256"]))


async def sweep(parts: Parts, *, kept: int = KEPT_UNUSED) -> int:
    """Deletes files that nothing has needed for a day; returns how many."""
    before = parts.clock.now() - kept
    swept = 0
    await parts.store.write(lambda tx: tx.run("release_job_blobs", before=before))
    while True:
        unused = await parts.store.read(lambda tx: tx.all("unused_blobs", before=before, limit=100))
        for row in unused:
            sha256 = row["sha256"]
            gone = await parts.store.write(lambda tx, sha=sha256: tx.run("delete_blob", sha256=sha, before=before))  # type: ignore[misc]
            if gone:
                await parts.blobs.delete(sha256)
                swept += 1
        if len(unused) < 100:
            return swept
