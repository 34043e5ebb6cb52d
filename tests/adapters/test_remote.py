"""A bucket's own: its URL, its failures, and memory that stays small."""

from __future__ import annotations

import asyncio
import hashlib
import os
import resource
import socket
import time
from collections.abc import AsyncIterator, Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from opendal import exceptions

from pages import answering
from quire.adapters.remote_blobs import FOREIGN, RemoteBlobs, foreign, options_of, translated
from quire.domain.errors import InvalidInput, LimitReached, NotFound, QuireError, Unsupported, Upstream
from quire.domain.files import Upload
from quire.entry.bootstrap import build
from quire.entry.settings import load

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("s3_keys")]

SHA256 = hashlib.sha256(b"bytes").hexdigest()


async def unheard(sha256: str, size: int) -> None:
    """Nobody wants to know."""


async def one(data: bytes) -> AsyncIterator[bytes]:
    yield data


def test_a_url_names_the_bucket_the_prefix_and_options() -> None:
    url = "s3://bucket/a/b?endpoint=http%3A%2F%2F127.0.0.1%3A9000&region=eu-1"
    assert options_of(url) == {
        "bucket": "bucket",
        "root": "/a/b",
        "endpoint": "http://127.0.0.1:9000",
        "region": "eu-1",
    }
    assert options_of("s3://bucket") == {"bucket": "bucket", "root": "/"}


@pytest.mark.parametrize(
    "url",
    [
        "s3://",
        "s3:bucket",
        "gopher://bucket",
        "bucket",
        "s3://key:hunter2@bucket/a",
        "s3://bucket?secret_access_key=hunter2",
    ],
)
async def test_a_url_that_is_none_is_refused_without_its_secrets(url: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="The setting 'blobs'") as caught:
        await RemoteBlobs(url, tmp_path).check()
    assert "hunter2" not in str(caught.value.body())


async def test_a_library_keeps_its_files_in_the_bucket(s3: str, tmp_path: Path) -> None:
    blobs = f"s3://quire/{tmp_path.name}?endpoint={s3}&region=us-east-1"
    async with build(load({"home": tmp_path / "home", "blobs": blobs}, {})) as library:
        assert (await library.notes.import_(None, Upload.of("# a\n\nb\n"))).state == "done"
        job = await library.notes.export()
        assert job.file is not None
        assert job.file.path is None
        assert await job.file.read() == b"<!-- quire notes -->\n# a\n\nb\n\n"
    assert [path.name for path in (tmp_path / "home" / "blobs").rglob("*")] == []


async def test_a_missing_bucket_is_told_clearly(s3: str, tmp_path: Path) -> None:
    blobs = RemoteBlobs(f"s3://nothing?endpoint={s3}&region=us-east-1", tmp_path)
    for call in (blobs.check(), blobs.put(one(b"bytes"), 10, unheard)):
        with pytest.raises(Unsupported, match="The bucket for files is not there"):
            await call
    assert list(tmp_path.iterdir()) == []


