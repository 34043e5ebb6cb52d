"""Subtitles and transcripts (WebVTT, SRT): flowing text with the times as marks."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from quire.adapters.readers.draft import Draft
from quire.adapters.readers.failures import damaged, reading
from quire.adapters.readers.limits import Limits
from quire.adapters.readers.text import decode
from quire.domain.hygiene import clean, one_line

WHAT = "a file of captions"
TIMING = re.compile(
    r"(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})\s*-->\s*(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})"
)
VOICE = re.compile(r"<v(?:\.[^\s<>]*)?\s([^<>]+)>")
HEADER = re.compile(r"\AWEBVTT[ \t]+(?:-[ \t]*)?([^\n]+)")
TAG = re.compile(r"</?[A-Za-z0-9][^<>]*>|\{\\[^{}]*\}")
SENTENCE_END = re.compile(r"""[.!?\u2026\u3002\uff01\uff1f]["'\u201d\u2019)\]]*$""")
PAUSE = 3.0
ROLLING = 0.1
LONG = 600


class Cue(NamedTuple):
    start: float
    end: float
    speaker: str
    text: str


def read_captions(path: Path, limits: Limits) -> Draft:
    draft = Draft(limits)
    with reading(WHAT):
        text = clean(decode(path.read_bytes()))
        if not TIMING.search(text):
            raise damaged(WHAT)
        header = HEADER.match(text)
        draft.suggest_title(header[1] if header else None)
        write_cues(draft, cues(text))
    return draft.finish("There are no words in the captions.")


def write_cues(draft: Draft, spoken: Iterator[Cue]) -> None:
    """Cues into paragraphs: a new one with another speaker, after a pause, or at a sentence's end when it is long."""
    before: Cue | None = None
    length = 0
    for cue in spoken:
        fresh = before is None or cue.speaker != before.speaker or cue.start - before.end > PAUSE
        if before and length > LONG and SENTENCE_END.search(before.text):
            fresh = True
        draft.mark("time", clock(cue.start))
        if fresh:
            draft.block(f"{cue.speaker}: {cue.text}" if cue.speaker else cue.text)
        else:
            draft.more(cue.text)
        length = len(cue.text) + (0 if fresh else length)
        before = cue


def cues(text: str) -> Iterator[Cue]:
    """The cues of a WebVTT or SRT file, one for each speaker in it; headers, styles and notes are passed over."""
    last_line, last_end = "", -1.0
    for block in text.split("\n\n"):
        lines = block.split("\n")
        at = next((number for number, line in enumerate(lines[:2]) if TIMING.search(line)), None)
        if at is None:
            continue
        found = TIMING.search(lines[at])
        assert found is not None
        start, end = seconds(*found.groups()[:4]), seconds(*found.groups()[4:])
        shown = [line for line in lines[at + 1 :] if TAG.sub("", line).strip()]
        # Captions made by machines roll: each cue shows the line before it once more.
        if shown and start <= last_end + ROLLING and TAG.sub("", shown[0]) == last_line:
            shown = shown[1:]
        if shown:
            last_line = TAG.sub("", shown[-1])
        last_end = end
        for speaker, said in voices(" ".join(shown)):
            words = one_line(html.unescape(TAG.sub("", said)))
            if words:
                yield Cue(start, end, one_line(html.unescape(speaker)), words)


def voices(said: str) -> Iterator[tuple[str, str]]:
    pieces = VOICE.split(said)
    yield "", pieces[0]
    yield from zip(pieces[1::2], pieces[2::2], strict=True)


def seconds(hours: str | None, minutes: str, whole: str, fraction: str) -> float:
    return int(hours or 0) * 3600 + int(minutes) * 60 + int(whole) + int(fraction.ljust(3, "0")) / 1000


def clock(at: float) -> str:
    """A time as people write it: 00:03:12."""
    whole = int(at)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}"
