"""Decks as PDF, a page a slide."""

from __future__ import annotations

from pathlib import Path

from quire.adapters.artifact_files.opened_pdf import words_of_pages
from quire.adapters.rendering.deck_pages import pages_of
from quire.adapters.rendering.deck_scenes import scene_of
from quire.adapters.rendering.plain_text import with_plain_text
from quire.adapters.rendering.typst_pages import pdf
from quire.domain.decks import Deck
from quire.ports.artifact_files import Progress


def make(deck: Deck, path: Path, progress: Progress) -> None:
    deck = with_plain_text(deck)
    scenes = [scene_of(deck, page) for page in pages_of(deck)]
    progress(0.4)
    pdf(scenes, deck.title, path)


def check(path: Path, deck: Deck) -> None:
    pages = words_of_pages(path)
    if len(pages) < len(deck.slides):
        raise ValueError(f"it has {len(pages)} pages for {len(deck.slides)} slides")
    for number, words in enumerate(pages, 1):
        if not words:
            raise ValueError(f"page {number} is empty")
