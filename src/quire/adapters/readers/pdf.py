"""PDF: a mark for each page, and recognition for pages that are pictures of text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pypdfium2
from pypdfium2 import raw

from quire.adapters.readers.draft import Draft, Progress
from quire.adapters.readers.failures import needs, protected, reading, too_many, too_much_text
from quire.adapters.readers.layout import Flow, LineBlock, blocks_of
from quire.adapters.readers.limits import Limits
from quire.adapters.readers.lines import Line
from quire.adapters.readers.pdf_headings import BOLD_WORDS, HEADING_CHARS, Headings, could_be
from quire.adapters.readers.pdf_lines import PageText
from quire.adapters.readers.pdf_tables import MOST_LINES, Table, rules_of, tables_of

WHAT = "a PDF"
FEW_LETTERS = 25
MANY_CHARS = 500
UNREADABLE = re.compile("[\ufffd\ue000-\uf8ff]")
MADE_UP_TITLE = re.compile(
    r"^(untitled|microsoft \w+ - |.*\.(docx?|od[tps]|pptx?|xlsx?|indd|tex|dvi|qxd|pdf|ps)\W*$)", re.I
)
DIGITS = re.compile(r"\d+")
LETTER = re.compile(r"[^\W_]")
PICTURE_SHARE = 0.1
MARGIN = 0.1
REPEATS = 4
REPEATED_SHARE = 0.4
DOTS_PER_INCH = 200
MOST_PIXELS = 30_000_000


class Page(NamedTuple):
    """`bold` holds the starts of its short lines that are bold, `edges` the heights beyond which its margins are."""

    number: int
    lines: list[Line]
    bold: set[int]
    picture: bool
    edges: tuple[float, float]
    tables: list[Table]


def read_pdf(path: Path, limits: Limits, progress: Progress | None = None) -> Draft:
    draft = Draft(limits, progress)
    with reading(WHAT):
        document = opened(path)
        try:
            count = len(document)
            if count > limits.pages:
                raise too_many(count, limits.pages, "pages")
            title = document.get_metadata_value("Title").replace("\x00", "").strip()
            draft.suggest_title(None if MADE_UP_TITLE.match(title) else title)
            if document.get_formtype() != raw.FORMTYPE_NONE:
                document.init_forms()
            pages = []
            letters = 0
            for number in range(count):
                pages.append(page_of(document, number))
                letters += sum(len(line.text) for line in pages[-1].lines)
                if letters > 2 * limits.text_chars:
                    raise too_much_text(limits.text_chars)
                draft.progress(number + 1, count)
            write_pages(draft, document, pages)
        finally:
            document.close()
    return draft.finish("There is no text in the PDF, not even in its pictures.")


def opened(path: Path) -> Any:
    try:
        return pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == raw.FPDF_ERR_PASSWORD:
            raise protected(WHAT) from None
        raise


def page_of(document: Any, number: int) -> Page:
    page = document[number]
    if document.formenv is not None:
        # What was filled into a form becomes part of the page's text.
        page.flatten()
        page.close()
        page = document[number]
    try:
        text = PageText(page)
        try:
            lines = text.lines()
            bold = {line.start for line in lines if could_be(line, BOLD_WORDS) and text.bold(line)}
            tables = tables_on(page, text, lines)
        finally:
            text.close()
        picture = not legible("".join(line.text for line in lines)) and has_picture(page)
        left, bottom, right, top = page.get_mediabox()
        if page.get_rotation() in (90, 270):
            bottom, top = left, right
        margin = MARGIN * (top - bottom)
        return Page(number, lines, bold, picture, (bottom + margin, top - margin), tables)
    finally:
        page.close()


def tables_on(page: Any, text: PageText, lines: list[Line]) -> list[Table]:
    if not 1 < len(lines) <= MOST_LINES:
        return []
    rules = rules_of(page)
    return tables_of(lines, {line.start: text.cells(line, rules.upright) for line in lines}, rules)


def legible(text: str) -> bool:
    """Whether there are words, in letters that have a meaning."""
    if UNREADABLE.search(text) and len(UNREADABLE.findall(text)) * 3 > len(text):
        return False
    return len(text) > MANY_CHARS or len(LETTER.findall(text)) >= FEW_LETTERS


def has_picture(page: Any) -> bool:
    """Whether pictures cover enough of the page to hold its text."""
    covered = 0.0
    for shape in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=3):
        left, bottom, right, top = shape.get_bounds()
        covered += max(right - left, 0) * max(top - bottom, 0)
    return bool(covered > PICTURE_SHARE * page.get_width() * page.get_height())


def write_pages(draft: Draft, document: Any, pages: list[Page]) -> None:
    repeated = furniture(pages)
    flow = Flow([page.lines for page in pages])
    headings = Headings(document, [page.lines for page in pages], [page.bold for page in pages])
    recognise = recogniser(draft, pages)
    for page in pages:
        draft.mark("page", str(page.number + 1))
        if page.picture and recognise is not None:
            draft.progress(page.number, len(pages), more_time=True)
            found = recognise(rendered(document, page.number))
            for text in found:
                draft.block(text)
            if found:
                continue
        kept = [line for line in page.lines if place_of(line) not in repeated] or page.lines
        tables = {table.place.start: table for table in page.tables}
        for block in blocks_of(with_tables(kept, page.tables)):
            if table := tables.get(block[0].start):
                draft.table(table.rows)
            else:
                write_block(draft, block, page.number, headings, flow)


def with_tables(lines: list[Line], tables: list[Table]) -> Iterator[Line]:
    """The lines, with one in the place of all that are in a table."""
    places = {start: table.place for table in tables for start in table.lines}
    for line in lines:
        place = places.get(line.start)
        if place is None:
            yield line
        elif place.start == line.start:
            yield place


def write_block(draft: Draft, block: LineBlock, page: int, headings: Headings, flow: Flow) -> None:
    """A block as paragraphs, cut where a line is a heading; a heading may run over several lines."""
    text = LineBlock()
    level, words = 0, ""

    def flush() -> None:
        if level:
            draft.heading(level, words)
        for paragraph in flow.paragraphs(text) if text else ():
            draft.block(paragraph)
        text.clear()

    for line in block:
        found = headings.level(page, line)
        if found and found == level and headings.may_run_on and len(words) + len(line.words) < HEADING_CHARS:
            words = f"{words} {line.words}"
        elif found or level:
            flush()
            level, words = found, line.words
            if not found:
                text.append(line)
        else:
            text.append(line)
    flush()


def place_of(line: Line) -> tuple[str, int]:
    """What two lines have in common that only differ in a number: their words and their height on the page."""
    return DIGITS.sub("#", line.words), round(line.bottom / 2)


def furniture(pages: list[Page]) -> set[tuple[str, int]]:
    """Headers and footers: lines in the margins of many pages that say the same but for numbers."""
    seen: Counter[tuple[str, int]] = Counter()
    for page in pages:
        low, high = page.edges
        seen.update({place_of(line) for line in page.lines if line.top < low or line.bottom > high})
    enough = max(REPEATS, REPEATED_SHARE * len(pages))
    return {place for place, count in seen.items() if count >= enough}


def recogniser(draft: Draft, pages: list[Page]) -> Callable[[Any], list[str]] | None:
    """What reads pictures of text, if there are any and it is installed; else a warning, or why nothing can be read."""
    pictures = [page for page in pages if page.picture]
    if not pictures:
        return None
    try:
        from quire.adapters.readers.recognition import recognised_paragraphs
    except ImportError:
        needed = needs("ocr", "pages that are pictures of text")
        if not any(page.lines for page in pages):
            raise needed from None
        draft.warn(f"{len(pictures)} of {len(pages)} pages are pictures. {needed.message}")
        return None
    return recognised_paragraphs


def rendered(document: Any, number: int) -> Any:
    """A page as a picture, large enough to be recognised."""
    page = document[number]
    try:
        inches = page.get_width() / 72 * page.get_height() / 72
        density = min(DOTS_PER_INCH, (MOST_PIXELS / max(inches, 0.01)) ** 0.5)
        bitmap = page.render(scale=density / 72)
        return bitmap.to_pil()
    finally:
        page.close()
