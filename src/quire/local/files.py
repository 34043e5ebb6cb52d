"""Files that rows refer to; what no row has needed for a day is swept."""

from __future__ import annotations

from functools import partial
from typing import Any

from quire.domain.errors import InvalidInput
from quire.domain.files import Download, Upload
from quire.local.service import Parts
from quire.ports.machine import Purpose
from quire.ports.store import Tx

MARKDOWN_LIMIT = 64 * 1024 * 1024
LINK_SECONDS = 3600
KEPT_UNUSED = 24 * 3600 * 1_000_000
BATCH = 100


async def put_blob(parts: Parts, upload: Upload, limit: int) -> tuple[str, int]:
    """Stores an upload's bytes; the row that needs them must say so with `use_blob` in its own transaction.

    The blob's own row is written (or made young again) before the bytes come to their place,
    and `sweep` deletes both in one transaction: so it never takes bytes that were just put.
    """

    async def known(sha256: str, size: int) -> None:
        at = parts.clock.now()
        await parts.store.write(lambda tx: tx.run("insert_blob", sha256=sha256, size=size, at=at))

    return await parts.blobs.put(upload.chunks(), limit, known)


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


def download(parts: Parts, facts: dict[str, Any], *, local: bool) -> Download:
    """A stored file that can be read, with the address where `quire serve` gives it out for an hour."""
    token = parts.signer.sign(Purpose.FILE_LINK, facts, LINK_SECONDS)
    file = Download(
        **facts, url=f"{parts.public_url}/files/{token}", path=parts.blobs.path(facts["sha256"]) if local else None
    )
    return file.opened_by(lambda: parts.blobs.get(facts["sha256"]))


async def sweep(parts: Parts, *, kept: int = KEPT_UNUSED) -> int:
    """Deletes files that nothing has needed for a day; returns how many."""
    before = parts.clock.now() - kept
    await parts.store.write(lambda tx: tx.run("release_job_blobs", before=before))
    await parts.store.write(lambda tx: tx.run("release_source_blobs"))
    await parts.store.write(lambda tx: tx.run("release_note_blobs"))
    await parts.store.write(lambda tx: tx.run("drop_uncited_versions"))
    await parts.blobs.tidy(before)
    swept = 0
    while True:
        unused = await parts.store.read(lambda tx: tx.all("unused_blobs", before=before, limit=BATCH))
        for row in unused:
            swept += await parts.store.write(partial(_delete, parts=parts, sha256=row["sha256"], before=before))
        if len(unused) < BATCH:
            return swept


def _delete(tx: Tx, parts: Parts, sha256: str, before: int) -> int:
    gone = tx.run("delete_blob", sha256=sha256, before=before)
    if gone:
        parts.blobs.delete(sha256)
    return gone
