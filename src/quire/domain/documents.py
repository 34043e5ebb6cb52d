"""What a reader makes of a file: its text, and where in it things are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from pydantic import BaseModel, ConfigDict

MarkKind = Literal["page", "slide", "sheet", "heading", "time"]


class Mark(BaseModel):
    """From `offset` on, one is on this page, slide or sheet, under this heading, or at this time.

    `label` is what a person calls it: "7", "Methods", "00:03:12". `level` is a heading's (1 to 6).
    """

    model_config = ConfigDict(frozen=True)

    offset: int
    kind: MarkKind
    label: str
    level: int = 0


class Place(BaseModel):
    """Where a passage stands, in words that a person can follow."""

    model_config = ConfigDict(frozen=True)

    page: str | None = None
    slide: str | None = None
    sheet: str | None = None
    heading: str | None = None
    time: str | None = None


class Document(BaseModel):
    """Text with `\\n` line ends, NFC, without NUL; offsets count characters (code points) of `text`."""

    text: str
    title: str | None = None
    language: str | None = None
    marks: list[Mark] = []
    warnings: list[str] = []

    def place(self, offset: int) -> Place:
        """Where the character at `offset` stands."""
        return next(self.places([offset]))

    def places(self, offsets: Iterable[int]) -> Iterator[Place]:
        """Where characters stand, for rising offsets; headings as a path from the outermost in."""
        found: dict[str, str] = {}
        path: dict[int, str] = {}
        at = 0
        for offset in offsets:
            while at < len(self.marks) and self.marks[at].offset <= offset:
                mark = self.marks[at]
                if mark.kind == "heading":
                    path = {level: label for level, label in path.items() if level < mark.level}
                    path[mark.level] = mark.label
                else:
                    found[mark.kind] = mark.label
                at += 1
            heading = " > ".join(path[level] for level in sorted(path)) or None
            yield Place(heading=heading, **found)
