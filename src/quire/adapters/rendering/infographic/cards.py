"""Cards and what is behind them, in the manner of each theme."""

from __future__ import annotations

import math
from collections.abc import Iterator

from quire.adapters.rendering.colors import mixed
from quire.adapters.rendering.infographic import crafted_cards
from quire.adapters.rendering.infographic.themes import Theme, color_of, fill_of
from quire.adapters.rendering.scene import Box, Item, Outline, Point, Step, line, oval, polygon, rectangle

# How far a card's content stays from its edges, by the card's form: across, above, below.
PADDING: dict[str, tuple[float, float, float]] = {
    "plain": (16, 18, 14),
    "rule": (2, 16, 6),
    "sketch": (20, 20, 18),
    "round": (18, 16, 16),
    "brick": (18, 26, 16),
    "clay": (22, 20, 20),
    "comic": (20, 18, 18),
    "cute": (20, 24, 18),
    "framed": (14, 14, 12),
    "tile": (20, 20, 18),
    "step": (18, 22, 16),
    "ornate": (30, 30, 30),
    "cut": (30, 26, 26),
    "wash": (32, 28, 28),
    "print": (28, 26, 26),
}


def card(theme: Theme, box: Box, place: int) -> list[Item]:
    """The card for the block of that place; its fill is `fill_of`."""
    return list(_CARDS[theme.card](theme, box, place))


def _plain(theme: Theme, box: Box, place: int) -> Iterator[Item]:
    yield rectangle(box.moved(0, 2), mixed(theme.paper, "#000000", 0.08), theme.radius)
    yield rectangle(box, fill_of(theme, place), theme.radius)
    yield rectangle(Box(box.x, box.y, box.width, 5), color_of(theme, place))


def _rule(theme: Theme, box: Box, place: int) -> Iterator[Item]:
    yield rectangle(box, fill_of(theme, place))
    yield line([(box.x, box.y), (box.right, box.y)], theme.line, 2.0)
    yield rectangle(Box(box.x, box.y, 48, 5), color_of(theme, place))


def _sketch(theme: Theme, box: Box, place: int) -> Iterator[Item]:
    yield rectangle(box.inner(3), fill_of(theme, place))
    for turn in (0, 1):
        yield _wobbly(box.inner(2 + turn), theme.line, place * 7 + turn * 3)
    corner = color_of(theme, place)
    for step in range(3):
        yield line([(box.right - 8 - 7 * step, box.y + 5), (box.right - 5, box.y + 8 + 7 * step)], corner, 1.6)


def _round(theme: Theme, box: Box, place: int) -> Iterator[Item]:
    yield rectangle(box, fill_of(theme, place), theme.radius)


