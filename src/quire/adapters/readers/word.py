"""Word documents (.docx), transitional and strict."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from quire.adapters.readers.archives import Archive
from quire.adapters.readers.draft import Draft
from quire.adapters.readers.failures import damaged, reading
from quire.adapters.readers.formulas import latex
from quire.adapters.readers.html_tables import Table
from quire.adapters.readers.limits import Limits
from quire.adapters.readers.markup import Element, attribute, child, children, descendants, local
from quire.adapters.readers.packages import Package
from quire.adapters.readers.word_styles import Numbering, Styles, number_of, value
from quire.domain.hygiene import one_line

WHAT = "a Word document"
# Content that stands inside these is read as if they were not there.
WRAPPERS = {"sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo", "fldSimple", "dir", "bdo", "r", "ruby",
            "rubyBase", "subDoc"}  # fmt: skip
BOXES = str.maketrans({"☐": "[ ]", "☒": "[x]", "☑": "[x]"})
WINGDINGS = {"F0FE": "[x]", "F0FD": "[x]", "F052": "[x]", "F0A8": "[ ]", "F06F": "[ ]", "F0A3": "[ ]", "F0E0": "→"}
FIXED = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": " "}
EXPONENT = re.compile(r"[-+\u2212]?[0-9n]{1,3}$")
RUN_OF_SPACES = re.compile(r"[ \t\u00a0]{2,}")
OWN_NOTES = ("separator", "continuationSeparator", "continuationNotice")


def read_word(path: Path, limits: Limits) -> Draft:
    draft = Draft(limits)
    with reading(WHAT), Archive(path, WHAT, limits) as archive:
        package = Package(archive)
        root = package.tree(package.main)
        body = child(root, "body")
        if body is None:
            raise damaged(WHAT)
        draft.suggest_title(package.title)
        WordBlocks(draft, package).write(body)
    return draft.finish()


class WordBlocks:
    def __init__(self, draft: Draft, package: Package) -> None:
        self.draft = draft
        self.package = package
        self.styles = Styles(package.tree(package.first(package.main, "styles")))
        self.numbering = Numbering(package.tree(package.first(package.main, "numbering")))
        self._relations = package.relations(package.main)
        self._in_list = False
        self._boxes: list[Element] = []

    def write(self, body: Element) -> None:
        self._blocks(body)
        for kind, sign in (("footnotes", "^"), ("endnotes", "^e")):
            for note in children(self.package.tree(self.package.first(self.package.main, kind)), kind[:-1]):
                if attribute(note, "type") not in OWN_NOTES:
                    self._aside(f"[{sign}{attribute(note, 'id')}]:", note)
        for comment in children(self.package.tree(self.package.first(self.package.main, "comments")), "comment"):
            self._aside(f"Comment by {attribute(comment, 'author') or 'someone'}:", comment)

    def _aside(self, label: str, element: Element) -> None:
        text = one_line(" ".join(self._text(paragraph) for paragraph in descendants(element, "p")))
        if text:
            self.draft.block(f"{label} {text}")

    def _blocks(self, parent: Element) -> None:
        for element in flattened(parent):
            name = local(element)
            if name == "p":
                self._paragraph(element)
            elif name == "tbl":
                self._table(element)
            elif name in ("oMathPara", "oMath"):
                self.draft.block(f"$${latex(element).strip()}$$")
            boxes, self._boxes = self._boxes, []
            for box in boxes:
                self._blocks(box)

    def _paragraph(self, paragraph: Element) -> None:
        properties = child(paragraph, "pPr")
        if self.styles.is_contents(properties):
            return
        text = self._text(paragraph).strip()
        level = self.styles.level(properties)
        numbered = self.styles.numbering(properties) if text else None
        label = self.numbering.next(*numbered) if numbered else ""
        if level and text:
            self.draft.heading(level, text if label in ("", "-") else f"{label} {text}")
        elif numbered and text:
            indent = "  " * numbered[1]
            item = f"{indent}{label} {text}".replace("\n", f"\n{indent}  ")
            (self.draft.line if self._in_list else self.draft.block)(item)
        else:
            self.draft.block(text)
        if text:
            self._in_list = bool(numbered) and not level

    def _text(self, parent: Element) -> str:
        """The words of a paragraph; text boxes that hang on it are kept for later."""
        return RUN_OF_SPACES.sub(" ", "".join(self._pieces(parent)))

    def _pieces(self, parent: Element) -> Iterator[str]:
        for element in parent:
            name = local(element)
            if name == "t":
                yield (element.text or "").translate(BOXES)
            elif name in FIXED:
                yield FIXED[name] if attribute(element, "type") != "page" else ""
            elif name == "sym":
                yield WINGDINGS.get((attribute(element, "char") or "").upper(), "")
            elif name == "r" and child(element, "rPr", "vanish") is not None:
                continue
            elif name == "r" and value(element, "rPr", "vertAlign") == "superscript":
                raised = "".join(self._pieces(element))
                yield f"^{raised}" if EXPONENT.match(raised.strip()) else raised
            elif name in WRAPPERS:
                yield from self._pieces(element)
            elif name == "hyperlink":
                yield self._link(element)
            elif name in ("footnoteReference", "endnoteReference"):
                yield f"[^{'e' if name[0] == 'e' else ''}{attribute(element, 'id')}]"
            elif name in ("oMath", "oMathPara"):
                yield f" ${latex(element).strip()}$ " if name == "oMath" else f"\n$${latex(element).strip()}$$\n"
            elif name in ("drawing", "pict", "object"):
                yield from self._drawing(element)
            elif name == "AlternateContent":
                yield from self._pieces(chosen(element))

    def _link(self, element: Element) -> str:
        text = self._text(element)
        target = self._relations.get(attribute(element, "id") or "")
        address = target.target if target is not None and target.external else ""
        shown = text.strip()
        if shown and address.startswith(("http://", "https://")) and shown not in address:
            return text.replace(shown, f"[{shown}]({address})", 1)
        return text

    def _drawing(self, element: Element) -> Iterator[str]:
        boxes = list(descendants(element, "txbxContent"))
        self._boxes.extend(boxes)
        for picture in descendants(element, "docPr"):
            said = one_line(attribute(picture, "descr") or "")
            if said and not boxes:
                yield f" ![{said}] "

    def _table(self, element: Element) -> None:
        rows = [row for row in flattened(element) if local(row) == "tr"]
        cells = [[cell for cell in flattened(row) if local(cell) == "tc"] for row in rows]
        if max((len(row) for row in cells), default=0) <= 1:
            for row in cells:
                for cell in row:
                    self._in_list = False
                    self._blocks(cell)
            return
        table = Table()
        for row in cells:
            table.start_row()
            for cell in row:
                above = table.rows[-2] if len(table.rows) > 1 else []
                at = len(table.rows[-1])
                merged = child(cell, "tcPr", "vMerge")
                if merged is not None and attribute(merged, "val") in (None, "continue") and at < len(above):
                    text = above[at]
                else:
                    text = self._cell(cell)
                width = min(max(number_of(value(cell, "tcPr", "gridSpan"), 1), 1), 50)
                table.add(text, width)
        self._in_list = False
        self.draft.table(table.rows)

    def _cell(self, cell: Element) -> str:
        """A cell on one line, its items with their bullets and a table inside it word by word."""
        said = []
        for paragraph in descendants(cell, "p"):
            text = self._text(paragraph).strip()
            numbered = self.styles.numbering(child(paragraph, "pPr")) if text else None
            said.append(f"{self.numbering.next(*numbered)} {text}" if numbered else text)
        self._boxes = []
        return " ".join(filter(None, said))


def flattened(parent: Element) -> Iterator[Element]:
    """The children of an element, as if controls, insertions and alternatives were not wrapped around them."""
    for element in parent:
        name = local(element)
        if name == "AlternateContent":
            yield from flattened(chosen(element))
        elif name in ("sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo"):
            if value(element, "sdtPr", "docPartObj", "docPartGallery") != "Table of Contents":
                yield from flattened(element)
        else:
            yield element


def chosen(alternatives: Element) -> list[Element]:
    """Of content that stands there twice the newer form, if it says anything."""
    newer, older = child(alternatives, "Choice"), child(alternatives, "Fallback")
    if newer is not None and (older is None or any((text.text or "").strip() for text in descendants(newer, "t"))):
        return list(newer)
    return [] if older is None else list(older)
