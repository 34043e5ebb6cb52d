"""Cards and grounds that look made by hand or by a press: old paper, cut paper, washes of colour, coarse print."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import pairwise

from quire.adapters.rendering.colors import mixed
from quire.adapters.rendering.infographic.themes import Theme, color_of, fill_of
from quire.adapters.rendering.scene import Box, Item, Outline, Point, Step, oval, polygon, rectangle

SHADOW = "#00000022"


def ornate(theme: Theme, box: Box, place: int) -> Iterator[Item]:
    """A double frame whose corners are turned in."""
    yield rectangle(box.moved(3, 4), mixed(theme.paper, "#000000", 0.18))
    yield rectangle(box, fill_of(theme, place), 0, theme.line, 2.2)
    inner, cut = box.inner(9), 16.0
    corners = (
        (inner.x, inner.y, 1, 1),
        (inner.right, inner.y, -1, 1),
        (inner.right, inner.bottom, -1, -1),
        (inner.x, inner.bottom, 1, -1),
    )
    points: list[Point] = []
    for number, (x, y, across, down) in enumerate(corners):
        turned = [(x, y + cut * down), (x + cut * across, y + cut * down), (x + cut * across, y)]
        points += turned if number % 2 == 0 else reversed(turned)
    yield polygon(points, None, theme.line, 1.0)
    for x, y, across, down in corners:
        yield oval(Box(x + 5 * across - 3, y + 5 * down - 3, 6, 6), color_of(theme, place))


def cut(theme: Theme, box: Box, place: int) -> Iterator[Item]:
    """Sheets of coloured paper, one on the other, each with its shadow."""
    for step, tilt in ((2, 7.0), (1, -5.0)):
        sheet = box.inner(-2.0 * step)
        corners = [
            (sheet.x - tilt, sheet.y + tilt),
            (sheet.right + tilt, sheet.y - tilt),
            (sheet.right - tilt, sheet.bottom - tilt),
            (sheet.x + tilt, sheet.bottom + tilt),
        ]
        yield polygon([(x + 3, y + 6) for x, y in corners], SHADOW)
        yield polygon(corners, mixed(color_of(theme, place + step), theme.paper, 0.45))
    for step in (3, 2, 1):
        yield rectangle(box.moved(step, 2.5 * step), "#00000014", theme.radius)
    yield rectangle(box, fill_of(theme, place), theme.radius)


def wash(theme: Theme, box: Box, place: int) -> Iterator[Item]:
    """A sheet that lets the colour around it through at its edges."""
    tint = color_of(theme, place)
    for step in (22, 15, 8):
        yield _blot(box.inner(-step), tint + "16", place * 5 + step, 9)
    yield _blot(box.inner(-3), fill_of(theme, place), place * 5 + 1, 4)
    yield rectangle(box.inner(6), fill_of(theme, place))


def printed(theme: Theme, box: Box, place: int) -> Iterator[Item]:
    """A block of colour that was printed beside its outline."""
    yield rectangle(box.moved(11, 11), color_of(theme, place))
    yield rectangle(box.moved(5, 5), mixed(color_of(theme, place + 1), theme.paper, 0.35))
    yield rectangle(box, fill_of(theme, place))
    yield rectangle(box.moved(-3, -3), None, 0, theme.line, 3.5)


def _blot(box: Box, fill: str, seed: int, far: float) -> Outline:
    """A box whose edge wanders, as wet colour does."""

    def off(number: int) -> float:
        return far * math.sin(seed * 3.7 + number * 2.399)

    points: list[Point] = []
    across, down = 10, 6
    points += [(box.x + box.width * step / across, box.y + off(step)) for step in range(across)]
    points += [(box.right + off(20 + step), box.y + box.height * step / down) for step in range(down)]
    points += [(box.right - box.width * step / across, box.bottom + off(40 + step)) for step in range(across)]
    points += [(box.x + off(60 + step), box.bottom - box.height * step / down) for step in range(down)]
    return smooth(points, fill)


def smooth(points: list[Point], fill: str | None, stroke: str | None = None, thickness: float = 1.0) -> Outline:
    """A closed curve through the middles between points."""
    middles = [
        ((x + points[number - 1][0]) / 2, (y + points[number - 1][1]) / 2) for number, (x, y) in enumerate(points)
    ]
    steps: list[Step] = [("M", (middles[0],))]
    for number, point in enumerate(points):
        end = middles[(number + 1) % len(middles)]
        start = middles[number]
        one = (start[0] + (point[0] - start[0]) * 2 / 3, start[1] + (point[1] - start[1]) * 2 / 3)
        two = (end[0] + (point[0] - end[0]) * 2 / 3, end[1] + (point[1] - end[1]) * 2 / 3)
        steps.append(("C", (one, two, end)))
    steps.append(("Z", ()))
    return Outline(tuple(steps), fill, stroke, thickness)


def hills(width: float, height: float, top: float, swing: float, seed: float, fill: str) -> Outline:
    """A ridge from one side to the other, and all below it."""
    count = 9
    points: list[Point] = [(-80, height + 80)]
    for step in range(count + 1):
        y = top + swing * math.sin(seed * 1.9 + step * 1.35) + swing * 0.45 * math.sin(seed * 4.1 + step * 2.7)
        points.append((-80 + (width + 160) * step / count, y))
    points.append((width + 80, height + 80))
    steps: list[Step] = [("M", (points[0],)), ("L", (points[1],))]
    for (x1, y1), (x2, y2) in pairwise(points[1:-1]):
        middle = (x1 + x2) / 2
        steps.append(("C", ((middle, y1), (middle, y2), (x2, y2))))
    steps += [("L", (points[-1],)), ("Z", ())]
    return Outline(tuple(steps), fill)


def corner(theme: Theme, width: float, height: float) -> Iterator[Item]:
    first, second = theme.colors[0], theme.colors[1]
    yield polygon([(width - 250, 0), (width, 0), (width, 190)], mixed(first, theme.paper, 0.86))
    yield polygon([(width - 130, 0), (width, 0), (width, 96)], mixed(second, theme.paper, 0.72))
    yield rectangle(Box(0, 0, 14, height), first)


def board(theme: Theme, width: float, height: float) -> Iterator[Item]:
    """A whiteboard: its frame, a little shine, and pens on its ledge."""
    yield polygon([(width * 0.62, 0), (width * 0.74, 0), (width * 0.52, height), (width * 0.4, height)], "#f4f8fb")
    yield rectangle(Box(4, 4, width - 8, height - 8), None, 10, "#aab4bf", 9)
    yield rectangle(Box(9, 9, width - 18, height - 18), None, 6, "#dde3e9", 2)
    for number, color in enumerate(theme.colors[:3]):
        x = width - 250 + number * 66.0
        yield rectangle(Box(x, height - 10, 50, 8), color, 3)
        yield rectangle(Box(x + 44, height - 10, 10, 8), "#2b2b2b", 2)


def parchment(theme: Theme, width: float, height: float) -> Iterator[Item]:
    shade = mixed(theme.paper, theme.line, 0.12)
    for step in range(5):
        yield rectangle(Box(0, 0, width, height).inner(step * 5.0), None, 0, theme.line + "0c", 10)
    yield rectangle(Box(16, 16, width - 32, height - 32), None, 0, theme.line, 1.6)
    yield rectangle(Box(22, 22, width - 44, height - 44), None, 0, theme.line, 0.7)
    for x, y in ((22, 22), (width - 22, 22), (22, height - 22), (width - 22, height - 22)):
        yield polygon([(x - 11, y), (x, y - 11), (x + 11, y), (x, y + 11)], theme.paper, theme.line, 1.2)
        yield oval(Box(x - 3, y - 3, 6, 6), theme.colors[0])
    for number in range(26):
        x, y = (number * 317.0) % width, (number * 211.0) % height
        yield oval(Box(x, y, 2.0 + number % 3, 2.0 + number % 2), shade)


def layers(theme: Theme, width: float, height: float) -> Iterator[Item]:
    """A landscape of cut paper, each layer with the shadow that it throws."""
    sun = Box(width - 230, 34, 130, 130)
    yield oval(sun.moved(3, 6), SHADOW)
    yield oval(sun, mixed(theme.colors[2], theme.paper, 0.35))
    tops = (0.7, 0.79, 0.88)
    for number, top in enumerate(tops):
        color = mixed(theme.colors[number], theme.paper, 0.5 - 0.12 * number)
        yield hills(width, height, height * top - 6, 26, number + 1.3, SHADOW)
        yield hills(width, height, height * top, 26, number + 1.3, color)


def washes(theme: Theme, width: float, height: float) -> Iterator[Item]:
    places = ((0.08, 0.12, 210), (0.9, 0.2, 260), (0.2, 0.92, 250), (0.78, 0.9, 230), (0.5, 0.02, 170))
    for number, (across, down, radius) in enumerate(places):
        color = theme.colors[number % len(theme.colors)]
        for step in range(4):
            far = radius * (1 - 0.17 * step)
            x, y = width * across + 14 * math.sin(step * 2.1), height * down + 12 * math.cos(step * 1.7)
            points = [
                (
                    x + far * (1 + 0.13 * math.sin(number * 5 + turn * 2.3 + step)) * math.cos(turn * math.pi / 8),
                    y + far * (0.72 + 0.1 * math.sin(number + turn * 1.7)) * math.sin(turn * math.pi / 8),
                )
                for turn in range(16)
            ]
            yield smooth(points, color + "17")


def halftone(theme: Theme, width: float, height: float) -> Iterator[Item]:
    """Dots that grow towards two corners, in two colours."""
    for color, x0, y0 in ((theme.colors[0], width, 0.0), (theme.colors[1], 0.0, height)):
        steps: list[Step] = []
        for row in range(int(height // 26) + 1):
            for column in range(int(width // 26) + 1):
                x, y = column * 26.0 + (13 if row % 2 else 0), row * 26.0
                far = math.hypot((x - x0) / width, (y - y0) / height)
                radius = 11.0 * (0.62 - far)
                if radius > 0.9:
                    steps += oval(Box(x - radius, y - radius, 2 * radius, 2 * radius)).steps
        yield Outline(tuple(steps), mixed(color, theme.paper, 0.55))


Drawn = Callable[[Theme, Box, int], Iterator[Item]]
Ground = Callable[[Theme, float, float], Iterator[Item]]
CARDS: dict[str, Drawn] = {"ornate": ornate, "cut": cut, "wash": wash, "print": printed}
BACKDROPS: dict[str, Ground] = {
    "corner": corner,
    "board": board,
    "parchment": parchment,
    "layers": layers,
    "washes": washes,
    "halftone": halftone,
}
