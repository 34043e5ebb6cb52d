"""WordprocessingML, by the element."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Any

RIGHT_TO_LEFT = ("R", "AL")


def make(tag: str, value: str | None = None, **attributes: str) -> Any:
    """An element like `w:jc`, with `w:val` where a value is given."""
    from docx.oxml import OxmlElement

    element = OxmlElement(tag)
    if value is not None:
        element.set(qualified("w:val"), value)
    for name, given in attributes.items():
        element.set(qualified(f"w:{name}"), given)
    return element


def within(parent: Any, tag: str, value: str | None = None, **attributes: str) -> Any:
    """A new last child."""
    element = make(tag, value, **attributes)
    parent.append(element)
    return element


@cache
def qualified(name: str) -> str:
    from docx.oxml.ns import qn

    return str(qn(name))


def is_right_to_left(text: str) -> bool:
    """Whether the first letter that has a direction is of a script that is written from the right."""
    for character in text[:1_000]:
        direction = unicodedata.bidirectional(character)
        if direction in ("L", *RIGHT_TO_LEFT):
            return direction in RIGHT_TO_LEFT
    return False
