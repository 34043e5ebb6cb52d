"""Text in pictures, and on pages that are pictures."""

from __future__ import annotations

import asyncio
import shutil
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest
from made_pdf import Words, pdf

from quire.adapters.readers import HEAD, read, sniff
from quire.domain.errors import InvalidInput

pytest.importorskip("PIL", reason="the extra ocr is not installed")
pytest.importorskip("rapidocr", reason="the extra ocr is not installed")

from PIL import Image, ImageDraw, ImageFont

WORDS = ["Seventeen ships carried salt", "rope and letters to the islands"]


def picture(lines: list[str]) -> Image.Image:
    shown = Image.new("RGB", (900, 80 + 70 * len(lines)), "white")
    draw = ImageDraw.Draw(shown)
    for number, line in enumerate(lines):
        draw.text((40, 30 + 70 * number), line, fill="black", font=ImageFont.load_default(size=44))
    return shown


def test_words_in_a_picture_are_recognised(tmp_path: Path) -> None:
    path = tmp_path / "sign.png"
    picture(WORDS).save(path)
    assert sniff(path.name, None, path.read_bytes()[:HEAD]) == "image"
    text = asyncio.run(read(path, "image")).text
    assert "Seventeen ships carried salt" in text
    assert "rope and letters" in text


def test_both_ways_of_recognition_find_the_words() -> None:
    from quire.adapters.readers import recognition

    found = recognition.by_rapidocr(picture(WORDS))
    assert [line.words for line in found] == WORDS
    assert found[0].bottom > found[1].top
    if shutil.which("tesseract"):
        lines, sure = recognition.by_tesseract(picture(WORDS))
        assert [line.words for line in lines] == WORDS
        assert sure > recognition.SURE


def test_the_pages_of_a_scan_are_marked(reading: Any, tmp_path: Path) -> None:
    pages = [picture(["First sheet of the log"]), picture(["Second sheet of the log"])]
    path = tmp_path / "scan.tiff"
    pages[0].save(path, save_all=True, append_images=pages[1:])
    told: list[tuple[int, int | None]] = []
    document = reading("image", path.read_bytes(), progress=lambda done, total, more_time: told.append((done, total)))
    assert [(mark.kind, mark.label) for mark in document.marks] == [("page", "1"), ("page", "2")]
    assert document.place(document.text.index("Second")).page == "2"
    assert told == [(1, 2), (2, 2)]


def test_a_picture_without_words_is_refused(reading: Any, tmp_path: Path) -> None:
    path = tmp_path / "blank.png"
    Image.new("RGB", (300, 200), "white").save(path)
    with pytest.raises(InvalidInput, match="No text was recognised"):
        reading("image", path.read_bytes())


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0 broken", b"II*\x00\x08\x00\x00\x00"])
def test_a_broken_picture_is_refused_in_words(reading: Any, data: bytes) -> None:
    with pytest.raises(InvalidInput, match="damaged, or is not a picture"):
        reading("image", data)


def scanned(lines: list[str]) -> bytes:
    """A PDF whose page is a picture of these lines."""
    shown = picture(lines).convert("L")
    data = zlib.compress(shown.tobytes())
    made = pdf([[]], picture=b"\xff" * 64)
    old = made[made.index(b"5 0 obj") : made.index(b"endobj", made.index(b"5 0 obj"))]
    new = (
        b"5 0 obj\n<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray /BitsPerComponent 8 "
        b"/Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream\n" % (*shown.size, len(data), data)
    )
    return made.replace(old, new).replace(b"612 0 0 792 0 0 cm", b"612 0 0 150 0 400 cm")


def test_a_page_that_is_a_picture_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "scan.pdf"
    path.write_bytes(scanned(WORDS))
    document = asyncio.run(read(path, "pdf"))
    assert "Seventeen ships carried salt" in document.text
    assert document.place(0).page == "1"


def test_a_page_with_a_picture_and_words_of_its_own_is_not_recognised(reading: Any) -> None:
    words = [
        Words(f"Line number {number} of the text that belongs to this page.", y=700 - 20 * number)
        for number in range(5)
    ]
    text = reading("pdf", pdf([words], picture=bytes(64))).text
    assert "Line number 4" in text
    assert "rapidocr" not in sys.modules or text.count("Line number 4") == 1
