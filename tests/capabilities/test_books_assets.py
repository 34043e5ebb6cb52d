"""Assets: names that are safe, bytes that are whole, and uploads in pieces."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from trials import on_one_store

from quire.adapters.memory import FixedClock
from quire.api.library import Library
from quire.domain.assets import ASSET_LIMIT, DIRECT_LIMIT
from quire.domain.errors import Conflict, InvalidInput, NotAllowed, NotFound, TooLarge
from quire.domain.files import Upload
from quire.domain.sharing import Role
from quire.ports.machine import Purpose

pytestmark = pytest.mark.anyio

BOOK = "my-book"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))


@pytest.fixture
async def books(timed: Library) -> Library:
    await timed.books.create(BOOK, "My book")
    return timed


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def on_disk(library: Library, path: str) -> Path:
    return Path(library.engine.parts.books.storages.get("fs").path(f"books/{BOOK}/assets/{path}") or "")


async def piece(data: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(data), 1_000_000):
        yield data[start : start + 1_000_000]


async def test_an_asset_is_stored_and_described(books: Library) -> None:
    uploaded = await books.books.upload_asset(BOOK, "images", "diagram.png", encoded(PNG))
    assert (uploaded.method, uploaded.mime_type, uploaded.file_size) == ("direct", "image/png", len(PNG))
    assert uploaded.path == f"books/{BOOK}/assets/images/diagram.png"
    assert uploaded.cdn_url == f"http://127.0.0.1:8765/{uploaded.path}"
    asset = await books.books.get_asset(BOOK, "images", "diagram.png")
    assert (asset.uploaded_by_agent_id, asset.filename, asset.asset_type) == ("owner", "diagram.png", "images")
    assert asset.file_hash == hashlib.sha256(PNG).hexdigest()
    assert on_disk(books, "images/diagram.png").read_bytes() == PNG
    download = await books.books.download_asset(BOOK, "images", "diagram.png")
    assert await download.read() == PNG


async def test_assets_are_listed_by_type_in_pages(books: Library) -> None:
    for asset_type, name in (("images", "b.png"), ("images", "a.png"), ("audio", "c.mp3")):
        await books.books.upload_asset(BOOK, asset_type, name, encoded(PNG))  # type: ignore[arg-type]
    everything = await books.books.list_assets(BOOK)
    assert [(asset.asset_type, asset.filename) for asset in everything] == [
        ("audio", "c.mp3"),
        ("images", "a.png"),
        ("images", "b.png"),
    ]
    assert [asset.filename for asset in await books.books.list_assets(BOOK, "images")] == ["a.png", "b.png"]
    page = await books.books.list_assets(BOOK, limit=2)
    assert (page.total, page.truncated) == (3, True)
    assert [one.filename for one in await books.books.list_assets(BOOK, limit=2, cursor=page.cursor)] == ["b.png"]
    assert list(await books.books.list_assets(BOOK, "slides")) == []


async def test_an_asset_that_another_program_put_there_is_listed(books: Library) -> None:
    on_disk(books, "slides").mkdir(parents=True)
    on_disk(books, "slides/talk.pdf").write_bytes(b"%PDF-1.7")
    (asset,) = await books.books.list_assets(BOOK)
    assert (asset.filename, asset.uploaded_by_agent_id, asset.mime_type) == ("talk.pdf", "outside", "application/pdf")
    on_disk(books, "slides/talk.pdf").unlink()
    assert list(await books.books.list_assets(BOOK)) == []


async def test_a_name_is_made_safe_and_the_original_is_kept(books: Library) -> None:
    first = await books.books.upload_asset(BOOK, "images", "Mein Büld (1).png", encoded(PNG))
    assert (first.filename, first.original_filename) == ("Mein_Buld_1.png", "Mein Büld (1).png")
    assert (await books.books.get_asset(BOOK, "images", "Mein Büld (1).png")).filename == first.filename
    assert (await books.books.get_asset(BOOK, "images", first.filename)).original_filename == "Mein Büld (1).png"


async def test_names_that_become_the_same_get_a_short_hash(books: Library) -> None:
    one = await books.books.upload_asset(BOOK, "images", "a b.png", encoded(b"1"))
    two = await books.books.upload_asset(BOOK, "images", "a?b.png", encoded(b"2"))
    again = await books.books.upload_asset(BOOK, "images", "a?b.png", encoded(b"3"))
    assert one.filename == "a_b.png"
    assert two.filename == again.filename != one.filename
    assert (await (await books.books.download_asset(BOOK, "images", "a b.png")).read()) == b"1"
    assert (await (await books.books.download_asset(BOOK, "images", "a?b.png")).read()) == b"3"


@on_one_store
@pytest.mark.parametrize(
    "name", ["../../../etc/passwd", "..\\x.png", "/abs.png", ".hidden", "..", "漢字.png", "-rf", "a" * 255]
)
async def test_no_name_leaves_its_folder(books: Library, name: str) -> None:
    uploaded = await books.books.upload_asset(BOOK, "images", name, encoded(PNG))
    (file,) = (path for path in on_disk(books, "images").iterdir())
    assert file.name == uploaded.filename
    assert uploaded.original_filename == name
    assert not uploaded.filename.startswith((".", "-"))


@on_one_store
@pytest.mark.parametrize("data", ["", "AAA", "AAAA\n", "A A A A", "AAAA====", "AB==", "_-_-", "ÄÄÄÄ", "AAAAA"])
async def test_base64_that_is_none_is_refused(books: Library, data: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        await books.books.upload_asset(BOOK, "images", "a.png", data)
    assert caught.value.details["field"] == "binary_data"


@on_one_store
async def test_the_limits_are_kept_at_below_and_above(books: Library) -> None:
    below = await books.books.upload_asset(BOOK, "images", "a.bin", encoded(bytes(DIRECT_LIMIT - 1)))
    assert below.file_size == DIRECT_LIMIT - 1
    for size in (DIRECT_LIMIT, DIRECT_LIMIT + 1):
        with pytest.raises(TooLarge):
            await books.books.upload_asset(BOOK, "images", "a.bin", encoded(bytes(size)))
    with pytest.raises(InvalidInput, match="below 10 MiB"):
        await books.books.upload_asset(BOOK, "images", "a.bin", file_size=DIRECT_LIMIT - 1)
    for size in (DIRECT_LIMIT, ASSET_LIMIT):
        promised = await books.books.upload_asset(BOOK, "images", "a.bin", file_size=size)
        assert (promised.method, promised.file_size) == ("presigned", size)
    with pytest.raises(TooLarge, match="too large"):
        await books.books.upload_asset(BOOK, "images", "a.bin", file_size=ASSET_LIMIT + 1)


async def test_an_upload_needs_bytes_or_a_size_and_both_must_agree(books: Library) -> None:
    with pytest.raises(InvalidInput, match="binary_data"):
        await books.books.upload_asset(BOOK, "images", "a.png")
    with pytest.raises(InvalidInput, match="file_size"):
        await books.books.upload_asset(BOOK, "images", "a.png", encoded(PNG), file_size=1)
    with pytest.raises(InvalidInput):
        await books.books.upload_asset(BOOK, "scrolls", "a.png", encoded(PNG))  # type: ignore[arg-type]


async def test_a_large_asset_comes_in_pieces(books: Library) -> None:
    data = PNG * (DIRECT_LIMIT // len(PNG) + 1)
    promised = await books.books.upload_asset(BOOK, "videos", "big film.png", file_size=len(data))
    token = (promised.upload_url or "").rpartition("/")[2]

    def upload() -> Any:
        return books.engine.upload(token, "test")

    assert await upload().receive(0, piece(data[:5_000_000])) == 5_000_000
    assert await upload().received() == 5_000_000
    with pytest.raises(Conflict) as caught:
        await upload().receive(6_000_000, piece(data[6_000_000:]))
    assert caught.value.details["received"] == 5_000_000
    with pytest.raises(TooLarge):
        await upload().receive(5_000_000, piece(data[5_000_000:] + b"x"))
    asset = await upload().receive(4_000_000, piece(data[4_000_000:]))
    assert not isinstance(asset, int)
    assert (asset.method, asset.file_hash) == ("presigned", hashlib.sha256(data).hexdigest())
    assert (asset.filename, asset.mime_type) == ("big_film.png", "image/png")
    assert await upload().receive(0, piece(data)) == asset
    assert await upload().received() == len(data)
    assert on_disk(books, "videos/big_film.png").read_bytes() == data
    assert (await books.books.audit(BOOK, operation="upload")).total == 1


async def test_an_upload_ends_with_its_hour_its_signature_and_its_role(
    books: Library, clock: FixedClock, guest: Library
) -> None:
    promised = await books.books.upload_asset(BOOK, "videos", "a.mp4", file_size=DIRECT_LIMIT)
    token = (promised.upload_url or "").rpartition("/")[2]
    with pytest.raises(NotAllowed):
        books.engine.upload(token + "x", "test")
    with pytest.raises(NotAllowed):
        books.engine.upload(books.engine.signer.sign(Purpose.FILE_LINK, {"upload": "x"}, 60), "test")
    clock.move(seconds=3601)
    with pytest.raises(NotAllowed, match="expired"):
        books.engine.upload(token, "test")
    assert promised.expires_at is not None


async def test_an_upload_of_someone_who_lost_the_role_is_refused(books: Library) -> None:
    from quire.domain.sharing import Actor
    from quire.local.people import add_person

    await books.engine.system.write(lambda tx: add_person(tx, "guest", "A guest", None, 0))
    (book,) = await books.books.list()
    await books.engine.system.write(
        lambda tx: tx.run("insert_member", notebook_id=book.notebook_id, person_id="guest", role=int(Role.EDITOR))
    )
    guest = books.as_actor(Actor(id="guest"))
    promised = await guest.books.upload_asset(BOOK, "videos", "a.mp4", file_size=DIRECT_LIMIT)
    token = (promised.upload_url or "").rpartition("/")[2]
    (before,) = [book for book in await guest.books.list()]
    await books.engine.system.write(lambda tx: tx.run("unregister_book", book_id=before.book_id))
    with pytest.raises(NotFound):
        await books.engine.upload(token, "test").receive(0, piece(bytes(DIRECT_LIMIT)))


async def test_a_file_can_be_added_as_it_is(books: Library, tmp_path: Path) -> None:
    file = tmp_path / "talk.pdf"
    file.write_bytes(b"%PDF-1.7 " + bytes(DIRECT_LIMIT))
    added = await books.books.add_asset(BOOK, "slides", Upload.of(file))
    assert (added.filename, added.mime_type) == ("talk.pdf", "application/pdf")
    assert on_disk(books, "slides/talk.pdf").read_bytes() == file.read_bytes()
    assert file.exists()


async def test_assets_can_be_deleted_and_replaced_with_their_hash(books: Library) -> None:
    first = await books.books.upload_asset(BOOK, "images", "a.png", encoded(PNG))
    with pytest.raises(Conflict):
        await books.books.upload_asset(BOOK, "images", "a.png", encoded(b"2"), file_hash="0" * 64)
    second = await books.books.upload_asset(BOOK, "images", "a.png", encoded(b"2"), file_hash=first.file_hash)
    with pytest.raises(Conflict):
        await books.books.delete_asset(BOOK, "images", "a.png", first.file_hash)
    assert (await books.books.delete_asset(BOOK, "images", "a.png", second.file_hash)).existed
    assert not (await books.books.delete_asset(BOOK, "images", "a.png")).existed
    with pytest.raises(NotFound):
        await books.books.get_asset(BOOK, "images", "a.png")
    assert (await books.books.restore_content(BOOK, "assets/images/a.png", 1)).file_hash == first.file_hash
    assert (await books.books.get_asset(BOOK, "images", "a.png")).mime_type == "image/png"


async def test_summaries_have_a_path_a_limit_and_an_error_of_their_own(books: Library) -> None:
    written = await books.books.write_summary(BOOK, "chapter-01", "# Summary\n")
    assert written.path == f"books/{BOOK}/chapters/chapter-01/.summary.md"
    summary = await books.books.read_summary(BOOK, "chapter-01")
    assert (summary.content, summary.sha256) == ("# Summary\n", written.sha256)
    limit = 100 * 1024
    assert (await books.books.write_summary(BOOK, "chapter-01", "é" * (limit // 2))).file_size == limit
    assert (await books.books.write_summary(BOOK, "chapter-01", "é" * (limit // 2 - 1) + "x")).file_size == limit - 1
    with pytest.raises(TooLarge):
        await books.books.write_summary(BOOK, "chapter-01", "é" * (limit // 2) + "x")
    assert (await books.books.delete_summary(BOOK, "chapter-01")).message == "Summary deleted"
    for call in (books.books.delete_summary(BOOK, "chapter-01"), books.books.read_summary(BOOK, "chapter-01")):
        with pytest.raises(NotFound):
            await call


@on_one_store
@pytest.mark.parametrize(
    "chapter", ["", "chapter-1", "chapter-001", "Chapter-01", "chapter-0a", "chapter-٠١", "../x", "chapter-01\n"]
)
async def test_a_chapter_that_is_none_is_refused(books: Library, chapter: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        await books.books.read_summary(BOOK, chapter)
    assert caught.value.details["field"] == "chapter_id"
