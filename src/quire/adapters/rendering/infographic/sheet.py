"""The whole sheet: a header, cards that share what is left, and the sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from quire.adapters.rendering.colors import mixed, readable
from quire.adapters.rendering.fitting import LINE, fitted, is_right_to_left, laid, shortened, sizes
from quire.adapters.rendering.infographic.arranging import Arranged, arranged
from quire.adapters.rendering.infographic.blocks import Manner, Sketch, sketched
from quire.adapters.rendering.infographic.cards import PADDING, backdrop, card
from quire.adapters.rendering.infographic.themes import THEMES, Theme, color_of, fill_of, style_of
from quire.adapters.rendering.scene import Box, Item, Outline, Scene, Words, rectangle
from quire.adapters.rendering.typefaces import type_of
from quire.domain.artifacts import Orientation
from quire.domain.grounding import Statement
from quire.domain.infographics import Block, Infographic

SIZES: dict[Orientation, tuple[float, float]] = {
    "landscape": (1280.0, 800.0),
    "portrait": (800.0, 1280.0),
    "square": (1000.0, 1000.0),
}
MARGIN = 36.0
SCALES = [1.7, 1.55, 1.42, 1.3, 1.2, 1.1, 1.02, 0.95, 0.88, 0.82, 0.76]
# How empty cards may be before a smaller scale is better, a step.
SMALLER = 0.12
LARGER = (1.4, 1.28, 1.18, 1.1, 1.04, 1.0)
FOOT_SIZE = 10.5
ABOVE = 0.95

# The heights of cards by block, width and scale; the blocks are kept, so that no other gets the id of one of them.
_Heights = dict[tuple[int, float, float], tuple[float, Block]]


@dataclass
class _Numbers:
    """The sources by number, in the order in which they come."""

    numbers: dict[str, int] = field(default_factory=dict)
    titles: list[str] = field(default_factory=list)

    def mark(self, statement: Statement) -> str:
        found = []
        for grounds in statement.grounds:
            if grounds.source_id not in self.numbers:
                self.numbers[grounds.source_id] = len(self.numbers) + 1
                self.titles.append(grounds.source_title)
            if self.numbers[grounds.source_id] not in found:
                found.append(self.numbers[grounds.source_id])
        return f"[{', '.join(map(str, found))}]" if found else ""


def sheet_of(infographic: Infographic) -> Scene:
    """Everything at the largest scale at which it fits. What does not fit at the smallest is left out: whole items, the
    last ones first."""
    theme = THEMES[style_of(infographic)]
    width, height = SIZES[infographic.orientation]
    scene = Scene(width, height, theme.paper, infographic.title, infographic.subtitle, infographic.language)
    scene.add(*backdrop(theme, width, height))
    numbers = _Numbers()
    blocks = list(infographic.blocks)
    for block in blocks:
        sketched(block, 400, Manner(theme, theme.paper, theme.colors[0], 1.0, numbers.mark))
    feet = _footer(infographic, numbers.titles or infographic.sources, theme, width)
    body = _header(scene, infographic, theme)
    if body.x > MARGIN:
        blocks = _quoted_beside(scene, blocks, theme, body.x - theme.gap - MARGIN, height - feet.height, numbers)
    body = Box(body.x, body.y, body.width, height - MARGIN - feet.height - body.y)
    placed = _fit(blocks, theme, body, numbers)
    for place, (block, box, scale) in enumerate(placed):
        scene.add(*card(theme, box, place))
        across, above, below = PADDING[theme.card]
        made = _filling(block, box, theme, place, scale, numbers)
        spare = box.height - above - below - made.y
        down = above + (spare / 2 if theme.arrangement == "rows" and spare > 0 and len(placed) > 1 else 0)
        scene.add(*(moved(item, box.x + across, box.y + down) for item in made.items))
    for place, said in enumerate(feet.lines):
        y = height - MARGIN + 14 - feet.height + FOOT_SIZE * (ABOVE + LINE * place)
        color = readable(theme.muted, theme.paper, 4.5)
        scene.add(Words(MARGIN, y, said, FOOT_SIZE, color, theme.body, on=theme.paper))
    return scene


def _quoted_beside(
    scene: Scene, blocks: list[Block], theme: Theme, width: float, bottom: float, numbers: _Numbers
) -> list[Block]:
    """A quote goes under a title that stands beside the cards, where it fits; the blocks that are left."""
    place = next((place for place, block in enumerate(blocks) if block.kind == "quote"), None)
    if place is None or len(blocks) == 1:
        return blocks
    top = max(item.y for item in scene.words) + 70
    for scale in SCALES:
        made = sketched(blocks[place], width, Manner(theme, theme.paper, theme.colors[0], scale, numbers.mark))
        if top + made.y <= bottom - MARGIN:
            scene.add(*(moved(item, MARGIN, bottom - MARGIN - made.y) for item in made.items))
            return [*blocks[:place], *blocks[place + 1 :]]
    return blocks


def _on_card(
    block: Block, width: float, theme: Theme, place: int, scale: float, numbers: _Numbers, room: float = 0.0
) -> Sketch:
    across = PADDING[theme.card][0]
    manner = Manner(theme, fill_of(theme, place), color_of(theme, place), scale, numbers.mark, room)
    return sketched(block, width - 2 * across, manner)


def _filling(block: Block, box: Box, theme: Theme, place: int, scale: float, numbers: _Numbers) -> Sketch:
    """A block that was given more room than it needs is written larger, and a chart is drawn higher."""
    _, above, below = PADDING[theme.card]
    high = box.height - above - below
    for more in LARGER:
        made = _on_card(block, box.width, theme, place, scale * more, numbers)
        if made.y <= high + 0.01:
            break
    if block.kind == "chart" and made.y < high:
        return _on_card(block, box.width, theme, place, scale * more, numbers, high - made.y)
    return made


def _fit(blocks: Sequence[Block], theme: Theme, body: Box, numbers: _Numbers) -> list[tuple[Block, Box, float]]:
    """At the largest scale at which all fits, or at one of the next where cards are less empty."""
    blocks = list(blocks)
    known: _Heights = {}
    while _at_scale(blocks, theme, body, SCALES[-1], numbers, known) is None:
        sketches = (_on_card(block, body.width / 2, theme, 0, SCALES[-1], numbers) for block in blocks)
        blocks = less(blocks, [made.y for made in sketches])
    found = ((_at_scale(blocks, theme, body, scale, numbers, known), scale) for scale in SCALES)
    fits = list(islice(((made, scale) for made, scale in found if made is not None), 3))
    _, made, scale = min(
        ((made.waste + SMALLER * place, made, scale) for place, (made, scale) in enumerate(fits)),
        key=lambda one: one[0],
    )
    return [(block, box, scale) for block, box in zip(blocks, made.boxes, strict=True)]


def _at_scale(
    blocks: Sequence[Block], theme: Theme, body: Box, scale: float, numbers: _Numbers, known: _Heights
) -> Arranged | None:
    _, above, below = PADDING[theme.card]

    def height(place: int, width: float) -> float:
        key = (id(blocks[place]), round(width, 1), scale)
        if key not in known:
            made = _on_card(blocks[place], width, theme, place, scale, numbers)
            known[key] = (made.y + above + below, blocks[place])
        return known[key][0]

    return arranged(theme.arrangement, len(blocks), body, theme.gap, height, least=210 * min(1.0, scale) + 40)


def less(blocks: list[Block], heights: Sequence[float]) -> list[Block]:
    """Without the last items of the highest block that has several, or without the last block."""
    for place in sorted(range(len(blocks)), key=lambda place: -heights[place]):
        block = blocks[place]
        for name in ("items", "events", "steps", "figures"):
            some = getattr(block, name, None)
            if some and len(some) > 1:
                return [
                    *blocks[:place],
                    block.model_copy(update={name: some[: _fewer(len(some))]}),
                    *blocks[place + 1 :],
                ]
        table = getattr(block, "table", None)
        if table is not None and len(table.rows) > 1:
            shorter = table.model_copy(update={"rows": table.rows[: _fewer(len(table.rows))]})
            return [*blocks[:place], block.model_copy(update={"table": shorter}), *blocks[place + 1 :]]
    if len(blocks) > 1:
        return blocks[:-1]
    return [_cut(blocks[0])]


def _fewer(count: int) -> int:
    """One less, and of many about a fifth less."""
    return max(1, min(count - 1, count * 4 // 5))


def _cut(block: Block) -> Block:
    """A block of one statement that is too long for the sheet: its beginning, and seen to be one."""
    data = block.model_dump()

    def shorter(value: object) -> object:
        if isinstance(value, dict):
            return {
                key: part[: len(part) * 3 // 4].rstrip() + "…"
                if isinstance(part, str) and key in ("text", "heading", "label") and len(part) > 80
                else part
                if key == "grounds"
                else shorter(part)
                for key, part in value.items()
            }
        if isinstance(value, list):
            return [
                part[: len(part) * 3 // 4] + "…" if isinstance(part, str) and len(part) > 40 else shorter(part)
                for part in value
            ]
        return value

    made: Block = type(block).model_validate(shorter(data))
    return made


@dataclass(frozen=True)
class _Feet:
    lines: tuple[str, ...]

    @property
    def height(self) -> float:
        return len(self.lines) * FOOT_SIZE * LINE + 12


def _footer(infographic: Infographic, titles: Sequence[str], theme: Theme, width: float) -> _Feet:
    type = type_of(theme.body)
    parts = [f"[{number}] {title}" for number, title in enumerate(titles, 1)]
    said = f"{infographic.sources_heading}: {' · '.join(parts)}" if parts else ""
    wide = width - 2 * MARGIN
    lines = list(laid([said], type, FOOT_SIZE, wide).paragraphs[0]) if said else []
    if len(lines) > 2:
        lines = [lines[0], shortened(" ".join(lines[1:]), type, FOOT_SIZE, wide)]
    if infographic.remark:
        lines.append(shortened(infographic.remark, type, FOOT_SIZE, wide))
    return _Feet(tuple(lines))


def _header(scene: Scene, infographic: Infographic, theme: Theme) -> Box:
    """Draws title and subtitle; what is left of the sheet below or beside them."""
    width, height = scene.width, scene.height
    beside = theme.header == "beside" and infographic.orientation == "landscape"
    wide = width * 0.25 - MARGIN if beside else width - 2 * MARGIN
    high = height * 0.42 if beside else height * 0.125
    largest = 44.0 if not beside else 46.0
    named = infographic.headline or infographic.title
    title = fitted([named], type_of(theme.head, True), sizes(largest, 20), wide, high)
    if title is None:
        kept = shortened(named, type_of(theme.head, True), 20, wide * 2.8)
        title = laid([kept], type_of(theme.head, True), 20, wide)
    sub_high = height * 0.3 if beside else 66.0
    sub = fitted([infographic.subtitle], type_of(theme.body), sizes(18, 12), wide, sub_high)
    if sub is None:
        kept = shortened(infographic.subtitle, type_of(theme.body), 12, wide * 2.5)
        sub = laid([kept], type_of(theme.body), 12, wide)
    subtitle_lines = sub.paragraphs[0] if infographic.subtitle.strip() else ()
    whole = title.height + (8 + len(subtitle_lines) * sub.size * LINE if subtitle_lines else 0)
    ground = theme.banner or theme.paper
    top = MARGIN
    if theme.banner:
        scene.add(rectangle(Box(0, 0, width, whole + MARGIN + 26), theme.banner))
        scene.add(rectangle(Box(0, whole + MARGIN + 26, width, 5), theme.colors[2 % len(theme.colors)]))
    color = readable(theme.on_banner if theme.banner else theme.ink, ground)
    soft = readable(mixed(color, ground, 0.18), ground)
    middle = theme.header == "middle"
    y = top
    for said in title.paragraphs[0]:
        _line(scene, said, title.size, y, wide, color, theme, True, middle, ground)
        y += title.size * LINE
    y += 8 if subtitle_lines else 0
    for said in subtitle_lines:
        _line(scene, said, sub.size, y, wide, soft, theme, False, middle, ground)
        y += sub.size * LINE
    if beside:
        scene.add(rectangle(Box(MARGIN, y + 14, 64, 6), theme.colors[0]))
        x = MARGIN + wide + theme.gap
        return Box(x, MARGIN + 6, width - MARGIN - x, 0)
    below = y + (46 if theme.banner else 24 if theme.card in ("brick", "cute") else 18)
    return Box(MARGIN, below, width - 2 * MARGIN, 0)


def _line(
    scene: Scene,
    said: str,
    size: float,
    y: float,
    wide: float,
    color: str,
    theme: Theme,
    bold: bool,
    middle: bool,
    on: str,
) -> None:
    from_right = is_right_to_left(said)
    x = scene.width / 2 if middle else MARGIN + wide if from_right else MARGIN
    anchor = "middle" if middle else "end" if from_right else "start"
    face = theme.head if bold else theme.body
    scene.add(Words(x, y + size * ABOVE, said, size, color, face, bold, anchor, from_right, on))  # type: ignore[arg-type]


def moved(item: Item, x: float, y: float) -> Item:
    if isinstance(item, Words):
        return replace(item, x=item.x + x, y=item.y + y)
    steps = tuple((name, tuple((px + x, py + y) for px, py in points)) for name, points in item.steps)
    return Outline(steps, item.fill, item.stroke, item.thickness, item.dash)
