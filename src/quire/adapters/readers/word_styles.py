"""What the styles and the numbering of a Word document say of a paragraph."""

from __future__ import annotations

import re
from typing import NamedTuple

from quire.adapters.readers.markup import Element, attribute, child, children

HEADING_NAME = re.compile(r"heading ([1-9])$", re.IGNORECASE)
CONTENTS_NAME = re.compile(r"(toc|table of figures)( ?[1-9])?$", re.IGNORECASE)
LEVEL_PLACE = re.compile(r"%([1-9])")
ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
         (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
DEEPEST = 20
LARGEST_NUMBER = 4000


def value(element: Element | None, *path: str) -> str | None:
    found = child(element, *path)
    return None if found is None else attribute(found, "val")


def number_of(text: str | None, default: int = 0) -> int:
    return int(text) if text and re.fullmatch(r"-?[0-9]{1,6}", text) else default


class Style(NamedTuple):
    name: str
    parent: str | None
    properties: Element | None


class Styles:
    def __init__(self, root: Element | None) -> None:
        self._styles: dict[str, Style] = {}
        for element in children(root, "style"):
            name = value(element, "name") or ""
            style = Style(name, value(element, "basedOn"), child(element, "pPr"))
            self._styles[attribute(element, "styleId") or ""] = style

    def chain(self, style_id: str | None) -> list[Style]:
        """A style and those it is based on, nearest first."""
        found: list[Style] = []
        while style_id in self._styles and len(found) < DEEPEST:
            found.append(self._styles[style_id])
            style_id = found[-1].parent
        return found

    def level(self, paragraph_properties: Element | None) -> int:
        """The level of a heading, 0 for any other paragraph."""
        chain = self.chain(value(paragraph_properties, "pStyle"))
        for style in chain:
            named = HEADING_NAME.match(style.name)
            if named:
                return min(int(named[1]), 6)
            if style.name.lower() == "title":
                return 1
        outlines = [
            value(paragraph_properties, "outlineLvl"),
            *(value(style.properties, "outlineLvl") for style in chain),
        ]
        outline = next((found for found in outlines if found is not None), None)
        level = number_of(outline, 9) + 1
        return level if 1 <= level <= 6 else 0

    def is_contents(self, paragraph_properties: Element | None) -> bool:
        """A line of a table of contents, which only repeats the headings."""
        return any(CONTENTS_NAME.match(style.name) for style in self.chain(value(paragraph_properties, "pStyle")))

    def numbering(self, paragraph_properties: Element | None) -> tuple[str, int] | None:
        """The list a paragraph is in, and how deep."""
        chain = [paragraph_properties, *(s.properties for s in self.chain(value(paragraph_properties, "pStyle")))]
        for properties in chain:
            numbered = child(properties, "numPr")
            list_id = value(numbered, "numId")
            if list_id is not None:
                depth = min(max(number_of(value(numbered, "ilvl")), 0), 8)
                return None if list_id == "0" else (list_id, depth)
        return None


class Numbering:
    """Counts lists as Word does: those of one definition go on, unless a list says to start again."""

    def __init__(self, root: Element | None) -> None:
        self._levels: dict[str, dict[int, Element]] = {}
        self._lists: dict[str, str] = {}
        self._restarts: dict[tuple[str, int], int] = {}
        self._counts: dict[str, list[int]] = {}
        for definition in children(root, "abstractNum"):
            levels = {number_of(attribute(level, "ilvl")): level for level in children(definition, "lvl")}
            self._levels[attribute(definition, "abstractNumId") or ""] = levels
        for element in children(root, "num"):
            list_id = attribute(element, "numId") or ""
            self._lists[list_id] = value(element, "abstractNumId") or ""
            for override in children(element, "lvlOverride"):
                start = value(override, "startOverride")
                if start is not None:
                    self._restarts[list_id, number_of(attribute(override, "ilvl"))] = number_of(start, 1)

    def next(self, list_id: str, depth: int) -> str:
        """The bullet or number of the next item: "-", "3.", "2.1", "b)"."""
        definition = self._lists.get(list_id, "")
        levels = self._levels.get(definition, {})
        level = levels.get(depth)
        if level is None or (value(level, "numFmt") or "decimal") in ("bullet", "none"):
            return "-"
        counts = self._counts.setdefault(definition, [0] * 9)
        restart = self._restarts.pop((list_id, depth), None)
        if restart is not None:
            counts[depth] = restart
        else:
            counts[depth] = counts[depth] + 1 if counts[depth] else number_of(value(level, "start"), 1)
        counts[depth + 1 :] = [0] * (8 - depth)

        def place(found: re.Match[str]) -> str:
            at = int(found[1]) - 1
            shown = levels.get(at)
            count = counts[at] or number_of(value(shown, "start"), 1)
            return counted(count, value(shown, "numFmt") or "decimal")

        label = LEVEL_PLACE.sub(place, value(level, "lvlText") or f"%{depth + 1}.").strip()
        return label or "-"


def counted(number: int, form: str) -> str:
    """A number in the form that Word names."""
    number = min(max(number, 0), LARGEST_NUMBER)
    if form in ("lowerLetter", "upperLetter") and number:
        letters = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letters.upper() if form == "upperLetter" else letters
    if form in ("lowerRoman", "upperRoman") and number:
        letters = ""
        for size, sign in ROMAN:
            letters += sign * (number // size)
            number %= size
        return letters.upper() if form == "upperRoman" else letters
    return str(number)
