"""What stands inside a paragraph: runs of text, links, marks of footnotes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from quire.adapters.office.elements import is_right_to_left, make, qualified, within
from quire.adapters.office.footnotes import Footnotes
from quire.adapters.office.styles import StyleIds

BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)
CITED = re.compile(r"\[(\d{1,6}(?:, ?\d{1,6}){0,99})\]")
LINKS = ("http://", "https://", "mailto:")
LONGEST_LINK = 2_000
MOST_DEPTH = 60


@dataclass(frozen=True)
class Look:
    bold: bool = False
    italic: bool = False
    struck: bool = False
    style: str | None = None


AS_IT_IS = Look()


class Inline:
    """Writes the inline parts of the tree into paragraphs of one document."""

    def __init__(
        self, document: Any, footnotes: Footnotes, given: Mapping[str, str], read: Callable[[str], list[Any]]
    ) -> None:
        """`given` are footnotes by the number in brackets; `read` makes inline parts of their Markdown."""
        self._document = document
        self._footnotes = footnotes
        self._given = given
        self._read = read
        # The bookmark and the number of each footnote that there is.
        self._marked: dict[str, tuple[str, str]] = {}
        self.styles = StyleIds(document)
        # What the text defines itself, by the footnote's place among them.
        self.defined: dict[int, list[Any]] = {}

    def begin_text(self) -> None:
        """Another text, whose footnotes are its own."""
        self.defined = {}
        self._marked = {key: known for key, known in self._marked.items() if not key.startswith("^")}

    def write(self, paragraph: Any, nodes: list[Any], part: Any, look: Look = AS_IT_IS, depth: int = 0) -> None:
        """`paragraph` may be a hyperlink; `part` is the one that it is in, to which links belong."""
        for node in nodes:
            self._one(paragraph, node, part, look, depth)

    def text(self, parent: Any, text: str, look: Look = AS_IT_IS) -> None:
        """A run; line breaks in the text are breaks in the run."""
        if not text:
            return
        run = within(parent, "w:r")
        marks = make("w:rPr")
        if look.style:
            within(marks, "w:rStyle", self.styles[look.style])
        for wanted, tag in ((look.bold, "w:b"), (look.italic, "w:i"), (look.struck, "w:strike")):
            if wanted:
                within(marks, tag)
        if is_right_to_left(text):
            within(marks, "w:rtl")
        if len(marks):
            run.append(marks)
        for number, line in enumerate(text.split("\n")):
            if number:
                within(run, "w:br")
            element = within(run, "w:t")
            element.text = line
            element.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")

    def _one(self, parent: Any, node: Any, part: Any, look: Look, depth: int) -> None:
        if depth > MOST_DEPTH:
            return
        kind = node.type
        if kind == "text":
            self._words(parent, node.content, part, look)
        elif kind == "code_inline":
            self.text(parent, node.content, replace(look, style="Code Char"))
        elif kind == "softbreak":
            self.text(parent, " ", look)
        elif kind == "hardbreak":
            within(within(parent, "w:r"), "w:br")
        elif kind == "image":
            self._link(parent, str(node.attrs.get("src", "")), None, node.content or "image", part, look, depth)
        elif kind == "link":
            self._link(parent, str(node.attrs.get("href", "")), node.children, "", part, look, depth)
        elif kind == "footnote_ref":
            id = node.meta.get("id", -1)
            # A footnote cannot have footnotes.
            if part is self._document.part:
                self._footnote(parent, f"^{id}", lambda: self.defined.get(id, []), depth)
        elif kind != "footnote_anchor":
            changed = {
                "strong": replace(look, bold=True), "em": replace(look, italic=True), "s": replace(look, struck=True),
            }.get(kind, look)  # fmt: skip
            self.write(parent, node.children, part, changed, depth + 1)

    def _words(self, parent: Any, text: str, part: Any, look: Look) -> None:
        """Text with marks of citations; those that nobody has explained stay as they are."""
        text = BREAK.sub("\n", text)
        done = 0
        for found in CITED.finditer(text) if self._given and part is self._document.part else ():
            numbers = [number.strip() for number in found[1].split(",")]
            if all(number in self._given for number in numbers):
                self.text(parent, text[done : found.start()].rstrip(" "), look)
                for place, number in enumerate(numbers):
                    if place:
                        self.text(parent, ", ", Look(style="footnote reference"))
                    self._footnote(parent, f"[{number}]", partial(self._read, self._given[number]))
                done = found.end()
        self.text(parent, text[done:], look)

    def _footnote(self, parent: Any, key: str, nodes: Callable[[], list[Any]], depth: int = 0) -> None:
        """A mark and its footnote. The same again refers to the mark that is there, by a field."""
        if key in self._marked:
            bookmark, number = self._marked[key]
            field = within(parent, "w:fldSimple", instr=f" NOTEREF {bookmark} \\f \\h ")
            self.text(field, number, Look(style="footnote reference"))
            return
        id, paragraph = self._footnotes.add()
        self._marked[key] = (f"_Footnote{id}", id)
        within(parent, "w:bookmarkStart", id=id, name=f"_Footnote{id}")
        run = within(parent, "w:r")
        within(within(run, "w:rPr"), "w:rStyle", self.styles["footnote reference"])
        within(run, "w:footnoteReference", id=id)
        within(parent, "w:bookmarkEnd", id=id)
        self.text(paragraph, " ")
        self.write(paragraph, nodes(), self._footnotes.part, depth=depth + 1)

    def _link(
        self, parent: Any, target: str, nodes: list[Any] | None, text: str, part: Any, look: Look, depth: int
    ) -> None:
        """A link out of the document; one of another kind, or inside a link, is its text."""
        is_link = target.lower().startswith(LINKS) and len(target) <= LONGEST_LINK
        if is_link and parent.tag != qualified("w:hyperlink"):
            from docx.opc.constants import RELATIONSHIP_TYPE

            id = part.relate_to(target, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
            parent = within(parent, "w:hyperlink")
            parent.set(qualified("r:id"), id)
            look = replace(look, style="Hyperlink")
        if nodes is None:
            self.text(parent, text, look)
        else:
            self.write(parent, nodes, part, look, depth + 1)
