"""A document while it is being read: blocks of readable Markdown, and marks that point into them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from quire.adapters.readers.failures import too_much_text
from quire.adapters.readers.limits import Limits
from quire.domain.errors import InvalidInput
from quire.domain.headings import says_nothing
from quire.domain.hygiene import clean, one_line

if TYPE_CHECKING:
    from quire.domain.documents import Document, MarkKind

TITLE_CHARS = 300
# The first heading is the document's title where it stands near the top and does not name a mere section.
NEAR_THE_TOP = 2_000
SECTION = re.compile(
    r"(\d+(\.\d+)*\.?|[ivx]+\.)\s|(abstract|introduction|contents|summary|background|preface|title)\W*$", re.IGNORECASE
)
LABEL_CHARS = 200
WARNINGS = 50


class Progress(Protocol):
    """Tells how far a reader is; `more_time` when what was done is known to take long, and is no sign of a fault."""

    def __call__(self, done: int, total: int | None, more_time: bool = False) -> None: ...


def silent(done: int, total: int | None, more_time: bool = False) -> None:
    """Nobody wants to know."""


class Draft:
    """What a reader fills and hands back.

    Headings stand in the text as `# ` lines, and their mark points at that line's start. A mark set before
    any text of its page, slide or sheet points at the first block that follows.
    """

    def __init__(self, limits: Limits, progress: Progress | None = None) -> None:
        self.limits = limits
        self.progress = progress or silent
        self.title: str | None = None
        self.marks: list[tuple[int, str, str, int]] = []
        self.warnings: list[str] = []
        self._parts: list[str] = []
        self._length = 0
        self._waiting: list[tuple[str, str, int]] = []

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def __len__(self) -> int:
        return self._length

    def mark(self, kind: MarkKind, label: str, level: int = 0) -> None:
        """Whatever is written next is on this page, slide or sheet, or at this time."""
        self._waiting.append((kind, one_line(label)[:LABEL_CHARS], level))

    def block(self, text: str) -> None:
        """A paragraph, or anything else that stands between blank lines."""
        self._write(clean(text), "\n\n")

    def line(self, text: str) -> None:
        """A line that follows the one before without a blank line: an item, a row."""
        self._write(clean(text), "\n")

    def more(self, text: str) -> None:
        """Words that go on in the paragraph before."""
        self._write(clean(text), " ")

    def heading(self, level: int, text: str) -> None:
        """A heading on a line of its own, with its mark; one that says nothing is a paragraph."""
        label = one_line(text)
        if says_nothing(label):
            self.block(label)
        if not label or says_nothing(label):
            return
        level = min(max(level, 1), 6)
        self._waiting.append(("heading", label[:LABEL_CHARS], level))
        self.block(f"{'#' * level} {label}")

    def code(self, text: str, language: str = "") -> None:
        text = clean(text)
        fence = "```"
        while fence in text:
            fence += "`"
        if text.strip():
            self.block(f"{fence}{one_line(language)}\n{text}\n{fence}")

    def table(self, rows: Iterable[Sequence[str]], header: bool = True) -> None:
        """Rows as a Markdown table; empty rows and columns are left out. Without a header the rows stand alone."""
        kept = [[cell_text(cell) for cell in row] for row in rows]
        width = max((len(row) for row in kept), default=0)
        used = [column for column in range(width) if any(column < len(row) and row[column] for row in kept)]
        kept = [[row[column] if column < len(row) else "" for column in used] for row in kept]
        kept = [row for row in kept if any(row)]
        for number, row in enumerate(kept):
            written = f"| {' | '.join(row)} |"
            if number == 0:
                self.block(written)
                if header and len(kept) > 1:
                    self.line(f"|{' - |' * len(row)}")
            else:
                self.line(written)

    def mark_at(self, offset: int, kind: MarkKind, label: str, level: int = 0) -> None:
        """A mark inside text that is written already; in the order of their offsets."""
        self.marks.append((offset, kind, one_line(label)[:LABEL_CHARS], level))

    def warn(self, warning: str) -> None:
        if len(self.warnings) < WARNINGS and warning not in self.warnings:
            self.warnings.append(one_line(warning))

    def suggest_title(self, *titles: str | None) -> None:
        """Takes the first title that says something, unless there is one already."""
        for title in titles:
            words = one_line(title or "")
            if words and not self.title and not says_nothing(words):
                self.title = words[:TITLE_CHARS]

    def finish(self, empty: str = "There is no text in the file.") -> Draft:
        """Settles the title; a document without any text is refused for the reason given."""
        if not any(not character.isspace() for part in self._parts for character in part):
            raise InvalidInput(empty)
        for kind, label, level in self._waiting:
            self.marks.append((self._length, kind, label, level))
        self._waiting.clear()
        first = next(((at, label) for at, kind, label, _ in self.marks if kind == "heading"), (0, ""))
        if first[0] < NEAR_THE_TOP and not SECTION.match(first[1]):
            self.suggest_title(first[1])
        return self

    def _write(self, text: str, between: str) -> None:
        if not text.strip():
            return
        gap = between if self._parts else ""
        start = self._length + len(gap)
        if start + len(text) > self.limits.text_chars:
            raise too_much_text(self.limits.text_chars)
        for kind, label, level in self._waiting:
            self.marks.append((start, kind, label, level))
        self._waiting.clear()
        self._parts.append(gap + text)
        self._length = start + len(text)

    def as_json(self) -> bytes:
        """What `Document.model_validate_json` takes; made without pydantic, which would double a child's start."""
        marks = [{"offset": at, "kind": kind, "label": label, "level": level} for at, kind, label, level in self.marks]
        content: dict[str, Any] = {"text": self.text, "title": self.title, "marks": marks, "warnings": self.warnings}
        return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()

    def document(self) -> Document:
        from quire.domain.documents import Document

        return Document.model_validate_json(self.as_json())


def cell_text(text: str) -> str:
    """A table's cell on one line, its bars escaped."""
    return one_line(text).replace("|", "\\|")
