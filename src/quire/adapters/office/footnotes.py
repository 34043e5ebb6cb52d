"""Footnotes, which python-docx does not know: a part of their own."""

from __future__ import annotations

from typing import Any

from quire.adapters.office.elements import make, qualified, within
from quire.adapters.office.styles import StyleIds

CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
SEPARATORS = {"-1": "separator", "0": "continuationSeparator"}


class Footnotes:
    """The part is made with the first footnote."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self._styles = StyleIds(document)
        self._count = 0
        self.part: Any = None

    def add(self) -> tuple[str, Any]:
        """The id of a new footnote and its paragraph, which has its mark already."""
        if self.part is None:
            self._begin()
        self._count += 1
        note = within(self.part.element, "w:footnote", id=str(self._count))
        paragraph = within(note, "w:p")
        within(within(paragraph, "w:pPr"), "w:pStyle", self._styles["footnote text"])
        run = within(paragraph, "w:r")
        within(within(run, "w:rPr"), "w:rStyle", self._styles["footnote reference"])
        within(run, "w:footnoteRef")
        return str(self._count), paragraph

    def _begin(self) -> None:
        from docx.opc.packuri import PackURI
        from docx.opc.part import XmlPart

        root = make("w:footnotes")
        for id, kind in SEPARATORS.items():
            run = within(within(within(root, "w:footnote", id=id, type=kind), "w:p"), "w:r")
            within(run, f"w:{kind}")
        package = self._document.part.package
        self.part = XmlPart(PackURI("/word/footnotes.xml"), CONTENT_TYPE, root, package)
        self._document.part.relate_to(self.part, RELATION)
        said = make("w:footnotePr")
        for id in SEPARATORS:
            within(said, "w:footnote", id=id)
        compat = self._document.settings.element.find(qualified("w:compat"))
        if compat is not None:
            compat.addprevious(said)
