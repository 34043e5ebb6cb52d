"""Cinematic videos: a picture for each scene that is slowly moved, and what is written over it."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator

from quire.adapters.rendering.colors import mixed
from quire.adapters.rendering.fitting import sizes
from quire.adapters.rendering.infographic.crafted_cards import hills
from quire.adapters.rendering.infographic.themes import Theme
from quire.adapters.rendering.scene import Box, Item, Scene, line, oval, polygon, rectangle
from quire.adapters.rendering.typefaces import type_of
from quire.adapters.rendering.video.frames import WIDE
from quire.adapters.rendering.video.stills import Stills, fit_text, write_caption, write_text
from quire.domain.infographics import ListBlock, QuoteBlock
from quire.domain.video_overviews import VideoOverview

CLEAR = "#00000000"
NIGHT, GROUND, WHITE, DIM = "#0b0e16", "#0b0e16d0", "#ffffff", "#c9d1e0"
BAR = 48.0
WIDTH, HEIGHT = WIDE.width, WIDE.height
CAPTION = Box(110, HEIGHT - BAR - 100, WIDTH - 220, 84)
PLATE = Box(64, 84, 760, 96)
TITLE = Box(140, 210, WIDTH - 280, 220)
CARD = Box(170, 92, WIDTH - 340, 460)


def picture(video: VideoOverview, theme: Theme, number: int) -> Scene:
    """What is seen behind a scene, in the theme's colours at night."""
    told = video.scenes[number]
    seed = int.from_bytes(hashlib.sha256(f"{told.chapter}\0{told.title}\0{number}".encode()).digest()[:4])
    sky = mixed(theme.colors[number % len(theme.colors)], NIGHT, 0.72)
    made = Scene(WIDTH, HEIGHT, sky, told.title, language=video.language)
    made.add(*(_land, _sea, _stars)[number % 3](theme, number, seed))
    return made


def _sky(theme: Theme, number: int) -> Iterator[Item]:
    """From night above to what is left of the day."""
    color, glow = theme.colors[number % len(theme.colors)], theme.colors[(number + 2) % len(theme.colors)]
    bands = 36
    for band in range(bands):
        part = band / (bands - 1)
        shade = mixed(mixed(color, NIGHT, 0.82), mixed(mixed(glow, "#ffd9a0", 0.4), NIGHT, 0.3), part**2.2)
        yield rectangle(Box(-10, HEIGHT * 0.8 * band / bands, WIDTH + 20, HEIGHT * 0.8 / bands + 1.5), shade)


def _sun(x: float, y: float, radius: float, color: str) -> Iterator[Item]:
    for step in range(6, 0, -1):
        far = radius * (1 + 0.28 * step)
        yield oval(Box(x - far, y - far, 2 * far, 2 * far), color + "12")
    yield oval(Box(x - radius, y - radius, 2 * radius, 2 * radius), mixed(color, "#ffffff", 0.35))


def _land(theme: Theme, number: int, seed: int) -> Iterator[Item]:
    yield from _sky(theme, number)
    glow = mixed(theme.colors[(number + 2) % len(theme.colors)], "#ffe2b0", 0.6)
    yield from _sun(WIDTH * (0.25 + 0.5 * (seed % 97) / 97), HEIGHT * 0.42, 58, glow)
    for ridge, (top, swing) in enumerate(((0.5, 46), (0.6, 38), (0.71, 30), (0.83, 22))):
        color = mixed(
            mixed(theme.colors[number % len(theme.colors)], glow, 0.4 - 0.12 * ridge), NIGHT, 0.42 + 0.15 * ridge
        )
        yield hills(WIDTH, HEIGHT, HEIGHT * top, swing, (seed % 1000) / 61 + ridge * 1.7, color)


def _sea(theme: Theme, number: int, seed: int) -> Iterator[Item]:
    yield from _sky(theme, number)
    x, glow = (
        WIDTH * (0.3 + 0.4 * (seed % 89) / 89),
        mixed(theme.colors[(number + 1) % len(theme.colors)], "#ffffff", 0.65),
    )
    yield from _sun(x, HEIGHT * 0.3, 46, glow)
    water = mixed(theme.colors[number % len(theme.colors)], NIGHT, 0.68)
    top = HEIGHT * 0.56
    yield hills(WIDTH, HEIGHT * 0.575, HEIGHT * 0.52, 14, (seed % 500) / 37, mixed(water, NIGHT, 0.5))
    yield rectangle(Box(-10, top, WIDTH + 20, HEIGHT), water)
    for row in range(26):
        y = top + 5 + row * row * 0.42 + row * 1.6
        wide = 34 + row * 9.0 + 26 * math.sin(seed % 31 + row * 1.9)
        off = 26 * math.sin(row * 2.3 + seed % 17)
        yield line([(x - wide + off, y), (x + wide + off, y)], mixed(glow, water, 0.25 + 0.025 * row), 1.4 + row * 0.09)
    yield rectangle(Box(-10, HEIGHT * 0.56, WIDTH + 20, 2.5), mixed(glow, water, 0.6))


