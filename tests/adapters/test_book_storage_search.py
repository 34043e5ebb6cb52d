"""Search and archive of a book in a bucket on a real S3 server, where the rows say what the files are."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from quire.domain.archives import MANIFEST
from quire.entry.bootstrap import build
from quire.entry.settings import load

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("s3_keys")]

BOOK = "my-book"


async def test_a_book_in_a_bucket_is_searched_and_archived(s3: str, tmp_path: Path) -> None:
    place = f"s3://quire/{tmp_path.name}?endpoint={s3}&region=us-east-1"
    files = {f"lessons/{number:02}.md": f"line one\nOpenDAL {number}\n" for number in range(20)}
    async with build(load({"home": tmp_path / "home", "shelves": f"far={place}", "shelf": "far"}, {})) as library:
        await library.books.create(BOOK, "My book")
        for path, text in files.items():
            await library.books.write_content(BOOK, path, text)
        page = await library.books.grep_search(BOOK, r"OpenDAL \d+$", max_results=19)
        assert [(one.file_path, one.line_number) for one in page] == [
            (f"books/{BOOK}/{path}", 2) for path in sorted(files)[:19]
        ]
        assert page.truncated
        library.engine.parts.books.texts.settle()  # type: ignore[attr-defined]
        assert [one.matched_line for one in await library.books.grep_search(BOOK, "OpenDAL 7$")] == ["OpenDAL 7"]
        assert (await library.books.grep_search(BOOK, "absent")).items == []
        paths = (await library.books.glob_search(BOOK, "lessons/1?.md")).items
        assert paths == [f"books/{BOOK}/lessons/1{digit}.md" for digit in range(10)]
        file = await library.books.export_book(BOOK)
        with zipfile.ZipFile(io.BytesIO(await file.read())) as archive:
            found = {name: archive.read(name).decode() for name in archive.namelist()}
        del found[MANIFEST], found["book.yaml"]
        assert found == files
