"""Notebooks: make, list, rename, delete."""

from __future__ import annotations

import uuid
from typing import Annotated

from pydantic import Field

from quire.api.capability import capability
from quire.domain.errors import InvalidInput, NotFound
from quire.domain.notebooks import Notebook, NotebookSummary, NotebookTitle
from quire.domain.pages import Page
from quire.domain.sharing import Role
from quire.local.service import Service, cursor_at, moment, position
from quire.local.source_guides import notebook_summary
from quire.ports.store import Row, Tx

Id = Annotated[str, Field(max_length=200, description="The notebook's id.")]


class Notebooks(Service):
    noun = "notebook"
    toolset = "notebooks"

    @capability("list_notebooks", "read", listed=True)
    async def list(
        self, limit: Annotated[int, Field(ge=1, le=1_000)] = 200, cursor: str | None = None
    ) -> Page[Notebook]:
        """List your notebooks, newest first."""

        def work(tx: Tx) -> Page[Notebook]:
            person = self.context.actor.id
            rows = tx.all("notebooks_of", person_id=person, before=position(cursor), limit=limit + 1)
            more = len(rows) > limit
            rows = rows[:limit]
            total = tx.one("count_notebooks_of", person_id=person)
            return Page(
                items=[_notebook(row) for row in rows],
                total=total["total"] if total else 0,
                truncated=more,
                cursor=cursor_at(rows[-1]) if more else None,
            )

        return await self.read(work)

    @capability("create_notebook", "write", listed=True)
    async def create(self, title: NotebookTitle) -> Notebook:
        """Make a new, empty notebook."""
        title = _titled(title)
        id = str(uuid.uuid4())
        person = self.context.actor.id

        def work(tx: Tx) -> Notebook:
            tx.run("insert_notebook", id=id, title=title, inbox_of=None, at=self.now())
            tx.run("insert_member", notebook_id=id, person_id=person, role=int(Role.OWNER))
            self.event(tx, "notebook.created", id, id)
            return _notebook(_one(tx, id, person))

        return await self.write(work)

    @capability("get_notebook", "read", of=("notebook", "notebook_id"), listed=True)
    async def get(self, notebook_id: Id) -> Notebook:
        """Get one notebook."""
        return await self.read(lambda tx: _notebook(_one(tx, notebook_id, self.context.actor.id)))

    @capability("get_notebook_summary", "read", of=("notebook", "notebook_id"), timeout=120, verb="summary")
    async def get_summary(self, notebook_id: Id) -> NotebookSummary:
        """What a notebook's sources are about, with topics and questions to begin with."""
        await self.read(lambda tx: None)
        return await notebook_summary(self.parts, notebook_id)

    @capability("rename_notebook", "write", of=("notebook", "notebook_id"), idempotent=True, listed=True)
    async def rename(self, notebook_id: Id, title: NotebookTitle) -> Notebook:
        """Give a notebook another title."""
        title = _titled(title)

        def work(tx: Tx) -> Notebook:
            tx.run("rename_notebook", id=notebook_id, title=title, at=self.now())
            self.event(tx, "notebook.updated", notebook_id)
            return _notebook(_one(tx, notebook_id, self.context.actor.id))

        return await self.write(work)

    @capability("delete_notebook", "destroy", of=("notebook", "notebook_id"), needs=Role.OWNER, listed=True)
    async def delete(self, notebook_id: Id) -> Notebook:
        """Delete a notebook with everything in it. The inbox cannot be deleted."""

        def work(tx: Tx) -> Notebook:
            notebook = _notebook(_one(tx, notebook_id, self.context.actor.id))
            if notebook.inbox:
                raise InvalidInput("The inbox cannot be deleted.")
            # Its row is locked first, as by all who change what it holds.
            tx.run("touch_notebook", id=notebook_id, at=self.now())
            self.parts.index.drop(tx, notebook_id)
            if not tx.run("delete_notebook", id=notebook_id):
                raise NotFound("notebook", notebook_id)
            self.event(tx, "notebook.deleted", notebook_id)
            return notebook

        return await self.write(work)


def _titled(title: str) -> str:
    title = title.strip()
    if not title:
        raise InvalidInput("title: must not be empty.", field="title")
    return title


def _one(tx: Tx, id: str, person: str) -> Row:
    row = tx.one("notebook_by_id", id=id, person_id=person)
    if row is None:
        raise NotFound("notebook", id)
    return row


def _notebook(row: Row) -> Notebook:
    return Notebook(
        id=row["id"],
        title=row["title"],
        inbox=row["inbox_of"] is not None,
        role=Role(row["role"]),
        source_count=row["source_count"],
        created_at=moment(row["created_at"]),
        updated_at=moment(row["updated_at"]),
    )
