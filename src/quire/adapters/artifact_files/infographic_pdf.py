"""Infographics as PDF."""

from __future__ import annotations

from pathlib import Path

from quire.adapters.artifact_files.opened_pdf import words_of_pages
from quire.adapters.rendering.infographic.sheet import sheet_of
from quire.adapters.rendering.plain_text import with_plain_text
from quire.adapters.rendering.typst_pages import pdf
from quire.domain.infographics import Infographic
from quire.ports.artifact_files import Progress


def make(infographic: Infographic, path: Path, progress: Progress) -> None:
    scene = sheet_of(with_plain_text(infographic))
    progress(0.5)
    pdf([scene], infographic.title, path)


def check(path: Path, infographic: Infographic) -> None:
    pages = words_of_pages(path)
    if len(pages) != 1 or not pages[0]:
        raise ValueError("it is not one page with text")
