"""Cells: added, changed, moved, deleted. A revision that is given must be the notebook's."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from quire.api.capability import capability
from quire.domain.cells import MOST_CELLS, SUFFIXES, Cell, CellId, FileName, Language, Source, good_name, language_of
from quire.domain.errors import InvalidInput, LimitReached
from quire.domain.scratch import CellChange, Revision, ScratchId
from quire.local.scratch.kept import Kept, cells_of, columns, insert_cell, one_cell
from quire.ports.store import Row, Tx

Index = Annotated[int, Field(ge=0, le=MOST_CELLS, description="Where it stands, from 0; at the end when left out.")]


class Editing(Kept):
    @capability("add_cell", "write", of=("scratch", "notebook_id"), verb="add")
    async def add_cell(
        self,
        notebook_id: ScratchId,
        type: Annotated[Literal["markdown", "code", "title", "package.json", "raw"], Field(description="Its kind.")],
        source: Source,
        language: Language | None = None,
        filename: FileName | None = None,
        index: Index | None = None,
        revision: Revision | None = None,
    ) -> CellChange:
        """Add a cell to a scratch notebook. Code is in the notebook's language unless its file name says otherwise."""

        def work(tx: Tx) -> CellChange:
            row = self.to_change(tx, notebook_id, revision)
            cells = cells_of(tx, notebook_id)
            if len(cells) >= MOST_CELLS:
                raise LimitReached(f"A scratch notebook holds {MOST_CELLS} cells.")
            number = row["last_cell"] + 1
            cell = Cell(
                id=f"cell-{number}",
                type=type,
                source=source,
                language=language or (language_of(filename) if filename else None) or row["language"],
                filename=filename,
            )
            if type == "code" and cell.filename is None:
                cell = cell.model_copy(update={"filename": free_name(cells, number, cell.language)})
            check(cells, cell)
            place = len(cells) if index is None else min(index, len(cells))
            insert_cell(tx, notebook_id, place, cell)
            self._arrange(tx, notebook_id, [*cells[:place], cell, *cells[place:]])
            return self._done(tx, row, cell, place, number)

        return await self.write(work)

    @capability("update_cell", "write", of=("scratch", "notebook_id"), verb="update")
    async def update_cell(
        self,
        notebook_id: ScratchId,
        cell_id: CellId,
        source: Source | None = None,
        language: Language | None = None,
        filename: FileName | None = None,
        revision: Revision | None = None,
    ) -> CellChange:
        """Change what stands in a cell, its language or its file name; what is left out stays as it is."""
        if source is None and language is None and filename is None:
            raise InvalidInput("At least one of source, language or filename must be provided.")

        def work(tx: Tx) -> CellChange:
            row = self.to_change(tx, notebook_id, revision)
            old = one_cell(tx, notebook_id, cell_id)
            if old.type != "code" and (language or filename):
                raise InvalidInput("Only a code cell has a language and a file name.")
            known = language_of(filename or old.filename or "")
            if language and known and language != known:
                raise InvalidInput(f"language: the file name says {known}.", field="language")
            cell = Cell.model_validate(
                old.model_dump()
                | {
                    "source": old.source if source is None else source,
                    "language": language or old.language,
                    "filename": filename or old.filename,
                    "linked": old.linked and source is None,
                }
            )
            cells = cells_of(tx, notebook_id)
            check([one for one in cells if one.id != cell_id], cell)
            tx.run("update_scratch_cell", scratch_id=notebook_id, **columns(cell))
            place = [one.id for one in cells].index(cell_id)
            return self._done(tx, row, cell, place)

        return await self.write(work)

    @capability("move_cell", "write", of=("scratch", "notebook_id"), verb="move")
    async def move_cell(
        self,
        notebook_id: ScratchId,
        cell_id: CellId,
        index: Annotated[int, Field(ge=0, le=MOST_CELLS, description="Where it shall stand, from 0.")],
        revision: Revision | None = None,
    ) -> CellChange:
        """Move a cell to another place in its notebook."""

        def work(tx: Tx) -> CellChange:
            row = self.to_change(tx, notebook_id, revision)
            cell = one_cell(tx, notebook_id, cell_id)
            rest = [one for one in cells_of(tx, notebook_id) if one.id != cell_id]
            place = min(index, len(rest))
            self._arrange(tx, notebook_id, [*rest[:place], cell, *rest[place:]])
            return self._done(tx, row, cell, place)

        return await self.write(work)

    @capability("delete_cell", "destroy", of=("scratch", "notebook_id"), verb="delete-cell")
    async def delete_cell(
        self, notebook_id: ScratchId, cell_id: CellId, revision: Revision | None = None
    ) -> CellChange:
        """Delete a cell, and return what it was."""

        def work(tx: Tx) -> CellChange:
            row = self.to_change(tx, notebook_id, revision)
            cell = one_cell(tx, notebook_id, cell_id)
            cells = cells_of(tx, notebook_id)
            place = [one.id for one in cells].index(cell_id)
            tx.run("delete_scratch_cell", scratch_id=notebook_id, id=cell_id)
            return self._done(tx, row, cell, place)

        return await self.write(work)

    def _arrange(self, tx: Tx, notebook_id: str, cells: list[Cell]) -> None:
        for place, cell in enumerate(cells):
            tx.run("place_scratch_cell", scratch_id=notebook_id, id=cell.id, place=place)

    def _done(self, tx: Tx, row: Row, cell: Cell, place: int, last_cell: int | None = None) -> CellChange:
        title = cell.source[:1_000] if cell.type == "title" else None
        revision = self.changed(tx, row, last_cell=last_cell, title=title)
        self.told(tx, "updated", row, "cells", cell.id)
        return CellChange(notebook_id=row["id"], revision=revision, index=place, cell=self.sanitised(cell))


def check(others: list[Cell], cell: Cell) -> None:
    """Refuses what two cells cannot both be."""
    if cell.type in ("title", "package.json") and any(other.type == cell.type for other in others):
        raise InvalidInput(f"type: the notebook has a {cell.type} cell already.", field="type")
    if cell.filename is None:
        return
    if not good_name(cell.filename):
        raise InvalidInput("filename: must be the name of one file.", field="filename")
    if cell.filename == "package.json":
        raise InvalidInput("filename: package.json is a kind of cell of its own.", field="filename")
    if any(other.filename == cell.filename for other in others):
        raise InvalidInput("filename: another cell has this name.", field="filename")


def free_name(cells: list[Cell], number: int, language: str | None) -> str:
    names = {cell.filename for cell in cells}
    suffix = SUFFIXES.get(language or "", "txt")
    while f"cell-{number}.{suffix}" in names:
        number += 1
    return f"cell-{number}.{suffix}"
