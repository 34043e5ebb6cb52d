"""Scratch notebooks, their cells and what those put out, as people like to read them."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from quire.domain.cells import Output
from quire.domain.scratch import (
    PATTERNS,
    CellChange,
    CellCleared,
    CellOutput,
    Execution,
    Exported,
    Saved,
    ScratchNotebook,
    ScratchRun,
)
from quire.entry.terminal import clean, facts, table

STATUSES = {"idle": "dim", "running": "cyan", "failed": "red"}


def show_scratch(out: Console, notebook: ScratchNotebook) -> None:
    facts(
        out,
        {
            "Title": Text(clean(notebook.title), style="bold"),
            "Id": Text(notebook.id, style="cyan"),
            "Address": notebook.uri,
            "Language": notebook.language,
            "Template": PATTERNS.get(notebook.pattern or ""),
            "Cells": notebook.cell_count,
            "Revision": notebook.revision,
            "Runs": notebook.total_executions or None,
            "Expires": notebook.expires_at,
        },
    )
    for warning in notebook.warnings:
        out.print(Text(clean(warning), style="yellow"))
    if notebook.cells:
        out.print()
        rows = [
            (cell.id, cell.type, cell.language, cell.filename, Text(cell.status, STATUSES[cell.status]))
            for cell in notebook.cells
        ]
        table(out, {"Cell": "id", "Kind": "whole", "Language": "whole", "File": "cut", "Status": "whole"}, rows)


def show_change(out: Console, change: CellChange) -> None:
    cell = change.cell
    facts(
        out,
        {
            "Cell": Text(cell.id, style="cyan"),
            "Kind": cell.type,
            "Language": cell.language,
            "File": cell.filename,
            "Place": change.index,
            "Revision": change.revision,
        },
    )


def show_export(out: Console, exported: Exported) -> None:
    facts(out, {"Address": exported.uri, "File": exported.path, "Files": len(exported.files)})


def show_saved(out: Console, saved: Saved) -> None:
    facts(out, {"Title": saved.title, "Kept as": saved.kind, "Id": Text(saved.id, style="cyan")})


def output_line(event: CellOutput) -> Text:
    return Text(clean(output_text(event.output)).rstrip("\n"))


def cleared_line(event: CellCleared) -> Text:
    return Text("[cleared]", style="dim")


def execution_line(execution: Execution) -> Text:
    seconds = (execution.finished_at - execution.started_at).total_seconds()
    style = "green" if execution.status == "ok" else "red"
    return Text.assemble(
        (execution.cell_id, "cyan"),
        "  ",
        (execution.status, style),
        (f"  {seconds:.1f} s  {clean(execution.message)}".rstrip(), "dim"),
    )


def run_line(run: ScratchRun) -> Text:
    skipped = f", {run.skipped} not reached" if run.skipped else ""
    return Text(f"{len(run.executions)} cells run: {run.status}{skipped}", "green" if run.status == "ok" else "red")


def output_text(output: Output) -> str:
    if output.kind == "error":
        return "\n".join(output.traceback) or f"{output.error_name}: {output.error_value}"
    if output.text is not None:
        return output.text
    plain = output.data.get("text/plain")
    return plain if isinstance(plain, str) else f"[{', '.join(output.data)}]"
