"""Files of sources on their way to the reader: where they lie, what they are called, how far the reading is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from made_pdf import Words, pdf

from pages import serving_pages
from quire.adapters.readers.reader import FileReader
from quire.api.library import Library
from quire.domain.errors import NotFound
from quire.domain.files import Upload
from quire.entry.bootstrap import build
from quire.entry.settings import load

pytestmark = pytest.mark.anyio

TABLE = "insect,legs\nbee,6\nspider,8\n"


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    settings = {"home": tmp_path / "home", "embedder": "none", "fetch_allow": "127.0.0.1"}
    async with build(load(settings, {})) as library:
        yield library


async def test_a_file_of_this_machine_is_read_where_it_lies(tmp_path: Path) -> None:
    async def never() -> AsyncIterator[bytes]:
        raise AssertionError("it was copied")
        yield b""

    path, cache = tmp_path / "0123", tmp_path / "cache"
    cache.mkdir()
    path.write_bytes(pdf([[Words("Bees make honey from nectar.")]]))
    path.chmod(0o400)
    document, kind = await FileReader(cache).read(Upload("bees.pdf", never, path=path))
    assert (kind, document.text.strip()) == ("pdf", "Bees make honey from nectar.")
    assert list(cache.iterdir()) == []
    with pytest.raises(NotFound):
        await FileReader(cache).read(Upload("bees.pdf", never, path=tmp_path / "gone"))


async def test_a_stored_file_tells_where_it_lies(library: Library) -> None:
    sha256, _ = await library.engine.files.put(Upload.of("bees", "bees.txt"), 100)
    path = (await library.engine.files.upload(sha256, "bees.txt")).path
    assert path is not None
    assert path.read_text() == "bees"


async def test_a_name_that_tells_nothing_is_read_as_its_sender_calls_it(library: Library) -> None:
    notebook = (await library.notebooks.create("Insects")).id
    named = Upload.of(TABLE, "legs")
    named.media_type = "Text/CSV; charset=utf-8"
    source = await library.sources.add_file(notebook, named)
    assert source.kind == "csv"
    assert (await library.sources.refresh(notebook, source.id)).kind == "csv"
    strange = Upload.of(TABLE, "legs")
    strange.media_type = "\x1b nothing of the kind"
    assert (await library.sources.add_file(None, strange)).kind == "text"


async def test_a_page_is_read_as_its_server_calls_it(library: Library) -> None:
    notebook = (await library.notebooks.create("Insects")).id
    with serving_pages() as pages:
        url = pages.put("/legs", TABLE, "text/csv")
        source = await library.sources.add_url(notebook, url)
        assert source.error is None
        read_as = await library.sources.get_fulltext(notebook, source.id)
        again = await library.sources.refresh(notebook, source.id)
        row = await library.engine.system.read(lambda tx: tx.one("source_by_id", id=again.id))
    assert row is not None
    assert row["media_type"] == "text/csv"
    assert "bee | 6" in read_as.text


async def test_the_pages_that_were_read_are_the_progress_of_whoever_waits(library: Library) -> None:
    reported: list[tuple[float, float | None, str]] = []

    async def report(done: float, total: float | None, message: str) -> None:
        reported.append((done, total, message))

    notebook = (await library.notebooks.create("Insects")).id
    waiting = library.within(replace(library.context, report=report))
    # Enough pages that they are not read between two looks of whoever waits, on a busy machine either.
    pages = 300
    book = pdf([[Words(f"Page {number} of a book about bees.")] for number in range(pages)])
    source = await waiting.sources.add_file(notebook, Upload.of(book, "bees.pdf"))
    assert source.state == "ready"
    assert any(0 < done < pages and (total, message) == (pages, "reading") for done, total, message in reported)
