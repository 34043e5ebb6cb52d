"""Data tables as Markdown."""

from __future__ import annotations

from pathlib import Path

from quire.adapters.artifact_files.report_markdown import escaped, table_lines
from quire.domain.data_tables import DataTable
from quire.ports.artifact_files import Progress


def make(table: DataTable, path: Path, progress: Progress) -> None:
    lines = [f"# {escaped(table.title)}", "", *table_lines(table.columns, [row.cells for row in table.rows])]
    if table.remark:
        lines += ["", f"*{escaped(table.remark)}*"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def check(path: Path, table: DataTable) -> None:
    rows = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    if len(rows) != len(table.rows) + 2:
        raise ValueError("a row is missing")
