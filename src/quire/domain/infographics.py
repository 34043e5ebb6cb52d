"""Infographics: a few blocks on one sheet, each statement with what it rests on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from quire.domain.artifacts import Detail, Orientation
from quire.domain.figures import Chart, FactTable, KeyFigure
from quire.domain.grounding import Grounds, Statement

Style = Literal[
    "auto",
    "sketch_note",
    "professional",
    "bento_grid",
    "editorial",
    "instructional",
    "bricks",
    "clay",
    "anime",
    "kawaii",
    "scientific",
]


class InfographicOptions(BaseModel):
    model_config = ConfigDict(extra="forbid")

    orientation: Orientation = "landscape"
    detail: Detail = "standard"
    style: Style = "auto"


class AnyBlock(BaseModel):
    model_config = ConfigDict(frozen=True)

    heading: str = ""


class FigureBlock(AnyBlock):
    kind: Literal["figures"] = "figures"
    figures: Annotated[list[KeyFigure], Field(min_length=1)]


class LabelledStatement(BaseModel):
    """A date, a step or a term, and what is said of it."""

    model_config = ConfigDict(frozen=True)

    label: str
    statement: Statement


class TimelineBlock(AnyBlock):
    kind: Literal["timeline"] = "timeline"
    events: Annotated[list[LabelledStatement], Field(min_length=1)]


class StepBlock(AnyBlock):
    kind: Literal["steps"] = "steps"
    steps: Annotated[list[Statement], Field(min_length=1)]


class ComparisonBlock(AnyBlock):
    kind: Literal["comparison"] = "comparison"
    table: FactTable


class ChartBlock(AnyBlock):
    kind: Literal["chart"] = "chart"
    chart: Chart


class QuoteBlock(AnyBlock):
    kind: Literal["quote"] = "quote"
    quote: Statement
    said_by: str = ""


class ListBlock(AnyBlock):
    kind: Literal["list"] = "list"
    items: Annotated[list[Statement], Field(min_length=1)]


Block = Annotated[
    FigureBlock | TimelineBlock | StepBlock | ComparisonBlock | ChartBlock | QuoteBlock | ListBlock,
    Field(discriminator="kind"),
]


class Infographic(BaseModel):
    """`headline` is what stands above the picture in place of its title, where that is another; `remark` says what a
    reader should know of the whole, such as the language of what is quoted."""

    title: str
    headline: str = ""
    subtitle: str = ""
    language: str = "en"
    orientation: Orientation = "landscape"
    detail: Detail = "standard"
    style: Style = "auto"
    blocks: Annotated[list[Block], Field(min_length=1)]
    sources: list[str] = []
    sources_heading: str = "Sources"
    remark: str = ""


def block_grounds(block: Block) -> Iterator[Grounds]:
    """What a block shows rests on these, in its order."""
    match block:
        case FigureBlock():
            yield from (grounds for figure in block.figures for grounds in figure.statement.grounds)
        case TimelineBlock():
            yield from (grounds for event in block.events for grounds in event.statement.grounds)
        case StepBlock():
            yield from (grounds for step in block.steps for grounds in step.grounds)
        case ComparisonBlock():
            yield from (grounds for row in block.table.rows for grounds in row.grounds)
        case ChartBlock():
            yield from block.chart.grounds
        case QuoteBlock():
            yield from block.quote.grounds
        case ListBlock():
            yield from (grounds for item in block.items for grounds in item.grounds)
