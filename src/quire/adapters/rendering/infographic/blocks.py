"""What a block shows at a width and a scale: its items from its upper left corner on, and how high it becomes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from quire.adapters.rendering.charts import ChartLook, draw_chart
from quire.adapters.rendering.colors import mixed, readable
from quire.adapters.rendering.deck_tables import is_number
from quire.adapters.rendering.fitting import LINE, is_right_to_left, marked, shortened, sizes, wrapped
from quire.adapters.rendering.infographic.themes import Theme
from quire.adapters.rendering.scene import Box, Item, Scene, Words, line, oval, rectangle
from quire.adapters.rendering.typefaces import Type, Typeface, type_of
from quire.domain.grounding import Statement
from quire.domain.infographics import (
    Block,
    ChartBlock,
    ComparisonBlock,
    FigureBlock,
    ListBlock,
    QuoteBlock,
    StepBlock,
    TimelineBlock,
)

ABOVE = 0.95
HEADING, TEXT, SMALL, QUOTE, FIGURE = 18.0, 14.0, 11.5, 18.0, 40.0

Mark = Callable[[Statement], str]


@dataclass(frozen=True)
class Manner:
    """How a block is written: the theme, the ground, the colour, and how large things are."""

    theme: Theme
    fill: str
    color: str
    scale: float
    mark: Mark
    # How much higher a chart may be than it would be by itself.
    room: float = 0.0

    @property
    def accent(self) -> str:
        return readable(self.color, self.fill)

    @property
    def muted(self) -> str:
        return readable(self.theme.muted, self.fill)


@dataclass
class Sketch:
    """Items with the height that they take, written from above."""

    width: float
    manner: Manner
    items: list[Item] = field(default_factory=list)
    y: float = 0.0

    def write(
        self,
        text: str,
        size: float,
        *,
        x: float = 0.0,
        width: float | None = None,
        color: str | None = None,
        bold: bool = False,
        typeface: Typeface | None = None,
        mark: str = "",
        on: str | None = None,
    ) -> None:
        """A paragraph; `mark` stands after it, smaller."""
        face = typeface or self.manner.theme.body
        type = type_of(face, bold)
        wide = self.width - x if width is None else width
        on = on or self.manner.fill
        lines = wrapped(marked(text, mark), type, size, wide)
        for number, said in enumerate(lines):
            tail = mark if mark and number == len(lines) - 1 and said.endswith(mark) else ""
            base = self.y + size * ABOVE
            from_right = is_right_to_left(text)
            if from_right:
                place = x + wide
                self.items.append(
                    Words(place, base, said, size, color or self.manner.theme.ink, face, bold, "end", True, on)
                )
            else:
                kept = said.removesuffix(tail)
                self.items.append(Words(x, base, kept, size, color or self.manner.theme.ink, face, bold, on=on))
                if tail:
                    after = x + type.width(kept, size)
                    self.items.append(Words(after, base, tail, size * 0.72, self.manner.muted, face, on=on))
            self.y += size * LINE

    def space(self, points: float) -> None:
        self.y += points


def sketched(block: Block, width: float, manner: Manner) -> Sketch:
    made = Sketch(width, manner)
    scale = manner.scale
    if block.heading:
        made.write(block.heading, HEADING * scale, color=manner.accent, bold=True, typeface=manner.theme.head)
        made.space(6 * scale)
    match block:
        case FigureBlock():
            _figures(made, block)
        case TimelineBlock():
            _timeline(made, block)
        case StepBlock():
            _steps(made, block)
        case ComparisonBlock():
            _comparison(made, block)
        case ChartBlock():
            _chart(made, block)
        case QuoteBlock():
            _quote(made, block)
        case ListBlock():
            _list(made, block)
    return made


def _figures(made: Sketch, block: FigureBlock) -> None:
    scale = made.manner.scale
    figures = block.figures
    columns = max(1, min(len(figures), int(made.width // (140 * scale)), 4))
    if len(figures) == 3 and columns == 2:
        columns = 3 if made.width >= 3 * 105 * scale else 1
    elif len(figures) == 4 and columns == 3:
        columns = 2
    gap = 16 * scale
    wide = (made.width - gap * (columns - 1)) / columns
    type = type_of(made.manner.theme.head, True)
    size = min(_line_size(type, figure.value, wide, FIGURE * scale) for figure in figures)
    for start in range(0, len(figures), columns):
        top, bottom = made.y, made.y
        for column, figure in enumerate(figures[start : start + columns]):
            x = column * (wide + gap)
            made.y = top
            value = shortened(figure.value, type, size, wide)
            made.write(
                value, size, x=x, width=wide + 1, color=made.manner.accent, bold=True, typeface=made.manner.theme.head
            )
            made.write(figure.label, TEXT * scale, x=x, width=wide, mark=made.manner.mark(figure.statement))
            bottom = max(bottom, made.y)
        made.y = bottom + 10 * scale
    made.y -= 10 * scale


def _line_size(type: Type, text: str, wide: float, largest: float) -> float:
    """The size at which a text stays on one line."""
    return next((size for size in sizes(largest, 13) if type.width(text, size) <= wide), 13.0)


def _timeline(made: Sketch, block: TimelineBlock) -> None:
    scale = made.manner.scale
    left, dot = 22 * scale, 5 * scale
    begin = made.y + TEXT * scale * 0.6
    dots: list[Item] = []
    end = begin
    for event in block.events:
        end = made.y + TEXT * scale * 0.6
        dots.append(oval(Box(dot * 0.4, end - dot, 2 * dot, 2 * dot), made.manner.color, made.manner.fill, 2.0))
        made.write(event.label, TEXT * scale, x=left, color=made.manner.accent, bold=True)
        made.write(event.statement.text, TEXT * scale, x=left, mark=made.manner.mark(event.statement))
        made.space(9 * scale)
    made.y -= 9 * scale
    x = dot * 1.4
    if end > begin:
        made.items.append(line([(x, begin), (x, end)], mixed(made.manner.color, made.manner.fill, 0.35), 2.5))
    made.items += dots


def _steps(made: Sketch, block: StepBlock) -> None:
    scale = made.manner.scale
    disc = 26 * scale
    fill = readable(made.manner.color, "#ffffff")
    for number, step in enumerate(block.steps, 1):
        top = made.y
        made.y += max(0.0, (disc - TEXT * scale * LINE) / 2)
        made.write(step.text, TEXT * scale, x=disc + 12 * scale, mark=made.manner.mark(step))
        made.y = max(made.y, top + disc)
        made.items.append(oval(Box(0, top, disc, disc), fill))
        size = 14 * scale
        middle = (disc / 2, top + disc / 2 + size * 0.34)
        made.items.append(Words(*middle, str(number), size, "#ffffff", "sans", True, "middle", on=fill))
        if number < len(block.steps):
            x = disc / 2
            made.items.append(
                line([(x, made.y + 2 * scale), (x, made.y + 8 * scale)], mixed(fill, made.manner.fill, 0.4), 2.0)
            )
        made.space(10 * scale)
    made.y -= 10 * scale


def _list(made: Sketch, block: ListBlock) -> None:
    scale = made.manner.scale
    size, dot = TEXT * scale, 6.5 * scale
    for item in block.items:
        x = made.width - dot if is_right_to_left(item.text) else 0
        made.items.append(oval(Box(x, made.y + size * ABOVE - size * 0.33 - dot / 2, dot, dot), made.manner.color))
        if x:
            made.write(item.text, size, width=made.width - 16 * scale, mark=made.manner.mark(item))
        else:
            made.write(item.text, size, x=16 * scale, mark=made.manner.mark(item))
        made.space(7 * scale)
    made.y -= 7 * scale


def _quote(made: Sketch, block: QuoteBlock) -> None:
    scale = made.manner.scale
    left, wide = 34 * scale, made.width - 34 * scale
    from_right = is_right_to_left(block.quote.text)
    at, anchor, text_at = (made.width, "end", 0.0) if from_right else (0.0, "start", left)
    base, size = made.y + 46 * scale, 64 * scale
    made.items.append(Words(at, base, "“", size, made.manner.accent, "serif", True, anchor, on=made.manner.fill))  # type: ignore[arg-type]
    mark = made.manner.mark(block.quote)
    made.write(block.quote.text, QUOTE * scale, x=text_at, width=wide, typeface=made.manner.theme.head, mark=mark)
    if block.said_by:
        made.space(6 * scale)
        made.write("— " + block.said_by, 13 * scale, x=text_at, width=wide, color=made.manner.muted)
    made.y = max(made.y, 50 * scale)


def _chart(made: Sketch, block: ChartBlock) -> None:
    scale, theme = made.manner.scale, made.manner.theme
    high = max(150.0, min(made.width * 0.58, 250.0)) * max(0.85, scale)
    if block.chart.form == "pie" and made.width < 300:
        high += len(block.chart.labels) * 20 * scale
    high += made.manner.room
    colors = [made.manner.color, *(color for color in theme.colors if color != made.manner.color)]
    rule = mixed(made.manner.fill, theme.ink, 0.18)
    look = ChartLook(colors, theme.ink, made.manner.muted, rule, made.manner.fill, theme.body, 12.5 * scale, 3)
    scene = Scene(made.width, high, made.manner.fill)
    draw_chart(scene, block.chart, Box(0, made.y, made.width, high), look)
    made.items += scene.items
    made.y += high
    mark = made.manner.mark(Statement(text="", grounds=block.chart.grounds))
    if mark:
        made.space(4 * scale)
        made.write(mark, SMALL * scale, color=made.manner.muted)


def _comparison(made: Sketch, block: ComparisonBlock) -> None:
    scale, theme = made.manner.scale, made.manner.theme
    size, pad = 12.5 * scale, 6 * scale
    plain, bold = type_of(theme.body), type_of(theme.body, True)
    table = block.table
    widths = _column_widths(table.heads, [row.cells for row in table.rows], size, made.width, pad, theme.body)
    fill = readable(made.manner.color, "#ffffff")
    rows: list[tuple[Sequence[str], bool, str]] = [(table.heads, True, "")]
    rows += [(row.cells, False, made.manner.mark(Statement(text="", grounds=row.grounds))) for row in table.rows]
    for number, (cells, head, mark) in enumerate(rows):
        shown = [*cells[:-1], marked(cells[-1], mark)]
        type = bold if head else plain
        lines = [wrapped(cell, type, size, wide - 2 * pad) for cell, wide in zip(shown, widths, strict=True)]
        high = max(1, *(len(some) for some in lines)) * size * LINE + pad * 1.4
        ground = fill if head else mixed(made.manner.fill, made.manner.color, 0.07 if number % 2 == 0 else 0.0)
        made.items.append(rectangle(Box(0, made.y, made.width, high), ground))
        x = 0.0
        for column, (some, wide) in enumerate(zip(lines, widths, strict=True)):
            right = column > 0 and all(is_number(row.cells[column]) for row in table.rows) and column < len(widths) - 1
            for place, said in enumerate(some):
                color = "#ffffff" if head else readable(theme.ink, ground)
                base = made.y + pad * 0.7 + size * (ABOVE + LINE * place)
                at = x + wide - pad if right else x + pad
                anchor = "end" if right else "start"
                rtl = is_right_to_left(said)
                made.items.append(Words(at, base, said, size, color, theme.body, head, anchor, rtl, ground))  # type: ignore[arg-type]
            x += wide
        made.y += high


def _column_widths(
    heads: Sequence[str], rows: Sequence[Sequence[str]], size: float, whole: float, pad: float, typeface: Typeface
) -> list[float]:
    """By how much the columns hold; none so narrow that its longest word would break, as far as there is room."""
    plain, bold = type_of(typeface), type_of(typeface, True)
    wished, least = [], []
    for column, head in enumerate(heads):
        texts = [row[column] for row in rows]
        wished.append(max([bold.width(head, size), *(plain.width(text, size) for text in texts)]) + 2 * pad + 2)
        words = [word for text in (head, *texts) for word in text.split()] or [""]
        least.append(min(max(bold.width(word, size) for word in words) + 2 * pad + 2, whole / len(heads)))
    if sum(wished) <= whole:
        return [wide * whole / sum(wished) for wide in wished]
    spare = whole - sum(least)
    more = [max(0.0, wide - few) for wide, few in zip(wished, least, strict=True)]
    return [few + spare * want / (sum(more) or 1) for few, want in zip(least, more, strict=True)]
