"""Reports as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from quire.adapters.artifact_files.cited import Numbers, ended, numbers_of
from quire.domain.markdown_headings import atx
from quire.domain.reports import Report, ReportBlock
from quire.ports.artifact_files import Progress

# What would begin something in Markdown where it stands for itself.
ODD = re.compile(r"([\\`*_<>\[\]]|~(?=~)|&(?=#?\w+;)|^#)")


def make(report: Report, path: Path, progress: Progress) -> None:
    path.write_text(markdown(report), encoding="utf-8")


def check(path: Path, report: Report) -> None:
    found = [heading[1] for line in path.read_text(encoding="utf-8").splitlines() if (heading := atx(line))]
    wanted = [report.title, *(section.heading for section in report.sections)]
    if [escaped(one) for one in wanted] != found[: len(wanted)]:
        raise ValueError("a heading is missing")


def markdown(report: Report) -> str:
    return f"# {escaped(report.title)}\n\n{body(report)}"


def body(report: Report) -> str:
    """All but the title."""
    numbers = numbers_of(report)
    parts = []
    if report.subtitle:
        parts.append(f"*{escaped(report.subtitle)}*")
    for section in report.sections:
        parts.append(f"{'#' * section.level} {escaped(section.heading)}")
        parts += ["\n".join(_block(block, numbers)) for block in section.blocks]
    if sources := numbers.sources():
        parts.append(f"## {escaped(report.sources_heading)}")
        parts.append("\n".join(f"{number}. {escaped(title)}" for number, title in enumerate(sources, 1)))
    if report.remark:
        parts.append(f"*{escaped(report.remark)}*")
    return "\n\n".join(parts) + "\n"


def _block(block: ReportBlock, numbers: Numbers) -> Iterator[str]:
    said = [(item.label, escaped(item.statement.text), numbers.shown(item.statement)) for item in block.items]
    match block.form:
        case "paragraph":
            yield " ".join(f"{ended(text)} {mark}".strip() for _, text, mark in said)
        case "bullets":
            yield from (f"- {text} {mark}".rstrip() for _, text, mark in said)
        case "quotes":
            yield "\n>\n".join(f"> {text} {mark}".rstrip() for _, text, mark in said)
        case "terms":
            yield from (f"- **{escaped(label)}**: {text} {mark}".rstrip() for label, text, mark in said)
        case "questions":
            yield "\n\n".join(
                f"{number}. **{escaped(label)}**\n   {text} {mark}".rstrip()
                for number, (label, text, mark) in enumerate(said, 1)
            )
        case "table":
            yield from table_lines(block.heads, block.rows)


def table_lines(heads: list[str], rows: list[list[str]]) -> Iterator[str]:
    yield "| " + " | ".join(_cell(head) for head in heads) + " |"
    yield "|" + " --- |" * len(heads)
    for row in rows:
        yield "| " + " | ".join(_cell(cell) for cell in row) + " |"


def _cell(text: str) -> str:
    return escaped(" ".join(text.split())).replace("|", "\\|")


def escaped(text: str) -> str:
    return ODD.sub(r"\\\1", " ".join(text.split()))
