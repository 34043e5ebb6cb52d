"""Charts, drawn: bars, lines and pies with their axes, labels and legends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from quire.adapters.rendering.fitting import shortened
from quire.adapters.rendering.scene import Box, Scene, Words, line, oval, rectangle, wedge
from quire.adapters.rendering.typefaces import Typeface, type_of
from quire.domain.figures import Chart

RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
# From here on numbers are told in thousands of thousands, and below in parts of them.
LARGE, SMALL = 1_000_000, 0.001
# The share of the width that labels may take before lying bars, and how many lines a bar needs for one above it.
BEFORE, ABOVE = 0.42, 2.6


@dataclass(frozen=True)
class ChartLook:
    colors: Sequence[str]
    ink: str
    muted: str
    rule: str
    paper: str
    typeface: Typeface = "sans"
    size: float = 12.0
    radius: float = 2.0


@dataclass(frozen=True)
class Scale:
    """From the lowest tick to the highest; values are told in units of ten to the power of `power`."""

    ticks: tuple[float, ...]
    power: int

    @property
    def low(self) -> float:
        return self.ticks[0]

    @property
    def high(self) -> float:
        return self.ticks[-1]

    def part(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low)

    def told(self, value: float) -> str:
        return number_text(value / 10**self.power)

    @property
    def name(self) -> str:
        return f"×10{str(self.power).translate(RAISED)}" if self.power else ""


def number_text(value: float) -> str:
    """A number as it is read: no more digits than tell something."""
    if value == 0:
        return "0"
    digits = 0 if abs(value) >= 1000 else 1 if abs(value) >= 100 else 2 if abs(value) >= 1 else 3
    text = f"{value:,.{digits}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text).replace(",", " ")


def scale_of(values: Sequence[float], from_zero: bool) -> Scale:
    low, high = min(values), max(values)
    if from_zero or (low > 0 and low < high / 2):
        low = min(low, 0.0)
    if from_zero:
        high = max(high, 0.0)
    if high == low:
        high, low = (high + abs(high or 1) / 2, low - abs(low or 1) / 2) if low else (1.0, 0.0)
    rough = (high - low) / 4
    tens = 10.0 ** math.floor(math.log10(rough))
    step = next(tens * many for many in (1, 2, 2.5, 5, 10) if tens * many >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    largest = max(abs(low), abs(high))
    power = 3 * math.floor(math.log10(largest) / 3) if largest >= LARGE or largest < SMALL else 0
    return Scale(tuple(step * place for place in range(first, last + 1)), power)


def draw_chart(scene: Scene, chart: Chart, box: Box, look: ChartLook) -> None:
    if chart.form == "pie":
        _pie(scene, chart, box, look)
        return
    names = [series.name for series in chart.series if series.name]
    if len(chart.series) > 1 and names:
        box = _legend(scene, names, box, look)
    values = [value for series in chart.series for value in series.values if value is not None]
    if not values:
        return
    scale = scale_of(values, chart.form == "bar")
    named = " ".join(part for part in (chart.unit, scale.name) if part)
    if named:
        told = shortened(named, type_of(look.typeface), look.size, box.width)
        scene.add(_words(look, box.x, box.y + look.size, told, look.muted))
        box = Box(box.x, box.y + look.size * 1.8, box.width, box.height - look.size * 1.8)
    if chart.form == "line":
        _lines(scene, chart, scale, box, look)
    elif _lying(chart, box, look):
        _lying_bars(scene, chart, scale, box, look)
    else:
        _standing_bars(scene, chart, scale, box, look)


def _words(
    look: ChartLook, x: float, y: float, text: str, color: str, anchor: str = "start", bold: bool = False
) -> Words:
    return Words(x, y, text, look.size, color, look.typeface, bold, anchor, on=look.paper)  # type: ignore[arg-type]


def _legend(scene: Scene, names: Sequence[str], box: Box, look: ChartLook) -> Box:
    type, size = type_of(look.typeface), look.size
    x, y = box.x, box.y
    each = max(60.0, box.width / min(len(names), 3) - 12)
    for place, name in enumerate(names):
        told = shortened(name, type, size, each - size * 1.4)
        wide = size * 1.4 + type.width(told, size) + 14
        if x + wide > box.right + 14 and x > box.x:
            x, y = box.x, y + size * 1.6
        scene.add(rectangle(Box(x, y + size * 0.15, size * 0.9, size * 0.9), look.colors[place % len(look.colors)], 2))
        scene.add(_words(look, x + size * 1.4, y + size * 0.95, told, look.ink))
        x += wide
    down = y + size * 2 - box.y
    return Box(box.x, box.y + down, box.width, box.height - down)


def _lying(chart: Chart, box: Box, look: ChartLook) -> bool:
    """Whether bars lie: where their labels are too wide to stand under them."""
    slot = (box.width - 50) / len(chart.labels)
    return any(type_of(look.typeface).width(label, look.size) > slot - 6 for label in chart.labels)


def _standing_bars(scene: Scene, chart: Chart, scale: Scale, box: Box, look: ChartLook) -> None:
    plot = _grid(scene, scale, box, look)
    slot = plot.width / len(chart.labels)
    bar = min(64.0, slot * 0.72 / len(chart.series))
    type = type_of(look.typeface)
    zero = plot.bottom - plot.height * scale.part(max(scale.low, 0.0))
    for place, label in enumerate(chart.labels):
        middle = plot.x + slot * (place + 0.5)
        scene.add(_words(look, middle, plot.bottom + look.size * 1.4, label, look.ink, "middle"))
        for number, series in enumerate(chart.series):
            value = series.values[place]
            if value is None:
                continue
            x = middle + bar * (number - len(chart.series) / 2)
            top = plot.bottom - plot.height * scale.part(value)
            shape = Box(x + 1, min(top, zero), bar - 2, max(1.0, abs(zero - top)))
            scene.add(rectangle(shape, look.colors[number % len(look.colors)], look.radius))
            told = scale.told(value)
            if type.width(told, look.size) <= max(bar, slot / len(chart.series)) - 2:
                y = shape.y - 4
                scene.add(_words(look, x + bar / 2, y, told, look.ink, "middle"))


def _lying_bars(scene: Scene, chart: Chart, scale: Scale, box: Box, look: ChartLook) -> None:
    type = type_of(look.typeface)
    slot = box.height / len(chart.labels)
    size = max(7.0, min(look.size, slot * 0.7))
    most = max(type.width(label, size) for label in chart.labels)
    # Labels that are too wide to stand before their bars stand above them, where there is room.
    above = most > box.width * BEFORE and slot >= size * ABOVE
    label_wide = 0.0 if above else min(most, box.width * BEFORE) + 8
    told_wide = max(
        type.width(scale.told(value), size) for series in chart.series for value in series.values if value is not None
    )
    plot = Box(box.x + label_wide, box.y, box.width - label_wide - told_wide - 10, box.height)
    zero = plot.x + plot.width * scale.part(max(scale.low, 0.0))
    room = slot - size * 1.4 if above else slot
    bar = min(34.0, room * 0.76 / len(chart.series))
    scene.add(line([(zero, plot.y), (zero, plot.bottom)], look.rule, 1.0))
    for place, label in enumerate(chart.labels):
        middle = plot.y + slot * (place + 1) - room / 2 if above else plot.y + slot * (place + 0.5)
        if above:
            told = shortened(label, type, size, box.width)
            y = middle - bar * len(chart.series) / 2 - size * 0.45
            scene.add(Words(plot.x, y, told, size, look.ink, look.typeface, on=look.paper))
        else:
            told = shortened(label, type, size, label_wide - 7.5)
            y = middle + size * 0.35
            scene.add(Words(plot.x - 8, y, told, size, look.ink, look.typeface, anchor="end", on=look.paper))
        for number, series in enumerate(chart.series):
            value = series.values[place]
            if value is None:
                continue
            y = middle + bar * (number - len(chart.series) / 2)
            end = plot.x + plot.width * scale.part(value)
            shape = Box(min(zero, end), y + 1, max(1.0, abs(end - zero)), max(1.0, bar - 2))
            scene.add(rectangle(shape, look.colors[number % len(look.colors)], look.radius))
            if bar >= size * 0.8:
                scene.add(
                    Words(
                        max(end, zero) + 6,
                        y + bar / 2 + size * 0.35,
                        scale.told(value),
                        size,
                        look.ink,
                        look.typeface,
                        on=look.paper,
                    )
                )


def _grid(scene: Scene, scale: Scale, box: Box, look: ChartLook) -> Box:
    """Lines at the ticks with their numbers, and what is left for the values."""
    type = type_of(look.typeface)
    wide = max(type.width(scale.told(tick), look.size) for tick in scale.ticks) + 10
    plot = Box(box.x + wide, box.y + look.size * 1.4, box.width - wide, box.height - look.size * 3.4)
    for tick in scale.ticks:
        y = plot.bottom - plot.height * scale.part(tick)
        scene.add(line([(plot.x, y), (plot.right, y)], look.rule, 0.75 if tick else 1.2))
        scene.add(_words(look, plot.x - 8, y + look.size * 0.35, scale.told(tick), look.muted, "end"))
    return plot


def _lines(scene: Scene, chart: Chart, scale: Scale, box: Box, look: ChartLook) -> None:
    plot = _grid(scene, scale, box, look)
    type = type_of(look.typeface)
    slot = plot.width / len(chart.labels)
    widest = max(type.width(label, look.size) for label in chart.labels) + 8
    every = max(1, math.ceil(widest / slot))
    fits = widest <= plot.width / 2
    for place, label in enumerate(chart.labels):
        if place % every == 0:
            told = label if fits else shortened(label, type, look.size, plot.width / 3)
            half = type.width(told, look.size) / 2
            x = min(max(plot.x + slot * (place + 0.5), plot.x + half), plot.right - half)
            scene.add(_words(look, x, plot.bottom + look.size * 1.4, told, look.ink, "middle"))
    for number, series in enumerate(chart.series):
        color = look.colors[number % len(look.colors)]
        run: list[tuple[float, float]] = []
        for place, value in enumerate([*series.values, None]):
            if value is not None:
                run.append((plot.x + slot * (place + 0.5), plot.bottom - plot.height * scale.part(value)))
                continue
            if len(run) > 1:
                scene.add(line(run, color, 2.5))
            if len(chart.labels) <= 30 or len(run) == 1:
                scene.add(*(oval(Box(x - 3.5, y - 3.5, 7, 7), color) for x, y in run))
            run = []


def _pie(scene: Scene, chart: Chart, box: Box, look: ChartLook) -> None:
    values = [value or 0.0 for value in chart.series[0].values]
    whole = sum(values)
    type, size = type_of(look.typeface), look.size
    wide = box.width > box.height * 1.25
    radius = min(box.height, box.width * (0.5 if wide else 1.0)) / 2 - 2
    rows = len(values) * size * 1.7
    if not wide:
        radius = max(20.0, min(radius, (box.height - rows - 12) / 2))
    x = box.x + radius + 2
    y = box.y + (box.height / 2 if wide else radius + 2)
    if not wide:
        x = box.x + box.width / 2
    begin = 0.0
    for place, value in enumerate(values):
        end = begin + value / whole
        if value:
            scene.add(
                wedge(
                    x, y, radius, begin, min(end, begin + 0.99999), look.colors[place % len(look.colors)], radius * 0.52
                )
            )
        begin = end
    left = x + radius + 20 if wide else box.x
    top = y - rows / 2 if wide else y + radius + 12
    size = max(7.0, min(size, box.height / len(values) / 1.7)) if wide else size
    for place, (label, value) in enumerate(zip(chart.labels, values, strict=True)):
        down = top + place * size * 1.7
        if down + size > box.bottom:
            break
        share = f" · {number_text(round(100 * value / whole, 1))} %"
        room = box.right - left - size * 1.4 - type.width(share, size)
        told = shortened(label, type, size, max(20.0, room)) + share
        scene.add(rectangle(Box(left, down, size * 0.9, size * 0.9), look.colors[place % len(look.colors)], 2))
        scene.add(Words(left + size * 1.4, down + size * 0.85, told, size, look.ink, look.typeface, on=look.paper))
