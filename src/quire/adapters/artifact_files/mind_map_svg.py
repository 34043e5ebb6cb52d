"""Mind maps as a drawing: the root at the left, branches to the right of it, each in a colour of its own."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape as escaped
from pathlib import Path
from textwrap import wrap
from xml.etree import ElementTree

from quire.adapters.office.parsing import writable
from quire.domain.mind_maps import MindMap, MindMapNode
from quire.ports.artifact_files import Progress

LETTER, BOLD_LETTER, LINE, PAD_X, PAD_Y = 7.8, 9.0, 18.0, 12.0, 8.0
GAP_X, GAP_Y, MARGIN = 56.0, 12.0, 28.0
WIDEST = 30
# The root and its branches are filled, with bold letters.
BOLD_DEPTH = 2
COLOURS = ("#2457a6", "#1d7a46", "#9a4d00", "#7a2d8c", "#a32a2a", "#00697a", "#5b5b00", "#3f4a8a")


@dataclass
class Box:
    """Where a node is drawn: its upper left corner and its size."""

    node: MindMapNode
    lines: list[str]
    depth: int
    width: float
    height: float
    x: float = 0.0
    y: float = 0.0
    children: list[Box] = field(default_factory=list)

    def walk(self) -> Iterator[Box]:
        yield self
        for child in self.children:
            yield from child.walk()


def make(map: MindMap, path: Path, progress: Progress) -> None:
    path.write_text(drawing(map), encoding="utf-8")


def check(path: Path, map: MindMap) -> None:
    tree = ElementTree.fromstring(path.read_bytes())  # noqa: S314 - our own file
    boxes = tree.findall(".//{http://www.w3.org/2000/svg}rect")
    if len(boxes) != sum(1 for _ in map.root.walk()):
        raise ValueError("a node is missing")


def drawing(map: MindMap) -> str:
    root = _box(map.root, 0)
    _place(root)
    boxes = list(root.walk())
    width = max(box.x + box.width for box in boxes) + MARGIN
    height = max(box.y + box.height for box in boxes) + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" font-family="system-ui, Segoe UI, Roboto, Noto Sans, sans-serif" font-size="14">',
        f"<title>{escape(map.title)}</title>",
        f'<path d="M0 0H{width:.0f}V{height:.0f}H0Z" fill="#ffffff"/>',
    ]
    for place, branch in enumerate(root.children):
        colour = COLOURS[place % len(COLOURS)]
        parts.append(_line(root, branch, colour))
        for box in branch.walk():
            parts += [_line(box, child, colour) for child in box.children]
    for place, branch in enumerate(root.children):
        parts += [_drawn(box, COLOURS[place % len(COLOURS)]) for box in branch.walk()]
    parts.append(_drawn(root, "#1c2430"))
    return "\n".join([*parts, "</svg>"]) + "\n"


def columns(text: str) -> int:
    """How wide a text is, in letters: those of East Asian scripts count twice."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def escape(text: str) -> str:
    return escaped(writable(text))


def _box(node: MindMapNode, depth: int) -> Box:
    lines = wrap(node.name, WIDEST, break_long_words=True) or [node.name]
    wide = max(columns(line) for line in lines)
    letter = BOLD_LETTER if depth < BOLD_DEPTH else LETTER
    box = Box(node, lines, depth, wide * letter + 2 * PAD_X, len(lines) * LINE + 2 * PAD_Y)
    box.children = [_box(child, depth + 1) for child in node.children]
    return box


def _place(root: Box) -> None:
    """Columns by depth, as wide as their widest; below each other, parents in the middle of their children."""
    widths: dict[int, float] = {}
    for box in root.walk():
        widths[box.depth] = max(widths.get(box.depth, 0.0), box.width)
    left = {0: MARGIN}
    for depth in range(1, len(widths)):
        left[depth] = left[depth - 1] + widths[depth - 1] + GAP_X
    at = MARGIN

    def down(box: Box) -> None:
        nonlocal at
        box.x = left[box.depth]
        if not box.children:
            box.y = at
            at += box.height + GAP_Y
            return
        first = at
        for child in box.children:
            down(child)
        middle = (box.children[0].y + box.children[-1].y + box.children[-1].height) / 2
        box.y = max(first, middle - box.height / 2)
        at = max(at, box.y + box.height + GAP_Y)

    down(root)


def _line(start: Box, end: Box, colour: str) -> str:
    x, y = start.x + start.width, start.y + start.height / 2
    to_x, to_y = end.x, end.y + end.height / 2
    middle = (x + to_x) / 2
    path = f"M{x:.1f} {y:.1f}C{middle:.1f} {y:.1f} {middle:.1f} {to_y:.1f} {to_x:.1f} {to_y:.1f}"
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2" opacity="0.55"/>'


def _drawn(box: Box, colour: str) -> str:
    filled = box.depth < BOLD_DEPTH
    fill, ink = (colour, "#ffffff") if filled else ("#ffffff", "#1c2430")
    weight = ' font-weight="600"' if filled else ""
    lines = "".join(
        f'<text x="{box.x + PAD_X:.1f}" y="{box.y + PAD_Y + LINE * (at + 0.75):.1f}" fill="{ink}"{weight}>'
        f"{escape(line)}</text>"
        for at, line in enumerate(box.lines)
    )
    told = f"<title>{escape(box.node.statement.text)}</title>" if box.node.statement else ""
    return (
        f'<g>{told}<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="8" '
        f'fill="{fill}" stroke="{colour}"/>{lines}</g>'
    )
