"""Scratch notebooks of the local engine."""

from __future__ import annotations

import builtins
from collections.abc import AsyncIterator, Callable
from typing import Literal, TypeVar

from quire.api.context import Context
from quire.api.notes import Notes
from quire.api.sources import Sources
from quire.domain.cells import Cell, CellType, Sheet
from quire.domain.errors import InvalidInput, NotFound
from quire.domain.pages import Page
from quire.domain.scratch import (
    CellChange,
    CellCleared,
    CellOutput,
    Execution,
    Exported,
    Saved,
    ScratchFormat,
    ScratchNotebook,
    ScratchRun,
    ScratchText,
    ScratchView,
)
from quire.local.scope import Scope
from quire.local.scratch.editing import CellEditing
from quire.local.scratch.export import ScratchExport, readable
from quire.local.scratch.life_cycle import LifeCycle, titled
from quire.local.scratch.rows import ScratchRows, sheet_of
from quire.local.scratch.running import CellRunning
from quire.local.scratch.sources_cell import EXAMPLE_ONLY, FILE_NAME, with_sources
from quire.local.scratch.templates import name_of, source, template
from quire.local.scratch.view_cache import ViewCache
from quire.ports.cells import Kernels
from quire.ports.store import Row, Tx

Result = TypeVar("Result")


