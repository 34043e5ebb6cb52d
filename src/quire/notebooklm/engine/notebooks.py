"""Notebooks at Google."""

from __future__ import annotations

from typing import Any

from quire.domain.errors import InvalidInput, Upstream
from quire.domain.notebooks import Notebook, NotebookSummary, RecentNotebook, titled
from quire.domain.pages import Page, page_of_all
from quire.notebooklm.codes import Status
from quire.notebooklm.engine.caller import Caller
from quire.notebooklm.engine.probing import Since
from quire.notebooklm.engine.rows import BEGINNING, notebook_of
from quire.notebooklm.engine.scope import GoogleScope, Whereabouts
from quire.notebooklm.methods import notebooks as wire

TITLE_LIMIT = 1_000


class GoogleNotebooks:
    def __init__(self, caller: Caller, whereabouts: Whereabouts, since: Since) -> None:
        self._caller = caller
        self._whereabouts = whereabouts
        self._since = since

    async def list(self, scope: GoogleScope, limit: int, cursor: str | None) -> Page[Notebook]:
        return page_of_all(await self._whereabouts.notebooks(), limit, cursor, self._told)

    async def create(self, scope: GoogleScope, title: str) -> Notebook:
        title = titled(title)
        start = self._since()

        async def made() -> wire.Notebook | None:
            rows = await self._whereabouts.notebooks()
            return next((row for row in rows if row.title == title and start.before(row.created_at)), None)

        return notebook_of(await self._caller.call("CREATE_NOTEBOOK", title=title, probe=made))

    async def get(self, scope: GoogleScope) -> Notebook:
        return self._told(await self.row(await scope.notebook_id()))

    async def get_summary(self, scope: GoogleScope) -> NotebookSummary:
        notebook_id = await scope.notebook_id()
        guide: wire.Guide = await self._caller.call(
            "SUMMARIZE", about=("notebook", notebook_id), notebook_id=notebook_id
        )
        questions = [topic.question for topic in guide.topics] or [step.question for step in guide.next_steps]
        row = await self.row(notebook_id)
        return NotebookSummary(summary=guide.summary, topics=[], questions=questions, sources=len(row.sources))

    async def list_recent(self, scope: GoogleScope, limit: int) -> Page[RecentNotebook]:
        rows = [row for row in await self._whereabouts.notebooks() if row.viewed_at is not None]
        rows.sort(key=lambda row: row.viewed_at or BEGINNING, reverse=True)
        items = [RecentNotebook(**dict(self._told(row)), viewed_at=row.viewed_at or BEGINNING) for row in rows[:limit]]
        return Page(items=items, total=len(rows), truncated=len(rows) > limit)

    async def remove_from_recent(self, scope: GoogleScope) -> Notebook:
        """NotebookLM answers that it failed inside where it has done it, too."""
        row = await self.row(await scope.notebook_id())
        try:
            await self._caller.call("REMOVE_RECENTLY_VIEWED", about=("notebook", row.id), notebook_id=row.id)
        except Upstream as error:
            if error.details.get("status_code") != Status.INTERNAL:
                raise
        return self._told(row)

    async def copy(self, scope: GoogleScope, title: str | None) -> Notebook:
        row = await self.row(await scope.notebook_id())
        wanted = titled(title if title is not None else f"Copy of {row.title}"[:TITLE_LIMIT])
        before = {one.id for one in await self._whereabouts.notebooks()}

        async def made() -> wire.Notebook | None:
            rows = await self._whereabouts.notebooks()
            new = [one for one in rows if one.id not in before and one.title == wanted]
            return new[0] if len(new) == 1 else None

        copied: wire.Notebook = await self._caller.call(
            "COPY_NOTEBOOK", about=("notebook", row.id), probe=made, notebook_id=row.id, title=wanted
        )
        return self._told(await self.row(copied.id))

    async def rename(self, scope: GoogleScope, title: str) -> Notebook:
        return await self._changed(await scope.notebook_id(), title=titled(title))

    async def set_emoji(self, scope: GoogleScope, emoji: str) -> Notebook:
        """The method takes title and emoji together."""
        row = await self.row(await scope.notebook_id())
        return await self._changed(row.id, title=row.title, emoji=emoji)

    async def delete(self, scope: GoogleScope) -> Notebook:
        row = await self.row(await scope.notebook_id())
        if self._whereabouts.is_inbox(row):
            raise InvalidInput("The inbox cannot be deleted.")
        await self._caller.call("DELETE_NOTEBOOK", about=("notebook", row.id), notebook_id=row.id)
        return notebook_of(row)

    async def row(self, notebook_id: str) -> wire.Notebook:
        found: wire.Notebook = await self._caller.call(
            "GET_NOTEBOOK", about=("notebook", notebook_id), notebook_id=notebook_id
        )
        for source in found.sources:
            self._whereabouts.tell("source", source.id, found.id)
        return found

    async def _changed(self, notebook_id: str, **names: Any) -> Notebook:
        await self._caller.call("RENAME_NOTEBOOK", about=("notebook", notebook_id), notebook_id=notebook_id, **names)
        return self._told(await self.row(notebook_id))

    def _told(self, row: wire.Notebook) -> Notebook:
        return notebook_of(row, inbox=self._whereabouts.is_inbox(row))
