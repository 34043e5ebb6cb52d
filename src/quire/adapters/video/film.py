"""A film: a video overview with its sound, when each of its pictures is seen, and what is written when."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from quire.adapters.rendering.scene import Box
from quire.adapters.rendering.video.cinema import CAPTION as CINEMA_CAPTION
from quire.adapters.rendering.video.frames import Frame, frame_of
from quire.adapters.rendering.video.looks import Look, look_of
from quire.adapters.rendering.video.stills import captions_of, steps_of
from quire.adapters.video.ffmpeg_program import Ffmpeg
from quire.adapters.voices.recording import Recording, SpokenPart
from quire.domain.video_overviews import VideoOverview

# A scene changes in the middle of the pause before it is spoken of.
EARLIER = 0.45
# Letters of a caption at most, and of dense scripts.
LONGEST_CUE, LONGEST_DENSE = 84, 34
DENSE = 0x2E80
SHORTEST = 0.04


@dataclass(frozen=True)
class Cue:
    start: float
    end: float
    text: str


@dataclass(frozen=True)
class Shot:
    """What is seen for a while: a scene, how far its list has come, and what is written under it."""

    scene: int
    said: int
    caption: str
    start: float
    end: float


@dataclass(frozen=True)
class FilmChapter:
    title: str
    start: float
    end: float


@dataclass(frozen=True)
class Film:
    """`ffmpeg` is what it will be encoded by."""

    video: VideoOverview
    recording: Recording
    ffmpeg: Ffmpeg

    @cached_property
    def look(self) -> Look:
        return look_of(self.video)

    @property
    def frame(self) -> Frame:
        return frame_of(self.video.form)

    @property
    def caption(self) -> Box:
        return CINEMA_CAPTION if self.moves else self.frame.caption

    @property
    def seconds(self) -> float:
        return self.recording.seconds

    @property
    def moves(self) -> bool:
        return self.video.form == "cinematic"

    @property
    def captioned(self) -> bool:
        """Whether what is said is written into the pictures: where it is not heard, and in cinematic videos."""
        return self.moves or any(part.silent for _, part in self.recording.parts)

    @cached_property
    def starts(self) -> list[float]:
        """When each scene begins, and the end of the last."""
        begin = [max(0.0, chapter.start - EARLIER) for chapter in self.recording.chapters]
        return [0.0, *begin[1:], self.seconds]

    def shots(self) -> list[Shot]:
        return [shot for number in range(len(self.video.scenes)) for shot in self._of(number)]

    def _of(self, number: int) -> Iterator[Shot]:
        begin, end = self.starts[number], self.starts[number + 1]
        turns = self.recording.chapters[number].turns
        steps = steps_of(self.video.scenes[number])
        changes: list[tuple[float, int, str]] = []
        for said, turn in enumerate(turns):
            for part in turn.parts:
                if self.captioned:
                    changes += [(cue.start, said, cue.text) for cue in self._written(part)]
                elif not changes or (steps > 1 and changes[-1][1] != said):
                    changes.append((part.start, said, ""))
        changes = changes or [(begin, 0, "")]
        changes[0] = (begin, *changes[0][1:])
        for place, (start, said, caption) in enumerate(changes):
            until = changes[place + 1][0] if place + 1 < len(changes) else end
            if until - start >= SHORTEST:
                yield Shot(number, said, caption, start, until)

    def _written(self, part: SpokenPart) -> Iterator[Cue]:
        yield from _shared(part, captions_of(" ".join(part.text.split()), self.look.theme.body, self.caption))

    def cues(self) -> list[Cue]:
        """What is said when, in pieces that can be read at a glance."""
        found = [
            cue for _, part in self.recording.parts if part.end > part.start for cue in _shared(part, _cut(part.text))
        ]
        # None reaches into the next, however times are rounded.
        return [cue for cue in found if cue.text and cue.end - cue.start > SHORTEST]

    def chapters(self) -> list[FilmChapter]:
        """Scenes that follow each other under one name are one."""
        made: list[FilmChapter] = []
        for number, scene in enumerate(self.video.scenes):
            name = scene.chapter or scene.title
            start, end = self.starts[number], self.starts[number + 1]
            if made and made[-1].title == name:
                made[-1] = FilmChapter(name, made[-1].start, end)
            else:
                made.append(FilmChapter(name, start, end))
        return made


def vtt(cues: list[Cue]) -> str:
    """Cues as WebVTT; nothing in them can end one or open another."""
    blocks = ["WEBVTT"]
    for number, cue in enumerate(cues, 1):
        text = html.escape(cue.text, quote=False)
        blocks.append(f"{number}\n{_time(cue.start)} --> {_time(cue.end)}\n{text}")
    return "\n\n".join(blocks) + "\n"


def _time(seconds: float) -> str:
    whole = round(seconds * 1000)
    return f"{whole // 3_600_000:02d}:{whole // 60_000 % 60:02d}:{whole // 1000 % 60:02d}.{whole % 1000:03d}"


def _shared(part: SpokenPart, pieces: list[str]) -> Iterator[Cue]:
    """The time of a part, shared by its pieces as they are long."""
    whole = sum(map(len, pieces)) or 1
    at, span = part.start, part.end - part.start
    for piece in pieces:
        end = at + span * len(piece) / whole
        yield Cue(at, end, piece)
        at = end


def _cut(text: str) -> list[str]:
    """In as few pieces as can be read at a glance, about as long, cut between words."""
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    dense = sum(ord(letter) >= DENSE for letter in text) * 2 > len(text)
    most = LONGEST_DENSE if dense else LONGEST_CUE
    groups = -(-len(text) // most) or 1
    pieces: list[str] = []
    for group in range(groups, 0, -1):
        near = -(-len(text) // group)
        cut = len(text) if group == 1 else _between(text, near)
        pieces.append(text[:cut].strip())
        text = text[cut:].strip()
    return [piece for piece in pieces if piece]


def _between(text: str, near: int) -> int:
    """A place between words near another."""
    before, after = text.rfind(" ", 0, near + 1), text.find(" ", near)
    if before < 0 and after < 0:
        return near
    if before < 0 or (0 <= after < near + (near - before)):
        return after if after - near < near else near
    return before if before > near // 2 else near
