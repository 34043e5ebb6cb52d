"""Which books there are: rows for the doors, and registry.yaml for people, kept in step both ways."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from pydantic import Field

from quire.api.capability import capability
from quire.domain.books import TITLE_LIMIT, Book, BookId, BookList, BookStatus, Entry, check_book_id, stored
from quire.domain.errors import Conflict, InvalidInput
from quire.domain.sharing import Role
from quire.local.books.chain import Chain
from quire.local.books.heads import Held
from quire.local.books.shelved import Shelved
from quire.local.finish_anyway import sheltered
from quire.local.service import moment
from quire.ports.store import Row, Tx

Title = Annotated[str, Field(max_length=TITLE_LIMIT, description="The book's title.")]
Backend = Annotated[str, Field(max_length=50, description="A storage of this installation by name; fs is a folder.")]
BOOK_YAML = "book.yaml"


class Registry(Shelved):
    @capability("list_books", "read", verb="list")
    async def list(self) -> BookList:
        """List the registered books."""
        problems = await self.sync_registry()

        def work(tx: Tx) -> BookList:
            books = [book_of(row) for row in tx.all("books_of", person_id=self.context.actor.id)]
            return BookList(items=books, total=len(books), problems=problems)

        return await self.read(work)

    @capability("create_book", "write", verb="create")
    async def create(self, book_id: BookId, title: Title, storage_backend: Backend | None = None) -> Book:
        """Register a new book; its files can be written from then on."""
        check_book_id(book_id)
        at = self.now()
        shelf = self.shelves.get(storage_backend or self.shelves.default)
        entry = Entry(
            book_id=book_id, title=titled(title), storage_backend=shelf.name, created_at=moment(at), status="active"
        )
        # One that cannot be read is not written over.
        await asyncio.to_thread(self.shelves.registry.load)
        await self.sync_registry()
        key = stored(book_id, BOOK_YAML)
        there = await asyncio.to_thread(shelf.look, key)
        data = self.shelves.registry.render(entry)
        staged = None if there else await sheltered(asyncio.to_thread(shelf.stage, book_id, data))

        def work(tx: Tx) -> Book:
            if not self.insert_book(tx, entry, self.context.actor.id, at):
                raise Conflict(f"There is a book '{book_id}' already.", path=stored(book_id))
            held = Held.of(tx, book_id, BOOK_YAML, shelf.name)
            assert held is not None
            if staged:
                self.record(tx, held, staged, "write", self.context.actor.id, at, data=data)
            if staged and shelf.local:
                shelf.place(staged, key, None)
            return book_of(held.book)

        try:
            book = await self.write(work)
        finally:
            if staged:
                await sheltered(asyncio.to_thread(shelf.discard, book_id, staged))
        if not shelf.local:
            await self.publish(shelf, book_id, BOOK_YAML)
        self.shelves.registry_seen = None
        await self.sync_registry()
        return book

    @capability("update_book", "write", of=("book", "book_id"), needs=Role.OWNER, verb="update", idempotent=True)
    async def update(
        self,
        book_id: BookId,
        title: Title | None = None,
        status: Annotated[BookStatus, Field(description="archived: can only be read. migrating: takes no changes.")]
        | None = None,
        require_hash: Annotated[bool, Field(description="Refuse changes to a file that come without its hash.")]
        | None = None,
        overlays: Annotated[bool, Field(description="Let readers keep copies of files of their own.")] | None = None,
    ) -> Book:
        """Change a book's title, its status, or its rules."""
        check_book_id(book_id)
        await self.sync_registry()

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
                actor = self.context.actor.id
                Chain(row).add(tx, "update_book", "", actor=actor, at=self.now(), detail=changed)
                self.event(tx, "book.updated", book_id)
                if changed.keys() & {"title", "status"}:
                    self.save_registry(tx)
            row = tx.one("book_by_id", book_id=book_id)
            assert row is not None
            return book_of(row)

        return await self.write(work)


def titled(title: str) -> str:
    title = title.strip()
    if not title:
        raise InvalidInput("title: must not be empty.", field="title")
    return title


def book_of(row: Row) -> Book:
    return Book(
        book_id=row["book_id"],
        title=row["title"],
        storage_backend=row["storage_backend"],
        created_at=moment(row["created_at"]),
        status=row["status"],
        require_hash=bool(row["require_hash"]),
        overlays=bool(row["overlays"]),
        notebook_id=row["notebook_id"],
    )
