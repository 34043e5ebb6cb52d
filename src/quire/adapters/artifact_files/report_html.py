"""Reports as a page of HTML."""

from __future__ import annotations

from html import escape
from pathlib import Path

from quire.adapters.artifact_files.cited import Numbers, ended, numbers_of
from quire.adapters.artifact_files.page import page, read_page
from quire.domain.reports import Report, ReportBlock
from quire.ports.artifact_files import Progress


def make(report: Report, path: Path, progress: Progress) -> None:
    numbers = numbers_of(report)
    parts = [f"<h1>{escape(report.title)}</h1>"]
    if report.subtitle:
        parts.append(f'<p class="soft">{escape(report.subtitle)}</p>')
    for section in report.sections:
        parts.append(f"<h{section.level}>{escape(section.heading)}</h{section.level}>")
        parts += [_block(block, numbers) for block in section.blocks]
    if sources := numbers.sources():
        listed = "".join(f"<li>{escape(title)}</li>" for title in sources)
        parts.append(f'<h2>{escape(report.sources_heading)}</h2>\n<ol class="soft">{listed}</ol>')
    if report.remark:
        parts.append(f'<p class="soft"><em>{escape(report.remark)}</em></p>')
    path.write_text(page(report.title, report.language, "\n".join(parts)), encoding="utf-8")


def check(path: Path, report: Report) -> None:
    found, _ = read_page(path)
    if found.get("h1") != [report.title]:
        raise ValueError("the title is missing")
    headings = [text for tag in ("h2", "h3") for text in found.get(tag, [])]
    if any(section.heading not in headings for section in report.sections):
        raise ValueError("a section is missing")


def _block(block: ReportBlock, numbers: Numbers) -> str:
    said = [
        (escape(item.label), escape(item.statement.text), f"<sup>{escape(numbers.shown(item.statement))}</sup>")
        for item in block.items
    ]
    match block.form:
        case "paragraph":
            return "<p>" + " ".join(f"{ended(text)}{mark}" for _, text, mark in said) + "</p>"
        case "bullets":
            return "<ul>" + "".join(f"<li>{text}{mark}</li>" for _, text, mark in said) + "</ul>"
        case "quotes":
            return "".join(f"<blockquote>{text}{mark}</blockquote>" for _, text, mark in said)
        case "terms":
            return "<dl>" + "".join(f"<dt>{label}</dt><dd>{text}{mark}</dd>" for label, text, mark in said) + "</dl>"
        case "questions":
            shown = "".join(
                f"<li><details><summary>{label}</summary><p>{text}{mark}</p></details></li>"
                for label, text, mark in said
            )
            return f"<ol>{shown}</ol>"
        case _:
            return table(block.heads, block.rows)


def table(heads: list[str], rows: list[list[str]]) -> str:
    head = "".join(f"<th>{escape(one)}</th>" for one in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
