"""Pages of a deck as a PowerPoint file: placeholders, native tables and charts, notes, footers and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from quire.adapters.rendering import deck_look as look
from quire.adapters.rendering.colors import channels
from quire.adapters.rendering.deck_master import (
    FOOTER,
    FOOTER_TEXT,
    HOLDERS,
    LAYOUTS,
    NUMBER,
    NUMBER_FIELD,
    A,
    P,
    emu,
    new_presentation,
    small_holder,
)
from quire.adapters.rendering.deck_pages import Figure, Page, Text
from quire.adapters.rendering.deck_tables import DOWN, PAD, LaidTable
from quire.adapters.rendering.fitting import is_right_to_left
from quire.adapters.rendering.scene import Box
from quire.domain.decks import Deck
from quire.domain.figures import Chart

# So long may a property of the file be.
PROPERTY = 255

# Numbers from here on are written in groups of three.
GROUPED = 10_000


def write_pptx(deck: Deck, pages: Sequence[Page], path: Path) -> None:
    made = new_presentation()
    layouts = dict(zip(LAYOUTS, made.slide_layouts, strict=True))
    for page in pages:
        slide = made.slides.add_slide(layouts[page.layout])
        _fill(slide, page)
        if page.notes:
            slide.notes_slide.notes_text_frame.text = page.notes
    about = made.core_properties
    about.title, about.subject, about.language = (
        text[:PROPERTY] for text in (deck.title, deck.subtitle, deck.language)
    )
    about.author = "Quire"
    made.save(str(path))


def _fill(slide: Any, page: Page) -> None:
    holders = {shape.placeholder_format.idx: shape for shape in slide.placeholders}
    for name, text in page.texts.items():
        holder = holders.pop(0 if name == "title" else HOLDERS[name][1])
        _write(holder.text_frame, text, headed=name == "sources")
    if page.table:
        _table(holders.pop(HOLDERS["table"][1]), page.table)
    if page.chart:
        box, title = look.PLACES[page.layout]["chart"], page.texts["title"].paragraphs[0]
        _chart(holders.pop(HOLDERS["chart"][1]), page.chart, box, title)
    for empty in holders.values():
        empty._element.getparent().remove(empty._element)
    for figure in page.figures:
        _figure(slide, figure)
    if page.layout not in ("title", "section"):
        _feet(slide, page)


def _feet(slide: Any, page: Page) -> None:
    from pptx.oxml import parse_xml

    tree = slide.shapes._spTree
    if page.footer:
        holder = parse_xml(small_holder("ftr", FOOTER, look.FOOT, FOOTER_TEXT, "l"))
        holder.find(f".//{{{A}}}t").text = page.footer.paragraphs[0]
        tree.append(holder)
    tree.append(parse_xml(small_holder("sldNum", NUMBER, look.NUMBER, NUMBER_FIELD, "r")))


def _write(frame: Any, text: Text, headed: bool = False) -> None:
    """Paragraphs at their size, and the numbers of their sources after them."""
    from pptx.enum.text import PP_ALIGN
    from pptx.util import Pt

    for place, said in enumerate(text.paragraphs):
        paragraph = frame.paragraphs[0] if place == 0 else frame.add_paragraph()
        if place:
            paragraph.space_before = Pt(text.fit.size * text.gap)
        mark = text.marks[place] if place < len(text.marks) and said.endswith(text.marks[place]) else ""
        _run(paragraph, said.removesuffix(mark), text.fit.size, bold=(headed and place == 0) or None)
        if headed and place == 0:
            _color(paragraph.runs[0].font, look.ACCENT)
        if mark:
            _color(_run(paragraph, mark, text.fit.size * 0.75).font, look.MUTED)
        if is_right_to_left(said):
            paragraph.alignment = PP_ALIGN.RIGHT
            properties = paragraph._p.get_or_add_pPr()
            properties.set("rtl", "1")
            if text.bullets:
                properties.set("marR", str(emu(20)))


def _run(paragraph: Any, text: str, size: float, bold: bool | None = None) -> Any:
    from pptx.util import Pt

    run = paragraph.add_run()
    run.text = text
    run.font.size = Pt(round(size * 2) / 2)
    if bold is not None:
        run.font.bold = bold
    return run


def _rgb(color: str) -> Any:
    from pptx.dml.color import RGBColor

    return RGBColor(*channels(color))  # type: ignore[no-untyped-call]


def _color(thing: Any, color: str) -> None:
    thing.color.rgb = _rgb(color)


def _fill_with(thing: Any, color: str) -> None:
    thing.fill.solid()
    thing.fill.fore_color.rgb = _rgb(color)


def _table(holder: Any, laid: LaidTable) -> None:
    from pptx.enum.text import PP_ALIGN

    frame = holder.insert_table(len(laid.cells), len(laid.widths))
    _put(frame, Box(laid.box.x, laid.box.y, sum(laid.widths), sum(laid.heights)))
    table = frame.table
    for column, wide in zip(table.columns, laid.widths, strict=True):
        column.width = emu(wide)
    for number, (row, high) in enumerate(zip(laid.cells, laid.heights, strict=True)):
        table.rows[number].height = emu(high)
        for place, lines in enumerate(row):
            cell = table.cell(number, place)
            cell.margin_left = cell.margin_right = emu(PAD)
            cell.margin_top = cell.margin_bottom = emu(DOWN - 0.5)
            _fill_with(cell, look.DARK if number == 0 else look.BAND if number % 2 == 0 else look.PAPER)
            paragraph = cell.text_frame.paragraphs[0]
            run = _run(paragraph, _joined(lines), laid.size, bold=number == 0)
            _color(run.font, look.ON_DARK if number == 0 else look.INK)
            if laid.numeric[place] or is_right_to_left(_joined(lines)):
                paragraph.alignment = PP_ALIGN.RIGHT


def _joined(lines: Sequence[str]) -> str:
    return " ".join(lines)


def _put(shape: Any, box: Box) -> None:
    shape.left, shape.top, shape.width, shape.height = emu(box.x), emu(box.y), emu(box.width), emu(box.height)


def _chart(holder: Any, chart: Chart, box: Box, title: str) -> None:
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE, XL_LABEL_POSITION, XL_LEGEND_POSITION, XL_TICK_LABEL_POSITION
    from pptx.util import Pt

    data: Any = CategoryChartData()  # type: ignore[no-untyped-call]
    data.categories = chart.labels
    for series in chart.series:
        data.add_series(series.name or chart.unit or title, series.values)
    longest = max(len(label) for label in chart.labels)
    bars = XL_CHART_TYPE.BAR_CLUSTERED if longest * len(chart.labels) > 90 else XL_CHART_TYPE.COLUMN_CLUSTERED
    kinds = {"bar": bars, "line": XL_CHART_TYPE.LINE_MARKERS, "pie": XL_CHART_TYPE.DOUGHNUT}
    frame = holder.insert_chart(kinds[chart.form], data)
    _put(frame, box)
    frame._element.nvGraphicFramePr.cNvPr.set("descr", title)
    drawn = frame.chart
    drawn.font.size = Pt(13)
    _color(drawn.font, look.INK)
    drawn.has_title = bool(chart.unit)
    if chart.unit:
        drawn.chart_title.text_frame.text = chart.unit
        drawn.chart_title.text_frame.paragraphs[0].runs[0].font.size = Pt(13)
    drawn.has_legend = chart.form == "pie" or len(chart.series) > 1
    if drawn.has_legend:
        drawn.legend.position = XL_LEGEND_POSITION.RIGHT if chart.form == "pie" else XL_LEGEND_POSITION.TOP
        drawn.legend.include_in_layout = False
    plot = drawn.plots[0]
    if chart.form == "pie":
        plot.has_data_labels = True
        plot.data_labels.show_percentage, plot.data_labels.show_value = True, False
        _color(plot.data_labels.font, look.ON_DARK)
        for place in range(len(chart.labels)):
            _fill_with(plot.series[0].points[place].format, look.CHART[place % len(look.CHART)])
        return
    for place, series in enumerate(plot.series):
        color = look.CHART[place % len(look.CHART)]
        if chart.form == "line":
            _color(series.format.line, color)
            series.format.line.width = Pt(2.5)
            series.smooth = False
            _fill_with(series.marker.format, color)
        else:
            _fill_with(series.format, color)
    drawn.value_axis.has_major_gridlines = True
    _color(drawn.value_axis.major_gridlines.format.line, look.RULE)
    drawn.value_axis.format.line.fill.background()
    drawn.category_axis.tick_label_position = XL_TICK_LABEL_POSITION.LOW
    if max(abs(value or 0) for series in chart.series for value in series.values) >= GROUPED:
        drawn.value_axis.tick_labels.number_format = "#,##0"
        drawn.value_axis.tick_labels.number_format_is_linked = False
    if chart.form == "bar":
        plot.gap_width = 60
        if bars == XL_CHART_TYPE.BAR_CLUSTERED:
            drawn.category_axis.reverse_order = True
        if len(chart.labels) * len(chart.series) <= 16:
            plot.has_data_labels = True
            plot.data_labels.position = XL_LABEL_POSITION.OUTSIDE_END


def _figure(slide: Any, figure: Figure) -> None:
    from pptx.enum.shapes import MSO_SHAPE

    for box, color in ((figure.box, look.BAND), (Box(figure.box.x, figure.box.y, figure.box.width, 6), look.ACCENT)):
        shape = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, emu(box.x), emu(box.y), emu(box.width), emu(box.height))
        _fill_with(shape, color)
        shape.line.fill.background()
        # Effects of the theme, such as shadows.
        style = shape._element.find(f"{{{P}}}style")
        style.getparent().remove(style)
    for text in (figure.value, figure.label):
        _text_box(slide, text)


def _text_box(slide: Any, text: Text) -> None:
    from pptx.enum.text import MSO_ANCHOR

    box = text.box
    shape = slide.shapes.add_textbox(emu(box.x), emu(box.y), emu(box.width), emu(box.height))
    frame = shape.text_frame
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
    frame.word_wrap = True
    frame.vertical_anchor = MSO_ANCHOR.BOTTOM if text.low else MSO_ANCHOR.TOP
    _write(frame, text)
    first = frame.paragraphs[0].runs[0].font
    first.bold = text.bold
    _color(first, text.color)
