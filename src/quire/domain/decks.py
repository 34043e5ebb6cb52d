"""Slide decks: slides of a few kinds, each with one thought, its statements with what they rest on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from quire.domain.figures import Chart, FactTable, KeyFigure
from quire.domain.grounding import Grounds, Statement

DeckForm = Literal["detailed_deck", "presenter_slides"]
DeckLength = Literal["short", "default"]


class DeckOptions(BaseModel):
    """A deck to read by itself, or slides to speak to; short or of the usual length."""

    model_config = ConfigDict(extra="forbid")

    format: DeckForm = "detailed_deck"
    length: DeckLength = "default"


class AnySlide(BaseModel):
    """`notes` is what a speaker says to the slide."""

    model_config = ConfigDict(frozen=True)

    title: str
    notes: list[Statement] = []


class TitleSlide(AnySlide):
    kind: Literal["title"] = "title"
    subtitle: str = ""


class SectionSlide(AnySlide):
    kind: Literal["section"] = "section"
    text: str = ""


class BulletSlide(AnySlide):
    kind: Literal["bullets"] = "bullets"
    bullets: list[Statement] = []


class Column(BaseModel):
    model_config = ConfigDict(frozen=True)

    heading: str = ""
    bullets: list[Statement] = []


class ColumnSlide(AnySlide):
    kind: Literal["columns"] = "columns"
    left: Column
    right: Column


class QuoteSlide(AnySlide):
    """`said_by` is who or what says it, at least the source's title."""

    kind: Literal["quote"] = "quote"
    quote: Statement
    said_by: str = ""


class TableSlide(AnySlide):
    kind: Literal["table"] = "table"
    table: FactTable


class ChartSlide(AnySlide):
    """`takeaway` tells in a sentence of the sources what the chart shows, where one does."""

    kind: Literal["chart"] = "chart"
    chart: Chart
    takeaway: Statement | None = None


class FigureSlide(AnySlide):
    kind: Literal["figures"] = "figures"
    figures: Annotated[list[KeyFigure], Field(min_length=1)]


class ClosingSlide(AnySlide):
    """What to keep in mind, and the sources of the whole deck."""

    kind: Literal["closing"] = "closing"
    bullets: list[Statement] = []
    sources: list[str] = []


Slide = Annotated[
    TitleSlide
    | SectionSlide
    | BulletSlide
    | ColumnSlide
    | QuoteSlide
    | TableSlide
    | ChartSlide
    | FigureSlide
    | ClosingSlide,
    Field(discriminator="kind"),
]


class Deck(BaseModel):
    """`remark` says what a reader should know of the whole, such as the language of what is quoted."""

    title: str
    subtitle: str = ""
    language: str = "en"
    form: DeckForm = "detailed_deck"
    slides: Annotated[list[Slide], Field(min_length=1)]
    sources_heading: str = "Sources"
    page_label: str = "p. {}"
    remark: str = ""


def grounds_of(slide: Slide) -> Iterator[Grounds]:
    """What a slide shows rests on these, in its order."""
    match slide:
        case BulletSlide() | ClosingSlide():
            yield from (grounds for bullet in slide.bullets for grounds in bullet.grounds)
        case ColumnSlide():
            for column in (slide.left, slide.right):
                yield from (grounds for bullet in column.bullets for grounds in bullet.grounds)
        case QuoteSlide():
            yield from slide.quote.grounds
        case TableSlide():
            yield from (grounds for row in slide.table.rows for grounds in row.grounds)
        case ChartSlide():
            yield from slide.chart.grounds
            yield from slide.takeaway.grounds if slide.takeaway else ()
        case FigureSlide():
            yield from (grounds for figure in slide.figures for grounds in figure.statement.grounds)
        case _:
            return
