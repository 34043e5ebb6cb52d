"""OpenDocument texts and presentations (.odt, .odp)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from quire.adapters.readers.archives import Archive
from quire.adapters.readers.draft import Draft
from quire.adapters.readers.failures import damaged, protected, reading, too_many
from quire.adapters.readers.html_tables import MOST_SPAN, Table
from quire.adapters.readers.limits import Limits
from quire.adapters.readers.markup import Element, attribute, child, children, descendants, local, parse_xml
from quire.adapters.readers.word_styles import number_of

WHAT = "an OpenDocument file"
SKIPPED = {"tracked-changes", "table-of-content", "annotation", "annotation-end", "notes", "forms",
           "sequence-decls", "variable-decls", "user-field-decls", "bibliography"}  # fmt: skip
MOST_SPACES = 100
DEEPEST_INDENT = 6


def read_open_document(path: Path, limits: Limits) -> Draft:
    draft = Draft(limits)
    with reading(WHAT), Archive(path, WHAT, limits) as archive:
        if b"encryption-data" in (archive.get("META-INF/manifest.xml") or b""):
            raise protected(WHAT)
        root = parse_xml(archive.read("content.xml"))
        meta = archive.get("meta.xml")
        if meta:
            title = child(parse_xml(meta), "meta", "title")
            draft.suggest_title(None if title is None else title.text)
        body = child(root, "body")
        if body is None or not len(body):
            raise damaged(WHAT)
        OpenBlocks(draft, root).write(body[0])
    return draft.finish()


class OpenBlocks:
    def __init__(self, draft: Draft, root: Element) -> None:
        self.draft = draft
        self._notes: list[str] = []
        self._ordered = ordered_lists(root)
        self._titles = {
            attribute(style, "name") for style in descendants(root, "style")
            if attribute(style, "parent-style-name") == "Title"
        } | {"Title"}  # fmt: skip

    def write(self, content: Element) -> None:
        slides = [page for page in children(content, "page")]
        if len(slides) > self.draft.limits.pages:
            raise too_many(len(slides), self.draft.limits.pages, "slides")
        for number, page in enumerate(slides, 1):
            self._slide(page, number)
        if not slides:
            self._blocks(content)
        for number, note in enumerate(self._notes, 1):
            self.draft.block(f"[^{number}]: {note}")

    def _slide(self, page: Element, number: int) -> None:
        self.draft.mark("slide", str(number))
        titles = [frame for frame in children(page, "frame") if attribute(frame, "class") == "title"]
        title = " ".join(self._text(part) for frame in titles for part in descendants(frame, "p", "h")).strip()
        if title:
            self.draft.heading(1, title)
        else:
            self.draft.mark("heading", f"Slide {number}", 1)
        for shape in page:
            if not any(shape is frame for frame in titles):
                self._blocks([shape])
        for notes in children(page, "notes"):
            said = " ".join(self._text(part) for part in descendants(notes, "p")).strip()
            self.draft.block(f"Notes: {said}" if said else "")

    def _blocks(self, parent: Element | list[Element]) -> None:
        after_list = False
        for element in parent:
            in_list, after_list = after_list, local(element) == "list"
            match local(element):
                case "h":
                    level = number_of(attribute(element, "outline-level"), 1)
                    self.draft.heading(level, self._text(element))
                case "p":
                    text = self._text(element).strip()
                    if attribute(element, "style-name") in self._titles:
                        self.draft.heading(1, text)
                    else:
                        self.draft.block(text)
                    self._boxes(element)
                case "list":
                    self._list(element, 0, None, not in_list)
                case "table":
                    self._table(element)
                case name if name and name not in SKIPPED:
                    self._blocks(element)

    def _boxes(self, paragraph: Element) -> None:
        """Text boxes and tables that hang on a paragraph."""
        for box in descendants(paragraph, "text-box"):
            self._blocks(box)

    def _list(self, element: Element, depth: int, inherited: str | None, first: bool) -> bool:
        """Writes a list; returns whether its first line is still to come."""
        style = attribute(element, "style-name") or inherited
        ordered = (style, depth + 1) in self._ordered
        count = 0
        for item in element:
            fresh = local(item) == "list-item"
            for part in item if local(item) in ("list-item", "list-header") else ():
                if local(part) == "list":
                    first = self._list(part, depth + 1, style, first)
                    continue
                text = self._text(part).strip()
                if text:
                    count += fresh
                    bullet = (f"{count}. " if ordered else "- ") if fresh else "  "
                    line = "  " * min(depth, DEEPEST_INDENT) + bullet + text
                    (self.draft.block if first else self.draft.line)(line)
                    first = fresh = False
        return first

    def _table(self, element: Element) -> None:
        table = Table()
        for row in descendants(element, "table-row"):
            table.start_row()
            for cell in row:
                if local(cell) == "table-cell":
                    text = " ".join(filter(None, (self._text(part).strip() for part in descendants(cell, "p", "h"))))
                    table.add(text, self._span(cell, "number-columns-spanned", "number-columns-repeated"))
                elif local(cell) == "covered-table-cell" and len(table.rows) > 1:
                    at = len(table.rows[-1])
                    above = table.rows[-2]
                    repeated = self._span(cell, "number-columns-repeated")
                    if len(row) and at < len(above) and not any(True for _ in descendants(cell, "p")):
                        table.add(above[at], repeated)
        self.draft.table(table.rows)

    def _span(self, cell: Element, *names: str) -> int:
        return min(max([number_of(attribute(cell, name), 1) for name in names] + [1]), MOST_SPAN)

    def _text(self, parent: Element) -> str:
        return "".join(self._pieces(parent))

    def _pieces(self, parent: Element) -> Iterator[str]:
        yield parent.text or ""
        for element in parent:
            match local(element):
                case "s":
                    yield " " * min(number_of(attribute(element, "c"), 1), MOST_SPACES)
                case "tab":
                    yield " "
                case "line-break":
                    yield "\n"
                case "note":
                    yield self._note(element)
                case "a":
                    yield link(self._text(element), attribute(element, "href") or "")
                case "frame":
                    said = next((found.text or "" for found in descendants(element, "desc", "title")), "")
                    yield f" ![{said.strip()}] " if said.strip() else ""
                case name if name not in SKIPPED:
                    yield from self._pieces(element)
            yield element.tail or ""

    def _note(self, element: Element) -> str:
        body = child(element, "note-body")
        said = "" if body is None else " ".join(self._text(part) for part in descendants(body, "p"))
        self._notes.append(" ".join(said.split()))
        return f"[^{len(self._notes)}]"


def ordered_lists(root: Element) -> set[tuple[str | None, int]]:
    """The levels of list styles that count."""
    return {
        (attribute(style, "name"), number_of(attribute(level, "level"), 1))
        for style in descendants(root, "list-style")
        for level in children(style, "list-level-style-number")
        if attribute(level, "num-format")
    }


def link(text: str, address: str) -> str:
    shown = text.strip()
    if shown and address.startswith(("http://", "https://")) and shown not in address:
        return text.replace(shown, f"[{shown}]({address})", 1)
    return text
