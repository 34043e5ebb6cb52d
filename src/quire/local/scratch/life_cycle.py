"""Scratch notebooks: made, taken in from elsewhere, listed, and let go."""

from __future__ import annotations

import asyncio
import builtins
import json
import re
import secrets
from collections.abc import Sequence

from quire.domain.cells import MOST_CELLS, SOURCE_LIMIT, Cell, Sheet, shortened
from quire.domain.errors import InvalidInput, LimitReached, NotFound, TooLarge
from quire.domain.scratch import ScratchFormat, ScratchNotebook
from quire.domain.sharing import OWNER_ID
from quire.local.scope import Scope
from quire.local.scratch.ports import ScratchPorts
from quire.local.scratch.rows import ScratchRows, insert_cell
from quire.ports.store import Tx

MOST_NOTEBOOKS = 200
GOOD_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


class LifeCycle:
    """What a caller has is found by who made it."""

    def __init__(self, rows: ScratchRows, ports: ScratchPorts) -> None:
        self._rows = rows
        self._ports = ports

    def insert(self, tx: Tx, scope: Scope, sheet: Sheet, pattern: str | None) -> ScratchNotebook:
        id, session = f"nb-{secrets.token_hex(8)}", f"session-{secrets.token_hex(16)}"
        cells, last = numbered(sheet.cells)
        if len(tx.all("scratches_of", person_id=scope.actor_id, everyone=0, **self._living())) >= MOST_NOTEBOOKS:
            raise LimitReached(f"You have {MOST_NOTEBOOKS} scratch notebooks.", hint="Delete some, or let them expire.")
        tx.run(
            "insert_scratch",
            id=id,
            session_id=session,
            person_id=scope.actor_id,
            connection=scope.context.connection or None,
            boot=self._ports.boot,
            title=(sheet.title or "Scratch")[:1_000],
            language=sheet.language,
            pattern=pattern,
            tsconfig=None if sheet.tsconfig is None else json.dumps(sheet.tsconfig),
            metadata=json.dumps(sheet.metadata),
            last_cell=last,
            at=scope.now(),
        )
        for place, cell in enumerate(cells):
            insert_cell(tx, id, place, cell)
        row = self._rows.living(tx, id)
        self._rows.record_event(tx, "created", row)
        return self._rows.shown(row, cells, sheet.warnings)

    def list(self, tx: Tx, scope: Scope) -> builtins.list[ScratchNotebook]:
        """The caller's notebooks; everyone's for the owner, where the settings allow it."""
        everyone = self._ports.everyone and scope.actor_id == OWNER_ID
        rows = tx.all("scratches_of", person_id=scope.actor_id, everyone=int(everyone), **self._living())
        return [self._rows.shown(row) for row in rows]

    def current(self, tx: Tx, scope: Scope) -> str:
        """The id of the newest notebook of this connection; of the caller where a call comes by none."""
        connection = scope.context.connection
        row = tx.one("newest_scratch", person_id=scope.actor_id, connection=connection, **self._living())
        if row is None:
            raise NotFound("scratch", "current")
        return str(row["id"])

    def delete(self, tx: Tx, scratch_id: str) -> ScratchNotebook:
        self._rows.to_change(tx, scratch_id)
        row = self._rows.living(tx, scratch_id)
        tx.run("delete_scratch", id=scratch_id)
        self._rows.record_event(tx, "deleted", row)
        return self._rows.shown(row)

    async def sheet_from(self, format: ScratchFormat, text: str | None, path: str | None, *, local: bool) -> Sheet:
        """The cells of a notebook in a format of others; a path is only read for `local` callers."""
        if text is not None and path is None:
            sheet = await asyncio.to_thread(self._ports.formats.decode, format, text)
        elif path is None or text is not None:
            raise InvalidInput("Give either text or path.")
        elif not local:
            raise InvalidInput(
                "path: a path is only read where the server runs on your machine.", hint="Send the text.", field="path"
            )
        else:
            sheet = await asyncio.to_thread(self._ports.formats.read, format, path)
        if len(sheet.cells) > MOST_CELLS:
            raise TooLarge(f"The notebook has {len(sheet.cells)} cells; at most {MOST_CELLS} are kept.")
        for cell in sheet.cells:
            if len(cell.source) > SOURCE_LIMIT:
                raise TooLarge(f"A cell is longer than {SOURCE_LIMIT:,} characters.")
        return sheet

    def _living(self) -> dict[str, int | str | None]:
        return {"since": self._rows.since(), "boot": self._ports.boot}


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
