"""The lines of a PDF page: their words, where they stand, how large they are."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from pypdfium2 import raw

from quire.adapters.readers.lines import DIVIDED, Line
from quire.adapters.readers.pdf_tables import Cell

LINE_END = re.compile(r"\r\n?|\n|(?<=\ufffe)")
LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})
LAM_ALEF = re.compile("[\u0622\u0623\u0625\u0627]\u0644")
SPACES = re.compile(r"(?<=\S)\s++(?=\S)")
NAME_BYTES = 128
# As wide as no justified line has it between words, as a share of a line's height.
GAP = 0.9
LONGEST_ROW = 400
# Running text, whose letters leave no room for a gap; to look at each of its spaces would take twice the time.
SHORT_LINE, DENSE = 40, 0.43
BOLD = re.compile(rb"bold|black|heavy|demi|medi$|^(cm|sf|ec|lm)b[xl]?\d|cmbx|sfbx|ecbx", re.IGNORECASE)


class PageText:
    """What pdfium knows of a page's characters. Open it within the page's life, and close it."""

    def __init__(self, page: Any) -> None:
        self._turn = page.get_rotation()
        _, _, self._width, self._height = page.get_mediabox()
        self._text = page.get_textpage()
        self._raw = self._text.raw
        self._box = raw.FS_RECTF()
        self._said = ""

    def close(self) -> None:
        self._text.close()

    def lines(self) -> list[Line]:
        text = self._text.get_text_range() if self._text.count_chars() else ""
        self._said = text = self._straightened(text)
        found = []
        at = 0
        for part in LINE_END.split(text):
            length = len(part)
            line = self._line(part, at) if part.strip() else None
            if line is not None:
                found.append(line)
            at += length
            at += 2 if text.startswith("\r\n", at) else 1 if at < len(text) and text[at] in "\r\n" else 0
        return found

    def _line(self, text: str, at: int) -> Line | None:
        first = at + len(text) - len(text.lstrip())
        last = at + len(text.rstrip().rstrip(DIVIDED)) - 1
        boxes = [box for box in map(self._place, (first, (first + last) // 2, max(first, last))) if box is not None]
        if not boxes:
            return None
        sizes = sorted(top - bottom for _, _, bottom, top in boxes)
        left, right = min(box[0] for box in boxes), max(box[1] for box in boxes)
        bottom, top = min(box[2] for box in boxes), max(box[3] for box in boxes)
        return Line(text.translate(LIGATURES), left, right, bottom, top, sizes[len(sizes) // 2], first, last)

    def _place(self, at: int) -> tuple[float, float, float, float] | None:
        """Left, right, bottom and top of a character, as the page is shown."""
        if not raw.FPDFText_GetLooseCharBox(self._raw, at, self._box):
            return None
        left, right, bottom, top = self._box.left, self._box.right, self._box.bottom, self._box.top
        match self._turn:
            case 90:
                return bottom, top, self._width - right, self._width - left
            case 180:
                return self._width - right, self._width - left, self._height - top, self._height - bottom
            case 270:
                return self._height - top, self._height - bottom, left, right
        return left, right, bottom, top

    def cells(self, line: Line, rules: Sequence[tuple[float, float, float]]) -> list[Cell]:
        """The parts of a line between which there is a gap, or an upright rule is drawn."""
        said = self._said[line.start : line.end + 1]
        cut = [0]
        height = (line.bottom + line.top) / 2
        near = [x for x, bottom, top in rules if line.left < x < line.right and bottom <= height <= top]
        dense = len(said) > SHORT_LINE and line.right - line.left < DENSE * len(said) * line.size
        if near or not (dense or len(said) > LONGEST_ROW):
            cut += [gap.end() for gap in SPACES.finditer(said) if self._apart(line, gap.start(), gap.end(), near)]
        found = []
        for start, end in pairwise([*cut, len(said)]):
            words = said[start:end].strip()
            first = self._place(line.start + start)
            last = self._place(line.start + start + max(len(said[start:end].rstrip()) - 1, 0))
            if words and first is not None and last is not None:
                found.append(Cell(words.translate(LIGATURES), min(first[0], last[0]), max(first[1], last[1])))
        return found

    def _apart(self, line: Line, start: int, end: int, rules: Sequence[float]) -> bool:
        before, after = self._place(line.start + start - 1), self._place(line.start + end)
        if before is None or after is None:
            return False
        left, right = before[1], after[0]
        return right - left > GAP * line.size or any(left - 1 < x < right + 1 for x in rules)

    def bold(self, line: Line) -> bool:
        """Whether a line is bold from its first letter to its last."""
        return all(self._bold(at) for at in (line.start, max(line.start, line.end)))

    def _bold(self, at: int) -> bool:
        if raw.FPDFText_GetFontWeight(self._raw, at) >= 600:
            return True
        name, flags = ctypes.create_string_buffer(NAME_BYTES), ctypes.c_int()
        raw.FPDFText_GetFontInfo(self._raw, at, name, NAME_BYTES, ctypes.byref(flags))
        return BOLD.search(name.value) is not None

    def _straightened(self, text: str) -> str:
        """Arabic's lam-alef is one glyph for two letters, which pdfium gives back in the wrong order."""
        if not LAM_ALEF.search(text):
            return text

        def swapped(found: re.Match[str]) -> str:
            one, other = self._place(found.start()), self._place(found.start() + 1)
            same = one is not None and other is not None and abs(one[0] - other[0]) < 0.01
            return found[0][::-1] if same else found[0]

        return LAM_ALEF.sub(swapped, text)
