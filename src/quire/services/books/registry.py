"""Which books there are: rows for the doors, and registry.yaml for people, kept in step both ways."""

from __future__ import annotations

import asyncio
import uuid
from typing import Annotated, Any

from pydantic import Field

from quire.domain.books import TITLE_LIMIT, Book, BookId, Entry, check_book_id, entry_of, stored
from quire.domain.errors import Conflict, InvalidInput
from quire.domain.pages import Page
from quire.domain.sharing import OWNER_ID, Role
from quire.services.books.chain import Chain
from quire.services.books.shelved import Shelved
from quire.services.capability import capability
from quire.services.ports import Row, Tx
from quire.services.service import EPOCH, moment
from quire.services.shelter import sheltered

Title = Annotated[str, Field(max_length=TITLE_LIMIT, description="The book's title.")]
Backend = Annotated[
    str, Field(max_length=50, description="The name of a storage of this installation; fs is a folder.")
]


class Registry(Shelved):
    @capability("list_books", "read", verb="list")
    async def list(self) -> Page[Book]:
        """List the registered books."""
        await self.sync_registry()

        def work(tx: Tx) -> Page[Book]:
            books = [book_of(row) for row in tx.all("books_of", person_id=self.context.actor.id)]
            return Page(items=books, total=len(books))

        return await self.read(work)

    @capability("create_book", "write", verb="create")
    async def create(self, book_id: BookId, title: Title, storage_backend: Backend | None = None) -> Book:
        """Register a new book; its files can be written from then on."""
        check_book_id(book_id)
        title = title.strip()
        if not title:
            raise InvalidInput("title: must not be empty.", field="title")
        await self.sync_registry()
        shelf = self.shelves.get(storage_backend or self.shelves.default)
        at = self.now()
        entry = Entry(book_id=book_id, title=title, storage_backend=shelf.name, created_at=moment(at), status="active")
        staged = await sheltered(asyncio.to_thread(shelf.stage, book_id, self.shelves.registry.render(entry)))

        def work(tx: Tx) -> Book:
            notebook_id = self._insert(tx, entry, self.context.actor.id, at)
            if notebook_id is None:
                raise Conflict(f"There is a book '{book_id}' already.", path=stored(book_id))
            if shelf.local:
                shelf.place(staged, stored(book_id, "book.yaml"), None)
            self._save(tx)
            row = tx.one("book_by_id", book_id=book_id)
            assert row is not None
            return book_of(row)

        try:
            book = await self.write(work)
        finally:
            await sheltered(asyncio.to_thread(shelf.discard, book_id, staged))
        if not shelf.local:
            await asyncio.to_thread(shelf.publish, book_id, stored(book_id, "book.yaml"), staged.ref)
        return book

    async def sync_registry(self) -> None:
        """Takes over what someone wrote into registry.yaml since it was last read."""
        registry = self.shelves.registry
        mark = await asyncio.to_thread(registry.mark)
        if mark != self.shelves.registry_seen:
            await self.parts.store.write(self._take_over)

    def _take_over(self, tx: Tx) -> None:
        registry = self.shelves.registry
        mark = registry.mark()
        given, known = registry.load()
        entries = [entry for entry in map(entry_of, given) if isinstance(entry, Entry)]
        rows = {row["book_id"]: row for row in tx.all("all_books")}
        for entry in entries:
            row = rows.get(entry.book_id)
            at = int((entry.created_at - EPOCH).total_seconds() * 1_000_000)
            if row is None:
                self._insert(tx, entry, OWNER_ID, at)
            elif not row["registered"] or Entry(**book_of(row).model_dump(include=set(Entry.model_fields))) != entry:
                facts = entry.model_dump(include={"book_id", "title", "storage_backend", "status"})
                tx.run("update_book", at=at, **facts)
        named = {entry.book_id for entry in entries}
        for book_id, row in rows.items():
            if book_id not in named and row["seq"] <= known:
                tx.run("unregister_book", book_id=book_id)
        if mark and any(row["seq"] > known for row in tx.all("all_books")):
            self._save(tx)
        self.shelves.of.clear()
        self.shelves.registry_seen = registry.mark()

    def _insert(self, tx: Tx, entry: Entry, person: str, at: int) -> str | None:
        """A book and its notebook, or None where the id is taken."""
        if tx.one("book_by_id", book_id=entry.book_id) is not None:
            return None
        notebook_id = str(uuid.uuid4())
        tx.run("insert_notebook", id=notebook_id, title=entry.title, inbox_of=None, at=self.now())
        tx.run("insert_member", notebook_id=notebook_id, person_id=person, role=int(Role.OWNER))
        facts = entry.model_dump(include={"book_id", "title", "storage_backend", "status"})
        if not tx.run("insert_book", notebook_id=notebook_id, at=at, **facts):
            raise Conflict(f"There is a book '{entry.book_id}' already.", path=stored(entry.book_id))
        row = tx.one("hold_book", book_id=entry.book_id)
        assert row is not None
        Chain(row).add(tx, "create_book", "", actor=person, at=self.now(), detail={"title": entry.title})
        self.event(tx, "book.created", entry.book_id, notebook_id)
        return notebook_id

    def _save(self, tx: Tx) -> None:
        """Writes registry.yaml again: entries that are not valid stay as they are, others as their rows say."""
        registry = self.shelves.registry
        rows = {row["book_id"]: row for row in tx.all("all_books") if row["registered"]}
        given, _ = registry.load()
        kept: list[Any] = []
        for raw in given:
            entry = entry_of(raw)
            row = rows.pop(entry.book_id, None) if isinstance(entry, Entry) else None
            kept.append(raw if row is None else {**raw, **_written(row)})
        kept += [_written(row) for row in rows.values()]
        registry.save(kept, max((row["seq"] for row in tx.all("all_books")), default=0))


def _written(row: Row) -> dict[str, Any]:
    book = book_of(row).model_dump(mode="json", include=set(Entry.model_fields))
    return {name: book[name] for name in Entry.model_fields}


def book_of(row: Row) -> Book:
    return Book(
        book_id=row["book_id"],
        title=row["title"],
        storage_backend=row["storage_backend"],
        created_at=moment(row["created_at"]),
        status=row["status"],
        require_hash=bool(row["require_hash"]),
        notebook_id=row["notebook_id"],
    )
