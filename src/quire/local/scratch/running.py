"""Cells that run: outputs as they come, kept with the cell and as an execution of its own."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing

from quire.domain.cells import Cell, Output, shortened
from quire.domain.errors import InvalidInput, QuireError, Unsupported
from quire.domain.scratch import KEPT_EXECUTIONS, CellCleared, CellOutput, Execution, ScratchRun
from quire.local.scope import Scope, SystemScope
from quire.local.scratch.outputs import RunOutputs, cost_of, updated_elsewhere
from quire.local.scratch.ports import ScratchPorts
from quire.local.scratch.reaper import KernelReaper
from quire.local.scratch.rows import LEASE, ScratchRows, dumped, uri_of
from quire.local.timestamps import moment
from quire.ports.cells import Ended, Ending, Work
from quire.ports.finish_anyway import finish_anyway
from quire.ports.store import Row, Tx

log = logging.getLogger("quire.scratch")

RUNNABLE = ("python", "javascript", "typescript")
# How much of a cell's output is taken in at all: many times what is kept, so that a run that prints a lot ends well.
MOST_OUTPUT = 32 * 1024 * 1024


class CellRunning:
    def __init__(self, system: SystemScope, rows: ScratchRows, ports: ScratchPorts, reaper: KernelReaper) -> None:
        self._system = system
        self._rows = rows
        self._ports = ports
        self._reaper = reaper

    async def run_cell(
        self, scope: Scope, cell_id: str, timeout: float
    ) -> AsyncIterator[CellOutput | CellCleared | Execution]:
        self._check_allowed(scope)
        cell = await scope.read(lambda tx: self._runnable(tx, scope.subject_id, cell_id))
        async with aclosing(self._run(scope, cell, timeout)) as events:  # type: ignore[type-var]
            async for event in events:
                yield event

    async def run_all(
        self, scope: Scope, timeout: float
    ) -> AsyncIterator[CellOutput | CellCleared | Execution | ScratchRun]:
        self._check_allowed(scope)
        row, cells = await scope.read(lambda tx: self._runnables(tx, scope.subject_id))
        await self._rows.mark_used(row)
        done: list[Execution] = []
        for cell in cells:
            async with aclosing(self._run(scope, cell, timeout)) as events:  # type: ignore[type-var]
                async for event in events:
                    yield event
                    if isinstance(event, Execution):
                        done.append(event)
            if done[-1].status != "ok":
                break
        ok = all(execution.status == "ok" for execution in done)
        yield ScratchRun(
            notebook_id=scope.subject_id,
            status="ok" if ok else "failed",
            executions=done,
            skipped=len(cells) - len(done),
        )

    def _check_allowed(self, scope: Scope) -> None:
        if scope.context.door == "http" and not self._ports.served:
            raise Unsupported(
                "Running cells is off on this server.", hint="Its owner can start it with --toolsets all or scratch."
            )
        self._ports.kernels.check()

    def _runnables(self, tx: Tx, scratch_id: str) -> tuple[Row, list[Cell]]:
        return self._rows.living(tx, scratch_id), [cell for cell in self._rows.cells(tx, scratch_id) if can_run(cell)]

    def _runnable(self, tx: Tx, scratch_id: str, cell_id: str) -> Cell:
        self._rows.living(tx, scratch_id)
        cell = self._rows.cell(tx, scratch_id, cell_id)
        if not can_run(cell):
            raise InvalidInput(f"This cell does not run: only code in {', '.join(RUNNABLE)} does.", field="cell_id")
        return cell

    async def _run(
        self, scope: Scope, cell: Cell, timeout: float
    ) -> AsyncIterator[CellOutput | CellCleared | Execution]:
        started = scope.now()
        outputs = RunOutputs(cell.id)
        ended = Ended("interrupted", message="It was given up by its caller.")
        uri, others = await scope.write(lambda tx: self._begin(tx, scope.subject_id, cell, started))
        id = f"exec-{secrets.token_hex(8)}"
        self._reaper.watch()
        lease = asyncio.create_task(self._keep_running(scope.subject_id, cell.id))
        files = {one.filename: one.source for one in others if one.type == "code" and one.filename}
        language, name = cell.language or "python", cell.filename or cell.id
        work = Work(scope.subject_id, language, cell.source, name, timeout, files)
        taken = 0
        try:
            async with aclosing(self._ports.kernels.run(work)) as events:  # type: ignore[type-var]
                async for event in events:
                    if isinstance(event, Ended):
                        ended = event
                        continue
                    taken += cost_of(event)
                    if taken > MOST_OUTPUT:
                        ended = Ended("interrupted", message="It put out more than a cell may; it was stopped.")
                        break
                    for told in outputs.take(await self._rows.cleaned(event)):
                        yield told
        except QuireError as error:
            ended = Ended("died", message=error.message)
            raise
        finally:
            lease.cancel()
            execution = Execution(
                id=id,
                uri=f"{uri}/executions/{id}",
                notebook_id=scope.subject_id,
                cell_id=cell.id,
                status=ended.status,
                execution_count=ended.execution_count,
                outputs=shortened(outputs.kept),
                started_at=moment(started),
                finished_at=moment(scope.now()),
                message=ended.message,
            )
            await finish_anyway(self._end(execution, ended.status, outputs.updates))
        yield execution

    def _begin(self, tx: Tx, scratch_id: str, cell: Cell, at: int) -> tuple[str, list[Cell]]:
        row = self._rows.to_change(tx, scratch_id)
        tx.run("run_scratch_cell", scratch_id=scratch_id, id=cell.id, status="running", execution_count=None,
               outputs="[]", running_until=at + LEASE)  # fmt: skip
        tx.run("count_scratch_run", id=scratch_id, at=at)
        self._rows.record_event(tx, "ran", row, "cells", cell.id)
        return uri_of(row), self._rows.cells(tx, scratch_id)

    async def _keep_running(self, scratch_id: str, cell_id: str) -> None:
        """Says again and again that a cell runs. When nobody does any more, it does not."""
        while True:
            await asyncio.sleep(LEASE / 3e6)
            words = {"scratch_id": scratch_id, "id": cell_id, "until": self._system.now() + LEASE}
            try:
                await self._system.write(lambda tx, words=words: tx.run("keep_scratch_cell_running", **words))  # type: ignore[misc]
            except QuireError as error:
                log.warning("a running cell could not be told to be so: %s", error.message)

    async def _end(self, execution: Execution, status: Ending, updates: Mapping[str, Output]) -> None:
        """Writes down how a run came out, whoever has lost access meanwhile, unless its notebook is gone by now."""

        def work(tx: Tx) -> None:
            row = tx.one("scratch_to_change", id=execution.notebook_id)
            if row is None:
                return
            tx.run(
                "run_scratch_cell",
                scratch_id=execution.notebook_id,
                id=execution.cell_id,
                status="idle" if status == "ok" else "failed",
                execution_count=execution.execution_count,
                outputs=dumped(execution.outputs),
                running_until=None,
            )
            tx.run(
                "insert_scratch_execution",
                id=execution.id,
                scratch_id=execution.notebook_id,
                execution=execution.model_dump_json(),
            )
            tx.run("trim_scratch_executions", scratch_id=execution.notebook_id, kept=KEPT_EXECUTIONS)
            tx.run("use_scratch", id=execution.notebook_id, at=self._system.now())
            self._rows.record_event(tx, "ran", row, "cells", execution.cell_id)
            if updates:
                self._update_others(tx, row, execution.cell_id, updates)

        await self._system.write(work)

    def _update_others(self, tx: Tx, row: Row, cell_id: str, updates: Mapping[str, Output]) -> None:
        """Displays that a run has changed, in the other cells that show them."""
        for cell in self._rows.cells(tx, row["id"]):
            if cell.id != cell_id and (outputs := updated_elsewhere(cell.outputs, updates)) is not None:
                tx.run("change_scratch_outputs", scratch_id=row["id"], id=cell.id, outputs=dumped(outputs))
                self._rows.record_event(tx, "updated", row, "cells", cell.id)


def can_run(cell: Cell) -> bool:
    return cell.type == "code" and cell.language in RUNNABLE and bool(cell.source.strip())
