"""A line of a page, whoever found it: where it stands, and how large it is."""

from __future__ import annotations

import re
from typing import NamedTuple

# pdfium puts this where a word was divided at the end of a line, and leaves out the break that follows.
DIVIDED = "\ufffe"
RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


class Line(NamedTuple):
    """`size` is the height of its letters with their leading; `start` and `end` count the page's characters."""

    text: str
    left: float
    right: float
    bottom: float
    top: float
    size: float
    start: int
    end: int

    @property
    def words(self) -> str:
        return self.text.strip()

    @property
    def divided(self) -> bool:
        return self.text.endswith(DIVIDED)


def right_to_left(text: str) -> bool:
    if not RIGHT_TO_LEFT.search(text):
        return False
    return len(RIGHT_TO_LEFT.findall(text)) * 2 > sum(map(str.isalpha, text))
