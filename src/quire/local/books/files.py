"""How the files of a book are read and changed: rows decide, bytes follow.

The head of a file is a row, and whoever changes it holds the book's row for the length of one transaction.

On a local shelf the new bytes are safe before it begins, and take their place by a rename as its last step. A
crash between that rename and the commit leaves new bytes under an old row; the file's mark tells, and whoever
comes next adopts what is there as a new revision, just as if another program had edited the file.

On any other shelf every version has a name of its own, and the row points to one. What lies at the file's key is
a copy for others to see: it is brought in step after the commit, and by whoever finds it out of step.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from quire.domain.books import check_book_id, mime_of, missing, ours, stored
from quire.domain.errors import NotFound, QuireError
from quire.local.books.changes import follow
from quire.local.books.glances import Found
from quire.local.books.heads import Check, Head, Held, Put, writable
from quire.local.books.registrar import Registrar
from quire.local.finish_anyway import sheltered
from quire.ports.books import Seen, Shelf, Staged
from quire.ports.store import Row, Tx

Result = TypeVar("Result")

OUTSIDE = "outside"
KEPT_VERSIONS = 50
TRIES = 8


class Elsewhere(Exception):
    """The book stands on another shelf than was remembered."""


class Unsettled(Exception):
    """The bytes of a file are not those of its row."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


