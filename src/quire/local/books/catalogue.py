"""Which books there are: rows for the doors, and registry.yaml for people."""

from __future__ import annotations

import asyncio
from typing import Any

from quire.domain.books import Book, BookList, BookStatus, Entry, check_book_id, stored
from quire.domain.errors import InvalidInput
from quire.domain.pages import LAST
from quire.local.books.audit_log import AuditLogs
from quire.local.books.file_heads import Held
from quire.local.books.file_records import FileRecords
from quire.local.books.files import BookFiles
from quire.local.books.registry_sync import BOOK_YAML, RegistrySync
from quire.local.books.storages import BookStorages
from quire.local.removal import Removal
from quire.local.scope import Scope
from quire.local.timestamps import moment
from quire.ports.books import BookStorage, RegistryFile
from quire.ports.finish_anyway import finish_anyway
from quire.ports.store import Row, Tx


class Catalogue:
    def __init__(
        self,
        files: BookFiles,
        records: FileRecords,
        registry: RegistrySync,
        registry_file: RegistryFile,
        storages: BookStorages,
        logs: AuditLogs,
        removal: Removal,
    ) -> None:
        self._logs = logs
        self._files = files
        self._records = records
        self._registry = registry
        self._registry_file = registry_file
        self._storages = storages
        self._removal = removal

    async def list(self, scope: Scope) -> BookList:
        problems = await self._registry.sync()

        def work(tx: Tx) -> BookList:
            books = [book_of(row) for row in tx.all("books_of", person_id=scope.actor_id)]
            return BookList(items=books, total=len(books), problems=problems)

        return await scope.read(work)

    async def create(self, scope: Scope, book_id: str, title: str, storage_backend: str | None) -> Book:
        check_book_id(book_id)
        at = scope.now()
        storage = self._storages.get(storage_backend or self._storages.default)
        entry = Entry(
            book_id=book_id, title=titled(title), storage_backend=storage.name, created_at=moment(at), status="active"
        )
        # One that cannot be read is not written over.
        await asyncio.to_thread(self._registry_file.load)
        await self._registry.sync()
        key = stored(book_id, BOOK_YAML)
        there = await asyncio.to_thread(storage.look, key)
        data = self._registry_file.render(entry)
        staged = None if there else await finish_anyway(asyncio.to_thread(storage.stage, book_id, data))

        def work(tx: Tx) -> Book:
            self._registry.insert_book(tx, entry, scope.actor_id, at)
            held = Held.of(tx, book_id, BOOK_YAML, storage)
            if staged:
                self._records.put(tx, held, staged, "write", scope.actor_id, at, data=data)
            if staged and storage.local:
                storage.place(staged, key, None)
            return book_of(held.book)

        try:
            book = await scope.write(work)
        finally:
            if staged:
                await finish_anyway(asyncio.to_thread(storage.discard, book_id, staged))
        await self._files.publish(storage, book_id, [BOOK_YAML])
        await self._registry.sync(anew=True)
        return book

    async def update(
        self,
        scope: Scope,
        book_id: str,
        title: str | None,
        status: BookStatus | None,
        require_hash: bool | None,
        overlays: bool | None,
    ) -> Book:
        check_book_id(book_id)
        await self._registry.sync()

        def work(tx: Tx) -> Book:
            row = tx.one("hold_book", book_id=book_id)
            assert row is not None
            facts: dict[str, Any] = {
                "title": row["title"] if title is None else titled(title),
                "status": status or row["status"],
                "require_hash": int(row["require_hash"] if require_hash is None else require_hash),
                "overlays": int(row["overlays"] if overlays is None else overlays),
            }
            changed = {name: value for name, value in facts.items() if value != row[name]}
            if changed:
                tx.run("change_book", book_id=book_id, **facts)
                tx.run("rename_notebook", id=row["notebook_id"], title=facts["title"], at=scope.now())
                self._logs.of(row).add(tx, "update_book", "", actor=scope.actor_id, at=scope.now(), detail=changed)
                scope.event(tx, "book.updated", book_id)
                if changed.keys() & {"title", "status"}:
                    self._registry.save(tx)
            row = tx.one("book_by_id", book_id=book_id)
            assert row is not None
            return book_of(row)

        return await scope.write(work)

    async def delete(self, scope: Scope, book_id: str) -> Book:
        """The row stays as one that is no longer registered, so that other machines hear of it; and so does the log."""

        async def attempt(storage: BookStorage) -> Book:
            def work(tx: Tx) -> tuple[Book, list[str], str | None]:
                paths = [row["path"] for row in tx.all("files_under", book_id=book_id, prefix="")]
                for path in paths:
                    held = Held.of(tx, book_id, path, storage)
                    self._records.delete(tx, held, "delete", scope.actor_id, scope.now())
                tx.run("delete_book_versions", book_id=book_id)
                tx.run("delete_book_overlays", book_id=book_id)
                tx.run("delete_book_uploads", book_id=book_id)
                tx.run("delete_book_manifests", book_id=book_id)
                row = Held.of(tx, book_id, BOOK_YAML, storage).book
                self._registry.unregister(tx, row, scope.actor_id, "delete_book")
                tx.run(
                    "give_book_notebook",
                    book_id=book_id,
                    notebook_id=self._registry.insert_notebook(tx, row["title"]),
                )
                job_id = self._removal.notebook(tx, row["notebook_id"], scope.actor_id)
                self._registry.save(tx)
                return book_of(row), paths, job_id

            deleted, paths, job_id = await scope.write(work)
            await finish_anyway(asyncio.to_thread(_remove_all, storage, book_id, paths))
            await self._removal.go_on(job_id)
            return deleted

        return await self._files.settled(scope, book_id, attempt)


def _remove_all(storage: BookStorage, book_id: str, paths: list[str]) -> None:
    """Removes the bytes of a book that no row speaks of any more."""
    if storage.local:
        for key in [key for key, _ in storage.walk(stored(book_id))]:
            storage.remove(key, None)
    else:
        for path in paths:
            storage.publish(book_id, stored(book_id, path), None)
    for ref in list(storage.versions(book_id, LAST)):
        storage.forget(book_id, ref)


def titled(title: str) -> str:
    title = title.strip()
    if not title:
        raise InvalidInput("title: must not be empty.", field="title")
    return title


def book_of(row: Row) -> Book:
    return Book(
        created_at=moment(row["created_at"]),
        require_hash=bool(row["require_hash"]),
        overlays=bool(row["overlays"]),
        **{name: row[name] for name in ("book_id", "title", "storage_backend", "status", "notebook_id")},
    )
