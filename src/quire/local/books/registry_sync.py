"""Keeps the rows of books and registry.yaml in step.

People may edit the file: what they add or change is taken over, and a book that they take out is no longer
registered, although its rows and files stay. The file says which change was the last when it was written; what
another machine has changed since is newer than the file, and written into it. A file that does not say so has been
made by someone else: it tells what is, but not what is no more.
"""

from __future__ import annotations

import logging
import uuid
from datetime import timedelta
from typing import Any

from quire.domain.books import Entry, entry_of, stored
from quire.domain.errors import Conflict, Unsupported
from quire.domain.sharing import OWNER_ID, Role
from quire.local.books.audit_log import AuditLogs
from quire.local.books.storages import BookStorages
from quire.local.scope import SystemScope
from quire.local.timestamps import EPOCH, moment
from quire.ports.books import RegistryFile
from quire.ports.store import Row, Tx

log = logging.getLogger("quire.books")

BOOK_YAML = "book.yaml"


class RegistrySync:
    def __init__(self, system: SystemScope, file: RegistryFile, storages: BookStorages, logs: AuditLogs) -> None:
        self._logs = logs
        self._system = system
        self._file = file
        self._storages = storages
        self._seen: str | None = None
        self._problems: list[str] = []

    @property
    def in_step(self) -> bool:
        """Whether the file is the one that was last read."""
        return self._file.mark() == self._seen

    async def sync(self, *, anew: bool = False) -> list[str]:
        """Takes over what someone wrote into registry.yaml since it was last read; tells what is wrong with it."""
        if anew:
            self._seen = None
        mark = self._file.mark()
        if mark == self._seen:
            return self._problems
        try:
            problems = await self._system.write(self._take_over)
        except Unsupported as error:
            problems = [error.message]
            self._seen, self._problems = mark, problems
        except Conflict:
            # Another machine was faster with the same entry; the next call reads its row.
            return self._problems
        for problem in problems:
            log.warning(problem)
        return problems

    def _take_over(self, tx: Tx) -> list[str]:
        mark = self._file.mark()
        given, known = self._file.load()
        rows = {row["book_id"]: row for row in tx.all("all_books")}
        named: set[str] = set()
        problems: list[str] = []
        for number, raw in enumerate(given, 1):
            entry = entry_of(raw)
            if isinstance(entry, str) or entry.book_id in named:
                reason = entry if isinstance(entry, str) else f"'{entry.book_id}' is there twice"
                problems.append(f"registry.yaml, entry {number}: {reason}")
                continue
            named.add(entry.book_id)
            if entry.storage_backend not in self._storages.names:
                problems.append(f"registry.yaml, entry {number}: there is no storage '{entry.storage_backend}' here")
            row = rows.get(entry.book_id)
            if row is None or known is None or row["change"] <= known:
                self._register(tx, entry, row)
        mentioned = {raw.get("book_id") for raw in given if isinstance(raw, dict)}
        for book_id, row in rows.items():
            if row["registered"] and book_id not in mentioned and known is not None and row["change"] <= known:
                self.unregister(tx, row, OWNER_ID, "unregister_book")
        if any(known is None or row["change"] > known for row in tx.all("all_books")):
            self.save(tx)
            mark = self._file.mark()
        self._storages.remembered.clear()
        self._seen = mark
        self._problems = problems
        return problems

    def _register(self, tx: Tx, entry: Entry, row: Row | None) -> None:
        """Brings a book's row in step with its entry."""
        at = (entry.created_at - EPOCH) // timedelta(microseconds=1)
        if row is None or tx.one("deleted_book", book_id=entry.book_id):
            self.insert_book(tx, entry, OWNER_ID, at)
        elif not row["registered"] or written(row) != entry.model_dump(mode="json"):
            facts = entry.model_dump(include={"book_id", "title", "storage_backend", "status"})
            tx.run("update_book", at=at, **facts)
            tx.run("rename_notebook", id=row["notebook_id"], title=entry.title, at=self._system.now())
            moved = row["storage_backend"] != entry.storage_backend
            self._logs.of(tx.one("hold_book", book_id=entry.book_id) or row).add(
                tx, "update_book", "", actor=OWNER_ID, at=self._system.now(), detail=entry.model_dump(mode="json"),
                begins=moved,
            )  # fmt: skip
            self._system.event(tx, row["notebook_id"], "book.updated", entry.book_id)

    def book_yaml(self, row: Row) -> bytes:
        """The file that every book has beside its others."""
        return self._file.render(Entry(**written(row)))

    def unregister(self, tx: Tx, row: Row, actor: str, operation: str) -> None:
        """Makes a book one that is not there any more, for all but its log."""
        tx.run("unregister_book", book_id=row["book_id"])
        self._logs.of(row).add(tx, operation, "", actor=actor, at=self._system.now())
        self._system.event(tx, row["notebook_id"], "book.updated", row["book_id"])

    def insert_notebook(self, tx: Tx, title: str) -> str:
        """A notebook for a book, of which nobody is a member yet."""
        notebook_id = str(uuid.uuid4())
        tx.run("insert_notebook", id=notebook_id, title=title, inbox_of=None, at=self._system.now())
        return notebook_id

    def insert_book(self, tx: Tx, entry: Entry, person: str, at: int) -> None:
        """A book and its notebook; Conflict where the id is taken. That of a deleted book is free."""
        facts = entry.model_dump(include={"book_id", "title", "storage_backend", "status"})
        deleted = tx.one("deleted_book", book_id=entry.book_id)
        notebook_id = deleted["notebook_id"] if deleted else self.insert_notebook(tx, entry.title)
        tx.run("insert_member", notebook_id=notebook_id, person_id=person, role=int(Role.OWNER))
        if deleted:
            tx.run("update_book", at=at, **facts)
            tx.run("rename_notebook", id=notebook_id, title=entry.title, at=self._system.now())
        elif not tx.run("insert_book", notebook_id=notebook_id, at=at, **facts):
            raise Conflict(f"There is a book '{entry.book_id}' already.", path=stored(entry.book_id))
        row = tx.one("hold_book", book_id=entry.book_id)
        assert row is not None
        detail = entry.model_dump(mode="json")
        self._logs.of(row).add(tx, "create_book", "", actor=person, at=self._system.now(), detail=detail)
        self._system.event(tx, notebook_id, "book.created", entry.book_id)

    def save(self, tx: Tx) -> None:
        """Writes registry.yaml again: entries that are not valid stay as they are, others are as their rows say."""
        every = tx.all("all_books")
        rows = {row["book_id"]: row for row in every if row["registered"]}
        given, _ = self._file.load()
        gone = {row["book_id"] for row in every if not row["registered"]}
        kept: list[Any] = []
        for raw in given:
            entry = entry_of(raw)
            if isinstance(entry, str):
                kept.append(raw)
            elif entry.book_id in rows:
                kept.append({**raw, **written(rows.pop(entry.book_id))})
            elif entry.book_id not in gone:
                kept.append(raw)
        kept += [written(row) for row in rows.values()]
        self._file.save(kept, max((row["change"] for row in every), default=0))


def written(row: Row) -> dict[str, Any]:
    """A book as its entry in registry.yaml."""
    facts = {name: row[name] for name in ("book_id", "title", "storage_backend", "status")}
    return Entry(created_at=moment(row["created_at"]), **facts).model_dump(mode="json")
