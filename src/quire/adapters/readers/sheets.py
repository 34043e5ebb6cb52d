"""Spreadsheets (.xlsx, .xlsb, .xls, .ods): a mark for each sheet, its regions as tables, comments at the end."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from quire.adapters.readers.archives import Archive
from quire.adapters.readers.draft import Draft, cell_text
from quire.adapters.readers.failures import protected, reading
from quire.adapters.readers.limits import Limits
from quire.adapters.readers.markup import attribute, child, children, descendants
from quire.adapters.readers.packages import Package

WHAT = "a spreadsheet"
ZIP = b"PK\x03\x04"
MOST_MERGED = 1_000
OLD_COMMENT = "[Threaded comment]"
MIDNIGHT = datetime.time()


def read_sheets(path: Path, limits: Limits) -> Draft:
    draft = Draft(limits)
    with reading(WHAT):
        import python_calamine

        remarks: dict[str, list[str]] = {}
        with path.open("rb") as file:
            zipped = file.read(4) == ZIP
        if zipped:
            with Archive(path, WHAT, limits) as archive:
                if "xl/workbook.xml" in archive:
                    remarks = comments(Package(archive))
        try:
            workbook = python_calamine.CalamineWorkbook.from_path(path)
        except python_calamine.PasswordError:
            raise protected(WHAT) from None
        for name in workbook.sheet_names:
            sheet = workbook.get_sheet_by_name(name)
            write_sheet(draft, name, filled(sheet), remarks.get(name, []))
        workbook.close()
    return draft.finish("The sheets are empty.")


def filled(sheet: Any) -> Iterator[list[Any]]:
    """The rows of a sheet; a cell that was merged down over several rows is repeated in each."""
    down: dict[tuple[int, int], tuple[int, int]] = {}
    top, left = sheet.start or (0, 0)
    for (first, column), (last, _) in sheet.merged_cell_ranges or ():
        for row in range(first + 1, min(last, first + MOST_MERGED) + 1):
            down[row - top, column - left] = (first - top, column - left)
    values: dict[tuple[int, int], Any] = {}
    sources = set(down.values())
    for number, row in enumerate(sheet.iter_rows()):
        for column in range(len(row)) if down else ():
            place = (number, column)
            if place in sources:
                values[place] = row[column]
            elif place in down and row[column] == "":
                row[column] = values.get(down[place], "")
        yield row


def write_sheet(draft: Draft, name: str, rows: Iterable[list[Any]], remarks: list[str]) -> None:
    first = True
    for region in regions(rows):
        if first:
            draft.mark("sheet", name)
            draft.block(f"## {cell_text(name)}")
            first = False
        filled = [cell for row in region for cell in row if cell]
        if len(filled) == 1:
            draft.block(filled[0])
        else:
            draft.table(region)
    for remark in remarks:
        draft.block(remark)


def regions(rows: Iterable[list[Any]]) -> Iterator[list[list[str]]]:
    """The parts of a sheet that empty rows keep apart."""
    region: list[list[str]] = []
    for row in rows:
        cells = [shown(cell) for cell in row]
        if any(cells):
            region.append(cells)
        elif region:
            yield region
            region = []
    if region:
        yield region


def shown(value: Any) -> str:
    """A cell's value as a person would write it: whole numbers without a point, dates without midnight."""
    match value:
        case str():
            return value.strip()
        case bool():
            return "TRUE" if value else "FALSE"
        case float():
            return str(int(value)) if value.is_integer() and abs(value) < 1e15 else format(value, ".15g")
        case datetime.datetime():
            return str(value.date()) if value.time() == MIDNIGHT else value.isoformat(" ")
        case _:
            return str(value)


def comments(package: Package) -> dict[str, list[str]]:
    """Remarks by the name of their sheet."""
    root = package.tree(package.main)
    relations = package.relations(package.main)
    found: dict[str, list[str]] = {}
    for sheet in children(child(root, "sheets"), "sheet"):
        related = relations.get(attribute(sheet, "id") or "")
        if related is not None:
            said = [*threaded(package, related.target), *remarked(package, related.target)]
            found[sheet.get("name") or ""] = said
    return found


def remarked(package: Package, part: str) -> Iterator[str]:
    for target in package.all(part, "comments"):
        root = package.tree(target)
        authors = [author.text or "" for author in children(child(root, "authors"), "author")]
        for comment in children(child(root, "commentList"), "comment"):
            text = "".join(piece.text or "" for piece in descendants(comment, "t"))
            index = comment.get("authorId") or ""
            author = authors[int(index)] if index.isdigit() and int(index) < len(authors) else ""
            if not text.startswith(OLD_COMMENT):
                yield remark(comment.get("ref") or "", author, text.removeprefix(f"{author}:"))


def threaded(package: Package, part: str) -> Iterator[str]:
    people = {
        person.get("id"): person.get("displayName") or ""
        for target in package.all(package.main, "person")
        for person in children(package.tree(target), "person")
    }
    for target in package.all(part, "threadedComment"):
        for comment in children(package.tree(target), "threadedComment"):
            text = "".join(piece.text or "" for piece in children(comment, "text"))
            yield remark(comment.get("ref") or "", people.get(comment.get("personId"), ""), text)


def remark(cell: str, author: str, text: str) -> str:
    by = f" by {author}" if author else ""
    return f"Comment on {cell}{by}: {' '.join(text.split())}"
