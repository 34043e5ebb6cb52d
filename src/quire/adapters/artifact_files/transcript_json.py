"""Transcripts of audio overviews as JSON: chapters, turns and parts with their times and what they rest on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from quire.adapters.voices.recording import Recording, SpokenPart
from quire.ports.artifact_files import Progress


def make(recording: Recording, path: Path, progress: Progress) -> None:
    path.write_text(json.dumps(transcript(recording), ensure_ascii=False, indent=2), encoding="utf-8")


def check(path: Path, recording: Recording) -> None:
    if json.loads(path.read_text(encoding="utf-8")) != transcript(recording):
        raise ValueError("it does not say the same")


def transcript(recording: Recording) -> dict[str, Any]:
    script = recording.script
    return {
        "title": script.title,
        "language": script.language,
        "spoken": script.spoken,
        "seconds": round(recording.seconds, 3),
        "hosts": script.hosts,
        "chapters": [
            {
                "title": chapter.title,
                "start": round(chapter.start, 3),
                "end": round(chapter.end, 3),
                "turns": [{"host": turn.host, "parts": [_part(part) for part in turn.parts]} for turn in chapter.turns],
            }
            for chapter in recording.chapters
        ],
        "sources": script.sources,
    }


def _part(part: SpokenPart) -> dict[str, Any]:
    """A link or a question of the hosts claims nothing, and has no grounds."""
    times: dict[str, Any] = {"spoken": False}
    if part.spoken:
        times = {"start": round(part.start, 3), "end": round(part.end, 3)}
    if part.silent:
        times["spoken"] = False
    grounds = [one.model_dump(mode="json") for one in part.statement.grounds] if part.statement else []
    told: dict[str, Any] = {"kind": part.kind, "text": part.text}
    return told | times | ({"grounds": grounds} if grounds else {})
