"""How decks look: the size of a slide, its colours, and where things stand, in points."""

from __future__ import annotations

from typing import Literal

from quire.adapters.rendering.scene import Box

WIDTH, HEIGHT = 960.0, 540.0

PAPER, INK, MUTED, RULE, BAND = "#ffffff", "#1d2733", "#586273", "#d5dbe3", "#f3f6f9"
DARK, ON_DARK, DIM_ON_DARK, SPARK = "#14213d", "#ffffff", "#c9d3e6", "#f2b134"
ACCENT, MIDNIGHT = "#0f766e", "#1c2d52"
CHART = ("#0f766e", "#b45309", "#1d4ed8", "#be123c", "#6d28d9", "#475569")

LayoutName = Literal[
    "title", "section", "bullets", "columns", "quote", "table", "chart", "chart_only", "figures", "closing"
]

LEFT, TOP, ACROSS, DOWN = 48.0, 122.0, 864.0, 350.0
HEAD = Box(LEFT, 30, ACROSS, 70)
BODY = Box(LEFT, TOP, ACROSS, DOWN)
FOOT = Box(LEFT, 497, 780, 20)
NUMBER = Box(852, 497, 60, 20)
# A short line under the title.
STROKE = Box(LEFT, 104, 56, 4)

QUOTE_MARK = Box(LEFT - 4, 116, 60, 110)
QUOTE_BAR = Box(108, 140, 5, 250)

# Where each layout has its texts, by the names of its placeholders.
PLACES: dict[LayoutName, dict[str, Box]] = {
    "title": {"title": Box(84, 120, 792, 190), "subtitle": Box(84, 334, 792, 110)},
    "section": {"title": Box(150, 170, 730, 130), "text": Box(150, 318, 730, 110)},
    "bullets": {"title": HEAD, "body": BODY},
    "columns": {
        "title": HEAD,
        "left_heading": Box(LEFT + 16, TOP + 10, 388, 34),
        "left": Box(LEFT + 16, TOP + 54, 388, DOWN - 66),
        "right_heading": Box(LEFT + 460, TOP + 10, 388, 34),
        "right": Box(LEFT + 460, TOP + 54, 388, DOWN - 66),
    },
    "quote": {"title": HEAD, "quote": Box(136, 140, 732, 250), "by": Box(136, 404, 732, 40)},
    "table": {"title": HEAD, "table": BODY},
    "chart": {"title": HEAD, "chart": Box(LEFT, TOP, 570, DOWN), "text": Box(650, TOP + 16, 246, DOWN - 32)},
    "chart_only": {"title": HEAD, "chart": BODY},
    "figures": {"title": HEAD},
    "closing": {"title": HEAD, "body": Box(LEFT, TOP, 520, DOWN), "sources": Box(616, TOP + 14, 280, DOWN - 28)},
}
# The two columns of a slide stand on sheets of their own, and so do what is beside a chart and the sources.
SHEETS: dict[LayoutName, tuple[Box, ...]] = {
    "columns": (Box(LEFT, TOP, 420, DOWN), Box(LEFT + 444, TOP, 420, DOWN)),
    "chart": (Box(634, TOP, 278, DOWN),),
    "closing": (Box(600, TOP, 312, DOWN),),
}
