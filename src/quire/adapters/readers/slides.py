"""PowerPoint presentations (.pptx): a mark for each slide, its title as heading, its notes at the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from quire.adapters.readers.archives import Archive
from quire.adapters.readers.draft import Draft
from quire.adapters.readers.failures import damaged, reading, too_many
from quire.adapters.readers.formulas import latex
from quire.adapters.readers.html_tables import Table
from quire.adapters.readers.limits import Limits
from quire.adapters.readers.markup import Element, attribute, child, children, descendants, local
from quire.adapters.readers.packages import Package, Relation
from quire.adapters.readers.word_styles import number_of
from quire.domain.hygiene import one_line

WHAT = "a PowerPoint presentation"
TITLES = ("title", "ctrTitle")
FURNITURE = ("dt", "ftr", "sldNum", "hdr", "sldImg")
BODIES = ("body", "obj", "")
MOST_POINTS = 2_000


def read_slides(path: Path, limits: Limits) -> Draft:
    draft = Draft(limits)
    with reading(WHAT), Archive(path, WHAT, limits) as archive:
        package = Package(archive)
        main = package.main
        root = package.tree(main)
        if root is None or local(root) != "presentation":
            raise damaged(WHAT)
        draft.suggest_title(package.title if package.title != "PowerPoint Presentation" else None)
        relations = package.relations(main)
        listed = [slide_of(entry, relations) for entry in children(child(root, "sldIdLst"), "sldId")]
        if len(listed) > limits.pages:
            raise too_many(len(listed), limits.pages, "slides")
        for number, part in enumerate(filter(None, listed), 1):
            Slide(draft, package, part).write(number)
    return draft.finish("There is no text on the slides.")


def slide_of(entry: Element, relations: dict[str, Relation]) -> str | None:
    """The part of a slide in the list; an entry has a number too, and both are called id."""
    for value in entry.attrib.values():
        found = relations.get(value)
        if found is not None and found.kind == "slide":
            return found.target
    return None


class Slide:
    def __init__(self, draft: Draft, package: Package, part: str) -> None:
        self.draft = draft
        self.package = package
        self.part = part
        self.relations = package.relations(part)

    def write(self, number: int) -> None:
        self.draft.mark("slide", str(number))
        tree = child(self.package.tree(self.part), "cSld", "spTree")
        shapes = list(shapes_in(tree)) if tree is not None else []
        titles = [shape for shape in shapes if placeholder(shape) in TITLES]
        title = " ".join(text for shape in titles for text, _ in paragraphs(child(shape, "txBody")))
        if title:
            self.draft.heading(1, title)
        else:
            # Without one of its own a slide would seem to stand under the title of the slide before.
            self.draft.mark("heading", f"Slide {number}", 1)
        for shape in shapes:
            if placeholder(shape) not in (*TITLES, *FURNITURE):
                self._shape(shape)
        notes = self.package.tree(self.package.first(self.part, "notesSlide"))
        for shape in shapes_in(child(notes, "cSld", "spTree")) if notes is not None else ():
            if placeholder(shape) == "body":
                said = "\n".join(text for text, _ in paragraphs(child(shape, "txBody")))
                self.draft.block(f"Notes: {said}" if said else "")

    def _shape(self, shape: Element) -> None:
        name = local(shape)
        if name == "graphicFrame":
            self._graphic(shape)
        elif name == "pic":
            described = next(descendants(shape, "cNvPr"), None)
            said = one_line(attribute(described, "descr") or "") if described is not None else ""
            self.draft.block(f"![{said}]" if said else "")
        else:
            self._body(shape)

    def _body(self, shape: Element) -> None:
        """Text of a shape; where it is a body of several points, these as a list."""
        body = child(shape, "txBody")
        said = list(paragraphs(body))
        listed = placeholder(shape) in BODIES and len(said) > 1
        counts: dict[int, int] = {}
        in_list = False
        for text, properties in said:
            level = min(max(number_of(properties.get("lvl") if properties is not None else None), 0), 8)
            counted = child(properties, "buAutoNum") is not None
            bulleted = child(properties, "buChar") is not None or child(properties, "buBlip") is not None
            if counted or bulleted or (listed and child(properties, "buNone") is None):
                counts = {deep: count for deep, count in counts.items() if deep <= level}
                counts[level] = counts.get(level, 0) + 1
                bullet = f"{counts[level]}." if counted else "-"
                indent = "  " * level
                item = f"{indent}{bullet} {text}".replace("\n", f"\n{indent}  ")
                (self.draft.line if in_list else self.draft.block)(item)
                in_list = True
            else:
                self.draft.block(text)
                in_list, counts = False, {}

    def _graphic(self, frame: Element) -> None:
        for grid in descendants(frame, "tbl"):
            self._table(grid)
        for chart in descendants(frame, "chart"):
            related = self.relations.get(attribute(chart, "id") or "")
            if related is not None:
                write_chart(self.draft, self.package.tree(related.target))
        for diagram in descendants(frame, "relIds"):
            related = self.relations.get(attribute(diagram, "dm") or "")
            root = self.package.tree(related.target) if related is not None else None
            for number, text in enumerate(diagram_texts(root)):
                (self.draft.line if number else self.draft.block)(f"- {text}")

    def _table(self, grid: Element) -> None:
        table = Table()
        for row in children(grid, "tr"):
            table.start_row()
            for cell in children(row, "tc"):
                above = table.rows[-2] if len(table.rows) > 1 else []
                at = len(table.rows[-1])
                if cell.get("vMerge") in ("1", "true") and at < len(above):
                    table.add(above[at])
                else:
                    table.add(" ".join(text for text, _ in paragraphs(child(cell, "txBody"))))
        self.draft.table(table.rows)


def shapes_in(tree: Element | Iterable[Element] | None) -> Iterator[Element]:
    """The shapes of a slide in their order, those in groups too; of alternatives the first that is given."""
    for shape in tree if tree is not None else ():
        name = local(shape)
        if name == "grpSp":
            yield from shapes_in(shape)
        elif name == "AlternateContent":
            choice, fallback = child(shape, "Choice"), child(shape, "Fallback")
            yield from shapes_in(choice if choice is not None else fallback)
        elif name in ("sp", "cxnSp", "pic", "graphicFrame") or any(True for _ in descendants(shape, "txBody")):
            yield shape


def placeholder(shape: Element) -> str | None:
    """What the layout meant a shape for: "title", "body", ""; None for one that was drawn freely."""
    for holder in shape:
        if local(holder).startswith("nv"):
            found = child(holder, "nvPr", "ph")
            return None if found is None else found.get("type") or ""
    return None


def paragraphs(body: Element | None) -> Iterator[tuple[str, Element | None]]:
    """Each paragraph's words, and its properties."""
    for paragraph in children(body, "p"):
        text = "".join(pieces(paragraph)).strip()
        if text:
            yield text, child(paragraph, "pPr")


