"""Notes: write, read, find, watch, import and export."""

from __future__ import annotations

import asyncio
import builtins
import json
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import aclosing
from typing import Any, Protocol

from quire.domain.errors import Conflict, InvalidInput, NotFound, TooLarge
from quire.domain.files import Upload
from quire.domain.jobs import Job
from quire.domain.markdown import Draft, notes_from_markdown
from quire.domain.notes import (
    ATTACHMENT_LIMIT,
    CONTENT_LIMIT,
    Note,
    NoteChange,
    NoteFormat,
    NoteHit,
    Watched,
    hit,
    note_title,
)
from quire.domain.pages import Page, cursor_at, position
from quire.domain.sources import AddedSource
from quire.local.event_hub import Hub
from quire.local.files import MARKDOWN_LIMIT, Files, use
from quire.local.job_queue import JobQueue
from quire.local.job_run import Finished, Run
from quire.local.own_turn import own_turn
from quire.local.scope import Scope
from quire.local.timestamps import moment
from quire.local.workers import job
from quire.ports.store import Row, Tx

BATCH = 100
MOST_DELETED = 1_000
CHANGES = {"note.created": "created", "note.updated": "updated", "note.deleted": "deleted"}


class AsSources(Protocol):
    """What makes sources of notes."""

    async def convert(self, scope: Scope, note_id: str) -> AddedSource: ...

    async def convert_all(self, scope: Scope, wait: bool) -> Job: ...


