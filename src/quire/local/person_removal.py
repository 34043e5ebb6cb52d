"""Taking somebody off the server, and what becomes of what only they owned."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol

from quire.api.engine import Subject
from quire.domain.errors import Conflict, InvalidInput, NotFound
from quire.domain.files import Download
from quire.domain.sharing import OWNER_ID, Actor, RemovedPerson, Role
from quire.local.removal import Removal
from quire.local.scope import Scope, SystemScope
from quire.local.sharing_log import logged
from quire.local.timestamps import moment
from quire.local.transfer.exporting import NotebookExport
from quire.ports.store import Row, Tx

NAMED = 5
MOST_FILES = 100_000


class BookShelf(Protocol):
    async def delete(self, scope: Scope, book_id: str) -> object: ...

    async def export_book(self, scope: Scope, book_id: str) -> Download: ...


class ExportFolder:
    """A folder of its own: one that is there, and a file that is, is not written to."""

    def __init__(self, path: str) -> None:
        self._path = Path(path).expanduser().absolute()
        try:
            self._path.mkdir(mode=0o700)
        except FileExistsError:
            raise Conflict(f"{self._path} is there already.", hint="Name a folder that is not there yet.") from None
        except OSError as error:
            raise InvalidInput(f"{self._path} cannot be made: {error.strerror}.", field="export_to") from None

    async def write(self, name: str, chunks: AsyncIterator[bytes]) -> str:
        """Where a file is; another of the same name gets a number."""
        stem, dot, ending = name.rpartition(".")
        names = (name if number == 1 else f"{stem}-{number}{dot}{ending}" for number in range(1, MOST_FILES))
        path = next(path for path in (self._path / one for one in names) if not path.exists())
        with await asyncio.to_thread(path.open, "xb") as file:
            async for chunk in chunks:
                await asyncio.to_thread(file.write, chunk)
            await asyncio.to_thread(_synced, file)
        return str(path)


class Owned(NamedTuple):
    """What somebody owns alone; an inbox without anything in it is nothing."""

    person: Row
    heir: Row | None
    rows: list[Row]


class PersonRemoval:
    """Their tokens go first, so that nothing of theirs is changed meanwhile."""

    def __init__(self, system: SystemScope, removal: Removal, books: BookShelf, exporting: NotebookExport) -> None:
        self._system = system
        self._removal = removal
        self._books = books
        self._exporting = exporting

    async def remove(
        self, scope: Scope, called: str, give_to: str | None, export_to: str | None, *, delete_all: bool
    ) -> RemovedPerson:
        """What is exported is deleted once all of it is written; where that fails, nothing is."""
        folder = None if export_to is None else await asyncio.to_thread(ExportFolder, export_to)
        delete_all = delete_all or folder is not None

        def begin(tx: Tx) -> Owned:
            owned = _owned(tx, called, give_to)
            if owned.rows and owned.heir is None and not delete_all:
                raise Conflict(
                    f"{owned.person['name']} is the only owner of {_named(owned.rows)}.",
                    hint="Say who gets it (give_to), where it is exported to before it is deleted (export_to), or that "
                    "it is deleted (delete_all).",
                )
            for token in tx.all("tokens_of", person_id=owned.person["id"]):
                tx.run("delete_token", id=token["id"])
            scope.event(tx, "person.removed", owned.person["id"])
            return owned

        owned = await scope.write(begin)
        exported = [] if folder is None else [await self._exported(scope, folder, owned, row) for row in owned.rows]
        if delete_all:
            for row in owned.rows:
                if row["book_id"] is not None:
                    await self._delete_book(scope, owned.person["id"], row["book_id"])
        jobs: list[str | None] = []

        def end(tx: Tx) -> RemovedPerson:
            left = _owned(tx, called, give_to)
            given, deleted = [], [row["title"] for row in owned.rows if row["book_id"]] if delete_all else []
            for row in left.rows:
                title = f"Inbox of {left.person['name']}" if row["inbox_of"] else row["title"]
                if row["inbox_of"]:
                    tx.run("make_plain_notebook", id=row["id"], title=title)
                if left.heir is not None:
                    _give(tx, row["id"], left.person["id"], left.heir["id"])
                    given.append(title)
                elif row["book_id"] is not None:
                    raise Conflict("They got another book meanwhile.", hint="Try again.")
                else:
                    jobs.append(self._removal.notebook(tx, row["id"], scope.actor_id))
                    deleted.append(title)
            self._forget(tx, left, scope.actor_id)
            heir = None if left.heir is None else left.heir["email"] or left.heir["id"]
            became = f"given to {heir}: {len(given)}" if heir else f"deleted: {len(deleted)}"
            logged(tx, scope, "person.removed", left.person["email"] or left.person["id"], detail=became)
            scope.event(tx, "person.removed", left.person["id"])
            return RemovedPerson(
                id=left.person["id"],
                name=left.person["name"],
                email=left.person["email"],
                created_at=moment(left.person["created_at"]),
                given_to=heir,
                given=given,
                exported=exported,
                deleted=deleted,
            )

        removed = await scope.write(end)
        for job_id in jobs:
            await self._removal.go_on(job_id)
        return removed

    def _forget(self, tx: Tx, owned: Owned, by: str) -> None:
        """What else hangs on a person goes with the row."""
        id = owned.person["id"]
        if (inbox := tx.one("role_in_inbox", person_id=id)) is not None:
            tx.run("make_plain_notebook", id=inbox["notebook_id"], title="")
            self._removal.notebook(tx, inbox["notebook_id"], by)
        tx.run("delete_conversations_of_person", person_id=id)
        tx.run("give_jobs", person_id=id, to=by if owned.heir is None else owned.heir["id"])
        tx.run("delete_person", id=id)

    async def _exported(self, scope: Scope, folder: ExportFolder, owned: Owned, row: Row) -> str:
        id = owned.person["id"]
        if row["book_id"] is not None:
            archive = await self._books.export_book(self._in_book(scope, id, row["book_id"]), row["book_id"])
            return await folder.write(f"{row['book_id']}.zip", archive.chunks())
        file = await self._exporting.file(row["id"], id)
        return await folder.write(file.name, file.chunks())

    async def _delete_book(self, scope: Scope, person_id: str, book_id: str) -> None:
        await self._books.delete(self._in_book(scope, person_id, book_id), book_id)

    def _in_book(self, scope: Scope, person_id: str, book_id: str) -> Scope:
        """The same call as its owner makes it."""
        context = replace(scope.context, actor=Actor(id=person_id))
        return self._system.call(context, Subject("book", book_id), Role.OWNER)


def _synced(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def _owned(tx: Tx, called: str, give_to: str | None) -> Owned:
    person = tx.one("person_called", called=called)
    if person is None:
        raise NotFound("person", called)
    if person["id"] == OWNER_ID:
        raise Conflict("The owner of this server cannot be removed.")
    heir = None if give_to is None else tx.one("person_called", called=give_to)
    if give_to is not None and heir is None:
        raise NotFound("person", give_to)
    if heir is not None and heir["id"] == person["id"]:
        raise InvalidInput("give_to: is who is to be removed.", field="give_to")
    rows = [
        row
        for row in tx.all("owned_alone", person_id=person["id"])
        if row["inbox_of"] is None or tx.one("anything_in_notebook", id=row["id"]) is not None
    ]
    return Owned(person, heir, rows)


def _give(tx: Tx, notebook_id: str, person_id: str, heir_id: str) -> None:
    tx.run("delete_member", notebook_id=notebook_id, person_id=person_id)
    where = {"notebook_id": notebook_id, "person_id": heir_id}
    tx.run("set_member", role=int(Role.OWNER), by_link=0, message="", **where)


def _named(rows: list[Row]) -> str:
    titles = [f"the book '{row['title']}'" if row["book_id"] else f"'{row['title']}'" for row in rows[:NAMED]]
    more = f" and {len(rows) - NAMED} more" if len(rows) > NAMED else ""
    return ", ".join(titles) + more
