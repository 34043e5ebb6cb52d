"""Data tables as XLSX, numbers and days as such."""

from __future__ import annotations

from pathlib import Path

from quire.adapters.office.workbook import write_workbook
from quire.domain.data_tables import DataTable
from quire.domain.sheets import typed_sheet
from quire.ports.artifact_files import Progress
from quire.ports.office import OfficeFacts


def make(table: DataTable, path: Path, progress: Progress) -> None:
    sheet = typed_sheet(table.title, table.columns, [row.cells for row in table.rows])
    path.write_bytes(write_workbook([sheet], OfficeFacts(title=table.title, language=table.language)))


def check(path: Path, table: DataTable) -> None:
    """Opened by another program than the one that made it."""
    from python_calamine import CalamineWorkbook

    rows = CalamineWorkbook.from_path(str(path)).get_sheet_by_index(0).to_python()
    if len(rows) != len(table.rows) + 1 or [str(cell) for cell in rows[0][: len(table.columns)]] != table.columns:
        raise ValueError("a row is missing")
