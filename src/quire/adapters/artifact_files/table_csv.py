"""Data tables as CSV. A cell that a program would take for a formula gets an apostrophe before it."""

from __future__ import annotations

import csv
from pathlib import Path

from quire.domain.data_tables import DataTable, safe_cell
from quire.ports.artifact_files import Progress


def make(table: DataTable, path: Path, progress: Progress) -> None:
    # Excel takes a file for UTF-8 only by its mark.
    with path.open("w", newline="", encoding="utf-8-sig") as file:
        writer = csv.writer(file)
        writer.writerow([safe_cell(cell) for cell in table.columns])
        writer.writerows([safe_cell(cell) for cell in row.cells] for row in table.rows)


def check(path: Path, table: DataTable) -> None:
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.reader(file))
    if len(rows) != len(table.rows) + 1 or any(len(row) != len(table.columns) for row in rows):
        raise ValueError("a row is missing")
