"""Markdown as a DOCX."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from quire.adapters.office.elements import is_right_to_left, make, qualified, within
from quire.adapters.office.footnotes import Footnotes
from quire.adapters.office.inline import AS_IT_IS, Inline, Look
from quire.adapters.office.numbering import INDENT, LEVELS, Numbering
from quire.adapters.office.parsing import parsed, plain, writable
from quire.adapters.office.styles import add_styles
from quire.ports.office import OfficeFacts

ALIGNED = {"text-align:right": "right", "text-align:center": "center"}
TASKS = {"[ ] ": "☐ ", "[x] ": "☑ ", "[X] ": "☑ "}
LISTS = ("bullet_list", "ordered_list")


def write_document(chapters: Sequence[Sequence[str]], facts: OfficeFacts) -> bytes:
    from docx import Document

    document = Document()
    add_styles(document, facts.language)
    title = writable(facts.title)
    document.core_properties.title = title[:255]
    document.core_properties.author = ""
    document.core_properties.comments = ""
    document.core_properties.language = facts.language
    document.core_properties.created = document.core_properties.modified = facts.created or datetime.now(UTC)
    blocks = Blocks(document, facts)
    if title:
        blocks.paragraph("Title", [], text=title)
    for heading, text in chapters:
        blocks.write(writable(heading), text)
    target = io.BytesIO()
    document.save(target)
    return target.getvalue()


class Blocks:
    """Writes the blocks of a text one after the other."""

    def __init__(self, document: Any, facts: OfficeFacts) -> None:
        self._document = document
        self._deeper = 0
        self._numbering = Numbering(document)
        given = {number: writable(text) for number, text in facts.footnotes.items()}
        self._inline = Inline(document, Footnotes(document), given, _inline_of)
        body = document.element.body
        self._end = body.find(qualified("w:sectPr"))

    def write(self, heading: str, markdown: str) -> None:
        """One text; under a heading of its own its headings are one level deeper."""
        self._deeper = 1 if heading else 0
        self._inline.begin_text()
        if heading:
            self.paragraph("Heading 1", [], text=heading)
        tree = parsed(markdown)
        for node in tree.children:
            if node.type == "footnote_block":
                for note in node.children:
                    self._inline.defined[note.meta.get("id", -1)] = _footnote(note)
        for node in tree.children:
            self._block(node, level=-1, quoted=False)

    def paragraph(
        self,
        style: str,
        nodes: list[Any],
        *,
        text: str = "",
        into: Any = None,
        align: str | None = None,
        look: Look = AS_IT_IS,
    ) -> Any:
        """A paragraph at the end, or in a cell."""
        paragraph = make("w:p")
        if into is None:
            self._end.addprevious(paragraph)
        else:
            into.append(paragraph)
        properties = within(paragraph, "w:pPr")
        within(properties, "w:pStyle", self._inline.styles[style])
        if is_right_to_left(text or "".join(plain(node) for node in nodes)):
            within(properties, "w:bidi")
        if align:
            within(properties, "w:jc", align)
        self._inline.text(paragraph, text, look)
        self._inline.write(paragraph, nodes, self._document.part, look)
        return paragraph

    def _block(self, node: Any, level: int, quoted: bool) -> None:
        kind = node.type
        if kind == "heading":
            self.paragraph(f"Heading {min(int(node.tag[1]) + self._deeper, 9)}", _inline(node))
        elif kind == "paragraph":
            paragraph = self.paragraph("Quote" if quoted else "Normal", _inline(node))
            if level >= 0:
                self._indented(paragraph, level)
        elif kind in LISTS:
            self._list(node, level + 1, quoted)
        elif kind in ("fence", "code_block"):
            paragraph = self.paragraph("Code", [], text=node.content.rstrip("\n").expandtabs(4))
            if level >= 0:
                self._indented(paragraph, level)
        elif kind == "table":
            self._table(node)
        elif kind == "hr":
            self._rule()
        elif kind != "footnote_block":
            for child in node.children:
                self._block(child, level, quoted or kind == "blockquote")

    def _list(self, node: Any, level: int, quoted: bool) -> None:
        level = min(level, LEVELS - 1)
        ordered = node.type == "ordered_list"
        number = self._numbering.begin(ordered=ordered, start=int(node.attrs.get("start", 1)), level=level)
        for item in node.children:
            marked = False
            for child in item.children:
                if marked or child.type in LISTS:
                    self._block(child, level, quoted)
                    continue
                marked = True
                nodes = _inline(child) if child.type in ("paragraph", "heading") else []
                text, nodes = _task(nodes)
                paragraph = self.paragraph("List Number" if ordered else "List Bullet", nodes, text=text)
                properties = paragraph.find(qualified("w:pPr"))
                said = make("w:numPr")
                within(said, "w:ilvl", str(level))
                within(said, "w:numId", str(number))
                properties.find(qualified("w:pStyle")).addnext(said)
                if child.type not in ("paragraph", "heading"):
                    self._block(child, level, quoted)

    def _indented(self, paragraph: Any, level: int) -> None:
        properties = paragraph.find(qualified("w:pPr"))
        indent = make("w:ind", left=str(INDENT * (level + 1)))
        after = properties.find(qualified("w:jc"))
        if after is None:
            properties.append(indent)
        else:
            after.addprevious(indent)

    def _table(self, node: Any) -> None:
        rows = [(row, part.type == "thead") for part in node.children for row in part.children]
        columns = max((len(row.children) for row, _ in rows), default=0)
        if not columns:
            return
        table = make("w:tbl")
        self._end.addprevious(table)
        properties = within(table, "w:tblPr")
        within(properties, "w:tblStyle", self._inline.styles["Table Grid"])
        within(properties, "w:tblW", w="5000", type="pct")
        grid = within(table, "w:tblGrid")
        for _ in range(columns):
            within(grid, "w:gridCol", w=str(9_000 // columns))
        for row, is_head in rows:
            self._row(within(table, "w:tr"), row, columns, is_head)
        # Two tables in a row would otherwise become one.
        self.paragraph("Normal", [])

    def _row(self, written: Any, row: Any, columns: int, is_head: bool) -> None:
        if is_head:
            within(within(written, "w:trPr"), "w:tblHeader")
        for number in range(columns):
            cell = within(written, "w:tc")
            properties = within(cell, "w:tcPr")
            within(properties, "w:tcW", w=str(5_000 // columns), type="pct")
            if is_head:
                within(properties, "w:shd", "clear", color="auto", fill="E8EDF3")
            node = row.children[number] if number < len(row.children) else None
            align = None if node is None else ALIGNED.get(str(node.attrs.get("style", "")))
            nodes = [] if node is None else _inline(node)
            self.paragraph("No Spacing", nodes, into=cell, align=align, look=Look(bold=is_head))

    def _rule(self) -> None:
        paragraph = self.paragraph("Normal", [])
        borders = make("w:pBdr")
        within(borders, "w:bottom", "single", sz="6", space="1", color="999999")
        paragraph.find(qualified("w:pPr")).append(borders)


def _inline(node: Any) -> list[Any]:
    """The inline parts of a block."""
    return [part for child in node.children if child.type == "inline" for part in child.children]


def _inline_of(markdown: str) -> list[Any]:
    return [part for block in parsed(markdown).children for part in _inline(block)]


def _footnote(node: Any) -> list[Any]:
    """A footnote's paragraphs, as one."""
    return [part for block in node.children for part in _inline(block)]


def _task(nodes: list[Any]) -> tuple[str, list[Any]]:
    """A task's box, and what follows it."""
    if nodes and nodes[0].type == "text":
        for mark, box in TASKS.items():
            if nodes[0].content.startswith(mark):
                nodes[0].token.content = nodes[0].content.removeprefix(mark)
                return box, nodes
    return "", nodes