def pieces(parent: Element) -> Iterator[str]:
    for element in parent:
        name = local(element)
        if name in ("r", "fld"):
            yield "".join(text.text or "" for text in children(element, "t"))
        elif name == "br":
            yield "\n"
        elif name in ("oMath", "oMathPara"):
            yield f" ${latex(element).strip()}$ "
        elif name in ("m", "AlternateContent", "Choice"):
            yield from pieces(element)


def write_chart(draft: Draft, root: Element | None) -> None:
    """A chart as the table that it was drawn from."""
    if root is None:
        return
    for title in children(child(root, "chart"), "title"):
        draft.block("".join(text.text or "" for text in descendants(title, "t")))
    series = list(descendants(root, "ser"))
    names = [points(child(one, "tx")) for one in series]
    labels = next((points(child(one, name)) for one in series for name in ("cat", "xVal")), [])
    values = [points(child(one, "val")) or points(child(one, "yVal")) for one in series]
    longest = max((len(column) for column in [labels, *values]), default=0)
    header = ["", *(name[0] if name else "" for name in names)]
    rows = [[column[at] if at < len(column) else "" for column in [labels, *values]] for at in range(longest)]
    draft.table([header, *rows])


def points(element: Element | None) -> list[str]:
    """The values that a chart keeps of its source."""
    if element is None:
        return []
    found = [(number_of(point.get("idx")), child(point, "v")) for point in descendants(element, "pt")]
    ordered = sorted(found[:MOST_POINTS], key=lambda pair: pair[0])
    return [value.text or "" for _, value in ordered if value is not None]


def diagram_texts(root: Element | None) -> Iterator[str]:
    for point in descendants(root, "pt") if root is not None else ():
        text = one_line("".join(text.text or "" for text in descendants(point, "t")))
        if text:
            yield text
