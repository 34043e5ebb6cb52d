"""Titles and headings: which of them say something, and which are the same."""

from __future__ import annotations

import re

# Excel cuts the name of a sheet at 31 characters, and so a UUID.
UUID = re.compile(r"[({\[]?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{7,12}[)}\]]?$", re.IGNORECASE)
HASH = re.compile(r"(?=[a-f]*+[0-9])(?=[0-9]*+[a-f])[0-9a-f]{12,128}$", re.IGNORECASE)
FILE_NAME = re.compile(r"(?P<stem>[^/\\]{1,200})\.[a-z][a-z0-9]{1,4}$", re.IGNORECASE)
# What programs and cameras call a file whose name nobody gave.
COUNTED = re.compile(
    r"(?:(?:img|image|dsc[nf]?|pxl|vid|mvi|scan|screenshot|download|unnamed|untitled|unknown|file|index|default"
    r"|document|doc|page|temp|tmp|output|print|part)|[0-9]++|[\s_.()#-]++)++$",
    re.IGNORECASE,
)
NOT_A_LETTER = re.compile(r"[\W_]+")
LONGEST = 250


def says_nothing(label: str) -> bool:
    """Whether a label is only a UUID, a hash, or the name of a file that nobody named."""
    label = label.strip()
    if len(label) > LONGEST:
        return False
    if UUID.match(label) or HASH.match(label):
        return True
    name = FILE_NAME.match(label)
    return name is not None and (bool(COUNTED.match(name["stem"])) or says_nothing(name["stem"]))


def same_words(one: str, other: str) -> bool:
    """Whether two labels differ in nothing but case, spaces and signs."""
    first = NOT_A_LETTER.sub("", one).casefold()
    return bool(first) and first == NOT_A_LETTER.sub("", other).casefold()


def first_words(text: str) -> str:
    """How a text begins, for one that has no other title."""
    lines = [line.lstrip("# ").strip() for line in text.lstrip()[:1_000].splitlines()]
    line = next((line for line in lines if line and not says_nothing(line)), lines[0])
    return line if len(line) <= 80 else line[:77].rsplit(" ", 1)[0] + "..."
