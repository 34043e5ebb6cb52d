"""Infographics as pictures."""

from __future__ import annotations

from pathlib import Path

from quire.adapters.artifact_files.opened_png import size_of_png
from quire.adapters.rendering.infographic.sheet import SIZES, sheet_of
from quire.adapters.rendering.plain_text import with_plain_text
from quire.adapters.rendering.typst_pages import pictures
from quire.domain.infographics import Infographic
from quire.ports.artifact_files import Progress

# Pixels for each point of the sheet.
FINE = 2


def make(infographic: Infographic, path: Path, progress: Progress) -> None:
    scene = sheet_of(with_plain_text(infographic))
    progress(0.5)
    path.write_bytes(pictures([scene], infographic.title, int(scene.width * FINE))[0])


def check(path: Path, infographic: Infographic) -> None:
    width, height = SIZES[infographic.orientation]
    if size_of_png(path.read_bytes()) != (int(width * FINE), int(height * FINE)):
        raise ValueError("it does not have the size that it should")
