"""Decks as pictures, a PNG a slide, in one archive."""

from __future__ import annotations

import zipfile
from pathlib import Path

from quire.adapters.artifact_files.opened_png import size_of_png
from quire.adapters.rendering.deck_pages import pages_of
from quire.adapters.rendering.deck_scenes import scene_of
from quire.adapters.rendering.plain_text import with_plain_text
from quire.adapters.rendering.typst_pages import pictures
from quire.domain.decks import Deck
from quire.ports.artifact_files import Progress

WIDTH = 1920
AT_ONCE = 10


def make(deck: Deck, path: Path, progress: Progress) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for number, picture in enumerate(slide_pictures(deck, WIDTH, progress), 1):
            archive.writestr(f"slide-{number:03}.png", picture)


def slide_pictures(deck: Deck, width: int, progress: Progress) -> list[bytes]:
    """A PNG of each slide, so many pixels wide."""
    deck = with_plain_text(deck)
    scenes = [scene_of(deck, page) for page in pages_of(deck)]
    made: list[bytes] = []
    for start in range(0, len(scenes), AT_ONCE):
        progress(start / len(scenes))
        made += pictures(scenes[start : start + AT_ONCE], deck.title, width)
    return made


def check(path: Path, deck: Deck) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            sizes = [size_of_png(archive.read(name)) for name in archive.namelist()]
    except zipfile.BadZipFile:
        raise ValueError("it cannot be opened") from None
    if len(sizes) < len(deck.slides) or any(size[0] != WIDTH for size in sizes):
        raise ValueError("pictures are missing")
