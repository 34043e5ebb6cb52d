"""From a tree of HTML to blocks of a draft, without recursion: pages nest as deep as they like."""

from __future__ import annotations

import re

from lxml import etree

from quire.adapters.readers.draft import Draft
from quire.adapters.readers.html_tables import Table, is_layout, span
from quire.adapters.readers.markup import Element, descendants, local

# Not the head: where a page leaves out its <body>, libxml2 leaves elements there that are newer than itself.
SKIPPED = {
    "audio", "button", "canvas", "datalist", "embed", "iframe", "map", "noscript", "object", "option",
    "progress", "script", "select", "style", "svg", "template", "textarea", "title", "video", "",
}  # fmt: skip
BLOCKS = {
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div", "dl",
    "dt", "fieldset", "figcaption", "figure", "footer", "form", "head", "header", "hgroup", "hr", "html", "legend",
    "li", "main", "menu", "nav", "ol", "p", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr",
    "ul",
}  # fmt: skip
LISTS = {"ul", "ol", "menu"}
HEADING = re.compile(r"h[1-6]$")
HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
FURNITURE = re.compile(r"(^|\s)(mw-editsection|headerlink|anchorjs-link|heading-anchor)(\s|$)")
EXPONENT = re.compile(r"[-+\u2212]?[0-9n]{1,3}$")
IMAGES = re.compile(r"(?:(?<!\s)\s++)?!\[[^\[\]]*+\]\s*+")
BRACKETS = str.maketrans("[]", "()")
FILE_NAME = re.compile(r"\S+\.\w{2,4}$")
WHITE = re.compile(r"[ \t\r\n\f\u00a0]+")
NUMBER = re.compile(r"[0-9]{1,6}$")
DEEPEST_INDENT = 6


class OpenList:
    """A list while its items are being read."""

    def __init__(self, ordered: bool, first: int = 1) -> None:
        self._ordered = ordered
        self._next = first

    def bullet(self) -> str:
        self._next += 1
        return f"{self._next - 1}. " if self._ordered else "- "


