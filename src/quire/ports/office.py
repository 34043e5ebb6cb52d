"""Files of office programs: documents and workbooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from quire.domain.sheets import Sheet

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@dataclass(frozen=True)
class OfficeFacts:
    """What is said of a file beside what stands in it.

    `language` is a tag like `de`. `footnotes` are Markdown by the number that stands in brackets in the text (`[1]`):
    such a mark becomes a footnote, like one that the text defines itself (`[^1]`).
    """

    title: str = ""
    language: str = ""
    created: datetime | None = None
    footnotes: Mapping[str, str] = field(default_factory=dict)


PLAIN = OfficeFacts()


class OfficeFiles(Protocol):
    """Writes files of office programs. What is too much, or takes too long, is refused."""

    async def document(self, text: str | Sequence[tuple[str, str]], facts: OfficeFacts = PLAIN) -> bytes:
        """Markdown as a DOCX with real styles; the title, where there is one, stands above it.

        Of several texts (heading, text) each is a chapter, whose own headings are one level deeper.
        """
        ...

    async def workbook(self, sheets: Sequence[Sheet], facts: OfficeFacts = PLAIN) -> bytes:
        """Tables as an XLSX, a sheet each. No text becomes a formula, whatever it begins with."""
        ...

    async def workbook_of_tables(self, texts: Sequence[tuple[str, str]], facts: OfficeFacts = PLAIN) -> bytes | None:
        """All tables of these Markdown texts (title, text) as an XLSX; None where there are none."""
        ...
