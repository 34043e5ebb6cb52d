"""Scratch notebooks: made, listed, shown, taken in from elsewhere, and let go."""

from __future__ import annotations

import asyncio
import builtins
import json
import re
import secrets
from collections.abc import Callable, Sequence
from typing import Annotated, TypeVar

from pydantic import Field

from quire.api.capability import capability
from quire.domain.cells import MOST_CELLS, SOURCE_LIMIT, Cell, Sheet, shortened
from quire.domain.errors import InvalidInput, LimitReached, NotFound, TooLarge
from quire.domain.pages import Page
from quire.domain.scratch import TEXT_LIMIT, Execution, Pattern, ScratchFormat, ScratchId, ScratchNotebook
from quire.domain.sharing import OWNER_ID, Role
from quire.local.scratch.kept import Kept, cells_of, insert_cell, one_cell, sheet_of
from quire.local.scratch.templates import template
from quire.local.service import admit
from quire.ports.store import Row, Tx

MOST_NOTEBOOKS = 200
GOOD_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")

Found = TypeVar("Found")
Title = Annotated[str, Field(max_length=1_000)]


class Making(Kept):
    @capability("create_scratch", "write", verb="new")
    async def create(self, pattern: Pattern | None = None, title: Title | None = None) -> ScratchNotebook:
        """Make a scratch notebook of cells that run Python or JavaScript, empty or from a template."""
        sheet = template(pattern) if pattern else Sheet(cells=[])
        name = (title or "").strip() or sheet.title or "Scratch"
        return await self._insert(titled(sheet, name), pattern)

    @capability("list_scratch", "read")
    async def list(self) -> Page[ScratchNotebook]:
        """List your scratch notebooks, newest first."""
        everyone = self.bench.everyone and self.context.actor.id == OWNER_ID

        def work(tx: Tx) -> builtins.list[Row]:
            return tx.all(
                "scratches_of",
                person_id=self.context.actor.id,
                everyone=int(everyone),
                since=self.since(),
                boot=self.bench.boot,
            )

        found = [self.shown(row) for row in await self.read(work)]
        return Page(items=found, total=len(found))

    @capability("get_scratch", "read", of=("scratch", "notebook_id"), verb="show")
    async def get(self, notebook_id: ScratchId) -> ScratchNotebook:
        """Show a scratch notebook: its address, its cells by id and kind, and when it expires."""
        row = await self.seen(notebook_id)
        return self.shown(row, await self.read(lambda tx: cells_of(tx, notebook_id)))

    @capability("delete_scratch", "destroy", of=("scratch", "notebook_id"), verb="delete")
    async def delete(self, notebook_id: ScratchId) -> ScratchNotebook:
        """Delete a scratch notebook, and end all that it runs."""

        def work(tx: Tx) -> ScratchNotebook:
            self.to_change(tx, notebook_id)
            row = self.row(tx, notebook_id)
            tx.run("delete_scratch", id=notebook_id)
            self.told(tx, "deleted", row)
            return self.shown(row)

        gone = await self.write(work)
        await self.bench.kernels.stop(notebook_id)
        await asyncio.to_thread(self.bench.exports.remove, gone.session_id)
        return gone

    @capability("import_scratch", "write", timeout=120, verb="import")
    async def import_(
        self,
        format: ScratchFormat,
        text: Annotated[str, Field(max_length=TEXT_LIMIT, description="The notebook itself.")] | None = None,
        path: Annotated[str, Field(max_length=4_096, description="Its file or folder, where the server is local.")]
        | None = None,
    ) -> ScratchNotebook:
        """Make a scratch notebook from srcmd, a Jupyter notebook or JSON."""
        if (text is None) == (path is None):
            raise InvalidInput("Give either text or path.")
        if text is not None:
            sheet = await asyncio.to_thread(self.bench.formats.decode, format, text)
        elif not self.context.local:
            raise InvalidInput(
                "path: a path is only read where the server runs on your machine.", hint="Send the text.", field="path"
            )
        else:
            assert path is not None
            sheet = await asyncio.to_thread(self.bench.formats.read, format, path)
        if len(sheet.cells) > MOST_CELLS:
            raise TooLarge(f"The notebook has {len(sheet.cells)} cells; at most {MOST_CELLS} are kept.")
        for cell in sheet.cells:
            if len(cell.source) > SOURCE_LIMIT:
                raise TooLarge(f"A cell is longer than {SOURCE_LIMIT:,} characters.")
        return await self._insert(sheet, None)

    async def current(self) -> ScratchNotebook:
        """The newest notebook of this connection, or of the actor where there is none."""
        everything = {"person_id": self.context.actor.id, "since": self.since(), "boot": self.bench.boot}

        def work(tx: Tx) -> str | None:
            for connection in filter(None, (self.context.connection, "*")):
                row = tx.one("newest_scratch", connection="" if connection == "*" else connection, **everything)
                if row is not None:
                    return str(row["id"])
            return None

        found = await self.parts.store.read(work)
        if found is None:
            raise NotFound("scratch", "current")
        return await self.get(found)

    async def view(self, notebook_id: str) -> tuple[ScratchNotebook, Sheet]:
        """A notebook with all of its cells, as others may see them."""

        def work(tx: Tx) -> tuple[Row, builtins.list[Cell]]:
            return self._theirs(tx, notebook_id), cells_of(tx, notebook_id)

        row, cells = await self._looked(notebook_id, work)
        return self.shown(row), sheet_of(row, [self.sanitised(cell) for cell in cells])

    async def view_cell(self, notebook_id: str, cell_id: str) -> tuple[ScratchNotebook, Cell]:
        """One cell, as others may see it."""

        def work(tx: Tx) -> tuple[Row, Cell]:
            return self._theirs(tx, notebook_id), one_cell(tx, notebook_id, cell_id)

        row, cell = await self._looked(notebook_id, work)
        return self.shown(row), self.sanitised(cell)

    async def view_execution(self, notebook_id: str, execution_id: str) -> tuple[ScratchNotebook, Execution]:
        """One run of a cell, as long as it is kept."""

        def work(tx: Tx) -> tuple[Row, Execution]:
            row = self._theirs(tx, notebook_id)
            found = tx.one("scratch_execution", scratch_id=notebook_id, id=execution_id)
            if found is None:
                raise NotFound("execution", execution_id)
            return row, Execution.model_validate_json(found["execution"])

        row, execution = await self._looked(notebook_id, work)
        return self.shown(row), execution

    async def executions(self, notebook_id: str) -> builtins.list[str]:
        """The runs that are kept, newest first."""

        def work(tx: Tx) -> tuple[Row, builtins.list[Row]]:
            return self._theirs(tx, notebook_id), tx.all("scratch_executions", scratch_id=notebook_id)

        _, rows = await self._looked(notebook_id, work)
        return [row["id"] for row in rows]

    def _theirs(self, tx: Tx, notebook_id: str) -> Row:
        """The notebook, if it is the caller's."""
        admit(tx, self.context.actor.id, "scratch", notebook_id, Role.VIEWER)
        return self.row(tx, notebook_id)

    async def _looked(self, notebook_id: str, work: Callable[[Tx], tuple[Row, Found]]) -> tuple[Row, Found]:
        """What a read finds; it keeps the notebook alive."""
        row, found = await self.parts.store.read(work)
        await self.mark_used(row)
        return row, found

    async def _insert(self, sheet: Sheet, pattern: str | None) -> ScratchNotebook:
        id, session = f"nb-{secrets.token_hex(8)}", f"session-{secrets.token_hex(16)}"
        cells, last = numbered(sheet.cells)

        def work(tx: Tx) -> ScratchNotebook:
            mine = {"person_id": self.context.actor.id, "everyone": 0, "since": self.since(), "boot": self.bench.boot}
            if len(tx.all("scratches_of", **mine)) >= MOST_NOTEBOOKS:
                raise LimitReached(
                    f"You have {MOST_NOTEBOOKS} scratch notebooks.", hint="Delete some, or let them expire."
                )
            tx.run(
                "insert_scratch",
                id=id,
                session_id=session,
                person_id=self.context.actor.id,
                connection=self.context.connection or None,
                boot=self.bench.boot,
                title=(sheet.title or "Scratch")[:1_000],
                language=sheet.language,
                pattern=pattern,
                tsconfig=None if sheet.tsconfig is None else json.dumps(sheet.tsconfig),
                metadata=json.dumps(sheet.metadata),
                last_cell=last,
                at=self.now(),
            )
            for place, cell in enumerate(cells):
                insert_cell(tx, id, place, cell)
            row = self.row(tx, id)
            inbox = admit(tx, self.context.actor.id, "notebook", None, Role.OWNER)
            self.told(tx, "created", row, inbox=inbox)
            return self.shown(row, cells, sheet.warnings)

        return await self.write(work)


def titled(sheet: Sheet, title: str) -> Sheet:
    """The sheet under a title."""
    rest = [cell for cell in sheet.cells if cell.type != "title"]
    return sheet.model_copy(update={"cells": [Cell(type="title", source=title), *rest]})


def numbered(cells: Sequence[Cell]) -> tuple[builtins.list[Cell], int]:
    """Cells with ids of their own: those they came with where these are good, else the next number."""
    used: set[str] = set()
    last = 0
    made = []
    for cell in cells:
        id = cell.id
        if not GOOD_ID.fullmatch(id) or id in used:
            last += 1
            while f"cell-{last}" in used or any(other.id == f"cell-{last}" for other in cells):
                last += 1
            id = f"cell-{last}"
        used.add(id)
        made.append(cell.model_copy(update={"id": id, "status": "idle", "outputs": shortened(cell.outputs)}))
    numbers = [int(id[5:]) for id in used if re.fullmatch(r"cell-\d{1,9}", id)]
    return made, max([last, *numbers])