class Shelved(Registrar):
    async def write(self, work: Callable[[Tx], Result]) -> Result:
        """As every service's; a change may have queued the reading of sources."""
        result = await super().write(work)
        self.parts.workers.wake()
        return result

    async def shelf_of(self, book_id: str) -> Shelf:
        """The shelf that a book was last known to stand on; a transaction confirms it."""
        check_book_id(book_id)
        if self.shelves.registry.mark() != self.shelves.registry_seen:
            await self.sync_registry()
        name = self.shelves.of.get(book_id)
        if name is None:
            name = await self.read(lambda tx: _backend(tx, book_id))
            self.shelves.of[book_id] = name
        return self.shelves.get(name)

    async def fetch(self, book_id: str, path: str) -> Found:
        """A file's head and bytes that agree with each other."""
        glances, actor = self.shelves.glances, self.context.actor.id
        version = self.parts.store.version()
        found = glances.find(version, actor, book_id, path)
        if found is not None and self.shelves.registry.mark() == self.shelves.registry_seen:
            self.admitted = True
            return found

        async def attempt(shelf: Shelf) -> Found:
            if shelf.local:
                return await self.read(lambda tx: _read_local(tx, shelf, book_id, path))
            return await self._fetch_remote(shelf, book_id, path)

        found = await self.settled(book_id, attempt)
        glances.keep(version, actor, book_id, found)
        return found

    def current(self, tx: Tx, shelf: Shelf, book_id: str, path: str) -> Head | None:
        """A file's head that agrees with its bytes, as far as a look tells; on a local shelf."""
        head = _head(tx, shelf, book_id, path)
        if shelf.local and _mark(shelf.look(stored(book_id, path))) != (head.mark if head else None):
            raise Unsettled(path)
        return head

    async def settle_under(self, book_id: str, prefix: str) -> int:
        """Settles all files of a local shelf under a prefix; returns how many were out of step."""

        async def attempt(shelf: Shelf) -> int:
            if not shelf.local:
                return 0
            stray = await self.read(lambda tx: stray_under(tx, shelf, book_id, prefix))
            for path in stray:
                await self.settle(shelf, book_id, path)
            return len(stray)

        return await self.settled(book_id, attempt)

    async def put(
        self,
        book_id: str,
        path: str,
        data: bytes,
        check: Check,
        *,
        operation: str = "write",
        mime: str | None = None,
        original_name: str | None = None,
        detail: dict[str, Any] | None = None,
    ) -> Put:
        """Writes a file, if `check` lets it pass."""

        async def attempt(shelf: Shelf) -> Put:
            # If the caller is cancelled here, what was staged is left to the sweeper.
            staged = await asyncio.to_thread(shelf.stage, book_id, data)
            return await self.put_staged(
                shelf, book_id, path, staged, check,
                data=data, operation=operation, mime=mime, original_name=original_name, detail=detail,
            )  # fmt: skip

        return await self.settled(book_id, attempt)

    async def put_staged(
        self,
        shelf: Shelf,
        book_id: str,
        path: str,
        staged: Staged,
        check: Check,
        *,
        operation: str,
        also: Callable[[Tx], object] | None = None,
        **facts: Any,
    ) -> Put:
        """The transaction of a write. What was staged is discarded where it comes to nothing."""

        def work(tx: Tx) -> Put:
            held = self.hold(tx, book_id, path, shelf, placed=staged.mark)
            writable(held.book)
            check(held)
            before = held.head
            head = self.record(tx, held, staged, operation, self.context.actor.id, self.now(), **facts)
            assert head is not None
            if also:
                also(tx)
            if shelf.local:
                shelf.place(staged, held.key, before.ref if before else None)
            return Put(head, before, shelf.name, held.key)

        put = None
        try:
            if not shelf.local:
                await self.confirm(shelf, book_id, path)
            put = await self.write(work)
        finally:
            if put is None:
                await sheltered(asyncio.to_thread(shelf.discard, book_id, staged))
        if not shelf.local:
            await self.publish(shelf, book_id, path)
        return put

    async def take_away(self, book_id: str, path: str, check: Check, *, operation: str = "delete") -> Head | None:
        """Deletes a file, if `check` lets it pass; what it was, if it was."""

        async def attempt(shelf: Shelf) -> Head | None:
            def work(tx: Tx) -> Head | None:
                held = self.hold(tx, book_id, path, shelf)
                writable(held.book)
                check(held)
                before = held.head
                if before is not None:
                    self.record(tx, held, None, operation, self.context.actor.id, self.now())
                    if shelf.local:
                        shelf.remove(held.key, before.ref)
                return before

            if not shelf.local:
                await self.confirm(shelf, book_id, path)
            before = await self.write(work)
            if not shelf.local:
                await self.publish(shelf, book_id, path)
            return before

        return await self.settled(book_id, attempt)

    async def settled(self, book_id: str, attempt: Callable[[Shelf], Awaitable[Result]]) -> Result:
        """Makes an attempt, and makes it again where the book was elsewhere or the file out of step."""
        for _ in range(TRIES):
            shelf = await self.shelf_of(book_id)
            try:
                try:
                    return await attempt(shelf)
                except Unsettled as unsettled:
                    await self.settle(shelf, book_id, unsettled.path)
            except Elsewhere:
                self.shelves.of.pop(book_id, None)
        raise QuireError(f"Files of {stored(book_id)} are being changed faster than they can be read.")

    async def settle(self, shelf: Shelf, book_id: str, path: str) -> None:
        """Brings a file's row in step with bytes that came from outside, and a copy in step with its row."""
        key = stored(book_id, path)
        found = await asyncio.to_thread(_digest, shelf, key)
        staged: Staged | None = None
        if found is not None:
            seen, sha256 = found
            of = {"book_id": book_id, "path": path, "sha256": sha256}
            if not shelf.local and await self.parts.store.read(lambda tx: tx.one("version_of_hash", **of)) is not None:
                await self.publish(shelf, book_id, path)
                return
            staged = await sheltered(asyncio.to_thread(shelf.stage_found, book_id, key, sha256, seen))
        elif not shelf.local:
            await self.publish(shelf, book_id, path)
            return

        def work(tx: Tx) -> None:
            held = Held.of(tx, book_id, path, shelf.name)
            if held is None:
                raise Elsewhere
            if shelf.local and _mark(shelf.look(key)) != (staged.mark if staged else None):
                return
            head = held.head
            if staged is None:
                if head is not None:
                    self.record(tx, held, None, "adopt_deletion", OUTSIDE, self.now())
            elif head is not None and head.sha256 == staged.sha256:
                tx.run("mark_book_file", book_id=book_id, path=path, sha256=staged.sha256, mark=staged.mark)
            else:
                at = min(seen.modified, self.now())
                self.record(tx, held, staged, "adopt", OUTSIDE, at)

        await self.parts.store.write(work)

    def hold(self, tx: Tx, book_id: str, path: str, shelf: Shelf, placed: str | None = None) -> Held:
        """The book and the file's head, for this transaction alone. `placed` is the mark of bytes that are ours."""
        held = Held.of(tx, book_id, path, shelf.name)
        if held is None:
            raise Elsewhere
        if shelf.local:
            mark = _mark(shelf.look(held.key))
            if mark != (held.head.mark if held.head else None) and (mark is None or mark != placed):
                raise Unsettled(path)
        return held

    def record(
        self,
        tx: Tx,
        held: Held,
        staged: Staged | None,
        operation: str,
        actor: str,
        at: int,
        *,
        data: bytes | None = None,
        original_name: str | None = None,
        mime: str | None = None,
        detail: dict[str, Any] | None = None,
    ) -> Head | None:
        """Writes down that a file is now what was staged, or gone: head, version, audit, indexes and event."""
        before = held.head
        ids = {"book_id": held.book_id, "path": held.path}
        if before is not None:
            revision = before.revision + 1
        else:
            last = tx.one("last_revision", **ids)
            revision = (last["revision"] if last else 0) + 1
        size = staged.size if staged else 0
        mime = mime or (before.mime if staged is None and before else mime_of(held.path))
        kept = {"revision": revision, "size": size, "actor": actor, "at": at}
        kept |= {"mime": mime, "original_name": original_name}
        sha256, ref = (staged.sha256, staged.ref) if staged else (None, None)
        tx.run("insert_book_version", sha256=sha256, ref=ref, operation=operation, **ids, **kept)
        if revision > KEPT_VERSIONS:
            tx.run("forget_book_versions", **ids, revision=revision - KEPT_VERSIONS)
        if staged is None:
            tx.run("delete_book_file", **ids)
            held.head = None
        else:
            facts = {"sha256": staged.sha256, "ref": staged.ref, "mark": staged.mark}
            tx.run("put_book_file", **ids, **kept, **facts)
            held.head = Head(
                path=held.path, size=size, revision=revision, mime=mime, modified_at=at, actor=actor,
                original_name=original_name, **facts,
            )  # fmt: skip
        held.chain.add(
            tx, operation, held.path, actor=actor, at=at, before=before.sha256 if before else None, after=sha256,
            size=size if staged else None, detail=detail,
        )  # fmt: skip
        if held.path.endswith(".md"):
            follow(tx, self, held.book_id)
            if sha256 and data is not None:
                self.shelves.texts.offer(sha256, data)
        verb = "deleted" if staged is None else "updated" if before else "created"
        self.event(tx, f"content.{verb}", held.key, held.book["notebook_id"])
        return held.head

    async def publish(self, shelf: Shelf, book_id: str, path: str) -> None:
        """Brings the copy at a file's key in step with its row; again where the row has moved on meanwhile."""
        of = {"book_id": book_id, "path": path}
        row = await self.parts.store.read(lambda tx: tx.one("book_file", **of))
        while True:
            published = row["revision"] if row else None
            mark = await sheltered(
                asyncio.to_thread(shelf.publish, book_id, stored(book_id, path), row["ref"] if row else None)
            )

            def settle(tx: Tx, mark: str = mark, published: int | None = published) -> Row | None:
                row = tx.one("book_file", **of)
                if row is not None and row["revision"] == published:
                    tx.run("mark_book_file", **of, sha256=row["sha256"], mark=mark)
                return row

            row = await self.parts.store.write(settle)
            if (row["revision"] if row else None) == published:
                return

    async def confirm(self, shelf: Shelf, book_id: str, path: str) -> None:
        """Looks for changes from outside before a write; on a shelf that is not local that cannot wait inside it."""
        row = await self.read(lambda tx: tx.one("book_file", book_id=book_id, path=path))
        seen = await asyncio.to_thread(shelf.look, stored(book_id, path))
        if seen is not None and (row is None or row["mark"] != seen.mark):
            await self.settle(shelf, book_id, path)

    async def _fetch_remote(self, shelf: Shelf, book_id: str, path: str) -> Found:
        """The copy at the key, if it is what the row says; else, once that is settled, the version itself."""
        key = stored(book_id, path)
        head = await self.read(lambda tx: _head(tx, shelf, book_id, path))
        found = await asyncio.to_thread(shelf.read, key)
        if head is None and found is None:
            raise missing(key)
        if head is not None and found is not None and hashlib.sha256(found[0]).hexdigest() == head.sha256:
            return head, found[0], shelf
        await self.settle(shelf, book_id, path)
        head = await self.read(lambda tx: _head(tx, shelf, book_id, path))
        if head is None:
            raise missing(key)
        data = await asyncio.to_thread(shelf.version, book_id, head.ref)
        if data is None:
            raise Unsettled(path)
        return head, data, shelf


