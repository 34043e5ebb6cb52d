"""Decks as PowerPoint files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from quire.adapters.rendering.deck_pages import pages_of
from quire.adapters.rendering.deck_pptx import write_pptx
from quire.adapters.rendering.plain_text import with_plain_text
from quire.domain.decks import Deck
from quire.ports.artifact_files import Progress


def make(deck: Deck, path: Path, progress: Progress) -> None:
    deck = with_plain_text(deck)
    pages = pages_of(deck)
    progress(0.3)
    write_pptx(deck, pages, path)


def check(path: Path, deck: Deck) -> None:
    """Opened again: each slide has a title, what it shows is on it, and nothing stands beside it."""
    from pptx import Presentation
    from pptx.exc import PackageNotFoundError

    try:
        made: Any = Presentation(str(path))
    except (PackageNotFoundError, KeyError, OSError):
        raise ValueError("it cannot be opened") from None
    slides = list(made.slides)
    if len(slides) < len(deck.slides):
        raise ValueError(f"it has {len(slides)} slides of {len(deck.slides)}")
    for number, slide in enumerate(slides, 1):
        if slide.shapes.title is None or not slide.shapes.title.text_frame.text.strip():
            raise ValueError(f"slide {number} has no title")
        for shape in slide.shapes:
            right, bottom = shape.left + shape.width, shape.top + shape.height
            if shape.left < 0 or shape.top < 0 or right > made.slide_width or bottom > made.slide_height:
                raise ValueError(f"something on slide {number} stands beside it")
