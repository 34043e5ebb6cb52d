"""PDF files, opened by another program than the one that made them."""

from __future__ import annotations

from pathlib import Path


def words_of_pages(path: Path) -> list[str]:
    """The text of each page without spaces; ValueError where the file cannot be opened."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError:
        raise ValueError("it cannot be opened") from None
    try:
        return ["".join(document[number].get_textpage().get_text_range().split()) for number in range(len(document))]
    finally:
        document.close()
