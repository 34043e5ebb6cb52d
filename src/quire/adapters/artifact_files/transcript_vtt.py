"""Transcripts of audio overviews as WebVTT: what is said when, by whom."""

from __future__ import annotations

import html
import re
from pathlib import Path

from quire.adapters.voices.recording import Recording
from quire.ports.artifact_files import Progress

CUE = re.compile(r"^(\d{2,}):(\d{2}):(\d{2})\.(\d{3}) --> (\d{2,}):(\d{2}):(\d{2})\.(\d{3})$", re.MULTILINE)


def make(recording: Recording, path: Path, progress: Progress) -> None:
    cues = ["WEBVTT"]
    number = 0
    for chapter in recording.chapters:
        title = " ".join(chapter.title.split()).replace("-->", "→")
        cues.append(f"NOTE {title}")
        for turn in chapter.turns:
            host = re.sub(r"[^\w .-]", "", recording.script.hosts[turn.host - 1])
            for part in turn.parts:
                if part.spoken:
                    number += 1
                    said = html.escape(" ".join(part.text.split()), quote=False)
                    cues.append(f"{number}\n{time_of(part.start)} --> {time_of(part.end)}\n<v {host}>{said}</v>")
    path.write_text("\n\n".join(cues) + "\n", encoding="utf-8")


def check(path: Path, recording: Recording) -> None:
    text = path.read_text(encoding="utf-8")
    times = [seconds_of(found.groups()) for found in CUE.finditer(text)]
    if not text.startswith("WEBVTT\n") or len(times) != sum(part.spoken for _, part in recording.parts):
        raise ValueError("a cue is missing")
    last = 0.0
    for start, end in times:
        if not last <= start < end <= recording.seconds + 0.01:
            raise ValueError("a cue is out of order")
        last = end


def time_of(seconds: float) -> str:
    whole = int(seconds * 1000)
    return f"{whole // 3_600_000:02d}:{whole // 60_000 % 60:02d}:{whole // 1000 % 60:02d}.{whole % 1000:03d}"


def seconds_of(groups: tuple[str, ...]) -> tuple[float, float]:
    numbers = [int(one) for one in groups]
    start, end = (
        hours * 3600 + minutes * 60 + seconds + milliseconds / 1000
        for hours, minutes, seconds, milliseconds in (numbers[:4], numbers[4:])
    )
    return start, end
