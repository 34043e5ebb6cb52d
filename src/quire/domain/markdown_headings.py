"""The form of a heading in Markdown."""

from __future__ import annotations

import re

ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t](.*))?", re.DOTALL)


def atx(line: str) -> tuple[int, str] | None:
    """Level and text of a line that begins with `#`, if it is a heading."""
    found = ATX.fullmatch(line)
    return (len(found[1]), without_closing(found[2] or "")) if found else None


def without_closing(text: str) -> str:
    """A heading's text, without the `#` that it may be closed with."""
    text = text.strip(" \t")
    bare = text.rstrip("#")
    if bare != text and (not bare or bare[-1] in " \t"):
        text = bare
    return text.rstrip(" \t")