class LocalNotes:
    def __init__(self, files: Files, hub: Hub, jobs: JobQueue, as_sources: AsSources) -> None:
        self._as_sources = as_sources
        self._files = files
        self._hub = hub
        self._jobs = jobs

    async def create(self, scope: Scope, title: str, content: str) -> Note:
        title = note_title(title)

        def work(tx: Tx) -> Note:
            note = insert(tx, scope.notebook_id, str(uuid.uuid4()), title, content, scope.now())
            scope.event(tx, "note.created", note.id)
            return note

        return await scope.write(work)

    async def create_with_attachment(
        self, scope: Scope, title: str, content: str, attachment: str, answer_id: str | None
    ) -> Note:
        title = note_title(title)
        await scope.check()
        sha256, _ = await self._files.put(Upload.of(attachment, "attachment"), ATTACHMENT_LIMIT)

        def work(tx: Tx) -> Note:
            tx.one("lock_notebook", id=scope.notebook_id)
            there = tx.one("note_with_blob", notebook_id=scope.notebook_id, sha256=sha256)
            if answer_id is not None:
                own_turn(tx, scope, answer_id)
                there = tx.one("note_of_answer", answer_id=answer_id) or there
            if there is not None:
                return retitled(tx, scope, note_of(there), title)
            note = insert(tx, scope.notebook_id, str(uuid.uuid4()), title, content, scope.now())
            if answer_id is not None:
                tx.run("set_note_answer", id=note.id, answer_id=answer_id)
            use(tx, sha256, "note", note.id)
            scope.event(tx, "note.created", note.id)
            return note

        return await scope.write(work)

    async def get_attachments(self, scope: Scope, note_ids: builtins.list[str]) -> dict[str, str]:
        def work(tx: Tx) -> builtins.list[Row]:
            return tx.all("note_blobs", notebook_id=scope.notebook_id, note_ids=json.dumps(note_ids))

        return {row["note_id"]: await self._files.text(row["sha256"]) for row in await scope.read(work)}

    async def get(self, scope: Scope, note_id: str) -> Note:
        return await scope.look_up(lambda tx: _one(tx, note_id))

    async def list(self, scope: Scope, limit: int, cursor: str | None) -> Page[Note]:
        def work(tx: Tx) -> Page[Note]:
            rows = tx.all("notes_of", notebook_id=scope.notebook_id, before=position(cursor), limit=limit + 1)
            more = len(rows) > limit
            rows = rows[:limit]
            # Pydantic makes a whole page of notes in one step.
            return Page[Note].model_validate(
                {
                    "items": [fields_of(row) for row in rows],
                    "total": tx.count("count_notes", notebook_id=scope.notebook_id),
                    "truncated": more,
                    "cursor": cursor_at(rows[-1]["seq"]) if more else None,
                },
                strict=True,
            )

        return await scope.read(work)

    async def search(self, scope: Scope, query: str, limit: int, cursor: str | None) -> Page[NoteHit]:
        folded = query.casefold()

        def work(tx: Tx) -> Page[NoteHit]:
            before = position(cursor)
            found = [row["seq"] for row in tx.all("search_notes", notebook_id=scope.notebook_id, query=folded)]
            left = [seq for seq in found if seq < before]
            shown = left[:limit]
            rows = tx.all("notes_by_seq", seqs=json.dumps(shown))
            hits = [hit(note_of(row), query) for row in rows]
            more = len(left) > limit
            return Page[NoteHit].model_construct(
                items=[one for one in hits if one is not None],
                total=len(found),
                truncated=more,
                cursor=cursor_at(shown[-1]) if more else None,
            )

        return await scope.read(work)

    async def update(
        self, scope: Scope, note_id: str, content: str | None, title: str | None, revision: int | None
    ) -> Note:
        if content is None and title is None:
            raise InvalidInput("At least one of title or content must be provided.")
        new_title = None if title is None else note_title(title)

        def work(tx: Tx) -> Note:
            old = _one(tx, note_id, "note_to_change")
            if revision is not None and revision != old.revision:
                raise Conflict(
                    f"The note is at revision {old.revision}, not {revision}.",
                    hint="Read it again and repeat the change.",
                    revision=old.revision,
                )
            return _changed(tx, scope, old, new_title, content)

        return await scope.write(work)

    async def delete(self, scope: Scope, note_id: str) -> Note:
        def work(tx: Tx) -> Note:
            note = _one(tx, note_id, "note_to_change")
            tx.run("release_blobs", kind="note", subject_id=note.id)
            tx.run("delete_note", id=note.id)
            tx.run("insert_deleted_note", notebook_id=scope.notebook_id, note_id=note.id, at=scope.now())
            scope.event(tx, "note.deleted", note.id)
            return note

        return await scope.write(work)

    async def list_deleted(self, scope: Scope) -> builtins.list[str]:
        def work(tx: Tx) -> builtins.list[str]:
            rows = tx.all("deleted_notes", notebook_id=scope.notebook_id, limit=MOST_DELETED)
            return [row["note_id"] for row in rows]

        return await scope.read(work)

    async def watch(
        self, scope: Scope, after: int | None, limit: int | None, seconds: float | None
    ) -> AsyncIterator[NoteChange | Watched]:
        notebook = await scope.check()
        seq = await self._hub.last() if after is None else after
        changes = 0
        end = None if seconds is None else asyncio.get_running_loop().time() + seconds
        async with aclosing(self._hub.after(seq)) as batches:  # type: ignore[type-var]
            while True:
                try:
                    async with asyncio.timeout_at(end):
                        batch = await anext(batches)
                except (TimeoutError, StopAsyncIteration):
                    yield Watched(after=seq, changes=changes)
                    return
                for event in batch:
                    seq = event.seq
                    if event.notebook_id != notebook or event.kind not in CHANGES:
                        continue
                    row = await scope.read(lambda tx, id=event.subject_id: tx.one("note_by_id", id=id))  # type: ignore[misc]
                    yield NoteChange(
                        seq=event.seq,
                        change=CHANGES[event.kind],  # type: ignore[arg-type]
                        note_id=event.subject_id,
                        at=event.at,
                        note=note_of(row) if row is not None else None,
                    )
                    changes += 1
                    if changes == limit:
                        yield Watched(after=event.seq, changes=changes)
                        return

    async def import_(self, scope: Scope, file: Upload, wait: bool) -> Job:
        await scope.check()
        sha256, _ = await self._files.put(file, MARKDOWN_LIMIT)
        payload = {"sha256": sha256, "name": file.name}
        return await self._jobs.start(scope, "import_notes", payload, blob=sha256, wait=wait)

    async def convert_to_source(self, scope: Scope, note_id: str) -> AddedSource:
        return await self._as_sources.convert(scope, note_id)

    async def convert_all_to_sources(self, scope: Scope, wait: bool) -> Job:
        return await self._as_sources.convert_all(scope, wait)

    async def export(self, scope: Scope, wait: bool, format: NoteFormat, note_ids: builtins.list[str] | None) -> Job:
        payload = {"format": format, "note_ids": await whole_ids(scope, note_ids)}
        return await self._jobs.start(scope, "export_notes", payload, wait=wait)

    @job("import_notes")
    async def run_import(self, run: Run) -> Finished:
        """Batches of notes, each in one transaction with the place to go on from.

        What the notebook has already, as often as the file has it so far, is not made again.
        """
        text = await self._files.text(run.payload["sha256"])
        drafts = await asyncio.to_thread(notes_from_markdown, text, run.payload["name"])
        for title, content in drafts:
            if len(content) > CONTENT_LIMIT:
                raise TooLarge(f"The note '{title[:80]}' is longer than {CONTENT_LIMIT:,} characters.")
        begun, _, kept = (run.place or "").partition(" ")
        done, there = int(begun or 0), int(kept or 0)
        already = NotesThere(run.notebook_id, drafts[:done])
        if not begun:
            there = len(drafts) - len(await run.read(lambda tx: already.missing(tx, drafts)))
        await run.advance(done, len(drafts), "importing notes", f"{done} {there}")
        while done < len(drafts):
            batch = drafts[done : done + BATCH]
            done += len(batch)

            def work(tx: Tx, batch: builtins.list[Draft] = batch) -> None:
                tx.one("lock_notebook", id=run.notebook_id)
                for title, content in already.missing(tx, batch):
                    note = insert(tx, run.notebook_id, str(uuid.uuid4()), title, content, run.now())
                    run.event(tx, "note.created", note.id)

            await run.advance(done, len(drafts), "importing notes", f"{done} {there}", work)
            already.imported(batch)
        return Finished({"notes": len(drafts) - there} | ({"there_already": there} if there else {}))


