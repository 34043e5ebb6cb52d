"""Colours as #rrggbb, and how well one is read on another."""

from __future__ import annotations

from functools import cache

# What WCAG's level AA asks for: of text, and of large text.
READABLE, LARGE_READABLE = 4.5, 3.0


def channels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def luminance(color: str) -> float:
    parts = [channel / 255 for channel in channels(color)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def mixed(color: str, other: str, part: float) -> str:
    """The colour with so much of the other in it."""
    made = (round(a + (b - a) * part) for a, b in zip(channels(color), channels(other), strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in made)


@cache
def readable(color: str, on: str, least: float = READABLE) -> str:
    """The colour, made as much darker or lighter as it takes to be read on another."""
    towards = "#000000" if luminance(on) > 0.18 else "#ffffff"
    for part in range(0, 21):
        made = mixed(color, towards, part / 20)
        if contrast(made, on) >= least:
            return made
    return towards
