"""Blobs, the same on every place they can lie: files, memory, a bucket."""

from __future__ import annotations

import asyncio
import hashlib
import os
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from quire.adapters.blobs import FileBlobs, key_of
from quire.adapters.memory import MemoryBlobs
from quire.adapters.remote_blobs import RemoteBlobs
from quire.domain.errors import NotFound, TooLarge, Unsupported
from quire.domain.files import CHUNK
from quire.ports.blobs import Blobs

pytestmark = pytest.mark.anyio

LIMIT = 100 * 1024 * 1024


@pytest.fixture(params=["files", "memory", "bucket"])
def blobs(request: pytest.FixtureRequest, tmp_path: Path) -> Blobs:
    if request.param == "files":
        return FileBlobs(tmp_path / "blobs")
    if request.param == "memory":
        return MemoryBlobs()
    request.getfixturevalue("s3_keys")
    address = request.getfixturevalue("s3")
    return RemoteBlobs(f"s3://quire/{tmp_path.name}/blobs?endpoint={address}&region=us-east-1", tmp_path / "spool")


async def cut(data: bytes, size: int = CHUNK) -> AsyncIterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]


async def unheard(sha256: str, size: int) -> None:
    """Nobody wants to know."""


async def put(blobs: Blobs, data: bytes, limit: int = LIMIT) -> str:
    sha256, size = await blobs.put(cut(data), limit, unheard)
    assert (sha256, size) == (hashlib.sha256(data).hexdigest(), len(data))
    return sha256


async def get(blobs: Blobs, sha256: str) -> bytes:
    return b"".join([chunk async for chunk in blobs.get(sha256)])


async def test_a_damaged_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    blobs = FileBlobs(tmp_path)
    data = os.urandom(CHUNK + 10)
    sha256 = await put(blobs, data)
    file = Path(blobs.path(sha256) or "")
    for damage in (lambda: file.write_bytes(data[:-1] + b"?"), lambda: file.write_bytes(data[:-1])):
        assert await get(blobs, sha256) == data
        damage()
        with pytest.raises(Unsupported, match=sha256):
            await anext(blobs.get(sha256))
        with pytest.raises(Unsupported, match=sha256):
            await blobs.verify(sha256)
        await put(blobs, data)
    await blobs.verify(sha256)


async def test_a_damaged_file_in_a_bucket_never_comes_to_its_end(tmp_path: Path, s3: str, s3_keys: None) -> None:
    blobs = RemoteBlobs(f"s3://quire/{tmp_path.name}/blobs?endpoint={s3}&region=us-east-1", tmp_path / "spool")
    data = os.urandom(CHUNK + 10)
    sha256 = await put(blobs, data)
    await blobs._operator.write(key_of(sha256), data[:-1] + b"?")
    given = bytearray()

    async def read() -> None:
        async for chunk in blobs.get(sha256):
            given.extend(chunk)

    with pytest.raises(Unsupported, match=sha256):
        await read()
    assert len(given) < len(data)


@pytest.mark.parametrize("start", [0, 1, CHUNK, CHUNK + 9])
async def test_bytes_are_given_from_anywhere_on(blobs: Blobs, start: int) -> None:
    data = os.urandom(CHUNK + 10)
    sha256 = await put(blobs, data)
    assert b"".join([chunk async for chunk in blobs.get(sha256, start)]) == data[start:]


@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK + 7])
async def test_bytes_come_back_as_they_were(blobs: Blobs, size: int) -> None:
    data = os.urandom(size)
    sha256 = await put(blobs, data)
    chunks = [chunk async for chunk in blobs.get(sha256)]
    assert b"".join(chunks) == data
    assert all(0 < len(chunk) <= CHUNK for chunk in chunks)


async def test_the_same_bytes_lie_in_the_same_place(blobs: Blobs) -> None:
    first, second = await asyncio.gather(put(blobs, b"same"), put(blobs, b"same"))
    assert first == second
    assert await get(blobs, first) == b"same"


async def test_more_than_the_limit_is_refused_and_leaves_nothing(blobs: Blobs, tmp_path: Path) -> None:
    sha256 = await put(blobs, b"x" * 10, limit=10)
    assert await get(blobs, sha256) == b"x" * 10
    with pytest.raises(TooLarge) as caught:
        await put(blobs, b"y" * 11, limit=10)
    assert caught.value.details == {"limit": 10}
    with pytest.raises(NotFound):
        await get(blobs, hashlib.sha256(b"y" * 11).hexdigest())
    assert list(tmp_path.rglob("*.part")) == []


