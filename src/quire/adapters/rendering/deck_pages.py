"""Slides as pages: texts at the size at which they fit, and further pages for what does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from quire.adapters.rendering import deck_look as look
from quire.adapters.rendering.deck_look import PLACES, LayoutName
from quire.adapters.rendering.deck_sources import Sources
from quire.adapters.rendering.deck_tables import LaidTable, tables_of
from quire.adapters.rendering.fitting import LINE, Fitted, fitted, is_right_to_left, laid, marked, shortened, sizes
from quire.adapters.rendering.scene import Anchor, Box
from quire.adapters.rendering.typefaces import type_of
from quire.domain.decks import (
    BulletSlide,
    ChartSlide,
    ClosingSlide,
    ColumnSlide,
    Deck,
    FigureSlide,
    QuoteSlide,
    SectionSlide,
    Slide,
    TableSlide,
    TitleSlide,
    grounds_of,
)
from quire.domain.figures import Chart, KeyFigure
from quire.domain.grounding import Grounds, Statement

INDENT = 20.0
# Between bullets, in ems.
GAP = 0.6
# At most, and how much of a box is filled so.
MOST_GAP, FILLED = 1.7, 0.75
MOST_FIGURES = 3
BULLET_SIZES = {"detailed_deck": sizes(28, 14), "presenter_slides": sizes(34, 18)}
QUOTE_SIZES = sizes(30, 16)
SMALLEST = 12.0


@dataclass(frozen=True)
class Text:
    """Paragraphs in their box. `marks` are the numbers of the sources behind each paragraph."""

    paragraphs: tuple[str, ...]
    box: Box
    fit: Fitted
    color: str = look.INK
    on: str = look.PAPER
    bold: bool = False
    bullets: bool = False
    anchor: Anchor = "start"
    low: bool = False
    middle: bool = False
    gap: float = 0.4
    marks: tuple[str, ...] = ()

    @property
    def right_to_left(self) -> bool:
        return is_right_to_left(self.paragraphs[0] if self.paragraphs else "")


@dataclass(frozen=True)
class Figure:
    box: Box
    value: Text
    label: Text


@dataclass(frozen=True)
class Page:
    """A slide as it will be seen. `texts` are in the placeholders of their names."""

    layout: LayoutName
    texts: dict[str, Text]
    footer: Text | None = None
    number: int = 0
    notes: str = ""
    table: LaidTable | None = None
    chart: Chart | None = None
    figures: tuple[Figure, ...] = ()


def pages_of(deck: Deck) -> list[Page]:
    sources = Sources()
    made: list[Page] = []
    for slide in deck.slides:
        for page in _Layout(deck, sources).pages(slide):
            made.append(replace(page, number=len(made) + 1))
    return made


class _Layout:
    def __init__(self, deck: Deck, sources: Sources) -> None:
        self.deck = deck
        self.sources = sources

    def pages(self, slide: Slide) -> list[Page]:
        found = list(self._of(slide)) or [Page("bullets", {})]
        foot = self._footer(slide)
        notes = self._notes(slide)
        made = []
        for place, page in enumerate(found, 1):
            part = f" ({place}/{len(found)})" if len(found) > 1 else ""
            texts = {"title": self._title(slide.title, page.layout, part), **page.texts}
            made.append(replace(page, texts=texts, footer=foot, notes=notes if place == 1 else ""))
        return made

    def _of(self, slide: Slide) -> Iterator[Page]:
        match slide:
            case TitleSlide():
                yield self._opening(slide)
            case SectionSlide():
                yield Page("section", self._below("section", "text", slide.text, look.DIM_ON_DARK, look.DARK, 20))
            case BulletSlide():
                box = PLACES["bullets"]["body"]
                for text in self._bullets(slide.bullets, box):
                    yield Page("bullets", {"body": text})
            case ColumnSlide():
                yield from self._columns(slide)
            case QuoteSlide():
                yield from self._quotes(slide)
            case TableSlide():
                box = PLACES["table"]["table"]
                for table in tables_of(slide.table, box):
                    yield Page("table", {}, table=table)
            case ChartSlide():
                beside = [slide.takeaway] if slide.takeaway else []
                box = PLACES["chart"]["text"]
                texts = list(self._bullets(beside, box, plain=True, on=look.BAND, largest=20))
                shown = {"text": replace(texts[0], middle=True)} if texts else {}
                yield Page("chart" if shown else "chart_only", shown, chart=slide.chart)
                for text in texts[1:]:
                    yield Page("bullets", {"body": self._refit(text, PLACES["bullets"]["body"])})
            case FigureSlide():
                for start in range(0, len(slide.figures), MOST_FIGURES):
                    some = slide.figures[start : start + MOST_FIGURES]
                    yield Page("figures", {}, figures=tuple(self._figures(some)))
            case ClosingSlide():
                yield from self._closing(slide)

    def _opening(self, slide: TitleSlide) -> Page:
        said = "\n".join(part for part in (slide.subtitle, self.deck.remark) if part)
        return Page("title", self._below("title", "subtitle", said, look.DIM_ON_DARK, look.DARK, 22))

    def _below(self, layout: LayoutName, name: str, text: str, color: str, on: str, size: float) -> dict[str, Text]:
        box = PLACES[layout][name]
        paragraphs = tuple(part for part in text.split("\n") if part.strip())
        if not paragraphs:
            return {}
        fit = fitted(paragraphs, type_of("sans"), sizes(size, 11), box.width, box.height)
        if fit is None:
            paragraphs, fit = _cut(paragraphs, 11, box, False)
        return {name: Text(paragraphs, box, fit, color, on)}

    def _title(self, title: str, layout: LayoutName, part: str) -> Text:
        box = PLACES[layout]["title"]
        dark = layout in ("title", "section")
        largest, smallest = (46.0, 22.0) if layout == "title" else (38.0, 22.0) if dark else (30.0, 19.0)
        kept: tuple[str, ...] = (title.strip() + part,)
        fit = fitted(kept, type_of("sans", True), sizes(largest, smallest), box.width, box.height)
        if fit is None:
            kept, fit = _cut((title.strip(),), smallest, box, True, part)
        color, on = (look.ON_DARK, look.DARK) if dark else (look.INK, look.PAPER)
        return Text(kept, box, fit, color, on, bold=True, low=True)

    def _bullets(
        self,
        statements: Sequence[Statement],
        box: Box,
        *,
        plain: bool = False,
        on: str = look.PAPER,
        largest: float | None = None,
    ) -> Iterator[Text]:
        """The statements at one size on as few boxes as they need, about the same on each."""
        able = BULLET_SIZES[self.deck.form] if largest is None else sizes(largest, SMALLEST)
        said = [(statement.text.strip(), self.sources.mark(statement)) for statement in statements]
        said = [pair for text, mark in said if text for pair in self._cut_long(text, mark, able[-1], box, plain)]
        if not said:
            return
        groups = _spread(said, lambda some: self._text(some, [able[-1]], box, plain, on) is not None)
        size = min(self._sure(group, able, box, plain, on).fit.size for group in groups)
        for group in groups:
            made = self._sure(group, [size], box, plain, on)
            yield made if plain or largest is not None else _spaced_out(made)

    def _sure(self, said: Sequence[tuple[str, str]], able: Sequence[float], box: Box, plain: bool, on: str) -> Text:
        made = self._text(said, able, box, plain, on)
        if made is None:
            raise AssertionError("a text that was cut to its box does not fit it")
        return made

    def _text(
        self, said: Sequence[tuple[str, str]], able: Sequence[float], box: Box, plain: bool, on: str
    ) -> Text | None:
        whole = tuple(marked(text, mark) for text, mark in said)
        wide = box.width - (0 if plain else INDENT)
        fit = fitted(whole, type_of("sans"), able, wide, box.height, GAP)
        if fit is None:
            return None
        marks = tuple(mark for _, mark in said)
        return Text(whole, box, fit, look.INK, on, bullets=not plain, marks=marks, gap=GAP)

    def _cut_long(self, text: str, mark: str, size: float, box: Box, plain: bool) -> Iterator[tuple[str, str]]:
        """A text that is too long for a box by itself comes in parts, cut where a line ends."""
        wide = box.width - (0 if plain else INDENT)
        while True:
            lines = laid([marked(text, mark)], type_of("sans"), size, wide).paragraphs[0]
            most = int(box.height // (size * 1.22))
            if len(lines) <= most:
                yield text, mark
                return
            kept = " ".join(lines[: most - 1])
            rest = text[len(kept) :] if text.startswith(kept) else " ".join(lines[most - 1 :]).removesuffix(mark)
            yield kept.strip() + " …", mark
            text = "… " + rest.strip()

    def _refit(self, text: Text, box: Box) -> Text:
        said = [(part.removesuffix(mark).strip(), mark) for part, mark in zip(text.paragraphs, text.marks, strict=True)]
        return self._sure(said, BULLET_SIZES[self.deck.form], box, False, look.PAPER)

    def _columns(self, slide: ColumnSlide) -> Iterator[Page]:
        left = list(self._bullets(slide.left.bullets, PLACES["columns"]["left"], on=look.BAND, largest=20))
        right = list(self._bullets(slide.right.bullets, PLACES["columns"]["right"], on=look.BAND, largest=20))
        for place in range(max(len(left), len(right), 1)):
            texts: dict[str, Text] = {}
            for name, column, some in (("left", slide.left, left), ("right", slide.right, right)):
                if column.heading:
                    texts[f"{name}_heading"] = self._line(column.heading, PLACES["columns"][f"{name}_heading"])
                if place < len(some):
                    texts[name] = some[place]
            yield Page("columns", texts)

    def _line(self, text: str, box: Box) -> Text:
        fit = fitted([text], type_of("sans", True), sizes(20, 13), box.width, box.height)
        kept: tuple[str, ...] = (text,)
        if fit is None:
            kept, fit = _cut((text,), 13, box, True)
        return Text(kept, box, fit, look.ACCENT, look.BAND, bold=True)

    def _quotes(self, slide: QuoteSlide) -> Iterator[Page]:
        box, by_box = PLACES["quote"]["quote"], PLACES["quote"]["by"]
        texts: dict[str, Text] = {}
        if by := slide.said_by.strip():
            kept = (shortened("— " + by, type_of("sans"), 16, by_box.width),)
            texts["by"] = Text(kept, by_box, laid(kept, type_of("sans"), 16, by_box.width), look.MUTED)
        mark = self.sources.mark(slide.quote)
        for said in self._cut_long(slide.quote.text.strip(), mark, QUOTE_SIZES[-1], box, True):
            text = self._sure([said], QUOTE_SIZES, box, True, look.PAPER)
            yield Page("quote", {"quote": replace(text, middle=True), **texts})

    def _closing(self, slide: ClosingSlide) -> Iterator[Page]:
        numbered = [Statement(text=line) for line in self.sources.listed(slide.sources)]
        beside, body = PLACES["closing"]["sources"], PLACES["closing"]["body"]
        left = list(self._bullets(slide.bullets, body))
        if not left:
            for text in self._bullets(numbered, PLACES["bullets"]["body"], plain=True, largest=18):
                yield Page("bullets", {"body": text})
            return
        box = Box(beside.x, beside.y + 28, beside.width, beside.height - 28)
        kept = [
            statement.model_copy(update={"text": shortened(statement.text, type_of("sans"), 14, 2.4 * box.width)})
            for statement in numbered
        ]
        right = list(self._bullets(kept, box, plain=True, on=look.BAND, largest=16)) if kept else []
        for place in range(max(len(left), len(right))):
            texts = {}
            if place < len(left):
                texts["body"] = left[place]
            if place < len(right):
                texts["sources"] = self._headed(right[place], beside)
            yield Page("closing", texts)

    def _headed(self, text: Text, box: Box) -> Text:
        """The list of sources with its heading above it."""
        size = text.fit.size
        lines = ((self.deck.sources_heading,), *text.fit.paragraphs)
        fit = Fitted(size, lines, text.fit.height + size * (LINE + GAP))
        return replace(text, paragraphs=(self.deck.sources_heading, *text.paragraphs), box=box, fit=fit, marks=())

    def _figures(self, figures: Sequence[KeyFigure]) -> Iterator[Figure]:
        gap = 24.0
        wide = (look.ACROSS - gap * (len(figures) - 1)) / len(figures)
        value_size = min(self._one_line(figure.value, wide - 40).fit.size for figure in figures)
        for place, figure in enumerate(figures):
            box = Box(look.LEFT + place * (wide + gap), look.TOP + 20, wide, look.DOWN - 60)
            inner = box.inner(20, 24)
            top = Box(inner.x, inner.y, inner.width, 90)
            below = Box(inner.x, inner.y + 106, inner.width, inner.height - 106)
            value = replace(self._one_line(figure.value, top.width, value_size), box=top)
            mark = self.sources.mark(figure.statement)
            said = marked(figure.label, mark)
            kept: tuple[str, ...] = (said,)
            fit = fitted(kept, type_of("sans"), sizes(20, 12), below.width, below.height)
            if fit is None:
                kept, fit = _cut((figure.label,), 12, below, False, f" {mark}")
            yield Figure(box, value, Text(kept, below, fit, look.INK, look.BAND, marks=(mark,)))

    def _one_line(self, text: str, wide: float, largest: float = 64) -> Text:
        type, box = type_of("sans", True), Box(0, 0, wide, 90)
        for size in sizes(largest, 18):
            if type.width(text, size) <= wide or size == 18:
                kept = shortened(text, type, size, wide)
                fit = Fitted(size, ((kept,),), size * LINE)
                return Text((kept,), box, fit, look.ACCENT, look.BAND, bold=True, low=True)
        raise AssertionError("the last of the sizes is the smallest")

    def _footer(self, slide: Slide) -> Text | None:
        if slide.kind in ("title", "section", "closing"):
            return None
        found: dict[int, list[str]] = {}
        for grounds in grounds_of(slide):
            places = found.setdefault(self.sources.number(grounds), [])
            if (where := self._where(grounds)) and where not in places:
                places.append(where)
        if not found:
            return None
        parts = [
            f"[{number}] {self.sources.titles[number]}" + (f" ({', '.join(places[:3])})" if places else "")
            for number, places in found.items()
        ]
        kept = shortened(" · ".join(parts), type_of("sans"), 11, look.FOOT.width)
        return Text((kept,), look.FOOT, Fitted(11, ((kept,),), 13.4), look.MUTED)

    def _where(self, grounds: Grounds) -> str:
        place = grounds.place
        return self.deck.page_label.replace("{}", place.page) if place.page else place.slide or place.sheet or ""

    def _notes(self, slide: Slide) -> str:
        said = [statement.text for statement in slide.notes]
        told = list(
            dict.fromkeys(
                f"[{self.sources.number(one)}] {one.source_title}"
                + (f", {self._where(one)}" if self._where(one) else "")
                for one in grounds_of(slide)
            )
        )
        return "\n".join([*said, *(["", f"{self.deck.sources_heading}:", *told] if told else [])]).strip()


def _spaced_out(text: Text) -> Text:
    """Few bullets stand further apart, so that they do not hang from the top of a slide."""
    size, between = text.fit.size, len(text.paragraphs) - 1
    if not between:
        return text
    more = min(MOST_GAP - text.gap, max(0.0, FILLED * text.box.height - text.fit.height) / between / size)
    fit = Fitted(size, text.fit.paragraphs, text.fit.height + more * size * between)
    return replace(text, gap=text.gap + more, fit=fit)


def _cut(
    paragraphs: Sequence[str], size: float, box: Box, bold: bool, part: str = ""
) -> tuple[tuple[str, ...], Fitted]:
    """The text at its smallest size, without what does not fit."""
    type = type_of("sans", bold)
    most = int(box.height // (size * 1.22))
    lines = laid([" ".join(paragraphs)], type, size, box.width).paragraphs[0][:most]
    last = shortened(lines[-1] + " " + "x" * 400, type, size, box.width - type.width(part, size)) if lines else ""
    last = last.split("xxx")[0].removesuffix("…").rstrip() + "…" + part
    made = (*lines[:-1], last)
    return (" ".join(made),), Fitted(size, (made,), len(made) * size * 1.22)


def _spread(
    said: Sequence[tuple[str, str]], fits: Callable[[Sequence[tuple[str, str]]], bool]
) -> list[Sequence[tuple[str, str]]]:
    """In as few groups as fit, about as many in each."""
    for groups in range(1, len(said) + 1):
        each, more = divmod(len(said), groups)
        made: list[Sequence[tuple[str, str]]] = []
        start = 0
        for group in range(groups):
            end = start + each + (group < more)
            made.append(said[start:end])
            start = end
        if all(fits(some) for some in made):
            return made
    return [[one] for one in said]