class LocalScratch:
    """Every call in its transaction; a notebook that is read stays alive.

    `notes` and `sources` are the guarded capabilities of whoever calls, for notebooks that are kept for good.
    """

    def __init__(
        self,
        rows: ScratchRows,
        life_cycle: LifeCycle,
        editing: CellEditing,
        running: CellRunning,
        export: ScratchExport,
        kernels: Kernels,
        notes: Callable[[Context], Notes],
        sources: Callable[[Context], Sources],
    ) -> None:
        self._rows = rows
        self._life_cycle = life_cycle
        self._editing = editing
        self._running = running
        self._export = export
        self._kernels = kernels
        self._notes = notes
        self._sources = sources
        self._views = ViewCache()

    async def create(
        self, scope: Scope, pattern: str | None, title: str | None, sources_of: str | None
    ) -> ScratchNotebook:
        name = name_of(pattern) if pattern else None
        sheet = template(name) if name else Sheet(cells=[])
        if sources_of is not None:
            sheet = await with_sources(sheet, self._sources(scope.context), sources_of)
        elif any(cell.filename == FILE_NAME for cell in sheet.cells):
            sheet = sheet.model_copy(update={"warnings": [EXAMPLE_ONLY]})
        named = titled(sheet, (title or "").strip() or sheet.title or "Scratch")
        return await scope.write(lambda tx: self._life_cycle.insert(tx, scope, named, name))

    async def list(self, scope: Scope) -> Page[ScratchNotebook]:
        found = await scope.read(lambda tx: self._life_cycle.list(tx, scope))
        return Page(items=found, total=len(found))

    async def get(self, scope: Scope) -> ScratchNotebook:
        row, cells = await self._seen(scope, lambda tx: self._rows.cells(tx, scope.subject_id))
        return self._rows.shown(row, cells)

    async def delete(self, scope: Scope) -> ScratchNotebook:
        gone = await scope.write(lambda tx: self._life_cycle.delete(tx, scope.subject_id))
        await self._kernels.stop(gone.id)
        await self._export.remove(gone.session_id)
        return gone

    async def import_(self, scope: Scope, format: ScratchFormat, text: str | None, path: str | None) -> ScratchNotebook:
        sheet = await self._life_cycle.sheet_from(format, text, path, local=scope.context.local)
        return await scope.write(lambda tx: self._life_cycle.insert(tx, scope, sheet, None))

    async def add_cell(
        self,
        scope: Scope,
        type: CellType,
        source: str,
        language: str | None,
        filename: str | None,
        index: int | None,
        revision: int | None,
    ) -> CellChange:
        new = (type, source, language, filename, index, revision)
        return await scope.write(lambda tx: self._editing.add(tx, scope.subject_id, *new))

    async def update_cell(
        self,
        scope: Scope,
        cell_id: str,
        source: str | None,
        language: str | None,
        filename: str | None,
        revision: int | None,
    ) -> CellChange:
        if source is None and language is None and filename is None:
            raise InvalidInput("At least one of source, language or filename must be provided.")
        new = (source, language, filename, revision)
        return await scope.write(lambda tx: self._editing.update(tx, scope.subject_id, cell_id, *new))

    async def move_cell(self, scope: Scope, cell_id: str, index: int, revision: int | None) -> CellChange:
        return await scope.write(lambda tx: self._editing.move(tx, scope.subject_id, cell_id, index, revision))

    async def delete_cell(self, scope: Scope, cell_id: str, revision: int | None) -> CellChange:
        return await scope.write(lambda tx: self._editing.delete(tx, scope.subject_id, cell_id, revision))

    def run_cell(
        self, scope: Scope, cell_id: str, timeout: float
    ) -> AsyncIterator[CellOutput | CellCleared | Execution]:
        return self._running.run_cell(scope, cell_id, timeout)

    def run_all(self, scope: Scope, timeout: float) -> AsyncIterator[CellOutput | CellCleared | Execution | ScratchRun]:
        return self._running.run_all(scope, timeout)

    async def interrupt(self, scope: Scope) -> ScratchNotebook:
        row = await scope.read(lambda tx: self._rows.living(tx, scope.subject_id))
        await self._kernels.interrupt(scope.subject_id)
        return self._rows.shown(row)

    async def restart(self, scope: Scope) -> ScratchNotebook:
        row = await scope.read(lambda tx: self._rows.living(tx, scope.subject_id))
        await self._kernels.stop(scope.subject_id)
        return self._rows.shown(row)

    async def export(self, scope: Scope, format: ScratchFormat) -> Exported:
        row, cells = await self._seen(scope, lambda tx: self._rows.cells(tx, scope.subject_id))
        sheet = sheet_of(row, cells)
        written = await self._export.write(row["id"], row["session_id"], sheet, format, local=scope.context.local)
        await scope.write(lambda tx: self._rows.record_event(tx, "exported", row))
        return written

    async def save(self, scope: Scope, kind: Literal["source", "note"], into: str | None) -> Saved:
        row, cells = await self._seen(scope, lambda tx: self._rows.cells(tx, scope.subject_id))
        text = readable(sheet_of(row, cells))
        if kind == "note":
            note = await self._notes(scope.context).create(into, row["title"], text)
            return Saved(notebook_id=note.notebook_id, kind="note", id=note.id, title=note.title)
        source = await self._sources(scope.context).add(into, "text", text=text, title=row["title"])
        return Saved(notebook_id=source.notebook_id, kind="source", id=source.id, title=source.title)

    async def current(self, scope: Scope) -> ScratchNotebook:
        def work(tx: Tx) -> tuple[Row, builtins.list[Cell]]:
            id = self._life_cycle.current(tx, scope)
            return self._rows.living(tx, id), self._rows.cells(tx, id)

        row, cells = await scope.read(work)
        await self._rows.mark_used(row)
        return self._rows.shown(row, cells)

    async def view(self, scope: Scope, session_id: str | None) -> ScratchView:
        known = self._views.get(scope)
        if known is not None and session_id in (None, known.notebook.session_id):
            return known

        def work(tx: Tx) -> tuple[Row, builtins.list[Cell]]:
            return self._rows.living(tx, scope.subject_id, session_id), self._rows.cells(tx, scope.subject_id)

        (row, cells), admission = await scope.read_admitted(work)
        await self._rows.mark_used(row)
        sheet = sheet_of(row, await self._rows.all_sanitised(cells))
        view = ScratchView(notebook=self._rows.shown(row), sheet=sheet)
        self._views.put(scope, admission, view)
        return view

    async def view_text(self, scope: Scope, session_id: str | None) -> ScratchText:
        view = await self.view(scope, session_id)
        return ScratchText(notebook=view.notebook, text=await self._export.srcmd(view.sheet))

    async def view_cell(self, scope: Scope, cell_id: str, session_id: str | None) -> Cell:
        _, cell = await self._seen(scope, lambda tx: self._rows.cell(tx, scope.subject_id, cell_id), session_id)
        (shown,) = await self._rows.all_sanitised([cell])
        return shown

    async def view_execution(self, scope: Scope, execution_id: str, session_id: str | None) -> Execution:
        def work(tx: Tx) -> Execution:
            found = tx.one("scratch_execution", scratch_id=scope.subject_id, id=execution_id)
            if found is None:
                raise NotFound("execution", execution_id)
            return Execution.model_validate_json(found["execution"])

        _, execution = await self._seen(scope, work, session_id)
        return execution

    async def executions(self, scope: Scope) -> Page[str]:
        _, rows = await self._seen(scope, lambda tx: tx.all("scratch_executions", scratch_id=scope.subject_id))
        return Page(items=[row["id"] for row in rows], total=len(rows))

    async def exports(self, scope: Scope, session_id: str) -> Page[str]:
        await scope.read(lambda tx: self._in_session(tx, session_id))
        paths = await self._export.list(session_id)
        return Page(items=paths, total=len(paths))

    async def exported(self, scope: Scope, session_id: str, path: str) -> str:
        await scope.read(lambda tx: self._in_session(tx, session_id))
        return await self._export.read(session_id, path)

    async def template(self, scope: Scope, pattern: str) -> str:
        return source(pattern)

    async def _seen(
        self, scope: Scope, work: Callable[[Tx], Result], session_id: str | None = None
    ) -> tuple[Row, Result]:
        """The notebook and what is to be read of it; it stays alive by that."""

        def both(tx: Tx) -> tuple[Row, Result]:
            return self._rows.living(tx, scope.subject_id, session_id), work(tx)

        row, found = await scope.read(both)
        await self._rows.mark_used(row)
        return row, found

    def _in_session(self, tx: Tx, session_id: str) -> Row:
        """The notebook of a session, if it still lives."""
        row = tx.one("scratch_by_session", session_id=session_id)
        if row is None:
            raise NotFound("session", session_id)
        return self._rows.living(tx, row["id"])
