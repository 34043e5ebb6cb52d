"""The one title of an artifact: in lists, and in what it says and shows itself."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count
from typing import Any

from pydantic import BaseModel

from quire.domain.artifacts import TITLE_LIMIT
from quire.domain.decks import Deck, TitleSlide
from quire.domain.infographics import Infographic
from quire.domain.video_overviews import VideoOverview


def with_title(content: BaseModel, title: str) -> BaseModel:
    """The same under another title, also where it is seen first: on a slide, in a scene, above a picture."""
    told: dict[str, object] = {"title": title}
    if isinstance(content, Deck) and isinstance(content.slides[0], TitleSlide):
        told["slides"] = [content.slides[0].model_copy(update={"title": title}), *content.slides[1:]]
    elif isinstance(content, VideoOverview) and content.scenes[0].kind == "opening":
        told["scenes"] = [content.scenes[0].model_copy(update={"title": title}), *content.scenes[1:]]
    elif isinstance(content, Infographic):
        told["headline"] = ""
    return content.model_copy(update=told)


def with_one_title(content: Any, before: Any) -> Any:
    """Edited content whose title and what it shows as such agree, whichever of them was changed."""
    shown = _shown(content)
    if content.title != before.title:
        return with_title(content, content.title) if shown == _shown(before) else content
    if shown and shown != _shown(before):
        return content.model_copy(update={"title": shown})
    return content


def _shown(content: Any) -> str:
    """What is seen first in place of the title, where something is."""
    if isinstance(content, Deck):
        first = content.slides[0]
        return first.title if isinstance(first, TitleSlide) else ""
    if isinstance(content, VideoOverview):
        return content.scenes[0].title if content.scenes[0].kind == "opening" else ""
    return content.headline if isinstance(content, Infographic) else ""


def told_apart(title: str, others: Collection[str]) -> str:
    """The title, with a number behind it where something else is called so already."""
    numbered = (f"{title[: TITLE_LIMIT - 10]} ({number})" for number in count(2))
    return title if title not in others else next(one for one in numbered if one not in others)
