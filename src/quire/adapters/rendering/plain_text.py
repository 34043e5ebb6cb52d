"""Texts as files can hold them: without control characters, and without halves of characters."""

from __future__ import annotations

import unicodedata
from typing import Any, TypeVar

from pydantic import BaseModel

Content = TypeVar("Content", bound=BaseModel)


def with_plain_text(content: Content) -> Content:
    return type(content).model_validate(_plain(content.model_dump()))


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return value if value.isprintable() else "".join(_letter(letter) for letter in value)
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list) else value


def _letter(letter: str) -> str:
    if letter.isspace():
        return " " if letter != "\u00a0" else letter
    # Marks of direction and joiners are characters of format ("Cf"), and stay.
    return "" if unicodedata.category(letter) in ("Cc", "Cs", "Cn", "Co") else letter
