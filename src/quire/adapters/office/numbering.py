"""Lists: one definition of bullets and one of numbers, and for each list a count of its own."""

from __future__ import annotations

from typing import Any

from quire.adapters.office.elements import make, qualified, within

LEVELS = 9
BULLETS = "•◦▪"
NUMBERS = ("decimal", "lowerLetter", "lowerRoman")
INDENT = 360


class Numbering:
    def __init__(self, document: Any) -> None:
        self._element = document.part.numbering_part.element
        taken = [int(one.get(qualified("w:abstractNumId"))) for one in self._found("w:abstractNum")]
        self._next = 1 + max((int(one.get(qualified("w:numId"))) for one in self._found("w:num")), default=0)
        first = 1 + max(taken, default=0)
        self._definitions = {False: self._defined(first, ordered=False), True: self._defined(first + 1, ordered=True)}
        self._bullets: int | None = None

    def begin(self, *, ordered: bool, start: int, level: int) -> int:
        """The number of a list that begins; a numbered one counts from `start`, whatever came before."""
        if not ordered and self._bullets is not None:
            return self._bullets
        id = self._next
        self._next += 1
        num = within(self._element, "w:num", numId=str(id))
        within(num, "w:abstractNumId", str(self._definitions[ordered]))
        if ordered:
            within(within(num, "w:lvlOverride", ilvl=str(level)), "w:startOverride", str(start))
        else:
            self._bullets = id
        return id

    def _found(self, tag: str) -> list[Any]:
        return list(self._element.findall(qualified(tag)))

    def _defined(self, id: int, *, ordered: bool) -> int:
        definition = make("w:abstractNum", abstractNumId=str(id))
        within(definition, "w:multiLevelType", "multilevel")
        for level in range(LEVELS):
            described = within(definition, "w:lvl", ilvl=str(level))
            within(described, "w:start", "1")
            within(described, "w:numFmt", NUMBERS[level % 3] if ordered else "bullet")
            within(described, "w:lvlText", f"%{level + 1}." if ordered else BULLETS[level % 3])
            within(described, "w:lvlJc", "left")
            place = within(described, "w:pPr")
            within(place, "w:ind", left=str(INDENT * (level + 1)), hanging=str(INDENT))
        nums = self._found("w:num")
        # Definitions come before the lists that use them.
        if nums:
            nums[0].addprevious(definition)
        else:
            self._element.append(definition)
        return id
