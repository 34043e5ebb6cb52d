"""Typefaces: the fonts that are shipped, those of the machine for other scripts, and how wide text is in them.

Widths are the sum of advances without kerning or joining, which only make a line shorter: what fits here, fits.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal

Typeface = Literal["sans", "serif", "round", "hand"]

SHIPPED = Path(__file__).parent / "fonts"
# The file, the family's name, and its weight.
FACES: dict[tuple[Typeface, bool], tuple[str, str, int]] = {
    ("sans", False): ("Carlito-Regular.ttf", "Carlito", 400),
    ("sans", True): ("Carlito-Bold.ttf", "Carlito", 700),
    ("serif", False): ("NotoSerif-Regular.ttf", "Noto Serif", 400),
    ("serif", True): ("NotoSerif-Bold.ttf", "Noto Serif", 700),
    ("round", False): ("Nunito-SemiBold.ttf", "Nunito", 400),
    ("round", True): ("Nunito-ExtraBold.ttf", "Nunito", 700),
    ("hand", False): ("PatrickHand-Regular.ttf", "Patrick Hand", 400),
    ("hand", True): ("PatrickHand-Regular.ttf", "Patrick Hand", 400),
}
# For letters that the others lack: Arabic and Hebrew.
BESIDE = {False: ("Rubik-Regular.ttf", "Rubik", 400), True: ("Rubik-Bold.ttf", "Rubik", 700)}
# Fonts for other scripts are too large to ship: these are taken where the machine has them, the first ones first.
OF_THE_MACHINE = (
    "NotoSansCJK-Regular.ttc",
    "NotoSansCJKsc-Regular.otf",
    "NotoSansSC-Regular.otf",
    "NotoSansSC-Regular.ttf",
    "SourceHanSansSC-Regular.otf",
    "msyh.ttc",
    "PingFang.ttc",
    "Hiragino Sans GB.ttc",
    "wqy-microhei.ttc",
    "wqy-zenhei.ttc",
    "DroidSansFallbackFull.ttf",
    "DroidSansFallback.ttf",
    "NotoSansKR-Regular.otf",
    "malgun.ttf",
    "NotoSansThai-Regular.ttf",
    "NotoSansDevanagari-Regular.ttf",
    "NotoSansBengali-Regular.ttf",
    "NotoSansTamil-Regular.ttf",
    "NotoSansHebrew-Regular.ttf",
    "NotoSansArabic-Regular.ttf",
    "NotoSansSymbols2-Regular.ttf",
    "Arial Unicode.ttf",
    "DejaVuSans.ttf",
)
FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "~/.fonts",
    "/Library/Fonts",
    "/System/Library/Fonts",
    "C:/Windows/Fonts",
)
MOST_FOLDERS = 2_000
# The width of a letter that no font has, in ems.
UNKNOWN = 1.0
# A machine may have a bold font beside the one that is measured, so much wider at most.
BOLDER = 1.1


@dataclass(frozen=True)
class Face:
    """A font file; of a collection its first font."""

    path: Path
    family: str
    weight: int = 400
    wider: float = 1.0

    @cached_property
    def font(self) -> Any:
        from fontTools.ttLib import TTFont

        return TTFont(self.path, fontNumber=0, lazy=True)

    @cached_property
    def letters(self) -> dict[int, str]:
        found: dict[int, str] = self.font.getBestCmap() or {}
        return found

    @cached_property
    def advances(self) -> dict[str, tuple[int, int]]:
        found: dict[str, tuple[int, int]] = self.font["hmtx"].metrics
        return found

    @cached_property
    def em(self) -> int:
        return int(self.font["head"].unitsPerEm)

    @cached_property
    def height(self) -> tuple[float, float]:
        """How far letters reach above and below their line, in ems."""
        head = self.font["hhea"]
        return head.ascent / self.em, -head.descent / self.em

    def advance(self, letter: str) -> float | None:
        name = self.letters.get(ord(letter))
        return None if name is None else self.advances[name][0] / self.em * self.wider


class Type:
    """A typeface in one weight, with what is taken for letters that it lacks."""

    def __init__(self, faces: tuple[Face, ...]) -> None:
        self.faces = faces
        self._widths: dict[str, tuple[float, int | None]] = {}

    @property
    def family(self) -> str:
        return self.faces[0].family

    @property
    def families(self) -> list[str]:
        return list(dict.fromkeys(face.family for face in self.faces))

    def width(self, text: str, size: float) -> float:
        return sum(self._of(letter)[0] for letter in text) * size

    def missing(self, text: str) -> set[str]:
        """The letters of a text that no font here has."""
        return {
            letter for letter in text if letter.isprintable() and not letter.isspace() and self._of(letter)[1] is None
        }

    def used(self, text: str) -> dict[Face, set[str]]:
        """Which fonts a text is written in, and with which letters."""
        found: dict[Face, set[str]] = {}
        for letter in text:
            place = self._of(letter)[1]
            if place is not None:
                found.setdefault(self.faces[place], set()).add(letter)
        return found

    def _of(self, letter: str) -> tuple[float, int | None]:
        known = self._widths.get(letter)
        if known is None:
            found = ((face.advance(letter), place) for place, face in enumerate(self.faces))
            known = next(((width, place) for width, place in found if width is not None), (UNKNOWN, None))
            if not letter.isprintable() and not letter.isspace():
                known = (0.0, known[1])
            self._widths[letter] = known
        return known


@cache
def type_of(typeface: Typeface, bold: bool = False) -> Type:
    rows = [FACES[typeface, bold]]
    if typeface != "sans":
        rows.append(FACES["sans", bold])
    rows.append(BESIDE[bold])
    others = (replace(face, wider=BOLDER) for face in machine_faces()) if bold else machine_faces()
    return Type((*(Face(SHIPPED / file, family, weight) for file, family, weight in rows), *others))


@cache
def machine_faces() -> tuple[Face, ...]:
    """The machine's fonts for scripts that the shipped ones lack."""
    found: dict[str, Path] = {}
    for folder in font_folders():
        for path in _files(folder):
            found.setdefault(path.name, path)
    return tuple(Face(found[name], _family(found[name])) for name in OF_THE_MACHINE if name in found)


def font_folders() -> list[Path]:
    """Where fonts are looked for: the folders that QUIRE_FONTS names come first."""
    named = [name for name in os.environ.get("QUIRE_FONTS", "").split(os.pathsep) if name]
    return [Path(name).expanduser() for name in (*named, *FOLDERS)]


def _files(folder: Path) -> Iterator[Path]:
    for seen, (inside, _, files) in enumerate(os.walk(folder)):
        if seen > MOST_FOLDERS:
            return
        yield from (Path(inside) / name for name in files if name in OF_THE_MACHINE)


def _family(path: Path) -> str:
    from fontTools.ttLib import TTFont

    with TTFont(path, fontNumber=0, lazy=True) as font:
        names = font["name"]
        return str(names.getDebugName(16) or names.getDebugName(1))