class HtmlBlocks:
    """Writes what a reader of the page would see into a draft."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self._inline: list[str] = []
        self._heading = 0
        self._quotes = 0
        self._lists: list[OpenList] = []
        self._item = False
        self._new_list = False
        self._table: Table | None = None
        self._table_element: Element | None = None
        self._cell: list[str] | None = None

    def write(self, root: Element) -> None:
        walker = etree.iterwalk(root, events=("start", "end"))
        skipped: Element | None = None
        for event, element in walker:
            tag = local(element).lower()
            if event == "start":
                if self._whole(element, tag):
                    skipped = element
                    walker.skip_subtree()
                else:
                    self._start(element, tag)
                    self._say(element.text)
                continue
            if element is skipped:
                skipped = None
            else:
                self._end(element, tag)
            if element is not root:
                self._say(element.tail)
        self._flush()

    def _whole(self, element: Element, tag: str) -> bool:
        """Takes elements that are dropped, or read in one piece; their inside is not walked."""
        if tag in SKIPPED or hidden(element):
            return True
        if tag == "pre":
            self._code(element)
        elif tag == "math":
            self._inline.append(math_text(element))
        elif tag == "img":
            self._image(element)
        elif tag == "input":
            if (element.get("type") or "").lower() == "checkbox":
                self._inline.append("[x] " if element.get("checked") is not None else "[ ] ")
        elif tag == "sup" and EXPONENT.match("".join(element.itertext()).strip()):
            before = self._inline[-1][-1:] if self._inline else ""
            self._inline.append(
                ("^" if before.isalnum() or before == ")" else "") + "".join(element.itertext()).strip()
            )
        else:
            return False
        return True

    def _start(self, element: Element, tag: str) -> None:
        if tag in BLOCKS or HEADING.match(tag):
            self._flush()
        if tag == "br":
            self._inline.append("\n")
        elif HEADING.match(tag):
            self._heading = int(tag[1])
        elif tag == "blockquote":
            self._quotes += 1
        elif tag in LISTS:
            self._new_list = self._new_list or not self._lists
            first = element.get("start") or ""
            self._lists.append(OpenList(tag == "ol", int(first) if NUMBER.match(first) else 1))
        elif tag == "li":
            self._item = True
        elif tag == "table" and self._table is None and not is_layout(element):
            self._table, self._table_element = Table(), element
        elif tag == "tr" and self._table is not None:
            self._table.start_row()
        elif tag in ("td", "th"):
            if self._table is not None:
                self._cell = []
            elif self._inline:
                self._inline.append(" ")

    def _end(self, element: Element, tag: str) -> None:
        if tag in BLOCKS or HEADING.match(tag):
            self._flush()
        if HEADING.match(tag):
            self._heading = 0
        elif tag == "blockquote":
            self._quotes -= 1
        elif tag in LISTS and self._lists:
            self._lists.pop()
        elif tag == "li":
            self._item = False
        elif tag in ("td", "th") and self._table is not None and self._cell is not None:
            self._table.add(" ".join(self._cell), span(element, "colspan"), span(element, "rowspan"))
            self._cell = None
        elif element is self._table_element and self._table is not None:
            rows, self._table, self._table_element = self._table.rows, None, None
            self.draft.table(rows)

    def _say(self, text: str | None) -> None:
        if text:
            self._inline.append(WHITE.sub(" ", text))

    def _flush(self) -> None:
        """What was said since the last block becomes one."""
        lines = [WHITE.sub(" ", line).strip() for line in "".join(self._inline).split("\n")]
        self._inline.clear()
        text = "\n".join(line for line in lines if line)
        if not text:
            return
        if self._cell is not None:
            self._cell.append(self._bullet() + text if self._item else text)
        elif self._heading and IMAGES.sub("", text):
            self.draft.heading(self._heading, IMAGES.sub("", text).rstrip("¶#").rstrip())
        elif self._lists:
            self._list_item(text)
        elif self._quotes:
            self.draft.block("> " + text.replace("\n", "\n> "))
        else:
            self.draft.block(text)

    def _list_item(self, text: str) -> None:
        indent = "  " * (min(len(self._lists), DEEPEST_INDENT) - 1)
        bullet = self._bullet() if self._item else "  "
        text = indent + bullet + text.replace("\n", f"\n{indent}  ")
        if self._new_list:
            self.draft.block(text)
        else:
            self.draft.line(text)
        self._new_list = False

    def _bullet(self) -> str:
        self._item = False
        return self._lists[-1].bullet() if self._lists else "- "

    def _code(self, element: Element) -> None:
        self._flush()
        for line in descendants(element, "br"):
            line.tail = "\n" + (line.tail or "")
        text = "".join(element.itertext())
        if self._cell is not None:
            self._cell.append(WHITE.sub(" ", text).strip())
        else:
            self.draft.code(text)

    def _image(self, element: Element) -> None:
        said = WHITE.sub(" ", element.get("alt") or "").strip()
        if said and not FILE_NAME.match(said):
            self._inline.append(f" ![{said.translate(BRACKETS)}] ")


def hidden(element: Element) -> bool:
    if element.get("hidden") is not None or element.get("aria-hidden") == "true":
        return True
    style, name = element.get("style"), element.get("class")
    return bool(style and HIDDEN.search(style)) or bool(name and FURNITURE.search(name))


def math_text(element: Element) -> str:
    """A formula as TeX where the page brings it along, else its symbols."""
    for note in descendants(element, "annotation"):
        if "tex" in (note.get("encoding") or "").lower() and note.text:
            return f" ${note.text.strip()}$ "
    spoken = element.get("alttext")
    return f" ${spoken.strip()}$ " if spoken else " " + WHITE.sub("", "".join(element.itertext())) + " "
