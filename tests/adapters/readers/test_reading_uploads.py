"""The services' port: files on their way in, into documents."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from made_office import docx, para, zipped

from quire.adapters.readers import Limits
from quire.adapters.readers.reader import FileReader
from quire.domain.errors import InvalidInput, TooLarge
from quire.domain.files import Upload


def endless(first: bytes, given: list[int]) -> Upload:
    """A file that never ends; `given` counts what was taken of it."""

    async def chunks() -> AsyncIterator[bytes]:
        yield first
        while True:
            given.append(1)
            yield b"x" * 100_000

    return Upload("file.txt", chunks)


def test_a_file_is_read_by_its_content_and_leaves_nothing_behind(tmp_path: Path) -> None:
    reader = FileReader(tmp_path)
    document, kind = asyncio.run(reader.read(Upload.of(docx(para("Ships came.")), name="notes.txt")))
    assert (document.text, kind) == ("Ships came.", "docx")
    assert list(tmp_path.iterdir()) == []


def test_a_page_is_read_as_an_article(tmp_path: Path) -> None:
    story = "".join(
        f"<p>Part {n}. The harbour of the island was rebuilt by its fishermen that year.</p>" for n in range(9)
    )
    page = f"<html><body><nav><p>Menu</p></nav><article>{story}</article></body></html>"
    reader = FileReader(tmp_path / "not there yet")
    document, kind = asyncio.run(reader.read(Upload.of(page, name="page")))
    assert kind == "html"
    assert "Part 8." in document.text
    assert "Menu" not in document.text


def test_a_kind_that_nobody_reads_is_refused_without_taking_all_of_it(tmp_path: Path) -> None:
    given: list[int] = []
    with pytest.raises(InvalidInput, match="Unpack it"):
        asyncio.run(FileReader(tmp_path).read(endless(zipped({"a": "b"}), given)))
    assert len(given) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_text_that_never_ends_is_refused_when_it_is_too_large(tmp_path: Path) -> None:
    given: list[int] = []
    reader = FileReader(tmp_path, Limits(text_chars=250_000))
    with pytest.raises(TooLarge, match="a text file may have 1,000,000 bytes"):
        asyncio.run(reader.read(endless(b"Words. ", given)))
    assert len(given) == 10
    assert list(tmp_path.iterdir()) == []