def _read_local(tx: Tx, shelf: Shelf, book_id: str, path: str) -> Found:
    head = _head(tx, shelf, book_id, path)
    found = shelf.read(stored(book_id, path))
    if head is None and found is None:
        raise missing(stored(book_id, path))
    if head is None or found is None or found[1].mark != head.mark:
        raise Unsettled(path)
    return head, found[0], shelf


def _head(tx: Tx, shelf: Shelf, book_id: str, path: str) -> Head | None:
    row = tx.one("book_and_file", book_id=book_id, path=path)
    if row is None or row["storage_backend"] != shelf.name:
        raise Elsewhere
    return Head.of(row)


def stray_under(tx: Tx, shelf: Shelf, book_id: str, prefix: str) -> list[str]:
    """The paths under a prefix whose bytes and rows do not agree."""
    root = stored(book_id) + "/"
    known = {row["path"]: row["mark"] for row in tx.all("files_under", book_id=book_id, prefix=prefix)}
    found = {key.removeprefix(root): seen.mark for key, seen in shelf.walk((root + prefix).rstrip("/"))}
    return sorted(path for path in found.keys() | known.keys() if found.get(path) != known.get(path) and ours(path))


def _digest(shelf: Shelf, key: str) -> tuple[Seen, str] | None:
    """What lies at a key, and its hash. Its text comes into the index when a search has read it."""
    seen = shelf.look(key)
    if seen is None:
        return None
    digest = hashlib.sha256()
    try:
        for chunk in shelf.chunks(key):
            digest.update(chunk)
    except NotFound:
        return None
    return seen, digest.hexdigest()


def _mark(seen: Seen | None) -> str | None:
    return seen.mark if seen else None


def _backend(tx: Tx, book_id: str) -> str:
    book = tx.one("book_by_id", book_id=book_id)
    if book is None:
        raise NotFound("book", book_id)
    name: str = book["storage_backend"]
    return name
