"""How the files of a book are read and changed: rows decide, bytes follow.

The head of a file is a row, and whoever changes it holds the book's row for the length of one transaction.

In a local storage the new bytes are safe before it begins, and take their place by a rename as its last step. A
crash between that rename and the commit leaves new bytes under an old row; the file's mark tells, and whoever
comes next adopts what is there as a new revision, just as if another program had edited the file.

In any other storage every version has a name of its own, and the row points to one. What lies at the file's key is
a copy for others to see: it is brought in step after the commit, and by whoever finds it out of step.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

from quire.domain.books import check_book_id, check_path, has_own_name, missing, stored
from quire.domain.errors import InvalidInput, NotFound, QuireError
from quire.local.books.file_heads import (
    Check,
    Elsewhere,
    FileRead,
    Found,
    Head,
    Held,
    Put,
    Unsettled,
    conflict,
    found_at,
    head_of,
    hold,
    refuse_alike,
    writable,
)
from quire.local.books.file_records import FileRecords
from quire.local.books.read_cache import ReadCache
from quire.local.books.registry_sync import BOOK_YAML, RegistrySync
from quire.local.books.settling import Settling, stray_under
from quire.local.books.storages import BookStorages
from quire.local.scope import Scope
from quire.ports.books import BookStorage, Staged
from quire.ports.finish_anyway import finish_anyway
from quire.ports.store import Tx

Result = TypeVar("Result")

TRIES = 8


class Reads(Protocol):
    """On whose behalf files are read: a call's scope, or a job of the engine's own."""

    async def read(self, work: Callable[[Tx], Result]) -> Result: ...


class BookFiles:
    def __init__(
        self,
        storages: BookStorages,
        registry: RegistrySync,
        records: FileRecords,
        settling: Settling,
        wake: Callable[[], None],
    ) -> None:
        self._storages = storages
        self._registry = registry
        self._records = records
        self._settling = settling
        self._wake = wake
        self.read_cache = ReadCache()

    async def storage_of(self, scope: Reads, book_id: str) -> BookStorage:
        """The storage that a book was last known to be in; a transaction confirms it."""
        check_book_id(book_id)
        await self._registry.sync()
        name = self._storages.remembered.get(book_id)
        if name is None:
            name = await scope.read(lambda tx: _backend(tx, book_id))
            self._storages.remembered[book_id] = name
        return self._storages.get(name)

    async def check_readable(self, scope: Scope, book_id: str, path: str) -> None:
        """Passes any path that could be written, and one with a name of its own where such a file lies."""
        try:
            check_path(path)
        except InvalidInput:
            if not has_own_name(path):
                raise
            storage = await self.storage_of(scope, book_id)
            await scope.check()
            if await asyncio.to_thread(storage.look, stored(book_id, path)) is None:
                raise

    async def fetch(self, scope: Scope, book_id: str, path: str) -> FileRead:
        """A file for a call, from the cache where it was just read."""
        found = self.read_cache.find(scope, book_id, path)
        if found is not None and self._registry.in_step:
            return found

        async def attempt(storage: BookStorage) -> FileRead:
            if not storage.local:
                return await self._read_remote(scope, storage, book_id, path)
            read, admission = await scope.read_admitted(lambda tx: _read_local(tx, storage, book_id, path))
            self.read_cache.keep(admission, book_id, read)
            return read

        return await self.settled(scope, book_id, attempt)

    async def read(self, scope: Reads, book_id: str, path: str) -> FileRead:
        """The same for anyone, past the cache."""

        async def attempt(storage: BookStorage) -> FileRead:
            if storage.local:
                return await scope.read(lambda tx: _read_local(tx, storage, book_id, path))
            return await self._read_remote(scope, storage, book_id, path)

        return await self.settled(scope, book_id, attempt)

    async def settle_under(self, scope: Reads, book_id: str, prefix: str) -> None:
        """Settles all files of a local storage under a prefix; and of any, the files of a book that is new to us."""

        async def attempt(storage: BookStorage) -> None:
            if storage.local:
                for path in await scope.read(lambda tx: stray_under(tx, storage, book_id, prefix)):
                    await self._settling.settle(storage, book_id, path)
            if not prefix and await scope.read(lambda tx: head_of(tx, storage, book_id, BOOK_YAML)) is None:
                await self._take_on(scope, storage, book_id)

        await self.settled(scope, book_id, attempt)

    async def _take_on(self, scope: Reads, storage: BookStorage, book_id: str) -> None:
        """A book that somebody registered by hand: what lies there is adopted, and gets a book.yaml beside it."""
        await self._settling.settle_all(storage, book_id)
        book = await scope.read(lambda tx: tx.one("book_by_id", book_id=book_id))
        if book is not None and await asyncio.to_thread(storage.look, stored(book_id, BOOK_YAML)) is None:
            await self._settling.put_first(storage, book_id, BOOK_YAML, self._registry.book_yaml(book))

    async def put(
        self,
        scope: Scope,
        book_id: str,
        path: str,
        data: bytes,
        check: Check,
        *,
        operation: str = "write",
        **facts: Any,
    ) -> Put:
        """Writes a file, if `check` lets it pass."""

        async def attempt(storage: BookStorage) -> Put:
            # If the caller is cancelled here, what was staged is left to the sweeper.
            staged, found = await storage.apart(
                lambda: (storage.stage(book_id, data), local_find(storage, book_id, path))
            )
            return await self.put_staged(
                scope, storage, book_id, path, staged, found, check, operation=operation, data=data, **facts
            )

        return await self.settled(scope, book_id, attempt)

    async def put_staged(
        self,
        scope: Scope,
        storage: BookStorage,
        book_id: str,
        path: str,
        staged: Staged,
        found: Found | None,
        check: Check,
        *,
        operation: str,
        also: Callable[[Tx], object] | None = None,
        **facts: Any,
    ) -> Put:
        """The transaction of a write. What was staged is discarded where it comes to nothing, or to nothing new."""

        def work(tx: Tx) -> Put:
            held = hold(tx, book_id, path, storage, found, placed=staged.mark)
            writable(held.book)
            check(held)
            before = held.head
            if also:
                also(tx)
            if before is not None and before.is_already(staged, **facts):
                return Put(before, before, held.key)
            if before is None:
                refuse_alike(tx, book_id, path)
            head = self._records.put(tx, held, staged, operation, scope.actor_id, scope.now(), **facts)
            if storage.local:
                storage.place(staged, held.key, before.ref if before else None)
            return Put(head, before, held.key)

        put = None
        try:
            put = await self._change(scope, storage, book_id, [path], work)
        finally:
            if put is None or not put.changed:
                await finish_anyway(storage.apart(lambda: storage.discard(book_id, staged)))
        if put.changed:
            await self.publish(storage, book_id, [path])
        return put

    async def take_away(self, scope: Scope, book_id: str, path: str, check: Check) -> Head | None:
        """Deletes a file, if `check` lets it pass; what it was, if it was."""

        async def attempt(storage: BookStorage) -> Head | None:
            found = await storage.apart(lambda: local_find(storage, book_id, path))

            def work(tx: Tx) -> Head | None:
                held = hold(tx, book_id, path, storage, found)
                writable(held.book)
                check(held)
                before = held.head
                if before is not None:
                    self._records.delete(tx, held, "delete", scope.actor_id, scope.now())
                    if storage.local:
                        storage.remove(held.key, before.ref)
                return before

            before = await self._change(scope, storage, book_id, [path], work)
            await self.publish(storage, book_id, [path])
            return before

        return await self.settled(scope, book_id, attempt)

    async def move(self, scope: Scope, book_id: str, path: str, new_path: str, check: Check) -> Put:
        """Moves a file to where none is, if `check` lets it pass."""

        async def attempt(storage: BookStorage) -> Put:
            found, there = await storage.apart(
                lambda: (local_find(storage, book_id, path), local_find(storage, book_id, new_path))
            )

            def work(tx: Tx) -> Put:
                source = hold(tx, book_id, path, storage, found)
                writable(source.book)
                check(source)
                before = source.head
                if before is None:
                    raise missing(source.key)
                target = hold(tx, book_id, new_path, storage, there)
                if target.head is not None:
                    raise conflict(
                        target.key, target.head, f"There is a file at {target.key} already.", "Move it first."
                    )
                refuse_alike(tx, book_id, new_path, "new_path")
                head = self._recorded_move(tx, scope, source, target, before)
                if storage.local:
                    storage.move(source.key, target.key)
                return Put(head, before, target.key)

            put = await self._change(scope, storage, book_id, [path, new_path], work)
            await self.publish(storage, book_id, [new_path, path])
            return put

        return await self.settled(scope, book_id, attempt)

    async def settled(self, scope: Reads, book_id: str, attempt: Callable[[BookStorage], Awaitable[Result]]) -> Result:
        """Makes an attempt, and makes it again where the book was elsewhere or the file out of step."""
        for _ in range(TRIES):
            storage = await self.storage_of(scope, book_id)
            try:
                try:
                    return await attempt(storage)
                except Unsettled as unsettled:
                    await self._settling.settle(storage, book_id, unsettled.path)
            except Elsewhere:
                self._storages.remembered.pop(book_id, None)
        raise QuireError(f"Files of {stored(book_id)} are being changed faster than they can be read.")

    async def publish(self, storage: BookStorage, book_id: str, paths: list[str]) -> None:
        """Brings copies in step with their rows, after a change; in a local storage they are."""
        for path in () if storage.local else paths:
            await self._settling.publish(storage, book_id, path)

    async def _change(
        self, scope: Scope, storage: BookStorage, book_id: str, paths: list[str], work: Callable[[Tx], Result]
    ) -> Result:
        """A transaction that changes files, and may have queued the reading of sources.

        In a storage that is not local, looking for changes from outside cannot wait inside it.
        """
        for path in () if storage.local else paths:
            row = await scope.read(lambda tx, path=path: tx.one("book_file", book_id=book_id, path=path))  # type: ignore[misc]
            seen = await asyncio.to_thread(storage.look, stored(book_id, path))
            if seen is not None and (row is None or row["mark"] != seen.mark):
                await self._settling.settle(storage, book_id, path)
        result = await scope.write(work)
        self._wake()
        return result

    def _recorded_move(self, tx: Tx, scope: Scope, source: Held, target: Held, before: Head) -> Head:
        staged = Staged("", before.ref, before.sha256, before.size, before.mark)
        actor, at = scope.actor_id, scope.now()
        self._records.delete(tx, source, "move", actor, at, detail={"to": target.path})
        target.log = source.log
        facts: dict[str, Any] = {"mime": before.mime, "original_name": before.original_name}
        return self._records.put(tx, target, staged, "move", actor, at, detail={"from": source.path}, **facts)

    async def _read_remote(self, scope: Reads, storage: BookStorage, book_id: str, path: str) -> FileRead:
        """The copy at the key, if it is what the row says; else, once that is settled, the version itself."""
        key = stored(book_id, path)
        head = await scope.read(lambda tx: head_of(tx, storage, book_id, path))
        found = await asyncio.to_thread(storage.read, key)
        if head is None and found is None:
            raise missing(key)
        if head is not None and found is not None and hashlib.sha256(found[0]).hexdigest() == head.sha256:
            return FileRead(head, found[0], storage)
        await self._settling.settle(storage, book_id, path)
        head = await scope.read(lambda tx: head_of(tx, storage, book_id, path))
        if head is None:
            raise missing(key)
        data = await asyncio.to_thread(storage.version, book_id, head.ref)
        if data is None:
            raise Unsettled(path)
        return FileRead(head, data, storage)


def _read_local(tx: Tx, storage: BookStorage, book_id: str, path: str) -> FileRead:
    head = head_of(tx, storage, book_id, path)
    found = storage.read(stored(book_id, path))
    if head is None and found is None:
        raise missing(stored(book_id, path))
    if head is None or found is None or found[1].mark != head.mark:
        raise Unsettled(path)
    data, seen = found
    if hashlib.sha256(data).hexdigest() != head.sha256:
        raise Unsettled(path)
    return FileRead(head, data, storage, seen)


def local_find(storage: BookStorage, book_id: str, path: str) -> Found | None:
    """What a change will find at a file's key in a local storage; elsewhere the row alone decides."""
    return found_at(storage, stored(book_id, path)) if storage.local else None


def _backend(tx: Tx, book_id: str) -> str:
    book = tx.one("book_by_id", book_id=book_id)
    if book is None:
        raise NotFound("book", book_id)
    name: str = book["storage_backend"]
    return name
