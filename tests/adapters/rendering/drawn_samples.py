"""Decks and infographics to draw, and what must hold for whatever was drawn."""

from __future__ import annotations

from quire.adapters.rendering.colors import LARGE_READABLE, READABLE, contrast
from quire.adapters.rendering.scene import Box, Scene, Words
from quire.adapters.rendering.typefaces import type_of
from quire.domain.decks import (
    BulletSlide,
    ChartSlide,
    ClosingSlide,
    Column,
    ColumnSlide,
    Deck,
    FigureSlide,
    QuoteSlide,
    SectionSlide,
    Slide,
    TableSlide,
    TitleSlide,
)
from quire.domain.documents import Place
from quire.domain.figures import Chart, FactTable, KeyFigure, Series, TableRow
from quire.domain.grounding import Grounds, Statement
from quire.domain.infographics import (
    Block,
    ChartBlock,
    ComparisonBlock,
    FigureBlock,
    LabelledStatement,
    ListBlock,
    QuoteBlock,
    StepBlock,
    TimelineBlock,
)

TITLES = ("The lives of bees", "Pollination and the price of almonds, a survey of forty orchards")
SENTENCES = (
    "A honey bee visits about a hundred flowers on each trip and carries home nectar that weighs half as much as it.",
    "A colony keeps its brood at 35 °C whatever the weather.",
    "Scouts tell of a place by a dance: its angle is the direction from the sun, its length the distance.",
)


def said(text: str, source: int = 1, page: str | None = None) -> Statement:
    title = TITLES[source - 1]
    grounds = Grounds(
        source_id=f"source-{source}", source_title=title, version=1, start=0, end=1, excerpt="x", place=Place(page=page)
    )
    return Statement(text=text, grounds=[grounds])


def bullets(*texts: str) -> list[Statement]:
    return [said(text, 1 + place % 2, str(place + 1)) for place, text in enumerate(texts or SENTENCES)]


YEARS = Chart(
    form="bar",
    labels=["2015", "2016", "2017", "2018"],
    series=[Series(name="Honey", values=[20, 25, None, 31.5])],
    unit="t",
    rows=[said("2015 – Honey: 20", 2, "7")],
)
MANY = Chart(
    form="line",
    labels=[str(1990 + year) for year in range(30)],
    series=[
        Series(name="Honey", values=[1e6 * year * year for year in range(30)]),
        Series(name="Wax, which is made of honey", values=[-5e7 + 1e6 * year for year in range(30)]),
    ],
)
LONG_LABELS = Chart(
    form="bar",
    labels=[
        "The first very long label of all that there are",
        "A second long label",
        "Third",
        "Fourth one is long too",
    ],
    series=[Series(name="A", values=[40, -12, 20, 10]), Series(name="B", values=[30, 12, None, 11])],
)
SHARES = Chart(form="pie", labels=["Clover", "Linden", "Rape"], series=[Series(name="", values=[50, 30, 20])])
TABLE = FactTable(
    heads=["Year", "Hives", "Honey (t)", "Remark"],
    rows=[
        TableRow(cells=[str(2010 + row), str(1000 + row), f"{row}.5", "A dry summer"], statement=said("row", 2, "9"))
        for row in range(14)
    ],
)
FIGURES = [
    KeyFigure(value="35 °C", label="is how warm the brood nest is kept", statement=said("x")),
    KeyFigure(value="1,200,000", label="kilometres are flown for a jar", statement=said("y", 2)),
    KeyFigure(value="100", label="flowers", statement=said("z")),
]
SLIDES: list[Slide] = [
    TitleSlide(title="Bees: how a colony finds its food", subtitle="Two sources"),
    SectionSlide(title="How a colony finds its food", text="Scouts, dances and flowers"),
    BulletSlide(title="Scouts share what they found", bullets=bullets(), notes=[said("Tell them about the dance.")]),
    ColumnSlide(
        title="Workers and drones",
        left=Column(heading="Workers", bullets=bullets()),
        right=Column(heading="Drones", bullets=bullets(SENTENCES[1])),
    ),
    QuoteSlide(title="In a few words", quote=said(SENTENCES[2]), said_by=TITLES[0]),
    TableSlide(title="Honey by year", table=TABLE.model_copy(update={"rows": TABLE.rows[:6]})),
    ChartSlide(title="Honey grew", chart=YEARS, takeaway=said("Honey grew from 2015 to 2018.", 2, "7")),
    ChartSlide(title="Honey and wax", chart=MANY),
    ChartSlide(title="What they visit", chart=SHARES),
    ChartSlide(title="With long labels", chart=LONG_LABELS),
    FigureSlide(title="In numbers", figures=FIGURES),
    ClosingSlide(title="To keep in mind", bullets=bullets(), sources=list(TITLES)),
]


def deck(*slides: Slide, **more: object) -> Deck:
    return Deck(title="Bees", slides=list(slides or SLIDES), **more)  # type: ignore[arg-type]


def event(year: str, text: str) -> LabelledStatement:
    return LabelledStatement(label=year, statement=said(text))


BLOCKS: list[Block] = [
    FigureBlock(heading="In numbers", figures=FIGURES),
    ChartBlock(heading="Honey by year", chart=YEARS),
    TimelineBlock(
        heading="How it came about",
        events=[event("1851", "A hive with frames is built."), event("1927", "The dance of the bees is read.")],
    ),
    StepBlock(heading="How honey is made", steps=bullets("Nectar is brought.", "It is dried.", "It is sealed.")),
    ComparisonBlock(
        heading="Workers and drones",
        table=FactTable(
            heads=["", "Workers", "Drones"],
            rows=[TableRow(cells=["Life", "six weeks in summer", "until autumn"], statement=said("row"))],
        ),
    ),
    QuoteBlock(quote=said(SENTENCES[2]), said_by=TITLES[0]),
    ListBlock(heading="What matters", items=bullets()),
]


def box_of(words: Words) -> Box:
    """What a line of text takes at most."""
    type = type_of(words.typeface, words.bold)
    width = type.width(words.text, words.size)
    x = words.x - {"start": 0.0, "middle": width / 2, "end": width}[words.anchor]
    return Box(x, words.y - 0.72 * words.size, width, 0.92 * words.size)


def faults_of(scene: Scene) -> list[str]:
    """Text beside the sheet, over other text, or hard to read."""
    found = []
    boxes = [(words, box_of(words)) for words in scene.words if words.text.strip()]
    for words, box in boxes:
        if box.x < -0.5 or box.y < -0.5 or box.right > scene.width + 0.5 or box.bottom > scene.height + 0.5:
            found.append(f"beside the sheet: {words.text}")
        least = LARGE_READABLE if words.size >= 24 or (words.bold and words.size >= 18.7) else READABLE
        if contrast(words.color, words.on) < least:
            found.append(f"hard to read: {words.text} ({words.color} on {words.on})")
    for place, (words, box) in enumerate(boxes):
        for other, taken in boxes[place + 1 :]:
            across = min(box.right, taken.right) - max(box.x, taken.x)
            down = min(box.bottom, taken.bottom) - max(box.y, taken.y)
            if across > 1 and down > 1 and "“" not in (words.text, other.text):
                found.append(f"over each other: {words.text} / {other.text}")
    return found