def _one(tx: Tx, note_id: str, query: str = "note_by_id") -> Note:
    row = tx.one(query, id=note_id)
    if row is None:
        raise NotFound("note", note_id)
    return note_of(row)


def retitled(tx: Tx, scope: Scope, note: Note, title: str) -> Note:
    """A note under this title, where one is given and it has another."""
    return note if title in ("", note.title) else _changed(tx, scope, note, title, None)


def _changed(tx: Tx, scope: Scope, old: Note, title: str | None, content: str | None) -> Note:
    name = old.title if title is None else title
    text = old.content if content is None else content
    row = tx.one(
        "update_note",
        id=old.id,
        title=name,
        content=text,
        folded_title=name.casefold(),
        folded_content=text.casefold(),
        at=scope.now(),
    )
    if row is None:
        raise NotFound("note", old.id)
    scope.event(tx, "note.updated", old.id)
    return note_of(row)


class NotesThere:
    """What a notebook has of the notes in a file, as often as it has them.

    Each look at a title goes on from the last note that was seen of it, so that many alike cost no more than others.
    """

    def __init__(self, notebook_id: str, read: Iterable[Draft]) -> None:
        self._notebook_id = notebook_id
        self._read = Counter(read)
        self._seen: dict[str, int] = {}
        self._there: Counter[Draft] = Counter()

    def missing(self, tx: Tx, drafts: Sequence[Draft]) -> builtins.list[Draft]:
        """Those of the next notes of the file that the notebook has not as often as the file so far."""
        titles = {title for title, _ in drafts}
        after = min((self._seen.get(title, 0) for title in titles), default=0)
        for row in tx.all(
            "notes_titled", notebook_id=self._notebook_id, titles=json.dumps(sorted(titles)), after=after
        ):
            if row["seq"] > self._seen.get(row["title"], 0):
                self._seen[row["title"]] = row["seq"]
                self._there[(row["title"], row["content"])] += 1
        read: Counter[Draft] = Counter()
        found = []
        for draft in drafts:
            read[draft] += 1
            if self._there[draft] < self._read[draft] + read[draft]:
                found.append(draft)
        return found

    def imported(self, drafts: Sequence[Draft]) -> None:
        """These were read from the file; the notebook has them when it is looked at next."""
        self._read.update(drafts)


def insert(tx: Tx, notebook_id: str, id: str, title: str, content: str, at: int) -> Note:
    """A new note; its short id is the beginning of its long one, so both are drawn again on a collision."""
    while not tx.run("give_short_id", short_id=id[:8]):
        id = str(uuid.uuid4())
    row = tx.one(
        "insert_note",
        id=id,
        short_id=id[:8],
        notebook_id=notebook_id,
        title=title,
        content=content,
        folded_title=title.casefold(),
        folded_content=content.casefold(),
        at=at,
    )
    if row is None:
        raise RuntimeError("an inserted note was not returned")
    return note_of(row)


async def whole_ids(scope: Scope, note_ids: builtins.list[str] | None) -> builtins.list[str] | None:
    """The ids of notes of this notebook, in this order, each once."""
    if note_ids is None:
        return None

    def work(tx: Tx) -> builtins.list[str]:
        notes = [_one(tx, id) for id in note_ids]
        for note in notes:
            if note.notebook_id != scope.notebook_id:
                raise NotFound("note", note.id)
        return list(dict.fromkeys(note.id for note in notes))

    return await scope.read(work)


def note_of(row: Row) -> Note:
    return Note.model_validate(fields_of(row), strict=True)


def fields_of(row: Row) -> dict[str, Any]:
    """A note before it is one."""
    updated_at = row["updated_at"]
    return {
        "id": row["id"],
        "short_id": row["short_id"],
        "notebook_id": row["notebook_id"],
        "title": row["title"],
        "content": row["content"],
        "created_at": moment(row["created_at"]),
        "updated_at": None if updated_at is None else moment(updated_at),
        "revision": row["revision"],
    }
