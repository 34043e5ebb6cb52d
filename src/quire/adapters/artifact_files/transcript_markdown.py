"""Transcripts of audio overviews as Markdown: who says what and when, with sources."""

from __future__ import annotations

from pathlib import Path

from quire.adapters.artifact_files.cited import Numbers, ended
from quire.adapters.artifact_files.report_markdown import escaped
from quire.adapters.voices.recording import Recording, SpokenPart
from quire.domain.markdown_headings import atx
from quire.ports.artifact_files import Progress


def make(recording: Recording, path: Path, progress: Progress) -> None:
    path.write_text(markdown(recording), encoding="utf-8")


def check(path: Path, recording: Recording) -> None:
    found = [heading[1] for line in path.read_text(encoding="utf-8").splitlines() if (heading := atx(line))]
    wanted = [recording.script.title, *(one.title for one in recording.chapters)]
    if any(not told.startswith(escaped(one)) for one, told in zip(wanted, found, strict=False)) or len(found) < len(
        wanted
    ):
        raise ValueError("a chapter is missing")


def markdown(recording: Recording) -> str:
    script = recording.script
    numbers = Numbers(part.statement for _, part in recording.parts if part.statement is not None)
    parts = [f"# {escaped(script.title)}"]
    for chapter in recording.chapters:
        parts.append(f"## {escaped(chapter.title)} ({clock(chapter.start)})")
        for turn in chapter.turns:
            said = " ".join(_said(part, numbers) for part in turn.parts)
            if said:
                parts.append(f"**{escaped(script.hosts[turn.host - 1])}:** {said}")
    if sources := numbers.sources():
        parts.append(f"## {escaped(script.sources_heading)}")
        parts.append("\n".join(f"{number}. {escaped(title)}" for number, title in enumerate(sources, 1)))
    if script.remark:
        parts.append(f"*{escaped(script.remark)}*")
    return "\n\n".join(parts) + "\n"


def _said(part: SpokenPart, numbers: Numbers) -> str:
    if part.statement is None:
        return escaped(part.text)
    return f"{ended(escaped(part.text))} {numbers.shown(part.statement)}".rstrip()


def clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02d}"
