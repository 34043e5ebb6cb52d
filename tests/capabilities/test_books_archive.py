"""A book as a ZIP: the tree byte for byte, a manifest that agrees with it, progress, and an address that ends."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from pathlib import Path

import pytest

from quire.adapters.memory import FixedClock
from quire.api.library import Library
from quire.domain.archives import MANIFEST
from quire.domain.errors import NotAllowed, NotFound
from quire.ports.machine import Purpose

pytestmark = pytest.mark.anyio

BOOK = "my-book"
FILES = {
    "lessons/part-1/a.md": "# A\r\n\r\n 🦜 \n",
    "lessons/part-1/deep/b.md": "",
    "notes.txt": "x" * 2_000_000,
}


@pytest.fixture
async def books(timed: Library) -> Library:
    await timed.books.create(BOOK, "My book")
    for path, text in FILES.items():
        await timed.books.write_content(BOOK, path, text[:1_000_000])
    await timed.books.write_summary(BOOK, "chapter-01", "A summary\n")
    await timed.books.upload_asset(BOOK, "images", "dot.png", "iVBORw0KGgoAAAANSUhEUgAA")
    return timed


def tree(library: Library) -> dict[str, bytes]:
    root = Path(str(library.engine.parts.books.storages.get("fs").path(f"books/{BOOK}")))
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


async def opened(library: Library, job_id: str) -> dict[str, bytes]:
    file = await library.jobs.file(job_id)
    with zipfile.ZipFile(io.BytesIO(await file.read())) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


async def test_the_archive_is_the_tree_byte_for_byte(books: Library) -> None:
    made = await books.books.get_book_archive(BOOK)
    files = await opened(books, made.job_id)
    manifest = json.loads(files.pop(MANIFEST))
    assert files == tree(books)
    assert {"book.yaml", "chapters/chapter-01/.summary.md", "assets/images/dot.png"} <= files.keys()
    assert manifest == {
        "book_id": BOOK,
        "manifest_hash": made.manifest_hash,
        "files": [
            {"path": path, "size": len(files[path]), "sha256": hashlib.sha256(files[path]).hexdigest()}
            for path in sorted(files)
        ],
    }
    assert (made.file_count, made.total_size_bytes) == (len(files), sum(map(len, files.values())))
    assert (made.status, made.format, made.valid_for_seconds) == ("success", "zip", 3600)


async def test_what_another_program_has_put_there_is_in_it(books: Library) -> None:
    extra = Path(str(books.engine.parts.books.storages.get("fs").path(f"books/{BOOK}/lessons/by hand.md")))
    extra.write_text("by hand\n")
    made = await books.books.get_book_archive(BOOK)
    assert (await opened(books, made.job_id))["lessons/by hand.md"] == b"by hand\n"


async def test_the_address_ends_after_an_hour(books: Library, clock: FixedClock) -> None:
    made = await books.books.get_book_archive(BOOK)
    token = made.archive_url.rpartition("/")[2]
    assert books.engine.signer.verify(Purpose.FILE_LINK, token)["sha256"] == made.sha256
    assert made.expires_at.timestamp() * 1_000_000 == clock.now() + 3600 * 1_000_000
    clock.move(seconds=3601)
    with pytest.raises(NotAllowed):
        books.engine.signer.verify(Purpose.FILE_LINK, token)


async def test_a_book_can_be_exported_as_a_file(books: Library) -> None:
    file = await books.books.export_book(BOOK)
    assert (file.name, file.media_type) == ("my-book-2025-12-07.zip", "application/zip")
    with zipfile.ZipFile(io.BytesIO(await file.read())) as archive:
        assert set(archive.namelist()) == tree(books).keys() | {MANIFEST}


async def test_what_is_packed_already_is_stored_and_text_is_compressed(books: Library) -> None:
    file = await books.books.export_book(BOOK)
    with zipfile.ZipFile(io.BytesIO(await file.read())) as archive:
        methods = {entry.filename: entry.compress_type for entry in archive.infolist()}
    assert methods["assets/images/dot.png"] == zipfile.ZIP_STORED
    assert methods["notes.txt"] == zipfile.ZIP_DEFLATED
    assert file.size < 100_000


async def test_an_archive_needs_a_role_in_the_book(library: Library, guest: Library) -> None:
    await library.books.create(BOOK, "My book")
    with pytest.raises(NotFound):
        await guest.books.get_book_archive(BOOK)
    with pytest.raises(NotFound):
        await library.books.get_book_archive("other-book")
