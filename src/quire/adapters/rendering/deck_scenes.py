"""Pages of a deck, drawn."""

from __future__ import annotations

from quire.adapters.rendering import deck_look as look
from quire.adapters.rendering.charts import ChartLook, draw_chart
from quire.adapters.rendering.deck_pages import INDENT, Page, Text
from quire.adapters.rendering.deck_tables import DOWN, PAD, LaidTable
from quire.adapters.rendering.fitting import LINE, is_right_to_left
from quire.adapters.rendering.scene import Box, Scene, Words, oval, polygon, rectangle
from quire.adapters.rendering.typefaces import type_of
from quire.domain.decks import Deck

# Of a line, what is above the line that letters stand on.
ABOVE = 0.95
CHART_LOOK = ChartLook(look.CHART, look.INK, look.MUTED, look.RULE, look.PAPER, size=13)
QUOTE_MARK = 96.0


def scene_of(deck: Deck, page: Page) -> Scene:
    dark = page.layout in ("title", "section")
    title = page.texts["title"].paragraphs[0] if "title" in page.texts else deck.title
    scene = Scene(look.WIDTH, look.HEIGHT, look.DARK if dark else look.PAPER, title, language=deck.language)
    _ground(scene, page)
    for name, text in page.texts.items():
        _draw(scene, text, name)
    if page.table:
        draw_table(scene, page.table)
    if page.chart:
        draw_chart(scene, page.chart, look.PLACES[page.layout]["chart"], CHART_LOOK)
    for figure in page.figures:
        scene.add(rectangle(figure.box, look.BAND, 8))
        scene.add(rectangle(Box(figure.box.x, figure.box.y, figure.box.width, 6), look.ACCENT, 0))
        _draw(scene, figure.value, "value")
        _draw(scene, figure.label, "label")
    if page.footer:
        _draw(scene, page.footer, "footer")
    if page.number and not dark:
        box = look.NUMBER
        scene.add(Words(box.right, box.y + 11, str(page.number), 11, look.MUTED, anchor="end", on=look.PAPER))
    return scene


def _ground(scene: Scene, page: Page) -> None:
    """What is behind the texts of a layout."""
    if page.layout == "title":
        scene.add(rectangle(Box(48, 120, 8, 324), look.SPARK))
        scene.add(polygon([(760, 540), (960, 300), (960, 540)], look.MIDNIGHT))
        scene.add(polygon([(840, 540), (960, 396), (960, 540)], look.ACCENT))
    elif page.layout == "section":
        scene.add(rectangle(Box(0, 0, 96, look.HEIGHT), look.ACCENT))
        scene.add(rectangle(Box(150, 306, 72, 4), look.SPARK))
    else:
        scene.add(rectangle(look.STROKE, look.ACCENT, 2))
        sheets = look.SHEETS.get(page.layout, ())
        if page.layout == "closing" and "sources" not in page.texts:
            sheets = ()
        scene.add(*(rectangle(sheet, look.BAND, 8) for sheet in sheets))
        if page.layout == "quote":
            scene.add(rectangle(look.QUOTE_BAR, look.SPARK))
            scene.add(Words(look.LEFT - 4, 200, "“", QUOTE_MARK, look.ACCENT, "serif", True, on=look.PAPER))


def _draw(scene: Scene, text: Text, name: str) -> None:
    box, size = text.box, text.fit.size
    y = box.y
    if text.low:
        y = box.bottom - text.fit.height
    elif text.middle:
        y = box.y + (box.height - text.fit.height) / 2
    indent = INDENT if text.bullets else 0.0
    for place, lines in enumerate(text.fit.paragraphs):
        first = name == "sources" and place == 0
        mark = text.marks[place] if place < len(text.marks) else ""
        from_right = is_right_to_left(lines[0] if lines else "")
        if text.bullets and lines:
            dot = box.right - 4 - 6 if from_right else box.x + 4
            scene.add(oval(Box(dot, y + size * (ABOVE - 0.45), 6, 6), look.ACCENT))
        for number, line in enumerate(lines):
            tail = mark if mark and number == len(lines) - 1 and line.endswith(mark) and not from_right else ""
            said = line.removesuffix(tail)
            x = box.right - indent if from_right else box.x + indent
            bold = text.bold or first
            color = look.ACCENT if first else text.color
            base = y + size * ABOVE
            anchor = "end" if from_right else "start"
            if said:
                scene.add(Words(x, base, said, size, color, "sans", bold, anchor, from_right, text.on))  # type: ignore[arg-type]
            if tail:
                after = x + type_of("sans", bold).width(said, size)
                scene.add(Words(after, base, tail, size * 0.75, look.MUTED, on=text.on))
            y += size * LINE
        y += size * text.gap


def draw_table(scene: Scene, table: LaidTable) -> None:
    y = table.box.y
    wide = sum(table.widths)
    for number, (row, high) in enumerate(zip(table.cells, table.heights, strict=True)):
        fill = look.DARK if number == 0 else look.BAND if number % 2 == 0 else look.PAPER
        scene.add(rectangle(Box(table.box.x, y, wide, high), fill))
        x = table.box.x
        for column, (lines, across) in enumerate(zip(row, table.widths, strict=True)):
            end = table.numeric[column]
            for place, line in enumerate(lines):
                scene.add(
                    Words(
                        x + across - PAD if end else x + PAD,
                        y + DOWN + table.size * (LINE * place + ABOVE),
                        line,
                        table.size,
                        look.ON_DARK if number == 0 else look.INK,
                        "sans",
                        number == 0,
                        "end" if end else "start",
                        is_right_to_left(line),
                        fill,
                    )
                )
            x += across
        y += high
    scene.add(rectangle(Box(table.box.x, y, wide, 1.5), look.DARK))
