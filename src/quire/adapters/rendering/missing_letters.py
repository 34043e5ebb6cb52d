"""Letters that no font of this machine has."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from quire.adapters.rendering.typefaces import type_of

SHOWN = 12
# What is kept and not shown.
HIDDEN = {"excerpt", "source_id", "place"}


def missing_letters(content: BaseModel) -> list[str]:
    """That letters of a content are shown as boxes, and what helps; empty where all can be drawn."""
    missing = sorted(type_of("sans").missing("".join(_texts(content.model_dump()))))
    if not missing:
        return []
    return [
        f"No font here has these letters, which are boxes in pictures and PDF: {''.join(missing[:SHOWN])}"
        f"{'…' if len(missing) > SHOWN else ''} Install one, such as Noto Sans, or name its folder in QUIRE_FONTS."
    ]


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for key, part in value.items() if key not in HIDDEN for text in _texts(part)]
    return [text for part in value for text in _texts(part)] if isinstance(value, list) else []