@pytest.mark.parametrize("sha256", ["0" * 64, "", "..", "0" * 63, "../" * 20 + "etc/passwd", "G" * 64, "٣" * 64])
async def test_what_is_not_there_is_not_found(blobs: Blobs, sha256: str) -> None:
    with pytest.raises(NotFound):
        await get(blobs, sha256)


async def test_deleted_bytes_are_gone_and_can_be_put_again(blobs: Blobs) -> None:
    sha256 = await put(blobs, b"bytes")
    for _ in range(2):
        await asyncio.to_thread(blobs.delete, sha256)
        with pytest.raises(NotFound):
            await get(blobs, sha256)
    await put(blobs, b"bytes")
    assert await get(blobs, sha256) == b"bytes"


async def test_the_hash_is_known_before_the_bytes_are_in_their_place(blobs: Blobs) -> None:
    told: list[tuple[str, int]] = []

    async def known(sha256: str, size: int) -> None:
        told.append((sha256, size))
        with pytest.raises(NotFound):
            await get(blobs, sha256)

    outcome = await blobs.put(cut(b"bytes"), LIMIT, known)
    assert told == [outcome]
    assert await get(blobs, outcome[0]) == b"bytes"


async def test_a_put_that_breaks_off_leaves_nothing(blobs: Blobs, tmp_path: Path) -> None:
    async def broken() -> AsyncIterator[bytes]:
        yield b"x" * CHUNK
        raise ConnectionResetError("the caller hung up")

    async def refused(sha256: str, size: int) -> None:
        raise LookupError("the store is closed")

    with pytest.raises(ConnectionResetError):
        await blobs.put(broken(), LIMIT, unheard)
    with pytest.raises(LookupError):
        await blobs.put(cut(b"bytes"), LIMIT, refused)
    with pytest.raises(NotFound):
        await get(blobs, hashlib.sha256(b"bytes").hexdigest())
    assert list(tmp_path.rglob("*.part")) == []


async def test_a_put_can_be_cancelled_at_any_moment(blobs: Blobs, tmp_path: Path) -> None:
    data = os.urandom(20 * 1024)
    for moment in range(0, 40, 3):
        call = asyncio.create_task(blobs.put(cut(data, 1024), LIMIT, unheard))
        for _ in range(moment):
            await asyncio.sleep(0.0005)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        assert list(tmp_path.rglob("*.part")) == []
    sha256 = await put(blobs, data)
    assert await get(blobs, sha256) == data


async def test_a_check_says_where_they_are(blobs: Blobs) -> None:
    assert "files" in await blobs.check()
    assert "=" not in await blobs.check()


async def test_files_can_be_read_where_they_lie(tmp_path: Path) -> None:
    blobs = FileBlobs(tmp_path / "blobs")
    sha256 = await put(blobs, b"bytes")
    path = blobs.path(sha256)
    assert path is not None
    assert Path(path).read_bytes() == b"bytes"
    assert stat.S_IMODE(Path(path).stat().st_mode) == 0o600
    assert stat.S_IMODE(Path(path).parent.parent.stat().st_mode) == 0o700


async def test_parts_of_dead_processes_are_tidied_after_their_time(tmp_path: Path) -> None:
    blobs = FileBlobs(tmp_path)
    await blobs.tidy(2**60)
    old, new = tmp_path / ".old.part", tmp_path / ".new.part"
    for path, seconds in ((old, 1_000), (new, 3_000)):
        path.write_bytes(b"half")
        os.utime(path, (seconds, seconds))
    sha256 = await put(blobs, b"bytes")
    await blobs.tidy(2_000 * 1_000_000)
    assert (old.exists(), new.exists()) == (False, True)
    assert await get(blobs, sha256) == b"bytes"


async def test_a_folder_that_cannot_be_is_told_clearly(tmp_path: Path) -> None:
    (tmp_path / "blobs").write_text("I was here first")
    with pytest.raises(Unsupported, match="not a place where files can be kept"):
        await put(FileBlobs(tmp_path / "blobs"), b"bytes")