def _stars(theme: Theme, number: int, seed: int) -> Iterator[Item]:
    """Stars, and the paths of something around a light."""
    deep = mixed(theme.colors[number % len(theme.colors)], NIGHT, 0.8)
    yield rectangle(Box(-10, -10, WIDTH + 20, HEIGHT + 20), deep)
    for star in range(150):
        x, y = (star * 283.7 + seed % 401) % WIDTH, (star * 157.3 + seed % 211) % HEIGHT
        size = 1.0 + (star * 7 + seed) % 5 * 0.5
        yield oval(Box(x, y, size, size), mixed("#ffffff", deep, 0.15 + 0.12 * (star % 5)))
    x, y = WIDTH * (0.34 + 0.3 * (seed % 83) / 83), HEIGHT * 0.44
    glow = mixed(theme.colors[(number + 1) % len(theme.colors)], "#ffe9c4", 0.5)
    for ring in range(5):
        wide, high = 170.0 + 120 * ring, 62.0 + 46 * ring
        yield _path(x, y, wide, high, mixed(glow, deep, 0.45 + 0.1 * ring))
        turn = seed % 100 / 16 + ring * 1.9
        px, py, size = x + wide * math.cos(turn), y + high * math.sin(turn), 9.0 + 4 * (ring % 3)
        color = mixed(theme.colors[(number + ring) % len(theme.colors)], "#ffffff", 0.3)
        yield oval(Box(px - size, py - size, 2 * size, 2 * size), color)
    yield from _sun(x, y, 34, glow)


def _path(x: float, y: float, wide: float, high: float, stroke: str) -> Item:
    points = [
        (x + wide * math.cos(turn * math.pi / 36), y + high * math.sin(turn * math.pi / 36)) for turn in range(72)
    ]
    return polygon(points, None, stroke, 1.3)


def written_over(video: VideoOverview, theme: Theme, stills: Stills, number: int, said: int, caption: str) -> Scene:
    """What stands still over the picture: bars, the title, a card where there is something to see, what is said."""
    told = video.scenes[number]
    made = Scene(WIDTH, HEIGHT, CLEAR, told.title, language=video.language)
    made.add(rectangle(Box(0, 0, WIDTH, BAR), "#000000"), rectangle(Box(0, HEIGHT - BAR, WIDTH, BAR), "#000000"))
    on = NIGHT
    if told.kind == "opening":
        made.add(rectangle(TITLE, GROUND, 6))
        inner = TITLE.inner(44, 26)
        title = fit_text(told.title, theme.head, True, sizes(64, 28), inner.width, inner.height * 0.7)
        below = fit_text(told.subtitle, theme.body, False, sizes(22, 15), inner.width, inner.height * 0.3)
        y = inner.y + (inner.height - title.height - below.height - 16) / 2
        write_text(made, title, inner, y, WHITE, theme.head, True, on)
        write_text(made, below, inner, y + title.height + 16, DIM, theme.body, False, on)
    elif told.kind == "closing" or (told.block is not None and not isinstance(told.block, ListBlock | QuoteBlock)):
        title = fit_text(told.title, theme.head, True, [24.0, 16.0], WIDTH - 220, BAR)
        write_text(
            made, title, Box(110, 0, WIDTH - 220, BAR), (BAR - title.height) / 2, WHITE, theme.head, True, "#000000"
        )
        stills.card_over(number, said, made, CARD)
    elif said == 0:
        inner = PLATE.inner(26, 12)
        title = fit_text(told.title, theme.head, True, sizes(44, 22), inner.width, inner.height)
        type = type_of(theme.head, True)
        wide = max((type.width(said, title.size) for lines in title.paragraphs for said in lines), default=0.0)
        made.add(rectangle(Box(PLATE.x, PLATE.y, min(PLATE.width, wide + 56), PLATE.height), GROUND, 6))
        write_text(made, title, inner, inner.y + (inner.height - title.height) / 2, WHITE, theme.head, True, on)
    if caption:
        write_caption(made, CAPTION, caption, theme.body, WHITE, GROUND)
    return made
