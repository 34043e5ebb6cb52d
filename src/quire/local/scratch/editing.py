"""Cells: added, changed, moved, deleted. A revision that is given must be the notebook's."""

from __future__ import annotations

from quire.domain.cells import MOST_CELLS, SUFFIXES, Cell, CellType, good_name, language_of
from quire.domain.errors import InvalidInput, LimitReached
from quire.domain.scratch import CellChange
from quire.local.scratch.rows import ScratchRows, columns, insert_cell, uri_of
from quire.ports.store import Row, Tx


class CellEditing:
    def __init__(self, rows: ScratchRows) -> None:
        self._rows = rows

    def add(
        self,
        tx: Tx,
        scratch_id: str,
        type: CellType,
        source: str,
        language: str | None,
        filename: str | None,
        index: int | None,
        revision: int | None,
    ) -> CellChange:
        row = self._rows.to_change(tx, scratch_id, revision)
        cells = self._rows.cells(tx, scratch_id)
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
        insert_cell(tx, scratch_id, place, cell)
        self._arrange(tx, scratch_id, [*cells[:place], cell, *cells[place:]])
        return self._done(tx, row, cell, place, number)

    def update(
        self,
        tx: Tx,
        scratch_id: str,
        cell_id: str,
        source: str | None,
        language: str | None,
        filename: str | None,
        revision: int | None,
    ) -> CellChange:
        row = self._rows.to_change(tx, scratch_id, revision)
        old = self._rows.cell(tx, scratch_id, cell_id)
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
        cells = self._rows.cells(tx, scratch_id)
        check([one for one in cells if one.id != cell_id], cell)
        tx.run("update_scratch_cell", scratch_id=scratch_id, **columns(cell))
        place = [one.id for one in cells].index(cell_id)
        return self._done(tx, row, cell, place)

    def move(self, tx: Tx, scratch_id: str, cell_id: str, index: int, revision: int | None) -> CellChange:
        row = self._rows.to_change(tx, scratch_id, revision)
        cell = self._rows.cell(tx, scratch_id, cell_id)
        rest = [one for one in self._rows.cells(tx, scratch_id) if one.id != cell_id]
        place = min(index, len(rest))
        self._arrange(tx, scratch_id, [*rest[:place], cell, *rest[place:]])
        return self._done(tx, row, cell, place)

    def delete(self, tx: Tx, scratch_id: str, cell_id: str, revision: int | None) -> CellChange:
        row = self._rows.to_change(tx, scratch_id, revision)
        cell = self._rows.cell(tx, scratch_id, cell_id)
        cells = self._rows.cells(tx, scratch_id)
        place = [one.id for one in cells].index(cell_id)
        tx.run("delete_scratch_cell", scratch_id=scratch_id, id=cell_id)
        return self._done(tx, row, cell, place)

    def _arrange(self, tx: Tx, scratch_id: str, cells: list[Cell]) -> None:
        for place, cell in enumerate(cells):
            tx.run("place_scratch_cell", scratch_id=scratch_id, id=cell.id, place=place)

    def _done(self, tx: Tx, row: Row, cell: Cell, place: int, last_cell: int | None = None) -> CellChange:
        title = cell.source[:1_000] if cell.type == "title" else None
        revision = self._rows.changed(tx, row, last_cell=last_cell, title=title)
        self._rows.record_event(tx, "updated", row, "cells", cell.id)
        return CellChange(
            uri=f"{uri_of(row)}/cells/{cell.id}",
            notebook_id=row["id"],
            revision=revision,
            index=place,
            cell=self._rows.sanitised(cell),
        )


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
