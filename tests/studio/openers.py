"""Files of artifacts as programs read them that had no part in making them: what text is in each of their parts."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import av
import pypdfium2
import soundfile
from docx import Document
from markdown_it import MarkdownIt
from PIL import Image
from pptx import Presentation
from python_calamine import CalamineWorkbook


@dataclass(frozen=True)
class Opened:
    """`parts` are pages, slides, rows, cards or passages; `size` is in pixels, points or seconds."""

    parts: list[str]
    size: tuple[float, ...] = ()
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return "\n".join(self.parts)


def opened(format: str, content: bytes, browser: Any = None) -> Opened:
    if format == "html":
        return _html(content, browser)
    return OPENERS[format](content)


def _markdown(content: bytes) -> Opened:
    tokens = MarkdownIt().enable("table").parse(content.decode())
    return Opened([token.content for token in tokens if token.type == "inline"])


def _html(content: bytes, browser: Any) -> Opened:
    """In a real browser, which must have nothing to complain about and nothing to fetch."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "page.html"
        file.write_bytes(content)
        context = browser.new_context(offline=True, viewport={"width": 1100, "height": 800})
        try:
            page = context.new_page()
            wrong: list[str] = []
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.on("console", lambda told: wrong.append(told.text) if told.type == "error" else None)
            page.goto(file.as_uri())
            text = page.evaluate("document.body.innerText")
            too_wide = page.evaluate("document.documentElement.scrollWidth > innerWidth + 1")
            assert wrong == []
            assert not too_wide, "the page is wider than its window"
            return Opened([line for line in text.splitlines() if line.strip()], more={"title": page.title()})
        finally:
            context.close()


def _docx(content: bytes) -> Opened:
    document = Document(io.BytesIO(content))
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    headings = [one.text for one in document.paragraphs if ((one.style and one.style.name) or "").startswith("Heading")]
    return Opened([one.text for one in document.paragraphs if one.text] + cells, more={"headings": headings})


def _pdf(content: bytes) -> Opened:
    with pypdfium2.PdfDocument(content) as file:
        pages = [page.get_textpage().get_text_range() for page in file]
        return Opened(pages, file[0].get_size())


def _json(content: bytes) -> Opened:
    return Opened(list(_strings(json.loads(content))))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _strings(one)


def _svg(content: bytes) -> Opened:
    root = ElementTree.fromstring(content)
    texts = ["".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text")]
    _, _, width, height = (float(one) for one in root.attrib["viewBox"].split())
    return Opened(texts, (width, height))


def _csv(content: bytes) -> Opened:
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    assert len({len(row) for row in rows}) == 1
    return Opened([" | ".join(row) for row in rows], more={"rows": rows})


def _xlsx(content: bytes) -> Opened:
    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    rows = [[str(cell) for cell in row] for row in book.get_sheet_by_index(0).to_python()]
    return Opened([" | ".join(row) for row in rows], more={"rows": rows})


def _pptx(content: bytes) -> Opened:
    deck = Presentation(io.BytesIO(content))
    parts, notes = [], []
    for slide in deck.slides:
        texts = [shape.text_frame.text for shape in slide.shapes if shape.has_text_frame]
        texts += [
            cell.text for shape in slide.shapes if shape.has_table for row in shape.table.rows for cell in row.cells
        ]
        texts += ["chart" for shape in slide.shapes if shape.has_chart]
        for shape in slide.shapes:
            assert 0 <= shape.left <= deck.slide_width - shape.width, "a shape leaves its slide"
            assert 0 <= shape.top <= deck.slide_height - shape.height, "a shape leaves its slide"
        parts.append("\n".join(one for one in texts if one.strip()))
        notes.append(slide.notes_slide.notes_text_frame.text if slide.has_notes_slide else "")
    return Opened(parts, (deck.slide_width, deck.slide_height), {"notes": notes})


def _png(content: bytes) -> Opened:
    with Image.open(io.BytesIO(content)) as picture:
        picture.load()
        colors = picture.convert("RGB").getcolors(1 << 24) or []
        assert len(colors) > 20, "a picture of next to nothing"
        return Opened(["picture"], picture.size)


def _pictures(content: bytes) -> Opened:
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        assert packed.testzip() is None
        names = packed.namelist()
        sizes = {_png(packed.read(name)).size for name in names}
    assert len(sizes) == 1
    return Opened(names, sizes.pop())


def _anki(content: bytes) -> Opened:
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(io.BytesIO(content)) as packed:
        packed.extract("collection.anki2", folder)
        with closing(sqlite3.connect(Path(folder) / "collection.anki2")) as base:
            assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            notes = [fields for (fields,) in base.execute("SELECT flds FROM notes")]
            assert base.execute("SELECT count(*) FROM cards").fetchone()[0] == len(notes)
    return Opened([one.replace("\x1f", " | ") for one in notes])


def _sound(content: bytes) -> Opened:
    sound, rate = soundfile.read(io.BytesIO(content), dtype="float32")
    assert rate == 24_000
    seconds = len(sound) / rate
    windows = [abs(sound[at : at + 3 * rate]).max() for at in range(0, len(sound) - 3 * rate, 3 * rate)]
    assert min(windows, default=1) > 0.05, "three seconds of silence"
    assert abs(sound).max() < 0.999
    with av.open(io.BytesIO(content)) as file:
        chapters = [one["metadata"]["title"] for one in file.chapters()]
    return Opened(chapters or ["sound"], (seconds,))


def _vtt(content: bytes) -> Opened:
    first, *cues = content.decode().strip().split("\n\n")
    assert first.startswith("WEBVTT")
    cues = [cue for cue in cues if "-->" in cue]
    # WebVTT escapes what HTML does.
    return Opened([unescape(cue.split("\n", 2)[-1]) for cue in cues])


OPENERS = {
    **{"md": _markdown, "docx": _docx, "pdf": _pdf, "json": _json, "svg": _svg, "csv": _csv, "xlsx": _xlsx},
    **{"pptx": _pptx, "png": _png, "zip": _pictures, "apkg": _anki, "mp3": _sound, "wav": _sound, "vtt": _vtt},
}
