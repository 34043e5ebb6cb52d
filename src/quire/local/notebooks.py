"""Notebooks: make, list, rename, delete, sum up."""

from __future__ import annotations

import uuid
from contextlib import suppress

from quire import text as text_engine
from quire.domain.errors import Conflict, InvalidInput, NotFound, QuireError
from quire.domain.files import Download, Upload
from quire.domain.notebooks import Notebook, NotebookFormat, NotebookSummary, RecentNotebook, titled
from quire.domain.pages import Page, page, position
from quire.domain.sharing import Role
from quire.local.check_role import seen_as
from quire.local.person_settings import language_for
from quire.local.removal import Removal
from quire.local.scope import Scope
from quire.local.search import Search
from quire.local.timestamps import moment
from quire.local.transfer.copying import NotebookCopy
from quire.local.transfer.exporting import NotebookExport
from quire.local.transfer.importing import NotebookImport
from quire.ports.store import Row, Tx

VIEWED_AGAIN = 60_000_000


class LocalNotebooks:
    def __init__(
        self,
        removal: Removal,
        search: Search,
        exporting: NotebookExport,
        importing: NotebookImport,
        copying: NotebookCopy,
    ) -> None:
        self._removal = removal
        self._search = search
        self._exporting = exporting
        self._importing = importing
        self._copying = copying

    async def list(self, scope: Scope, limit: int, cursor: str | None) -> Page[Notebook]:
        def work(tx: Tx) -> Page[Notebook]:
            mine = {"person_id": scope.actor_id}
            rows = tx.all("notebooks_of", before=position(cursor), limit=limit + 1, **mine)
            return page(rows, limit, tx.count("count_notebooks_of", **mine), notebook_of)

        return await scope.read(work)

    async def create(self, scope: Scope, title: str) -> Notebook:
        title = titled(title)
        id = str(uuid.uuid4())

        def work(tx: Tx) -> Notebook:
            at = scope.now()
            tx.run("insert_notebook", id=id, title=title, inbox_of=None, at=at)
            tx.run("insert_member", notebook_id=id, person_id=scope.actor_id, role=int(Role.OWNER))
            tx.run("insert_event", notebook_id=id, kind="notebook.created", subject_id=id, at=at)
            _viewed(tx, scope, id, at)
            return notebook_of(_one(tx, id, scope.actor_id))

        return await scope.write(work)

    async def get(self, scope: Scope) -> Notebook:
        """Whoever opens a notebook finds it among the recent ones; that is noted once a minute at most."""

        def work(tx: Tx) -> tuple[Notebook, int]:
            seen = tx.one("viewed_at", person_id=scope.actor_id, notebook_id=scope.notebook_id)
            return notebook_of(_one(tx, scope.notebook_id, scope.actor_id)), seen["at"] if seen else 0

        notebook, seen = await scope.look_up(work)
        at = scope.now()
        if not scope.context.read_only and abs(at - seen) > VIEWED_AGAIN:
            # A home that can only be read is read all the same.
            with suppress(QuireError):
                await scope.write(lambda tx: _viewed(tx, scope, notebook.id, at))
        return notebook

    async def list_recent(self, scope: Scope, limit: int) -> Page[RecentNotebook]:
        def work(tx: Tx) -> Page[RecentNotebook]:
            items = []
            for row in tx.all("recently_viewed", person_id=scope.actor_id, limit=limit):
                notebook = notebook_of(_one(tx, row["notebook_id"], scope.actor_id))
                items.append(RecentNotebook(**dict(notebook), viewed_at=moment(row["at"])))
            return Page(items=items, total=len(items))

        return await scope.read(work)

    async def remove_from_recent(self, scope: Scope) -> Notebook:
        def work(tx: Tx) -> Notebook:
            tx.run("forget_viewed", person_id=scope.actor_id, notebook_id=scope.notebook_id)
            return notebook_of(_one(tx, scope.notebook_id, scope.actor_id))

        return await scope.write(work)

    async def get_summary(self, scope: Scope) -> NotebookSummary:
        language = await scope.look_up(lambda tx: language_for(tx, scope.actor_id))
        return await text_engine.notebook_summary(self._search(scope), scope.notebook_id, language)

    async def rename(self, scope: Scope, title: str) -> Notebook:
        title = titled(title)

        def work(tx: Tx) -> Notebook:
            _refuse_a_books(tx, scope.notebook_id, "update_book gives a book another title.")
            tx.run("rename_notebook", id=scope.notebook_id, title=title, at=scope.now())
            scope.event(tx, "notebook.updated", scope.notebook_id)
            return notebook_of(_one(tx, scope.notebook_id, scope.actor_id))

        return await scope.write(work)

    async def set_emoji(self, scope: Scope, emoji: str) -> Notebook:
        def work(tx: Tx) -> Notebook:
            tx.run("set_notebook_emoji", id=scope.notebook_id, emoji=emoji.strip() or None, at=scope.now())
            scope.event(tx, "notebook.updated", scope.notebook_id)
            return notebook_of(_one(tx, scope.notebook_id, scope.actor_id))

        return await scope.write(work)

    async def copy(self, scope: Scope, title: str | None) -> Notebook:
        made = await self._copying.copy(scope, title)
        return await scope.read(lambda tx: notebook_of(_one(tx, made, scope.actor_id)))

    async def export(self, scope: Scope, format: NotebookFormat) -> Download:
        return await self._exporting.export(scope, format)

    async def import_(self, scope: Scope, file: Upload) -> Notebook:
        made = await self._importing.import_(scope, file)
        return await scope.read(lambda tx: notebook_of(_one(tx, made, scope.actor_id)))

    async def delete(self, scope: Scope) -> Notebook:
        def work(tx: Tx) -> tuple[Notebook, str | None]:
            id = scope.notebook_id
            notebook = notebook_of(_one(tx, id, scope.actor_id))
            if notebook.inbox:
                raise InvalidInput("The inbox cannot be deleted.")
            _refuse_a_books(tx, id, "delete_book deletes a book.")
            # Its row is locked first, as by all who change what it holds.
            tx.run("touch_notebook", id=id, at=scope.now())
            job_id = self._removal.notebook(tx, id, scope.actor_id)
            scope.event(tx, "notebook.deleted", id)
            return notebook, job_id

        notebook, job_id = await scope.write(work)
        await self._removal.go_on(job_id)
        return notebook


def _viewed(tx: Tx, scope: Scope, notebook_id: str, at: int) -> None:
    tx.run("set_viewed", person_id=scope.actor_id, notebook_id=notebook_id, at=at)


def _refuse_a_books(tx: Tx, id: str, instead: str) -> None:
    """A book's own notebook is named and deleted with its book."""
    book = tx.one("book_that_has_notebook", id=id)
    if book is not None:
        raise Conflict(f"This notebook belongs to the book '{book['book_id']}'.", hint=instead)


def _one(tx: Tx, id: str, person: str) -> Row:
    row = tx.one("notebook_by_id", id=id, person_id=person)
    if row is None:
        raise NotFound("notebook", id)
    return row


def notebook_of(row: Row) -> Notebook:
    return Notebook(
        id=row["id"],
        title=row["title"],
        emoji=row["emoji"],
        inbox=row["inbox_of"] is not None,
        role=seen_as(row["role"], row["view_level"]),
        source_count=row["source_count"],
        created_at=moment(row["created_at"]),
        updated_at=moment(row["updated_at"]),
    )
