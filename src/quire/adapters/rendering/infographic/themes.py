"""The looks of infographics and videos: colours, type, cards, what is behind them, and how they share the sheet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from quire.adapters.rendering.typefaces import Typeface
from quire.domain.infographics import Infographic, Style

CardForm = Literal[
    "plain", "rule", "sketch", "round", "brick", "clay", "comic", "cute", "framed", "tile", "step",
    "ornate", "cut", "wash", "print",
]  # fmt: skip
Backdrop = Literal[
    "none", "dots", "graph", "speed", "hearts", "blobs", "wall", "band",
    "corner", "board", "parchment", "layers", "washes", "halftone",
]  # fmt: skip
Arrangement = Literal["columns", "rows"]
HeaderForm = Literal["band", "left", "middle", "beside"]


@dataclass(frozen=True)
class Theme:
    paper: str
    ink: str
    muted: str
    colors: tuple[str, ...]
    # What cards are filled with, one after the other.
    cards: tuple[str, ...]
    head: Typeface
    body: Typeface
    card: CardForm
    backdrop: Backdrop
    arrangement: Arrangement = "columns"
    header: HeaderForm = "left"
    # The ground of the header where it has one, and what is written on it.
    banner: str | None = None
    on_banner: str = "#ffffff"
    radius: float = 8.0
    line: str = "#1f2937"
    gap: float = 18.0


THEMES: dict[Style, Theme] = {
    "professional": Theme(
        paper="#f4f6f9", ink="#1f2937", muted="#55606e", colors=("#1d4e89", "#0f766e", "#b45309", "#9d174d", "#4c1d95"),
        cards=("#ffffff",), head="sans", body="sans", card="plain", backdrop="none", header="band",
        banner="#16324f", on_banner="#ffffff", radius=6,
    ),
    "bento_grid": Theme(
        paper="#ece9e4", ink="#1c1917", muted="#57534e", colors=("#c2410c", "#4d7c0f", "#1d4ed8", "#a21caf", "#0e7490"),
        cards=("#ffffff", "#fde8d7", "#e4efd2", "#dbe7ff", "#f7e1f4"), head="round", body="sans", card="tile",
        backdrop="none", arrangement="rows", header="left", radius=22, gap=14,
    ),
    "sketch_note": Theme(
        paper="#fdfaf1", ink="#2b2b2b", muted="#5a5a5a", colors=("#b3261e", "#1f5f8b", "#2e7d32", "#8a4b00", "#6a1b9a"),
        cards=("#fffdf6",), head="hand", body="hand", card="sketch", backdrop="dots", header="middle", line="#2b2b2b",
    ),
    "editorial": Theme(
        paper="#fbf7f0", ink="#211d18", muted="#665e52", colors=("#9b1c1c", "#1f3a5f", "#6b4f1d", "#3f5b36", "#5b2a4f"),
        cards=("#fbf7f0",), head="serif", body="serif", card="rule", backdrop="none", header="beside", radius=0,
        line="#211d18", gap=26,
    ),
    "instructional": Theme(
        paper="#eef6f6", ink="#12302f", muted="#48605f", colors=("#0b6e6e", "#b4470b", "#3456a4", "#7a3e9d", "#4b7320"),
        cards=("#ffffff",), head="sans", body="sans", card="step", backdrop="none", arrangement="rows", header="band",
        banner="#0b4f50", on_banner="#ffffff", radius=10, gap=22,
    ),
    "bricks": Theme(
        paper="#fff3d6", ink="#241c15", muted="#5f5244", colors=("#b71c1c", "#0d47a1", "#1b5e20", "#8a3f00", "#4a148c"),
        cards=("#ffd9d2", "#d4e4ff", "#d8f0d3", "#ffe8b3", "#e8dcfb"), head="round", body="round", card="brick",
        backdrop="wall", arrangement="rows", header="middle", radius=4, line="#241c15", gap=16,
    ),
    "clay": Theme(
        paper="#efe3da", ink="#3b2a24", muted="#6b544a", colors=("#a83f2b", "#2f6f6d", "#7a5c12", "#7b3f73", "#3c5a99"),
        cards=("#fbf1e9", "#f7e3d8", "#e3efea", "#f5ecd2"), head="round", body="round", card="clay", backdrop="blobs",
        header="middle", radius=26, gap=22,
    ),
    "anime": Theme(
        paper="#e9f3ff", ink="#14122b", muted="#4a4766", colors=("#d6004f", "#2a2fb8", "#006d77", "#a34400", "#7a0bc0"),
        cards=("#ffffff", "#fff6c9", "#ffe6f0", "#e2fbff"), head="round", body="round", card="comic", backdrop="speed",
        arrangement="rows", header="left", radius=0, line="#14122b", gap=18,
    ),
    "kawaii": Theme(
        paper="#fff1f6", ink="#4a2c3f", muted="#7a5169", colors=("#c2185b", "#5e4ab8", "#00796b", "#b35300", "#1565c0"),
        cards=("#ffffff", "#fff8e1", "#eef7ff", "#f3efff"), head="round", body="round", card="cute", backdrop="hearts",
        header="middle", radius=24, line="#f3a8c4", gap=20,
    ),
    "scientific": Theme(
        paper="#ffffff", ink="#101820", muted="#4b5563", colors=("#0b3d91", "#a61c1c", "#146c43", "#7a4b00", "#5b21b6"),
        cards=("#ffffff",), head="serif", body="sans", card="framed", backdrop="graph", header="left", radius=0,
        line="#101820", gap=16,
    ),
}  # fmt: skip


def fill_of(theme: Theme, place: int) -> str:
    return theme.cards[place % len(theme.cards)]


def color_of(theme: Theme, place: int) -> str:
    return theme.colors[place % len(theme.colors)]


def style_of(infographic: Infographic) -> Style:
    """The style that was chosen, or the one that fits what there is to show."""
    if infographic.style != "auto":
        return infographic.style
    kinds = [block.kind for block in infographic.blocks]
    if "steps" in kinds:
        return "instructional"
    if kinds.count("chart") + kinds.count("comparison") >= 2:
        return "scientific"
    if "figures" in kinds and len(kinds) >= 4:
        return "bento_grid"
    if kinds.count("quote") * 2 >= len(kinds):
        return "editorial"
    return "professional"
