"""Numbers of sources as something to look at: charts, tables and key figures, each with what it rests on."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from quire.domain.grounding import Grounds, Statement

ChartForm = Literal["bar", "line", "pie"]
Number = Annotated[float, Field(allow_inf_nan=False)]

MOST_POINTS, MOST_SERIES = 60, 6


class KeyFigure(BaseModel):
    """A number that tells something, as the source writes it, and the sentence that it stands in."""

    model_config = ConfigDict(frozen=True)

    value: str
    label: str
    statement: Statement


class TableRow(BaseModel):
    """`statement` is the row as one would say it."""

    model_config = ConfigDict(frozen=True)

    cells: list[str]
    statement: Statement = Statement(text="")

    @property
    def grounds(self) -> list[Grounds]:
        return self.statement.grounds


class FactTable(BaseModel):
    """Rows with a cell for each head."""

    model_config = ConfigDict(frozen=True)

    heads: Annotated[list[str], Field(min_length=1)]
    rows: list[TableRow] = []

    @model_validator(mode="after")
    def has_whole_rows(self) -> FactTable:
        if any(len(row.cells) != len(self.heads) for row in self.rows):
            raise ValueError("Each row of a table has a cell for each head.")
        return self


class Series(BaseModel):
    """The values of one thing; None where the source has none."""

    model_config = ConfigDict(frozen=True)

    name: str
    values: list[Number | None]


class Chart(BaseModel):
    """Values by label. `rows` are what the values were read from; a pie has one series of numbers above zero."""

    model_config = ConfigDict(frozen=True)

    form: ChartForm
    labels: Annotated[list[str], Field(min_length=1, max_length=MOST_POINTS)]
    series: Annotated[list[Series], Field(min_length=1, max_length=MOST_SERIES)]
    unit: str = ""
    rows: list[Statement] = []

    @property
    def grounds(self) -> list[Grounds]:
        return [grounds for row in self.rows for grounds in row.grounds]

    @model_validator(mode="after")
    def can_be_drawn(self) -> Chart:
        if any(len(series.values) != len(self.labels) for series in self.series):
            raise ValueError("Each series of a chart has a value for each label.")
        if self.form == "pie":
            values = [value or 0 for value in self.series[0].values]
            if len(self.series) > 1 or min(values) < 0 or sum(values) <= 0:
                raise ValueError("A pie has one series of numbers, none of them negative.")
        return self
