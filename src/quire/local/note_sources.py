"""Notes as sources: each keeps a link to its note, and a note that is converted again makes a new version."""

from __future__ import annotations

import asyncio
import builtins
import uuid
from functools import partial

from quire import text as text_engine
from quire.domain.errors import InvalidInput, NotFound, QuireError, TooLarge
from quire.domain.jobs import Job
from quire.domain.notes import Note
from quire.domain.sources import TEXT_LIMIT, AddedSource
from quire.local.job_queue import JobQueue
from quire.local.job_run import Finished, Run
from quire.local.notes import note_of
from quire.local.pasted_text import prepared_text
from quire.local.scope import Scope
from quire.local.source_rows import one_source
from quire.local.source_vectors import SourceVectors
from quire.local.source_versions import put_version
from quire.local.workers import job
from quire.ports.search import Index
from quire.ports.store import Tx


class NoteSources:
    def __init__(self, jobs: JobQueue, index: Index, vectors: SourceVectors) -> None:
        self._jobs = jobs
        self._index = index
        self._vectors = vectors

    async def convert(self, scope: Scope, note_id: str) -> AddedSource:
        note = await scope.read(lambda tx: _note(tx, note_id))
        prepared, given = await _prepared(note)
        put = partial(self._put, by=scope, person_id=scope.actor_id, note=note, prepared=prepared, given=given)
        source_id, added = await scope.write(put)
        self._jobs.workers.wake()
        source = await scope.read(lambda tx: one_source(tx, source_id))
        return AddedSource(**dict(source), added=added)

    async def convert_all(self, scope: Scope, wait: bool) -> Job:
        return await self._jobs.start(scope, "convert_notes", {}, wait=wait)

    @job("convert_notes")
    async def run_convert(self, run: Run) -> Finished:
        """One note after the other, the oldest first; what is empty or too long is left out and said so."""
        total = await run.read(lambda tx: tx.count("count_notes", notebook_id=run.notebook_id))
        place = [int(number) for number in (run.place or "0 0 0 0").split()]
        after, done, added, left_out = place
        while True:
            where = {"notebook_id": run.notebook_id, "after": after, "limit": 1}
            rows = await run.read(lambda tx, where=where: tx.all("notes_after", **where))  # type: ignore[misc]
            if not rows:
                break
            after, done = rows[0]["seq"], done + 1
            note = note_of(rows[0])
            try:
                prepared, given = await _prepared(note)
            except QuireError:
                left_out += 1
                await run.advance(done, max(done, total), "converting notes", f"{after} {done} {added} {left_out}")
                continue
            put = partial(self._put, by=run, person_id=run.person_id, note=note, prepared=prepared, given=given)
            new: builtins.list[bool] = []

            def work(tx: Tx, put: partial[tuple[str, bool]] = put, new: builtins.list[bool] = new) -> None:
                new.append(put(tx)[1])

            # Which notes are new is known in the step itself, and is no part of where to go on from.
            await run.advance(done, max(done, total), "converting notes", f"{after} {done} {added} {left_out}", work)
            added += sum(new[-1:])
        self._jobs.workers.wake()
        return Finished({"notes": done, "added": added, "left_out": left_out})

    def _put(
        self, tx: Tx, *, by: Scope | Run, person_id: str, note: Note, prepared: text_engine.Prepared, given: str
    ) -> tuple[str, bool]:
        """The source of a note as it is now, and whether it is new."""
        notebook_id, at = by.notebook_id, by.now()
        tx.one("lock_notebook", id=notebook_id)
        row = tx.one("source_of_note", notebook_id=notebook_id, note_id=note.id)
        named = {"title": prepared.title[:1_000], "kind": "text", "at": at}
        if row is not None and row["given"] == given:
            if row["title"] != named["title"]:
                tx.run("rename_source", id=row["id"], title=named["title"], at=at)
                by.event(tx, "source.updated", row["id"])
            return row["id"], False
        id = str(uuid.uuid4()) if row is None else row["id"]
        version = 1 if row is None else row["version"] + 1
        if row is None:
            empty = dict.fromkeys(("url", "blob", "file_name", "job_id"))
            new = {"id": id, "notebook_id": notebook_id, "given": given, "state": "processing", "whole": 0}
            tx.run("insert_source", **new, **named, **empty)
            tx.run("set_source_note", id=id, note_id=note.id)
        put_version(tx, self._index, notebook_id, id, version, prepared, at)
        tx.run("settle_source", id=id, version=version, **named)
        tx.run("set_source_given", id=id, given=given)
        tx.run("touch_notebook", id=notebook_id, at=at)
        self._vectors.embed_later(tx, notebook_id, person_id, id, prepared.language)
        by.event(tx, "source.created" if row is None else "source.updated", id)
        return id, row is None


async def _prepared(note: Note) -> tuple[text_engine.Prepared, str]:
    if not note.content.strip():
        raise InvalidInput("The note is empty.", hint="Write something into it first.")
    if len(note.content) > TEXT_LIMIT:
        raise TooLarge(f"The note is longer than {TEXT_LIMIT:,} characters.", limit=TEXT_LIMIT)
    return await asyncio.to_thread(prepared_text, note.title, note.content)


def _note(tx: Tx, note_id: str) -> Note:
    row = tx.one("note_by_id", id=note_id)
    if row is None:
        raise NotFound("note", note_id)
    return note_of(row)