async def test_a_server_that_is_not_there_is_told_clearly(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    blobs = RemoteBlobs(f"s3://quire?endpoint=http://127.0.0.1:{port}&region=us-east-1", tmp_path)
    with pytest.raises(Upstream, match="could not be reached"):
        await blobs.put(one(b"bytes"), 10, unheard)


async def test_a_missing_region_is_told_clearly(tmp_path: Path) -> None:
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        assert name not in os.environ
    with pytest.raises(Unsupported, match="the setting 'blobs' is not right"):
        await RemoteBlobs("s3://quire?endpoint=http://127.0.0.1:1", tmp_path).check()


class Moody(BaseHTTPRequestHandler):
    """A bucket that answers with the statuses it is given, one after the other, and then with success."""

    statuses: list[int]
    calls: list[float]

    def do_PUT(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.calls.append(time.monotonic())
        self.send_response(self.statuses.pop(0) if self.statuses else 200)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_DELETE(self) -> None:
        self.do_GET()

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        self.calls.append(time.monotonic())
        self.send_response(self.statuses.pop(0) if self.statuses else 200)
        self.send_header("content-length", "5")
        self.send_header("etag", '"x"')
        self.send_header("last-modified", "Mon, 01 Jan 2024 00:00:00 GMT")
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(b"bytes")


@pytest.fixture
def moody(tmp_path: Path) -> Iterator[tuple[type[Moody], RemoteBlobs]]:
    handler = type("OneMoody", (Moody,), {"statuses": [], "calls": []})
    with answering(handler) as url:
        yield handler, RemoteBlobs(f"s3://quire?endpoint={url}&region=us-east-1", tmp_path)


async def test_a_passing_failure_is_tried_again_three_times(moody: tuple[type[Moody], RemoteBlobs]) -> None:
    server, blobs = moody
    server.statuses[:] = [500, 503, 502]
    _, size = await blobs.put(one(b"bytes"), 10, unheard)
    assert size == 5
    waits = [later - earlier for earlier, later in zip(server.calls, server.calls[1:], strict=False)]
    assert len(server.calls) == 4
    assert [wait >= least for wait, least in zip(waits, (0.1, 0.2, 0.4), strict=True)] == [True] * 3


async def test_a_lasting_failure_is_told_after_three_more_tries(moody: tuple[type[Moody], RemoteBlobs]) -> None:
    server, blobs = moody
    server.statuses[:] = [500] * 10
    with pytest.raises(Upstream):
        await blobs.put(one(b"bytes"), 10, unheard)
    assert len(server.calls) == 4


@pytest.mark.parametrize(("status", "ours"), [(403, Unsupported), (401, QuireError)])
async def test_a_refusal_is_not_tried_again(
    moody: tuple[type[Moody], RemoteBlobs], status: int, ours: type[QuireError]
) -> None:
    server, blobs = moody
    server.statuses[:] = [status] * 10
    with pytest.raises(ours):
        await blobs.put(one(b"bytes"), 10, unheard)
    assert len(server.calls) == 1


async def test_a_delete_is_tried_once_as_a_transaction_waits_for_it(moody: tuple[type[Moody], RemoteBlobs]) -> None:
    server, blobs = moody
    server.statuses[:] = [500] * 10
    with pytest.raises(Upstream):
        await asyncio.to_thread(blobs.delete, SHA256)
    assert len(server.calls) == 1


async def test_reading_goes_on_after_a_passing_failure(moody: tuple[type[Moody], RemoteBlobs]) -> None:
    server, blobs = moody
    server.statuses[:] = [500, 200, 503]
    assert [chunk async for chunk in blobs.get(SHA256)] == [b"bytes"]


async def test_a_file_that_vanishes_between_two_calls_is_told(moody: tuple[type[Moody], RemoteBlobs]) -> None:
    server, blobs = moody
    server.statuses[:] = [200, 404]
    with pytest.raises(Unsupported, match="has lost a file"):
        await anext(blobs.get(SHA256))


async def test_a_large_file_takes_little_memory(s3: str, tmp_path: Path) -> None:
    blobs = RemoteBlobs(f"s3://quire/large?endpoint={s3}&region=us-east-1", tmp_path)
    block = os.urandom(1024 * 1024)

    async def many() -> AsyncIterator[bytes]:
        for _ in range(48):
            yield block

    await blobs.put(one(block), 1 << 30, unheard)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    sha256, size = await blobs.put(many(), 1 << 30, unheard)
    read = 0
    async for chunk in blobs.get(sha256):
        read += len(chunk)
    assert read == size == 48 * 1024 * 1024
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 40 * 1024
    await asyncio.to_thread(blobs.delete, sha256)


def test_every_exception_of_opendal_is_one_of_ours_or_a_bug() -> None:
    bugs = {"AlreadyExists", "IsADirectory", "NotADirectory", "IsSameFile", "RangeNotSatisfied", "Unsupported"}
    kinds = {kind.__name__: kind for kind in foreign() if kind is not OSError}
    assert set(kinds) == set(FOREIGN) | bugs
    assert exceptions.NotFound in kinds.values()


@pytest.mark.parametrize(
    ("error", "ours"),
    [
        (exceptions.RateLimited("slow down"), LimitReached),
        (exceptions.PermissionDenied("no"), Unsupported),
        (OSError("Unexpected (temporary) at read"), Upstream),
        (OSError("NotFound (persistent) at read"), Unsupported),
        (exceptions.IsADirectory("what"), exceptions.IsADirectory),
        (OSError("something else"), OSError),
        (FileNotFoundError("Unexpected"), FileNotFoundError),
        (NotFound("file", "x"), NotFound),
        (KeyError("Unexpected"), KeyError),
    ],
)
def test_an_exception_becomes_ours_or_stays(error: Exception, ours: type[Exception]) -> None:
    with pytest.raises(ours) as caught, translated():
        raise error
    assert type(caught.value) is ours


WITHOUT = """
import asyncio, sys
sys.modules["opendal"] = None
from pathlib import Path
from quire.adapters.remote_blobs import RemoteBlobs
from quire.domain.errors import Unsupported
async def main():
    blobs = RemoteBlobs("s3://quire?region=x", Path(sys.argv[1]))
    for call in (blobs.check(), anext(blobs.get("0" * 64))):
        try:
            await call
        except Unsupported as error:
            print(error.message, error.hint)
asyncio.run(main())
"""


def test_without_the_extra_it_says_what_to_install(tmp_path: Path, run: Callable[..., str]) -> None:
    assert run(WITHOUT, tmp_path) == "Files in a bucket need an extra. quire extras add remote\n" * 2
