"""Cells that run: outputs as they come, kept with the cell and as an execution of its own."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import aclosing

from quire.api.capability import capability
from quire.domain.cells import Cell, CellId, Output, shortened, size_of
from quire.domain.errors import InvalidInput, QuireError, Unsupported
from quire.domain.scratch import KEPT_EXECUTIONS, CellOutput, Execution, ScratchId, ScratchNotebook, ScratchRun, Seconds
from quire.local.finish_anyway import sheltered
from quire.local.scratch.kept import cells_of, dumped, one_cell
from quire.local.scratch.leaving import Leaving
from quire.local.service import moment
from quire.ports.cells import Ended, Ending, Work
from quire.ports.store import Tx

CELL_SECONDS = 120.0
RUNNABLE = ("python", "javascript", "typescript")
# How much of a cell's output is taken in at all: many times what is kept, so that a run that prints a lot ends well.
MOST_OUTPUT = 32 * 1024 * 1024


class Running(Leaving):
    @capability("run_cell", "write", of=("scratch", "notebook_id"), timeout=3_700, verb="run-cell")
    async def run_cell(
        self, notebook_id: ScratchId, cell_id: CellId, timeout: Seconds = CELL_SECONDS
    ) -> AsyncIterator[CellOutput | Execution]:
        """Run a code cell in the notebook's kernel, which keeps its state; what it puts out comes as it does."""
        self._allowed()
        cell = await self.read(lambda tx: self._runnable(tx, notebook_id, cell_id))
        async with aclosing(self._run(notebook_id, cell, timeout)) as events:  # type: ignore[type-var]
            async for event in events:
                yield event

    @capability("run_all", "write", of=("scratch", "notebook_id"), timeout=3_700, verb="run")
    async def run_all(
        self, notebook_id: ScratchId, timeout: Seconds = CELL_SECONDS
    ) -> AsyncIterator[CellOutput | Execution | ScratchRun]:
        """Run all code cells from top to bottom; the first that fails ends it."""
        self._allowed()
        await self.seen(notebook_id)
        cells = [cell for cell in await self.read(lambda tx: cells_of(tx, notebook_id)) if can_run(cell)]
        done: list[Execution] = []
        for cell in cells:
            async with aclosing(self._run(notebook_id, cell, timeout)) as events:  # type: ignore[type-var]
                async for event in events:
                    yield event
                    if isinstance(event, Execution):
                        done.append(event)
            if done[-1].status != "ok":
                break
        ok = all(execution.status == "ok" for execution in done)
        yield ScratchRun(
            notebook_id=notebook_id,
            status="ok" if ok else "failed",
            executions=done,
            skipped=len(cells) - len(done),
        )

    @capability("interrupt_scratch", "write", of=("scratch", "notebook_id"), verb="interrupt")
    async def interrupt(self, notebook_id: ScratchId) -> ScratchNotebook:
        """Stop what a scratch notebook is running; its state is kept where that can be done."""
        row = await self.read(lambda tx: self.row(tx, notebook_id))
        await self.bench.kernels.interrupt(notebook_id)
        return self.shown(row)

    @capability("restart_scratch", "write", of=("scratch", "notebook_id"), verb="restart")
    async def restart(self, notebook_id: ScratchId) -> ScratchNotebook:
        """End a scratch notebook's kernels; the next cell that runs begins afresh."""
        row = await self.read(lambda tx: self.row(tx, notebook_id))
        await self.bench.kernels.stop(notebook_id)
        return self.shown(row)

    def _allowed(self) -> None:
        if self.context.door == "http" and not self.bench.served:
            raise Unsupported(
                "Running cells is off on this server.", hint="Its owner can start it with --toolsets all or scratch."
            )
        self.bench.kernels.check()

    def _runnable(self, tx: Tx, notebook_id: str, cell_id: str) -> Cell:
        self.row(tx, notebook_id)
        cell = one_cell(tx, notebook_id, cell_id)
        if not can_run(cell):
            raise InvalidInput(f"This cell does not run: only code in {', '.join(RUNNABLE)} does.", field="cell_id")
        return cell

    async def _run(self, notebook_id: str, cell: Cell, timeout: float) -> AsyncIterator[CellOutput | Execution]:
        started = self.now()
        outputs: list[Output] = []
        ended = Ended("interrupted", message="It was given up by its caller.")
        others = await self._begin(notebook_id, cell)
        self.bench.reaper.watch(self.sweep, self.bench.kernels.alive)
        files = {one.filename: one.source for one in others if one.type == "code" and one.filename}
        language, name = cell.language or "python", cell.filename or cell.id
        work = Work(notebook_id, language, cell.source, name, timeout, files)
        taken = 0
        try:
            async with aclosing(self.bench.kernels.run(work)) as events:  # type: ignore[type-var]
                async for event in events:
                    if isinstance(event, Ended):
                        ended = event
                        continue
                    taken += size_of(event)
                    if taken > MOST_OUTPUT:
                        ended = Ended("interrupted", message="It put out more than a cell may; it was stopped.")
                        break
                    output = self.clean(event)
                    add_to(outputs, output)
                    yield CellOutput(cell_id=cell.id, output=shortened([output])[0])
        except QuireError as error:
            ended = Ended("died", message=error.message)
            raise
        finally:
            execution = Execution(
                id=f"exec-{secrets.token_hex(8)}",
                notebook_id=notebook_id,
                cell_id=cell.id,
                status=ended.status,
                execution_count=ended.execution_count,
                outputs=shortened(outputs),
                started_at=moment(started),
                finished_at=moment(self.now()),
                message=ended.message,
            )
            await sheltered(self._end(execution, ended.status))
        yield execution

    async def _begin(self, notebook_id: str, cell: Cell) -> list[Cell]:
        def work(tx: Tx) -> list[Cell]:
            row = self.to_change(tx, notebook_id)
            tx.run("run_scratch_cell", scratch_id=notebook_id, id=cell.id, status="running", execution_count=None,
                   outputs="[]")  # fmt: skip
            tx.run("count_scratch_run", id=notebook_id, at=self.now())
            self.told(tx, "ran", row, "cells", cell.id)
            return cells_of(tx, notebook_id)

        return await self.write(work)

    async def _end(self, execution: Execution, status: Ending) -> None:
        """Writes down how a run came out, unless its notebook is gone by now."""

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
            )
            tx.run(
                "insert_scratch_execution",
                id=execution.id,
                scratch_id=execution.notebook_id,
                execution=execution.model_dump_json(),
            )
            tx.run("trim_scratch_executions", scratch_id=execution.notebook_id, kept=KEPT_EXECUTIONS)
            tx.run("use_scratch", id=execution.notebook_id, at=self.now())
            self.told(tx, "ran", row, "cells", execution.cell_id, inbox=self.notebook_id)

        await self.parts.store.write(work)


def can_run(cell: Cell) -> bool:
    return cell.type == "code" and cell.language in RUNNABLE and bool(cell.source.strip())


def add_to(outputs: list[Output], output: Output) -> None:
    """Streams that go on are one output; what no cell keeps is not held either."""
    last = outputs[-1] if outputs else None
    if output.kind == "stream" and last is not None and last.kind == "stream" and last.name == output.name:
        if size_of(last) <= 512 * 1024:
            outputs[-1] = last.model_copy(update={"text": (last.text or "") + (output.text or "")})
    elif len(outputs) < 1_000 or output.kind == "error":
        outputs.append(output)
