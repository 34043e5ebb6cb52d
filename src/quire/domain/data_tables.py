"""Data tables: rows of what sources say, each with where it stands."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from quire.domain.grounding import Grounds

FORMULA_LIKE = ("=", "@", "\t", "\r")


class DataTableOptions(BaseModel):
    model_config = ConfigDict(extra="forbid")


class DataRow(BaseModel):
    model_config = ConfigDict(frozen=True)

    cells: list[str]
    grounds: list[Grounds] = []


class DataTable(BaseModel):
    """Rows with a cell for each column; the last column names the source."""

    title: str
    language: str = "en"
    columns: Annotated[list[str], Field(min_length=1)]
    rows: list[DataRow] = []
    remark: str = ""

    @model_validator(mode="after")
    def has_whole_rows(self) -> DataTable:
        if any(len(row.cells) != len(self.columns) for row in self.rows):
            raise ValueError("Each row has a cell for each column.")
        return self


def safe_cell(cell: str) -> str:
    """A cell as it is written to a file for spreadsheets: none of them takes it for a formula."""
    risky = cell.startswith(FORMULA_LIKE) or (cell[:1] in "+-" and any(letter.isalpha() for letter in cell))
    return f"'{cell}" if risky else cell
