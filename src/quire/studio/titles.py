"""The title that somebody gave an artifact, in what it says."""

from __future__ import annotations

from pydantic import BaseModel

from quire.domain.decks import Deck, TitleSlide


def with_title(content: BaseModel, title: str) -> BaseModel:
    """The same under another title; of a deck its first slide has it, too."""
    told: dict[str, object] = {"title": title}
    if isinstance(content, Deck) and content.slides and isinstance(content.slides[0], TitleSlide):
        told["slides"] = [content.slides[0].model_copy(update={"title": title}), *content.slides[1:]]
    return content.model_copy(update=told)
