"""What an artifact says, as JSON: all of its content, with what each statement rests on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from quire.ports.artifact_files import Progress


def make(content: Any, path: Path, progress: Progress) -> None:
    path.write_text(content.model_dump_json(indent=2), encoding="utf-8")


def check(path: Path, content: Any) -> None:
    if type(content).model_validate_json(path.read_text(encoding="utf-8")) != content:
        raise ValueError("it does not say the same")
