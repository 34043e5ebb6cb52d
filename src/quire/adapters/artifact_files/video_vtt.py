"""Captions of video overviews as WebVTT: the same as in the video's own track."""

from __future__ import annotations

from pathlib import Path

from quire.adapters.artifact_files.transcript_vtt import CUE, seconds_of
from quire.adapters.video.film import Film, vtt
from quire.ports.artifact_files import Progress


def make(film: Film, path: Path, progress: Progress) -> None:
    path.write_text(vtt(film.cues()), encoding="utf-8")


def check(path: Path, film: Film) -> None:
    text = path.read_text(encoding="utf-8")
    times = [seconds_of(found.groups()) for found in CUE.finditer(text)]
    if not text.startswith("WEBVTT\n") or len(times) != len(film.cues()):
        raise ValueError("a cue is missing")
    last = 0.0
    for start, end in times:
        if not last <= start < end <= film.seconds + 0.01:
            raise ValueError("a cue is out of order")
        last = end
