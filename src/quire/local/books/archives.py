"""A book as a ZIP: every file byte for byte, with a manifest of hashes, made while it is written."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
import zipfile
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from quire.api.context import Context
from quire.api.engine import Subject
from quire.domain.archives import MANIFEST, BookArchive, packed
from quire.domain.books import mime_of, stored
from quire.domain.builds import check_manifest_hash
from quire.domain.errors import NotFound
from quire.domain.files import Download, Upload
from quire.domain.sharing import Actor, Role
from quire.local.books.builds import Builds
from quire.local.books.files import BookFiles
from quire.local.files import LINK_SECONDS
from quire.local.job_queue import JobQueue
from quire.local.job_run import Finished, Run
from quire.local.scope import Scope, SystemScope
from quire.local.timestamps import moment
from quire.local.workers import job
from quire.ports.books import BookStorage
from quire.ports.finish_anyway import finish_despite_cancel
from quire.ports.zip_stream import LARGE, PIECE, Pipe, zip_entry

KIND = "book_archive"
REPORT_SECONDS = 0.5


class Archives:
    def __init__(self, system: SystemScope, files: BookFiles, builds: Builds, jobs: JobQueue) -> None:
        self._system = system
        self._files = files
        self._builds = builds
        self._jobs = jobs

    async def get_book_archive(self, scope: Scope, book_id: str, since: str | None) -> BookArchive:
        await self._files.storage_of(scope, book_id)
        payload = {"book_id": book_id, "since": check_manifest_hash(since, "since")}
        ended = await self._jobs.start(scope, KIND, payload)
        assert ended.file is not None
        assert ended.file.url is not None
        assert ended.result is not None
        return BookArchive(
            archive_url=ended.file.url,
            local_path=ended.file.path,
            expires_at=moment(scope.now()) + timedelta(seconds=LINK_SECONDS),
            file_count=ended.result["file_count"],
            total_size_bytes=ended.result["total_size_bytes"],
            valid_for_seconds=LINK_SECONDS,
            archive_size_bytes=ended.file.size,
            sha256=ended.file.sha256,
            job_id=ended.id,
            manifest_hash=ended.result["manifest_hash"],
            delta=ended.result["delta"],
        )

    async def export_book(self, scope: Scope, book_id: str) -> Download:
        await self._files.storage_of(scope, book_id)
        ended = await self._jobs.start(scope, KIND, {"book_id": book_id, "since": None})
        assert ended.file is not None
        return ended.file

    @job(KIND)
    async def make(self, run: Run) -> Finished:
        """For as long as whoever asked may read the book."""
        book_id: str = run.payload["book_id"]
        context = Context(actor=Actor(id=run.person_id), door="job")
        scope = self._system.call(context, Subject("book", book_id), Role.VIEWER)
        storage = await self._files.storage_of(scope, book_id)
        state = await self._builds.state(scope, book_id, run.payload["since"])
        rows = await scope.read(lambda tx: tx.all("files_under", book_id=book_id, prefix=""))
        told: dict[str, Any] = {"book_id": book_id, "manifest_hash": state.hash}
        if state.before is not None:
            changes = state.changes()
            paths = [change.path for change in changes if change.file_hash]
            told |= {"since": state.since, "deleted": [change.path for change in changes if not change.file_hash]}
        elif storage.local:
            paths = await asyncio.to_thread(lambda: [path for path, _ in storage.marks(stored(book_id))])
        else:
            paths = [row["path"] for row in rows]
        packing = Packing(storage, book_id, paths, {row["path"]: row["mime"] for row in rows}, told)
        packing.result |= {"manifest_hash": state.hash, "delta": state.before is not None}
        name = f"{book_id}-{moment(run.now()):%Y-%m-%d}.zip"
        # The result is read when the file has been stored, and only then is it known.
        return Finished(packing.result, Upload(name, lambda: packed_by(packing, run)), "application/zip")


@dataclass
class Packing:
    """An archive on its way; `chunks` gives its bytes once."""

    storage: BookStorage
    book_id: str
    paths: list[str]
    mimes: dict[str, str]
    told: dict[str, Any]
    manifest: list[dict[str, str | int]] = field(default_factory=list)
    result: dict[str, Any] = field(default_factory=lambda: {"file_count": 0, "total_size_bytes": 0})

    def chunks(self) -> Iterator[bytes]:
        pipe = Pipe()
        with zipfile.ZipFile(pipe, "w") as archive:
            for path in self.paths:
                yield from self._add(archive, pipe, path)
            manifest = json.dumps({**self.told, "files": self.manifest}, indent=1).encode()
            archive.writestr(_entry(MANIFEST, None, zipfile.ZIP_DEFLATED), manifest)
        yield from pipe.taken(0)

    def _add(self, archive: zipfile.ZipFile, pipe: Pipe, path: str) -> Iterator[bytes]:
        key = stored(self.book_id, path)
        seen = self.storage.look(key)
        if seen is None:
            return
        method = zipfile.ZIP_STORED if packed(self.mimes.get(path) or mime_of(path)) else zipfile.ZIP_DEFLATED
        digest, size = hashlib.sha256(), 0
        try:
            chunks = self.storage.chunks(key)
            first = next(chunks, b"")
        except NotFound:
            return
        entry = _entry(path, seen.modified, method)
        with archive.open(entry, "w", force_zip64=seen.size >= LARGE) as target:
            for chunk in _all(first, chunks):
                digest.update(chunk)
                size += len(chunk)
                target.write(chunk)
                yield from pipe.taken(PIECE)
        self.manifest.append({"path": path, "size": size, "sha256": digest.hexdigest()})
        self.result["file_count"] += 1
        self.result["total_size_bytes"] += size
        yield from pipe.taken(PIECE)


async def packed_by(packing: Packing, run: Run) -> AsyncIterator[bytes]:
    """The archive in chunks, each made on a thread while the one before is being stored, with progress."""
    chunks = packing.chunks()
    reported = time.monotonic()
    made = asyncio.ensure_future(asyncio.to_thread(next, chunks, None))
    try:
        while (chunk := await made) is not None:
            made = asyncio.ensure_future(asyncio.to_thread(next, chunks, None))
            if time.monotonic() - reported > REPORT_SECONDS:
                reported = time.monotonic()
                await run.advance(packing.result["file_count"], len(packing.paths), "packing", None)
            yield chunk
    finally:
        await finish_despite_cancel(asyncio.wait({made}))


def _entry(path: str, modified: int | None, method: int) -> zipfile.ZipInfo:
    if modified is None:
        return zip_entry(path, method)
    at = moment(modified)
    return zip_entry(path, method, (at.year, at.month, at.day, at.hour, at.minute, at.second))


def _all(first: bytes, rest: Iterable[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from rest
