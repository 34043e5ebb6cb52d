"""Reports as PDF, set by typst. The report comes to the template as data, so that nothing in it is taken for markup."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from quire.adapters.artifact_files.cited import Numbers, ended, numbers_of
from quire.adapters.rendering.typst_pages import typst_language
from quire.domain.reports import Report, ReportBlock
from quire.ports.artifact_files import Progress

TEMPLATE = r"""
#let it = json(bytes(sys.inputs.report))
#set document(title: it.title)
#set page(paper: "a4", margin: (x: 2.4cm, top: 2.4cm, bottom: 2.2cm), numbering: "1",
  number-align: center, footer-descent: 40%)
#set text(font: ("Libertinus Serif", "Noto Serif", "Noto Serif CJK SC", "Noto Naskh Arabic"), size: 11pt,
  lang: it.language, fill: rgb("#1c2430"))
#set par(leading: 0.68em, spacing: 0.95em)
#set list(marker: text(fill: rgb("#2457a6"))[•], indent: 0.3em, body-indent: 0.6em, spacing: 0.75em)
#set enum(indent: 0.3em, body-indent: 0.6em, spacing: 0.8em)
#show heading.where(level: 1): set text(size: 22pt, fill: rgb("#14315f"))
#show heading.where(level: 1): set block(below: 1.1em)
#show heading.where(level: 2): set text(size: 14pt, fill: rgb("#2457a6"))
#show heading.where(level: 2): set block(above: 1.7em, below: 0.8em, sticky: true)
#show heading.where(level: 3): set text(size: 12pt)
#let mark(m) = if m == "" { [] } else { super(typographic: false, size: 7.5pt, text(fill: rgb("#3f4b5b"))[#m]) }
// The mark stays on the line of the word that it stands behind.
#let said(s) = [#s.text#sym.wj#mark(s.mark)]
#heading(level: 1, it.title)
#if it.subtitle != "" [#text(size: 12pt, fill: rgb("#5b6675"), it.subtitle)]
#for section in it.sections {
  heading(level: section.level, section.heading)
  for block in section.blocks {
    if block.form == "paragraph" { par(block.items.map(said).join([ ])) }
    else if block.form == "bullets" { list(..block.items.map(said)) }
    else if block.form == "quotes" {
      for one in block.items { pad(left: 1em, quote(block: true, said(one))) }
    }
    else if block.form == "terms" {
      for one in block.items { par(hanging-indent: 1em)[*#one.label* #h(0.4em) #said(one)] }
    }
    else if block.form == "questions" {
      enum(..block.items.map(one => [*#one.label* #linebreak() #said(one)]))
    }
    else if block.form == "table" {
      set text(size: 9pt)
      table(columns: block.heads.len(), stroke: 0.5pt + rgb("#d9dee6"), inset: 6pt,
        fill: (x, y) => if y == 0 { rgb("#f3f6fa") },
        table.header(..block.heads.map(h => strong(h))), ..block.rows.flatten())
    }
  }
}
#if it.sources.len() > 0 {
  heading(level: 2, it.sources_heading)
  set text(size: 9.5pt, fill: rgb("#5b6675"))
  enum(..it.sources.map(s => [#s]))
}
#if it.remark != "" { text(size: 9.5pt, style: "italic", fill: rgb("#5b6675"), it.remark) }
"""


def make(report: Report, path: Path, progress: Progress) -> None:
    import typst

    numbers = numbers_of(report)
    data = {
        "title": report.title,
        "subtitle": report.subtitle,
        "language": typst_language(report.language),
        "sections": [
            {
                "heading": section.heading,
                "level": section.level,
                "blocks": [_block(block, numbers) for block in section.blocks],
            }
            for section in report.sections
        ],
        "sources": numbers.sources(),
        "sources_heading": report.sources_heading,
        "remark": report.remark,
    }
    made = typst.compile(TEMPLATE.encode(), sys_inputs={"report": json.dumps(data)}, format="pdf")
    path.write_bytes(made)


def check(path: Path, report: Report) -> None:
    """Opened by another program than the one that made it: it has pages, and they say what they should."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError:
        raise ValueError("it cannot be opened") from None
    try:
        text = "".join(document[number].get_textpage().get_text_range() for number in range(len(document)))
    finally:
        document.close()
    if len("".join(text.split())) < sum(len(section.heading) for section in report.sections):
        raise ValueError("its text is missing")


def _block(block: ReportBlock, numbers: Numbers) -> dict[str, Any]:
    finish = ended if block.form == "paragraph" else str
    return {
        "form": block.form,
        "items": [
            {"label": item.label, "text": finish(item.statement.text), "mark": ",".join(numbers.marks(item.statement))}
            for item in block.items
        ],
        "heads": block.heads,
        "rows": [[*row, *[""] * (len(block.heads) - len(row))][: len(block.heads)] for row in block.rows],
    }
