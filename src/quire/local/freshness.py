"""Freshness: whether sources are still what they came from, and reading them again where they are not."""

from __future__ import annotations

import asyncio
import hashlib
import json
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from quire.domain.errors import InvalidInput, NotReady, QuireError
from quire.domain.files import CHUNK, Upload
from quire.domain.jobs import Job
from quire.domain.sources import FILE_LIMIT, Freshness, RefreshedSource
from quire.local.files import Files, use
from quire.local.job_queue import JobQueue
from quire.local.job_run import FETCH, Finished, Run
from quire.local.scope import Scope, SystemScope
from quire.local.source_jobs import SourceReading
from quire.local.source_rows import hold_source, source_of, source_row
from quire.local.source_waiting import SourceWaiting
from quire.local.timestamps import moment
from quire.local.workers import job
from quire.ports.store import Row, Tx

BUSY = NotReady("The source is still being read.", hint="wait_for_source waits for it.")


class Compared(NamedTuple):
    fresh: bool
    why: str


@dataclass
class Gone:
    """How far a comparison of all sources has gone, and what it found."""

    after: int = 0
    checked: int = 0
    fresh: int = 0
    stale: list[str] = field(default_factory=list)
    unreachable: list[str] = field(default_factory=list)


class SourceFreshness:
    """Files are looked at where they lie only for callers on this machine, who have named them."""

    def __init__(self, system: SystemScope, files: Files, jobs: JobQueue, reading: SourceReading) -> None:
        self._system = system
        self._files = files
        self._jobs = jobs
        self._reading = reading
        self._waiting = SourceWaiting(jobs)

    async def check(self, scope: Scope, source_id: str) -> Freshness:
        row = await scope.read(lambda tx: source_row(tx, source_id))
        if source_of(row).state == "processing":
            raise BUSY
        found = await self._compared(row, local=scope.context.local)
        at = scope.now()
        if not scope.context.read_only:
            await scope.write(partial(_keep, scope.notebook_id, source_id, found, at))
        return Freshness(source_id=source_id, title=row["title"], checked_at=moment(at), **found._asdict())

    async def refresh(self, scope: Scope, source_id: str, wait: bool, whole: bool | None) -> RefreshedSource:
        before = await scope.read(lambda tx: source_row(tx, source_id))
        if before["url"] is None and before["blob"] is None:
            hint = "Convert its note again." if before["note_id"] else None
            raise InvalidInput("A pasted text has nothing to be read again from.", hint=hint)
        blob = await self._file_again(before) if scope.context.local else None

        def work(tx: Tx) -> str:
            row = source_row(tx, source_id)
            if source_of(row).state == "processing":
                raise BUSY
            if blob is not None:
                _put_file(tx, row, blob)
            url = None if row["kind"] == "book" else row["url"]
            return self.read_again(scope, tx, row, url=url, whole=whole)

        job_id = await scope.write(work)
        source = await self._waiting.wait(scope, source_id, job_id, wait)
        changed = None if source.state == "processing" else source.version != before["version"]
        return RefreshedSource(**dict(source), changed=changed)

    async def refresh_stale(self, scope: Scope, only_check: bool, wait: bool) -> Job:
        payload = {"only_check": only_check, "local": scope.context.local}

        def work(tx: Tx) -> str:
            host = f"notebook {scope.notebook_id}"
            return self._jobs.add(
                tx, scope.notebook_id, scope.actor_id, "refresh_sources", payload, turn=FETCH, host=host
            )

        return await self._jobs.started(scope, work, wait=wait)

    def read_again(self, scope: Scope, tx: Tx, row: Row, *, url: str | None, whole: bool | None = None) -> str:
        """Queues the reading of a source; one that could not be read is fetched whatever its server says."""
        id = row["id"]
        anew = whole is not None or source_of(row).state == "failed"
        mine = (scope.notebook_id, scope.actor_id, id)
        job_id = self._reading.read_later(tx, *mine, titled=True, url=url, anew=anew)
        if whole is not None:
            tx.run("set_source_whole", id=id, whole=int(whole))
        tx.run("read_source_again", id=id, job_id=job_id, at=scope.now())
        scope.event(tx, "source.updated", id)
        return job_id

    @job("refresh_sources")
    async def run_refresh(self, run: Run) -> Finished:
        """One source after the other; what was found so far is the place to go on from."""
        place = Gone(**json.loads(run.place)) if run.place else Gone()
        total = await run.read(lambda tx: tx.count("count_sources", notebook_id=run.notebook_id))
        while True:
            after = {"notebook_id": run.notebook_id, "after": place.after, "limit": 1}
            rows = await run.read(lambda tx, after=after: tx.all("sources_after", **after))  # type: ignore[misc]
            if not rows:
                break
            work = await self._looked_at(run, rows[0]["id"], place)
            place.after = rows[0]["seq"]
            place.checked += 1
            await run.advance(min(place.checked, total), total, "comparing sources", json.dumps(asdict(place)), work)
        self._jobs.workers.wake()
        told = asdict(place)
        del told["after"]
        return Finished(told)

    async def _looked_at(self, run: Run, source_id: str, place: Gone) -> partial[None] | None:
        """Compares one source, notes it in the place, and gives what is to be done about it."""
        row = await run.read(lambda tx: tx.one("source_by_id", id=source_id))
        if row is None or source_of(row).state == "processing":
            return None
        try:
            found = await self._compared(row, local=run.payload["local"])
        except QuireError as error:
            place.unreachable.append(f"{row['title'][:80]}: {error.message}")
            return None
        if found.fresh:
            place.fresh += 1
            return partial(_keep, run.notebook_id, source_id, found, run.now())
        place.stale.append(row["title"][:80])
        if run.payload["only_check"] or (row["url"] is None and row["blob"] is None):
            return partial(_keep, run.notebook_id, source_id, found, run.now())
        blob = await self._file_again(row) if run.payload["local"] else None
        return partial(self._again, run, row, found, blob)

    def _again(self, run: Run, row: Row, found: Compared, blob: str | None, tx: Tx) -> None:
        hold_source(tx, run.notebook_id, row["id"])
        if blob is not None:
            _put_file(tx, row, blob)
        url = None if row["kind"] == "book" else row["url"]
        mine = (run.notebook_id, run.person_id, row["id"])
        job_id = self._reading.read_later(tx, *mine, titled=True, url=url, anew=source_of(row).state == "failed")
        tx.run("set_source_checked", id=row["id"], at=run.now(), stale=1)
        tx.run("read_source_again", id=row["id"], job_id=job_id, at=run.now())
        run.event(tx, "source.updated", row["id"])

    async def _compared(self, row: Row, *, local: bool) -> Compared:
        if source_of(row).state == "failed":
            return Compared(False, "It could not be read; it can be tried again.")
        if row["kind"] == "book":
            return Compared(True, "A book that changes is read again by itself.")
        if row["url"] is not None:
            return await self._page_compared(row)
        if row["blob"] is None:
            return await self._text_compared(row)
        if row["path"] is None:
            return Compared(True, "A file that was uploaded does not change.")
        if not local:
            return Compared(True, "Its file is looked at only by commands on the machine that it lies on.")
        return await self._file_compared(row)

    async def _page_compared(self, row: Row) -> Compared:
        page = await self._reading.fetch_changed(row)
        if page is None:
            return Compared(True, "The server says that it has not changed.")
        digest = hashlib.sha256()
        async for chunk in page.file.chunks():
            digest.update(chunk)
        if digest.hexdigest() == row["blob"]:
            return Compared(True, "The page is the same to the byte.")
        text = await self._system.read(lambda tx: tx.one("version_text", id=row["id"], version=row["version"]))
        if text is not None and await self._reading.same_text(row, text["text"], page.file, page.media_type):
            return Compared(True, "The page reads the same.")
        return Compared(False, "The page has changed.")

    async def _text_compared(self, row: Row) -> Compared:
        if row["note_id"] is None:
            return Compared(True, "A text that was pasted does not change.")
        note = await self._system.read(lambda tx: tx.one("note_by_id", id=row["note_id"]))
        if note is None or hashlib.sha256(note["content"].encode()).hexdigest() == row["given"]:
            return Compared(True, "The note that it was made of has not changed.")
        return Compared(False, "The note that it was made of has changed; convert it again.")

    async def _file_compared(self, row: Row) -> Compared:
        digest = await asyncio.to_thread(_digest, Path(row["path"]))
        if digest is None:
            return Compared(True, "Its file is no longer where it was; what was read of it is kept.")
        same = digest == row["blob"]
        return Compared(same, "The file is the same." if same else "The file has changed.")

    async def _file_again(self, row: Row) -> str | None:
        """The blob of a source's file as it is now, where that lies on this machine and is another."""
        if row["path"] is None or row["url"] is not None:
            return None
        path = Path(row["path"])
        if await asyncio.to_thread(_digest, path) in (None, row["blob"]):
            return None
        blob, _ = await self._files.put(Upload.of(path), FILE_LIMIT)
        return blob


def _put_file(tx: Tx, row: Row, blob: str) -> None:
    tx.run("set_source_file", id=row["id"], blob=blob, file_name=row["file_name"])
    tx.run("release_blobs", kind="source", subject_id=row["id"])
    use(tx, blob, "source", row["id"])


def _keep(notebook_id: str, source_id: str, found: Compared, at: int, tx: Tx) -> None:
    hold_source(tx, notebook_id, source_id)
    tx.run("set_source_checked", id=source_id, at=at, stale=int(not found.fresh))


def _digest(path: Path) -> str | None:
    """The hash of a file; None where there is none, or none that one can read."""
    try:
        with path.open("rb") as file:
            digest = hashlib.sha256()
            while chunk := file.read(CHUNK):
                digest.update(chunk)
            return digest.hexdigest()
    except OSError:
        return None
