"""The stills of a video: what is seen of a scene while each of its lines is said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quire.adapters.rendering.colors import mixed, readable
from quire.adapters.rendering.deck_sources import Sources
from quire.adapters.rendering.fitting import LINE, Fitted, fitted, is_right_to_left, laid, shortened, sizes
from quire.adapters.rendering.infographic.blocks import Manner, Sketch, sketched
from quire.adapters.rendering.infographic.cards import PADDING, backdrop, card
from quire.adapters.rendering.infographic.sheet import less, moved
from quire.adapters.rendering.infographic.themes import Theme, color_of, fill_of
from quire.adapters.rendering.scene import Box, Scene, Words, rectangle
from quire.adapters.rendering.typefaces import Typeface, type_of
from quire.adapters.rendering.video.frames import Frame, frame_of
from quire.domain.grounding import Statement
from quire.domain.infographics import Block, ChartBlock, ListBlock, QuoteBlock, StepBlock, TimelineBlock
from quire.domain.video_overviews import VideoOverview, VideoScene

CAPTION_SIZES = sizes(32, 14)
LARGEST_QUOTE = [3.5, 3.2, 2.95]
CHART_SCALE = 2.0
# What is behind these has colours of its own, so that what is written over it needs a ground.
BUSY = ("layers", "halftone", "washes")
SCALES = [2.7, 2.5, 2.3, 2.1, 1.95, 1.8, 1.65, 1.5, 1.38, 1.26, 1.16]
ABOVE = 0.95
MOST_SOURCES = 9
LARGEST_TITLE, SMALLEST_TITLE = 46.0, 26.0
TURNS = 60
LONGEST = 900


class Stills:
    """Draws the scenes of one video, with one numbering of its sources."""

    def __init__(self, video: VideoOverview, theme: Theme, *, captions: bool) -> None:
        self._video = video
        self._theme = theme
        self._captions = captions
        self._frame: Frame = frame_of(video.form)
        self._sources = Sources()
        self._fits: dict[tuple[int, Box], tuple[Block, float]] = {}
        for scene in video.scenes:
            for grounds in scene.grounds():
                self._sources.number(grounds)

    def card_over(self, number: int, said: int, made: Scene, box: Box) -> None:
        """The card of a scene on another ground."""
        self._body(made, self._video.scenes[number], number, said, box)

    def still(self, number: int, said: int, caption: str = "") -> Scene:
        """A scene while the line of that place is said; lists show what was said so far."""
        told = self._video.scenes[number]
        frame = self._frame
        made = Scene(frame.width, frame.height, self._theme.paper, told.title, language=self._video.language)
        made.add(*backdrop(self._theme, frame.width, frame.height))
        if told.kind == "opening":
            self._opening(made, told)
        else:
            self._heading(made, told)
            box = frame.body_over_caption if self._captions else frame.body
            self._body(made, told, number, said, box)
            self._footer(made, told, number)
        if caption and self._captions:
            write_caption(
                made,
                frame.caption,
                caption,
                self._theme.body,
                self._theme.ink,
                mixed(self._theme.paper, "#ffffff", 0.6),
            )
        return made

    @property
    def sources(self) -> Sources:
        return self._sources

    def _opening(self, made: Scene, told: VideoScene) -> None:
        theme = self._theme
        box = self._frame.title.moved(0, -60) if self._captions else self._frame.title
        made.add(*card(theme, box, 0))
        on, inner = fill_of(theme, 0), box.inner(56, 40)
        title = fit_text(told.title, theme.head, True, sizes(62, 26), inner.width, inner.height * 0.66)
        below = fit_text(told.subtitle, theme.body, False, sizes(24, 15), inner.width, inner.height * 0.3)
        gap = 26.0 if told.subtitle else 0.0
        y = inner.y + (inner.height - title.height - below.height - gap) / 2
        write_text(made, title, inner, y, readable(theme.colors[0], on), theme.head, True, on)
        write_text(made, below, inner, y + title.height + gap, readable(theme.muted, on), theme.body, False, on)

    def _heading(self, made: Scene, told: VideoScene) -> None:
        theme, head = self._theme, self._frame.head
        named = told.chapter if told.chapter and told.chapter != told.title else ""
        if named:
            small = shortened(named, type_of(theme.body, True), 19, head.width)
            fit = Fitted(19, ((small,),), 19 * LINE)
            write_text(
                made, fit, head, head.y - 24, readable(theme.colors[1], theme.paper), theme.body, True, theme.paper
            )
        fit = fit_text(told.title, theme.head, True, sizes(LARGEST_TITLE, SMALLEST_TITLE), head.width, head.height)
        y = head.y + (head.height - fit.height) / 2
        write_text(made, fit, head, y, readable(theme.ink, theme.paper), theme.head, True, theme.paper)

    def _body(self, made: Scene, told: VideoScene, number: int, said: int, box: Box) -> None:
        block = told.block or (self._list_of_sources() if told.kind == "closing" else None)
        if block is None:
            return
        made.add(*card(self._theme, box, number))
        across, above, below = PADDING[self._theme.card]
        inner = Box(box.x + across + 14, box.y + above, box.width - 2 * across - 28, box.height - above - below)
        if isinstance(block, ChartBlock):
            scale = CHART_SCALE
            # As high as the card, whatever it would be by itself.
            room = inner.height - self._sketch(block, inner.width, number, scale).y
        else:
            block, scale = self._fitted(block, inner, number)
            room = 0.0
        whole = self._sketch(block, inner.width, number, scale, room)
        shown = (
            whole
            if told.kind == "closing"
            else self._sketch(revealed(block, told, said), inner.width, number, scale, room)
        )
        y = inner.y + max(0.0, inner.height - whole.y) / 2
        made.add(*(moved(item, inner.x, y) for item in shown.items))

    def _fitted(self, block: Block, inner: Box, number: int) -> tuple[Block, float]:
        """At the largest scale at which it fits; what does not fit at the smallest is left out at its end."""
        key = (number, inner)
        if key not in self._fits:
            block = _shorter(block)
            for _ in range(TURNS):
                made = self._sketch(block, inner.width, number, SCALES[-1])
                if made.y <= inner.height:
                    break
                block = less([block], [made.y])[0]
            else:
                block = ListBlock(items=[Statement(text="…")])
            able = [*LARGEST_QUOTE, *SCALES] if isinstance(block, QuoteBlock) else SCALES
            scales = (scale for scale in able if self._sketch(block, inner.width, number, scale).y <= inner.height)
            self._fits[key] = block, next(scales)
        return self._fits[key]

    def _sketch(self, block: Block, width: float, number: int, scale: float, room: float = 0.0) -> Sketch:
        theme = self._theme
        manner = Manner(theme, fill_of(theme, number), color_of(theme, number), scale, self._sources.mark, room)
        return sketched(block, width, manner)

    def _list_of_sources(self) -> Block:
        named = self._sources.listed(self._video.sources)
        shown = [*named[:MOST_SOURCES], *([f"+{len(named) - MOST_SOURCES}"] if len(named) > MOST_SOURCES else [])]
        return ListBlock(items=[Statement(text=one[:300]) for one in shown] or [Statement(text=self._video.title)])

    def _footer(self, made: Scene, told: VideoScene, number: int) -> None:
        theme, frame = self._theme, self._frame
        side, wide, foot = frame.side, frame.width - 2 * frame.side, frame.foot
        color = readable(theme.muted, theme.paper)
        if theme.backdrop in BUSY:
            made.add(rectangle(Box(side - 16, foot - 21, wide + 32, 44), theme.paper, 8))
        if told.kind == "telling":
            numbers = dict.fromkeys(self._sources.number(grounds) for grounds in told.grounds())
            named = " · ".join(f"[{one}] {self._sources.titles[one]}" for one in numbers)
            kept = shortened(named, type_of(theme.body), 16, wide - 120)
            made.add(Words(side, foot, kept, 16, color, theme.body, on=theme.paper))
        count = f"{number + 1} / {len(self._video.scenes)}"
        made.add(Words(side + wide, foot, count, 16, color, theme.body, anchor="end", on=theme.paper))
        done = (number + 1) / len(self._video.scenes)
        made.add(rectangle(Box(side, foot + 11, wide, 3), mixed(theme.paper, theme.ink, 0.15), 1.5))
        made.add(rectangle(Box(side, foot + 11, wide * done, 3), theme.colors[0], 1.5))


def _shorter(block: Block) -> Block:
    """No text of a block is longer than a card could hold."""

    def cut(value: Any) -> Any:
        if isinstance(value, str):
            return value if len(value) <= LONGEST else value[:LONGEST].rstrip() + "…"
        if isinstance(value, dict):
            return {name: part if name == "grounds" else cut(part) for name, part in value.items()}
        return [cut(part) for part in value] if isinstance(value, list) else value

    told = block.model_dump()
    made: Block = type(block).model_validate(cut(told))
    return made


def revealed(block: Block, told: VideoScene, said: int) -> Block:
    """A list that is said item by item, as far as it was said."""
    match block:
        case ListBlock() if len(told.lines) == len(block.items):
            return block.model_copy(update={"items": block.items[: said + 1]})
        case StepBlock() if len(told.lines) == len(block.steps):
            return block.model_copy(update={"steps": block.steps[: said + 1]})
        case TimelineBlock() if len(told.lines) == len(block.events):
            return block.model_copy(update={"events": block.events[: said + 1]})
        case _:
            return block


def steps_of(told: VideoScene) -> int:
    """How many pictures a scene has by itself, without captions."""
    shown = told.block
    items = getattr(shown, "items", None) or getattr(shown, "steps", None) or getattr(shown, "events", None) or ()
    return len(items) if shown is not None and len(items) == len(told.lines) else 1


def captions_of(text: str, face: Typeface, box: Box) -> list[str]:
    """A text in as many captions as it needs, each of whole words."""
    fit = laid([text], type_of(face), CAPTION_SIZES[3], box.width - 32)
    lines = fit.paragraphs[0]
    most = max(1, int(box.height // (CAPTION_SIZES[3] * LINE)))
    groups = -(-len(lines) // most) or 1
    return [" ".join(lines[len(lines) * at // groups : len(lines) * (at + 1) // groups]) for at in range(groups)]


def write_caption(made: Scene, box: Box, text: str, face: Typeface, ink: str, ground: str) -> None:
    made.add(rectangle(box, ground, 8))
    fit = fit_text(text, face, False, CAPTION_SIZES, box.width - 32, box.height - 6)
    y = box.y + (box.height - fit.height) / 2
    on = ground[:7]
    for lines in fit.paragraphs:
        for line in lines:
            middle = box.x + box.width / 2
            base = y + fit.size * ABOVE
            made.add(
                Words(
                    middle, base, line, fit.size, readable(ink, on), face, False, "middle", is_right_to_left(line), on
                )
            )
            y += fit.size * LINE


def fit_text(text: str, face: Typeface, bold: bool, able: Sequence[float], width: float, height: float) -> Fitted:
    """A text at the largest size at which it fits; at the smallest, what is too much is left out, and seen to be."""
    if not text.strip():
        return Fitted(able[-1], (), 0.0)
    type, size = type_of(face, bold), able[-1]
    text = text if len(text) <= LONGEST else text[:LONGEST] + "…"
    made = fitted([text], type, able, width, height)
    if made is not None:
        return made
    lines = list(laid([text], type, size, width).paragraphs[0][: max(1, int(height // (size * LINE)))])
    lines[-1] = shortened(lines[-1] + " …" + "x" * 400, type, size, width).split("x" * 3)[0].rstrip("…x ") + "…"
    return Fitted(size, (tuple(lines),), len(lines) * size * LINE)


def write_text(made: Scene, fit: Fitted, box: Box, y: float, color: str, face: Typeface, bold: bool, on: str) -> None:
    for lines in fit.paragraphs:
        from_right = is_right_to_left(lines[0] if lines else "")
        for line in lines:
            x, anchor = (box.right, "end") if from_right else (box.x, "start")
            made.add(Words(x, y + fit.size * ABOVE, line, fit.size, color, face, bold, anchor, from_right, on))  # type: ignore[arg-type]
            y += fit.size * LINE
