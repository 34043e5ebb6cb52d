"""The frames of videos: how large a picture is, and where things stand in it."""

from __future__ import annotations

from dataclasses import dataclass

from quire.adapters.rendering.scene import Box
from quire.domain.video_overviews import VideoForm


@dataclass(frozen=True)
class Frame:
    """`title` is the card of the opening; `caption` is where what is said is written, where no voice speaks it."""

    width: float
    height: float
    side: float
    head: Box
    body: Box
    title: Box
    caption: Box
    foot: float

    @property
    def body_over_caption(self) -> Box:
        return Box(self.body.x, self.body.y, self.body.width, self.caption.y - self.body.y - 26)


WIDE = Frame(
    1280.0, 720.0, 72.0,
    head=Box(72, 62, 1136, 88), body=Box(80, 176, 1120, 464), title=Box(150, 190, 980, 330),
    caption=Box(80, 574, 1120, 76), foot=682.0,
)  # fmt: skip
# As on a telephone that is held upright.
UPRIGHT = Frame(
    720.0, 1280.0, 48.0,
    head=Box(48, 120, 624, 150), body=Box(56, 310, 608, 820), title=Box(60, 400, 600, 460),
    caption=Box(48, 1040, 624, 124), foot=1212.0,
)  # fmt: skip


def frame_of(form: VideoForm) -> Frame:
    return UPRIGHT if form == "short" else WIDE