def _brick(theme: Theme, box: Box, place: int) -> Iterator[Item]:
    yield rectangle(box.moved(5, 5), theme.line, theme.radius)
    yield rectangle(box, fill_of(theme, place), theme.radius, theme.line, 2.0)
    knobs = max(2, int(box.width // 90))
    wide = box.width / (2 * knobs + 1)
    for knob in range(knobs):
        x = box.x + wide * (2 * knob + 1)
        yield rectangle(Box(x, box.y - 7, wide, 8), fill_of(theme, place), 2, theme.line, 2.0)
    yield rectangle(Box(box.x + 1, box.y + 1, box.width - 2, 8), color_of(theme, place), theme.radius)


def _clay(theme: Theme, box: Box, place: int) -> Iterator[Item]:
    for step in range(5, 0, -1):
        shade = mixed(theme.paper, "#7a5a48", 0.05 * (6 - step))
        yield rectangle(box.inner(-step * 0.6).moved(0, step * 1.2 + 2), shade, theme.radius + step)
    yield rectangle(box, mixed(fill_of(theme, place), "#8a6a58", 0.12), theme.radius)
    yield rectangle(Box(box.x + 1, box.y + 1, box.width - 3, box.height - 5), fill_of(theme, place), theme.radius)


def _comic(theme: Theme, box: Box, place: int) -> Iterator[Item]:
    lean = 6.0 if place % 2 else -6.0
    corners = [
        (box.x + max(0.0, lean), box.y),
        (box.right, box.y + max(0.0, -lean)),
        (box.right - max(0.0, lean), box.bottom),
        (box.x, box.bottom - max(0.0, -lean)),
    ]
    yield polygon([(x + 6, y + 6) for x, y in corners], color_of(theme, place))
    yield polygon(corners, fill_of(theme, place), theme.line, 3.0)


def _cute(theme: Theme, box: Box, place: int) -> Iterator[Item]:
    yield rectangle(box, fill_of(theme, place), theme.radius, theme.line, 2.5)
    yield rectangle(box.inner(5), None, theme.radius - 5, mixed(theme.line, "#ffffff", 0.35), 1.2, dash=4)
    x, y = box.x + box.width / 2, box.y
    face = mixed(color_of(theme, place), "#ffffff", 0.72)
    yield oval(Box(x - 16, y - 11, 32, 26), face, theme.line, 2.0)
    yield oval(Box(x - 8, y - 2, 4, 5), theme.ink)
    yield oval(Box(x + 4, y - 2, 4, 5), theme.ink)
    smile: tuple[Step, ...] = (("M", ((x - 3, y + 5),)), ("C", ((x - 2, y + 8), (x + 2, y + 8), (x + 3, y + 5))))
    yield Outline(smile, None, theme.ink, 1.3)


def _framed(theme: Theme, box: Box, place: int) -> Iterator[Item]:
    yield rectangle(box, fill_of(theme, place), 0, theme.line, 0.9)
    for x, y in ((box.x, box.y), (box.right, box.y), (box.x, box.bottom), (box.right, box.bottom)):
        yield line([(x - 5, y), (x + 5, y)], theme.line, 1.6)
        yield line([(x, y - 5), (x, y + 5)], theme.line, 1.6)


def _step(theme: Theme, box: Box, place: int) -> Iterator[Item]:
    yield rectangle(box, fill_of(theme, place), theme.radius, mixed(color_of(theme, place), "#ffffff", 0.4), 1.5)
    yield rectangle(Box(box.x, box.y, 8, box.height), color_of(theme, place), 4)


_CARDS = {
    "plain": _plain,
    "rule": _rule,
    "sketch": _sketch,
    "round": _round,
    "tile": _round,
    "brick": _brick,
    "clay": _clay,
    "comic": _comic,
    "cute": _cute,
    "framed": _framed,
    "step": _step,
    **crafted_cards.CARDS,
}


def _wobbly(box: Box, stroke: str, seed: int) -> Outline:
    """A box as a hand draws it."""

    def off(number: int) -> float:
        return 2.2 * math.sin(seed * 12.9898 + number * 78.233)

    corners: list[Point] = [(box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom)]
    steps: list[Step] = [("M", (corners[0],))]
    for number in range(4):
        (x1, y1), (x2, y2) = corners[number], corners[(number + 1) % 4]
        one = (x1 + (x2 - x1) * 0.33 + off(number), y1 + (y2 - y1) * 0.33 + off(number + 5))
        two = (x1 + (x2 - x1) * 0.66 + off(number + 9), y1 + (y2 - y1) * 0.66 + off(number + 13))
        steps.append(("C", (one, two, (x2 + off(number + 17) / 2, y2 + off(number + 21) / 2))))
    return Outline(tuple(steps), None, stroke, 1.5)


def backdrop(theme: Theme, width: float, height: float) -> list[Item]:
    return list(_BACKDROPS[theme.backdrop](theme, width, height)) if theme.backdrop in _BACKDROPS else []


def _dots(theme: Theme, width: float, height: float) -> Iterator[Item]:
    steps: list[Step] = []
    for row in range(int(height // 32)):
        for column in range(int(width // 32)):
            steps += rectangle(Box(column * 32 + 15, row * 32 + 15, 1.6, 1.6)).steps
    yield Outline(tuple(steps), mixed(theme.paper, theme.ink, 0.12))


def _graph(theme: Theme, width: float, height: float) -> Iterator[Item]:
    for place in range(1, int(width // 20)):
        yield line([(place * 20, 0), (place * 20, height)], "#e4ebf5" if place % 5 else "#cddaeb", 0.6)
    for place in range(1, int(height // 20)):
        yield line([(0, place * 20), (width, place * 20)], "#e4ebf5" if place % 5 else "#cddaeb", 0.6)


def _speed(theme: Theme, width: float, height: float) -> Iterator[Item]:
    x, y, far = width * 0.86, height * 0.08, width + height
    for ray in range(0, 72, 2):
        one, two = 2 * math.pi * ray / 72, 2 * math.pi * (ray + 1) / 72
        ends = [(x + far * math.cos(angle), y + far * math.sin(angle)) for angle in (one, two)]
        clipped = _inside([(x, y), *ends], width, height)
        if len(clipped) > 2:
            yield polygon(clipped, "#d5e8ff")


def _hearts(theme: Theme, width: float, height: float) -> Iterator[Item]:
    shades = ("#ffdbe8", "#e6dcff", "#d8f3ee")
    for place in range(46):
        x = (place * 197.0) % (width - 30) + 8
        y = (place * 131.0) % (height - 30) + 8
        size = 7.0 + place % 3 * 3
        yield _heart(x, y, size, shades[place % 3])


def _heart(x: float, y: float, size: float, fill: str) -> Outline:
    steps: tuple[Step, ...] = (
        ("M", ((x, y + size * 0.3),)),
        ("C", ((x, y - size * 0.3), (x - size, y - size * 0.3), (x - size, y + size * 0.3))),
        ("C", ((x - size, y + size * 0.8), (x - size * 0.2, y + size), (x, y + size * 1.4))),
        ("C", ((x + size * 0.2, y + size), (x + size, y + size * 0.8), (x + size, y + size * 0.3))),
        ("C", ((x + size, y - size * 0.3), (x, y - size * 0.3), (x, y + size * 0.3))),
        ("Z", ()),
    )
    return Outline(steps, fill)


def _blobs(theme: Theme, width: float, height: float) -> Iterator[Item]:
    shade, light = mixed(theme.paper, "#b98a73", 0.18), mixed(theme.paper, "#ffffff", 0.35)
    yield oval(Box(width * 0.02, height * 0.03, 90, 74), shade)
    yield oval(Box(width * 0.88, height * 0.02, 110, 96), light)
    yield oval(Box(width * 0.9, height * 0.86, 84, 84), shade)
    yield oval(Box(width * 0.01, height * 0.84, 96, 88), light)


def _wall(theme: Theme, width: float, height: float) -> Iterator[Item]:
    shade = mixed(theme.paper, "#b5651d", 0.13)
    for row in range(int(height // 40) + 1):
        yield line([(0, row * 40.0), (width, row * 40.0)], shade, 1.2)
        for column in range(int(width // 80) + 1):
            x = column * 80.0 + (40 if row % 2 else 0)
            if x < width and row * 40 + 40 <= height:
                yield line([(x, row * 40.0), (x, row * 40.0 + 40)], shade, 1.2)


_BACKDROPS = {
    "dots": _dots, "graph": _graph, "speed": _speed, "hearts": _hearts, "blobs": _blobs, "wall": _wall,
    **crafted_cards.BACKDROPS,
}  # fmt: skip


def _inside(points: list[Point], width: float, height: float) -> list[Point]:
    """The part of a polygon that is on the sheet."""
    for axis, edge, keep_above in ((0, 0.0, True), (0, width, False), (1, 0.0, True), (1, height, False)):
        kept: list[Point] = []
        for number, point in enumerate(points):
            before = points[number - 1]
            here, there = point[axis], before[axis]
            inside, was = (here >= edge, there >= edge) if keep_above else (here <= edge, there <= edge)
            if inside != was:
                part = (edge - there) / (here - there)
                cross = (before[0] + (point[0] - before[0]) * part, before[1] + (point[1] - before[1]) * part)
                kept.append(cross)
            if inside:
                kept.append(point)
        points = kept
        if not points:
            return []
    return points
