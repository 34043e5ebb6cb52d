"""Reports as DOCX."""

from __future__ import annotations

from pathlib import Path

from quire.adapters.artifact_files.report_markdown import body
from quire.adapters.office.document import write_document
from quire.adapters.office.parsing import writable
from quire.domain.reports import Report
from quire.ports.artifact_files import Progress
from quire.ports.office import OfficeFacts


def make(report: Report, path: Path, progress: Progress) -> None:
    facts = OfficeFacts(title=report.title, language=report.language)
    path.write_bytes(write_document([("", body(report))], facts))


def check(path: Path, report: Report) -> None:
    from docx import Document

    document = Document(str(path))
    headings = [one.text for one in document.paragraphs if one.style is not None and one.style.name.startswith("Head")]
    if any(writable(" ".join(section.heading.split())) not in headings for section in report.sections):
        raise ValueError("a section is missing")
    tables = sum(block.form == "table" for section in report.sections for block in section.blocks)
    if len(document.tables) != tables:
        raise ValueError("a table is missing")
