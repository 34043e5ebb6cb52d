"""Scenes: what is drawn on a page, in points from its upper left corner, whatever it is written as."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from quire.adapters.rendering.typefaces import Typeface

Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]
# "M" and "L" take a point, "C" takes three, "Z" takes none.
Step = tuple[str, tuple[Point, ...]]


@dataclass(frozen=True)
class Outline:
    """A shape of lines and curves."""

    steps: tuple[Step, ...]
    fill: str | None = None
    stroke: str | None = None
    thickness: float = 1.0
    dash: float = 0.0


@dataclass(frozen=True)
class Words:
    """One line of text; `y` is the line that letters stand on. `edge` is what it must not go beyond."""

    x: float
    y: float
    text: str
    size: float
    color: str
    typeface: Typeface = "sans"
    bold: bool = False
    anchor: Anchor = "start"
    right_to_left: bool = False
    # What it stands on, so that its contrast can be checked.
    on: str = "#ffffff"


Item = Outline | Words


@dataclass
class Scene:
    width: float
    height: float
    background: str
    title: str = ""
    described: str = ""
    language: str = "en"
    items: list[Item] = field(default_factory=list)

    @property
    def words(self) -> list[Words]:
        return [item for item in self.items if isinstance(item, Words)]

    def add(self, *items: Item) -> None:
        self.items += items


@dataclass(frozen=True)
class Box:
    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    def inner(self, across: float, down: float | None = None) -> Box:
        down = across if down is None else down
        return Box(self.x + across, self.y + down, self.width - 2 * across, self.height - 2 * down)

    def moved(self, x: float = 0.0, y: float = 0.0) -> Box:
        return Box(self.x + x, self.y + y, self.width, self.height)


ROUND = 0.5523


def rectangle(
    box: Box,
    fill: str | None = None,
    radius: float = 0.0,
    stroke: str | None = None,
    thickness: float = 1.0,
    dash: float = 0.0,
) -> Outline:
    radius = max(0.0, min(radius, box.width / 2, box.height / 2))
    x, y, right, bottom = box.x, box.y, box.right, box.bottom
    if not radius:
        corners = ((x, y), (right, y), (right, bottom), (x, bottom))
        return polygon(corners, fill, stroke, thickness, dash)
    k = radius * (1 - ROUND)
    steps: tuple[Step, ...] = (
        ("M", ((x + radius, y),)),
        ("L", ((right - radius, y),)),
        ("C", ((right - k, y), (right, y + k), (right, y + radius))),
        ("L", ((right, bottom - radius),)),
        ("C", ((right, bottom - k), (right - k, bottom), (right - radius, bottom))),
        ("L", ((x + radius, bottom),)),
        ("C", ((x + k, bottom), (x, bottom - k), (x, bottom - radius))),
        ("L", ((x, y + radius),)),
        ("C", ((x, y + k), (x + k, y), (x + radius, y))),
        ("Z", ()),
    )
    return Outline(steps, fill, stroke, thickness, dash)


def oval(box: Box, fill: str | None = None, stroke: str | None = None, thickness: float = 1.0) -> Outline:
    cx, cy, rx, ry = box.x + box.width / 2, box.y + box.height / 2, box.width / 2, box.height / 2
    kx, ky = rx * ROUND, ry * ROUND
    steps: tuple[Step, ...] = (
        ("M", ((cx - rx, cy),)),
        ("C", ((cx - rx, cy - ky), (cx - kx, cy - ry), (cx, cy - ry))),
        ("C", ((cx + kx, cy - ry), (cx + rx, cy - ky), (cx + rx, cy))),
        ("C", ((cx + rx, cy + ky), (cx + kx, cy + ry), (cx, cy + ry))),
        ("C", ((cx - kx, cy + ry), (cx - rx, cy + ky), (cx - rx, cy))),
        ("Z", ()),
    )
    return Outline(steps, fill, stroke, thickness)


def polygon(
    points: Sequence[Point],
    fill: str | None = None,
    stroke: str | None = None,
    thickness: float = 1.0,
    dash: float = 0.0,
) -> Outline:
    steps: list[Step] = [("M", (points[0],)), *(("L", (point,)) for point in points[1:]), ("Z", ())]
    return Outline(tuple(steps), fill, stroke, thickness, dash)


def line(points: Sequence[Point], stroke: str, thickness: float = 1.0, dash: float = 0.0) -> Outline:
    steps: list[Step] = [("M", (points[0],)), *(("L", (point,)) for point in points[1:])]
    return Outline(tuple(steps), None, stroke, thickness, dash)


def wedge(x: float, y: float, radius: float, begin: float, end: float, fill: str, hole: float = 0.0) -> Outline:
    """A slice of a circle, from one part of the turn to another, from the top on; `hole` is a radius."""
    parts = max(2, math.ceil((end - begin) * 90))
    angles = [2 * math.pi * (begin + (end - begin) * part / parts) - math.pi / 2 for part in range(parts + 1)]
    outer = [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]
    inner = (
        [(x + hole * math.cos(angle), y + hole * math.sin(angle)) for angle in reversed(angles)] if hole else [(x, y)]
    )
    return polygon([*outer, *inner], fill, "#ffffff", 1.0)
