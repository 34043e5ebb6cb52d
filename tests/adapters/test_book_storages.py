"""Both kinds of storage for books under the library: a folder, and a bucket on a real S3 server."""

from __future__ import annotations

import asyncio
import hashlib
import io
import os
import time
import zipfile
from collections.abc import AsyncIterator, Iterator
from contextlib import nullcontext
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from opendal import Operator

from pages import answering
from quire.adapters.book_storage.folder import FolderStorage
from quire.adapters.book_storage.remote import RemoteStorage, options_of
from quire.adapters.memory import FixedClock
from quire.api.library import Library
from quire.domain.errors import Conflict, InvalidInput, NotFound, QuireError, Unsupported, Upstream
from quire.entry.bootstrap import build
from quire.entry.settings import load
from quire.ports.books import BookStorage

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("s3_keys")]

BOOK = "my-book"
LESSON = "lessons/part-1/one.md"
KEY = f"books/{BOOK}/{LESSON}"


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture(params=["fs", "s3"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A place for books, as the setting `shelves` names it."""
    if request.param == "fs":
        return str(tmp_path / "elsewhere")
    return bucket(request.getfixturevalue("s3"), tmp_path)


def bucket(s3: str, tmp_path: Path) -> str:
    return f"s3://quire/{tmp_path.name}?endpoint={s3}&region=us-east-1"


def outside(place: str) -> Operator:
    """Another program's way to the same bytes."""
    if "://" not in place:
        return Operator("fs", root=place)
    scheme, options = options_of(place)
    return Operator(scheme, **options)


@pytest.fixture
async def library(place: str, tmp_path: Path) -> AsyncIterator[Library]:
    async with build(load({"home": tmp_path / "home", "shelves": f"far={place}", "shelf": "far"}, {})) as library:
        await library.books.create(BOOK, "My book")
        yield library


async def test_a_file_lies_at_its_key_byte_for_byte(library: Library, place: str) -> None:
    text = "é 🦜\r\n"
    written = await library.books.write_content(BOOK, LESSON, text)
    content = await library.books.read_content(BOOK, LESSON)
    assert (content.content, content.storage_backend) == (text, "far")
    assert content.file_hash_sha256 == written.file_hash == sha256(text)
    assert await asyncio.to_thread(outside(place).read, KEY) == text.encode()
    assert b"My book" in await asyncio.to_thread(outside(place).read, f"books/{BOOK}/book.yaml")
    await library.books.delete_content(BOOK, LESSON)
    assert not await asyncio.to_thread(outside(place).exists, KEY)


async def test_one_of_many_writers_wins(library: Library) -> None:
    first = await library.books.write_content(BOOK, LESSON, "start")
    results = await asyncio.gather(
        *(library.books.write_content(BOOK, LESSON, str(number), first.file_hash) for number in range(8)),
        return_exceptions=True,
    )
    won = [one for one in results if not isinstance(one, BaseException)]
    assert len(won) == 1
    assert all(isinstance(one, Conflict) for one in results if one is not won[0])
    assert (await library.books.read_content(BOOK, LESSON)).file_hash_sha256 == won[0].file_hash
    assert (await library.books.verify_audit(BOOK)).valid


async def test_writers_without_a_hash_leave_the_last_one_at_the_key(library: Library, place: str) -> None:
    await asyncio.gather(*(library.books.write_content(BOOK, LESSON, f"text {number}") for number in range(8)))
    content = await library.books.read_content(BOOK, LESSON)
    assert content.revision == 8
    assert await asyncio.to_thread(outside(place).read, KEY) == content.content.encode()


async def test_what_another_program_wrote_is_adopted(library: Library, place: str) -> None:
    first = await library.books.write_content(BOOK, LESSON, "ours")
    await asyncio.to_thread(outside(place).write, KEY, b"theirs")
    with pytest.raises(Conflict) as caught:
        await library.books.write_content(BOOK, LESSON, "again", first.file_hash)
    assert caught.value.details["current_hash"] == sha256("theirs")
    assert (await library.books.read_content(BOOK, LESSON)).content == "theirs"
    await library.books.write_content(BOOK, LESSON, "again")
    await asyncio.to_thread(outside(place).write, f"books/{BOOK}/new.md", b"new")
    assert (await library.books.read_content(BOOK, "new.md")).content == "new"
    await library.books.restore_content(BOOK, LESSON, 2)
    assert (await library.books.read_content(BOOK, LESSON)).content == "theirs"
    assert (await library.books.verify_audit(BOOK)).valid


async def test_history_moves_and_assets_work(library: Library, place: str) -> None:
    for text in ("one\n", "two\n"):
        await library.books.write_content(BOOK, LESSON, text)
    assert "-one" in (await library.books.diff_content(BOOK, LESSON, 1)).diff
    await library.books.move_content(BOOK, LESSON, "b.md")
    assert (await library.books.read_content(BOOK, "b.md")).content == "two\n"
    assert not await asyncio.to_thread(outside(place).exists, KEY)
    await library.books.restore_content(BOOK, LESSON, 1)
    assert (await library.books.read_content(BOOK, LESSON)).content == "one\n"
    await library.books.upload_asset(BOOK, "images", "a.png", "AAAA")
    assert [asset.filename for asset in await library.books.list_assets(BOOK)] == ["a.png"]
    assert await (await library.books.download_asset(BOOK, "images", "a.png")).read() == b"\0\0\0"
    await library.books.edit_content(BOOK, LESSON, "append", "more")
    assert (await library.books.read_content(BOOK, LESSON)).content == "one\nmore"


async def test_a_large_asset_is_taken_from_a_file(library: Library, place: str, tmp_path: Path) -> None:
    from quire.domain.files import Upload

    data = os.urandom(12 * 1024 * 1024)
    (tmp_path / "film.mp4").write_bytes(data)
    added = await library.books.add_asset(BOOK, "videos", Upload.of(tmp_path / "film.mp4"))
    assert added.file_hash == hashlib.sha256(data).hexdigest()
    assert await asyncio.to_thread(outside(place).read, f"books/{BOOK}/assets/videos/film.mp4") == data
    assert await (await library.books.download_asset(BOOK, "videos", "film.mp4")).read() == data
    assert list((tmp_path / "home/uploads").iterdir()) == []


async def test_a_storage_that_cannot_copy_works_too(tmp_path: Path) -> None:
    async with build(load({"home": tmp_path / "home", "shelves": "mem=memory:///", "shelf": "mem"}, {})) as library:
        await library.books.create(BOOK, "My book")
        first = await library.books.write_content(BOOK, LESSON, "one")
        await library.books.write_content(BOOK, LESSON, "two", first.file_hash)
        with pytest.raises(Conflict):
            await library.books.write_content(BOOK, LESSON, "three", first.file_hash)
        await library.books.restore_content(BOOK, LESSON, 1)
        assert (await library.books.read_content(BOOK, LESSON)).content == "one"
        await library.engine.books.sweeper.sweep()
        assert (await library.books.content_history(BOOK, LESSON)).total == 3


async def test_a_copy_that_is_out_of_step_is_put_right(s3: str, tmp_path: Path) -> None:
    """As after a crash between the commit and the copy, and after a copy that came late."""
    place = bucket(s3, tmp_path)
    async with build(load({"home": tmp_path / "home", "shelves": f"s3={place}", "shelf": "s3"}, {})) as library:
        await library.books.create(BOOK, "My book")
        for text in ("one", "two"):
            await library.books.write_content(BOOK, LESSON, text)
        for stale in (b"one", None):
            if stale is None:
                await asyncio.to_thread(outside(place).delete, KEY)
            else:
                await asyncio.to_thread(outside(place).write, KEY, stale)
            content = await library.books.read_content(BOOK, LESSON)
            assert (content.content, content.revision) == ("two", 2)
            assert await asyncio.to_thread(outside(place).read, KEY) == b"two"
        await library.books.delete_content(BOOK, LESSON)
        await asyncio.to_thread(outside(place).write, KEY, b"two")
        with pytest.raises(NotFound):
            await library.books.read_content(BOOK, LESSON)
        assert not await asyncio.to_thread(outside(place).exists, KEY)
        assert (await library.books.audit(BOOK, operation="adopt")).total == 0


async def test_a_book_that_was_registered_by_hand_is_archived_with_its_files_and_its_yaml(
    place: str, tmp_path: Path
) -> None:
    async with build(load({"home": tmp_path / "home", "shelves": f"far={place}"}, {})) as library:
        await asyncio.to_thread(outside(place).write, KEY, b"written before")
        registry = tmp_path / "home" / "shelf" / "registry.yaml"
        registry.parent.mkdir(parents=True, exist_ok=True)
        registry.write_text(
            f"books:\n  - book_id: {BOOK}\n    title: By hand\n    storage_backend: far\n"
            '    created_at: "2025-01-01T00:00:00Z"\n    status: archived\n'
        )
        for _ in range(2):
            exported = await library.books.export_book(BOOK)
            data = b"".join([chunk async for chunk in exported.chunks()])
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                assert sorted(archive.namelist()) == sorted(["book.yaml", LESSON, ".quire/manifest.json"])
                assert b"title: By hand" in archive.read("book.yaml")
                assert archive.read(LESSON) == b"written before"
        assert await asyncio.to_thread(outside(place).exists, f"books/{BOOK}/book.yaml")
        assert (await library.books.audit(BOOK, operation="adopt")).total == 2
        assert (await library.books.verify_audit(BOOK)).valid


async def test_the_sweeper_forgets_versions_of_a_bucket_that_nothing_needs(s3: str, tmp_path: Path) -> None:
    clock = FixedClock()
    settings = load({"home": tmp_path / "home", "shelves": f"s3={bucket(s3, tmp_path)}", "shelf": "s3"}, {})
    async with build(settings, clock) as library:
        await library.books.create(BOOK, "My book")
        storage = library.engine.parts.books.storages.get("s3")
        lost = await asyncio.to_thread(storage.stage, BOOK, b"never committed")
        await library.books.write_content(BOOK, LESSON, "one")

        def versions() -> list[str]:
            return list(storage.versions(BOOK, 2**62))

        assert lost.ref in await asyncio.to_thread(versions)
        seen = await asyncio.to_thread(storage.look, KEY)
        assert seen is not None
        clock.microseconds = seen.modified
        await library.engine.books.sweeper.sweep()
        assert lost.ref in await asyncio.to_thread(versions)
        clock.move(seconds=2 * 24 * 3600)
        await library.engine.books.sweeper.sweep()
        left = await asyncio.to_thread(versions)
        assert lost.ref not in left
        assert len(left) == 2
        assert (await library.books.read_content(BOOK, LESSON)).content == "one"


async def test_two_machines_on_one_bucket_agree(s3: str, tmp_path: Path, postgres_url: str) -> None:
    place = bucket(s3, tmp_path)

    def at(name: str) -> Library:
        flags = {"home": tmp_path / name, "store": postgres_url, "shelves": f"s3={place}", "shelf": "s3"}
        return build(load(flags, {}))

    async with at("one") as one, at("two") as two:
        await one.books.create(BOOK, "My book")
        first = await one.books.write_content(BOOK, LESSON, "start")
        results = await asyncio.gather(
            *(
                library.books.write_content(BOOK, LESSON, f"{name} {number}", first.file_hash)
                for number in range(4)
                for name, library in (("one", one), ("two", two))
            ),
            return_exceptions=True,
        )
        won = [result for result in results if not isinstance(result, BaseException)]
        assert len(won) == 1
        for library in (one, two):
            assert (await library.books.read_content(BOOK, LESSON)).file_hash_sha256 == won[0].file_hash
            assert (await library.books.verify_audit(BOOK)).valid


async def test_a_bucket_that_cannot_be_reached_is_told_and_nothing_changes(tmp_path: Path) -> None:
    place = "s3://quire/x?endpoint=http://127.0.0.1:9&region=us-east-1"
    async with build(load({"home": tmp_path / "home", "shelves": f"s3={place}"}, {})) as library:
        with pytest.raises((Upstream, Unsupported)):
            await library.books.create(BOOK, "My book", "s3")
        assert list(await library.books.list()) == []


@pytest.mark.parametrize(
    "url", ["s3://", "s3://key:hunter2@bucket/a", "s3://bucket?secret_access_key=hunter2", "gcs:///x"]
)
def test_a_url_that_is_none_is_refused_without_its_secrets(url: str) -> None:
    with pytest.raises(InvalidInput, match="'shelves'") as caught:
        RemoteStorage("far", url).check()
    assert "hunter2" not in str(caught.value.body())


def test_a_url_names_any_storage_that_opendal_knows() -> None:
    assert options_of("gcs://bucket/a/b?x=1") == ("gcs", {"root": "/a/b", "bucket": "bucket", "x": "1"})
    assert options_of("azblob://box") == ("azblob", {"root": "/", "container": "box"})
    assert options_of("webdav:///a?endpoint=http%3A%2F%2Fh") == ("webdav", {"root": "/a", "endpoint": "http://h"})


def test_a_storage_that_opendal_does_not_know_is_told() -> None:
    with pytest.raises((InvalidInput, Unsupported)):
        RemoteStorage("far", "nothing://x").check()


class Moody(BaseHTTPRequestHandler):
    """A bucket that fails as often as it is told to, and then takes everything."""

    failures: int
    calls: list[float]

    def do_PUT(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.calls.append(time.monotonic())
        type(self).failures -= 1
        self.send_response(503 if self.failures >= 0 else 200)
        self.send_header("content-length", "0")
        self.end_headers()


@pytest.mark.parametrize(("failures", "calls"), [(0, 1), (3, 4), (99, 4)])
def test_a_passing_failure_is_tried_again_three_times(failures: int, calls: int) -> None:
    handler = type("OneMoody", (Moody,), {"failures": failures, "calls": []})
    with answering(handler) as url:
        storage = RemoteStorage("s3", f"s3://quire?endpoint={url}&region=us-east-1")
        with pytest.raises(QuireError) if failures > 3 else nullcontext():
            assert storage.stage(BOOK, b"bytes").size == 5
    assert len(handler.calls) == calls
    waits = [later - earlier for earlier, later in zip(handler.calls, handler.calls[1:], strict=False)]
    assert all(wait >= least for wait, least in zip(waits, (0.1, 0.2, 0.4), strict=False))


@pytest.fixture(params=["fs", "s3"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[BookStorage]:
    if request.param == "fs":
        yield FolderStorage("fs", tmp_path)
    else:
        yield RemoteStorage("s3", bucket(request.getfixturevalue("s3"), tmp_path))


def put(storage: BookStorage, key: str, data: bytes) -> str:
    staged = storage.stage(BOOK, data)
    if storage.local:
        storage.place(staged, key, None)
    else:
        storage.publish(BOOK, key, staged.ref)
    return staged.ref


def test_a_storage_lists_all_that_is_under_a_prefix(storage: BookStorage) -> None:
    for path in ("b.md", "a/.summary.md", "a/b/c.md", "a-b.md"):
        put(storage, f"books/{BOOK}/{path}", path.encode())
    found = dict(storage.walk(f"books/{BOOK}"))
    assert sorted(found) == [f"books/{BOOK}/{path}" for path in ("a-b.md", "a/.summary.md", "a/b/c.md", "b.md")]
    assert found[f"books/{BOOK}/a/b/c.md"].size == len("a/b/c.md")
    assert list(storage.walk("books/other-book")) == []


def test_a_storage_reads_in_chunks_from_anywhere(storage: BookStorage) -> None:
    data = os.urandom(700_000)
    put(storage, KEY, data)
    assert b"".join(storage.chunks(KEY)) == data
    assert b"".join(storage.chunks(KEY, 300_001)) == data[300_001:]
    with pytest.raises(NotFound):
        list(storage.chunks(KEY + "x"))
    assert storage.read(KEY + "x") is None
    assert storage.look(KEY + "x") is None


def test_a_storage_tells_where_it_is(storage: BookStorage) -> None:
    assert storage.check()
    assert (storage.path(KEY) is not None) == storage.local
