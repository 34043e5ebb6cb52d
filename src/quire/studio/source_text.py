"""The text of a source, as it is handed in, and how its parts are called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from quire.domain.documents import Document, Mark
from quire.domain.grounding import Grounds, Statement
from quire.domain.headings import says_nothing
from quire.text.headings import plain
from quire.text.quotes import quoted
from quire.text.section_names import NUMBERING
from quire.text.telling_words import EMPTY_HEADING

SITE = re.compile(r"\s[-–|·]\s(?:[^-–|·]{0,20}wikipedia|wikipédia)\s*$", re.IGNORECASE)
FILE_ENDING = re.compile(r"\.[a-z][a-z0-9]{1,4}$", re.IGNORECASE)
LONGEST_HEADING = 90
SPACES = re.compile(r"\s+")


@dataclass(frozen=True)
class SourceText:
    """One version of a source; `kind` is what it came as."""

    id: str
    title: str
    version: int
    kind: str
    language: str | None
    text: str = field(repr=False)
    marks: Sequence[Mark] = field(default=(), repr=False)

    @property
    def name(self) -> str:
        """Its title as one would say it: without the ending of a file."""
        name = SPACES.sub(" ", SITE.sub("", FILE_ENDING.sub("", self.title)).replace("_", " ")).strip()
        return name or self.title

    def grounds(self, start: int, end: int) -> Grounds:
        place = Document(text="", marks=list(self.marks)).place(start)
        return Grounds(
            source_id=self.id,
            source_title=self.title,
            version=self.version,
            start=start,
            end=end,
            excerpt=self.text[start:end],
            place=place,
        )

    def statement(self, start: int, end: int) -> Statement:
        """What stands there, as it reads best."""
        return Statement(text=shown(self.text[start:end]), grounds=[self.grounds(start, end)])


def shown(written: str) -> str:
    """A span on one line, without marks of reference, emphasis and links."""
    return plain(SPACES.sub(" ", quoted(written)))


def heading_of(label: str) -> str:
    """A heading without its number; empty where it says nothing of what stands under it."""
    name = SPACES.sub(" ", NUMBERING.sub("", plain(label), count=1)).strip(" :#*_|")
    if not name or len(name) > LONGEST_HEADING or EMPTY_HEADING.match(name) or says_nothing(name):
        return ""
    return name if any(letter.isalpha() for letter in name) else ""
