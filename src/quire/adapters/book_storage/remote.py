"""Books in a remote storage, through OpenDAL (the extra `remote`).

Storages of this kind have no rename, so each version is an object of its own that is never changed, and the
file at its key is a copy of one of them.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import parse_qsl, urlsplit

from quire.adapters.remote_blobs import FIRST_WAIT, LAST_WAIT, OPTIONS, PART_BYTES, RETRIES, TIMEOUT, translated
from quire.domain.books import missing
from quire.domain.errors import InvalidInput, Unsupported
from quire.domain.files import CHUNK
from quire.ports.books import Seen, Staged

if TYPE_CHECKING:
    from opendal import Operator
    from opendal.types import Metadata

Result = TypeVar("Result")

VERSIONS = ".quire/versions"
AUDIT = ".quire/audit"
# Which option of OpenDAL the host of a URL is, for the storages where it is one.
HOSTS = {"s3": "bucket", "gcs": "bucket", "azblob": "container", "oss": "bucket", "cos": "bucket", "obs": "bucket"}


class RemoteStorage:
    """`url` is `s3://bucket/prefix?endpoint=…&region=…`; credentials come from the usual places of its tools."""

    local = False

    def __init__(self, name: str, url: str) -> None:
        self.name = name
        self._url = url

    async def apart(self, work: Callable[[], Result]) -> Result:
        return await asyncio.to_thread(work)

    def stage(self, book_id: str, data: bytes) -> Staged:
        sha256 = hashlib.sha256(data).hexdigest()
        ref = f"{sha256}-{secrets.token_hex(8)}"
        with translated():
            self._operator.write(_key(book_id, ref), data)
        return Staged(ref, ref, sha256, len(data), "")

    def stage_file(self, book_id: str, file: Path, sha256: str) -> Staged:
        ref = f"{sha256}-{secrets.token_hex(8)}"
        size = 0
        with translated(), file.open("rb") as source:
            target = self._operator.open(_key(book_id, ref), "wb", chunk=PART_BYTES)
            while chunk := source.read(CHUNK):
                size += len(chunk)
                target.write(chunk)
            # Only a whole file is closed: one that is left open never becomes an object.
            target.close()
        return Staged(ref, ref, sha256, size, "")

    def stage_found(self, book_id: str, key: str, sha256: str, seen: Seen) -> Staged:
        ref = f"{sha256}-{secrets.token_hex(8)}"
        with translated():
            self._copy(key, _key(book_id, ref))
        return Staged(ref, ref, sha256, seen.size, seen.mark)

    def discard(self, book_id: str, staged: Staged) -> None:
        """Left to the sweeper: a commit whose answer was lost may need it."""

    def look(self, key: str) -> Seen | None:
        with translated(), absent():
            return _seen(self._operator.stat(key))
        return None

    def read(self, key: str) -> tuple[bytes, Seen] | None:
        """Its mark would take another request, and whoever reads has the bytes to tell by."""
        with translated(), absent():
            data = bytes(self._operator.read(key))
            return data, Seen(len(data), 0, "")
        return None

    def peek(self, key: str, seen: Seen) -> bytearray | None:
        """A network is never at hand."""
        return None

    def chunks(self, key: str, start: int = 0, mark: str = "") -> Iterator[bytes]:
        """A version never changes, and is what `source` names."""
        with translated(), absent():
            file = self._operator.open(key, "rb")
            if start:
                file.seek(start)
            while chunk := bytes(file.read(CHUNK)):
                yield chunk
            return
        raise missing(key)

    def source(self, book_id: str, key: str, ref: str) -> str:
        return _key(book_id, ref)

    def place(self, staged: Staged, key: str, keep: str | None) -> None:
        raise TypeError("a remote storage is brought in step after the transaction")

    def remove(self, key: str, keep: str | None) -> None:
        raise TypeError("a remote storage is brought in step after the transaction")

    def move(self, key: str, new_key: str) -> None:
        raise TypeError("a remote storage is brought in step after the transaction")

    def publish(self, book_id: str, key: str, ref: str | None) -> str:
        with translated():
            if ref is None:
                self._operator.delete(key)
                return ""
            self._copy(_key(book_id, ref), key)
            return _seen(self._operator.stat(key)).mark

    def version(self, book_id: str, ref: str) -> bytes | None:
        found = self.read(_key(book_id, ref))
        return found[0] if found else None

    def versions(self, book_id: str, before: int) -> Iterator[str]:
        for key, seen in self.walk(f"{VERSIONS}/{book_id}"):
            if seen.modified < before:
                yield key.rpartition("/")[2]

    def forget(self, book_id: str, ref: str) -> None:
        with translated():
            self._operator.delete(_key(book_id, ref))

    def walk(self, prefix: str) -> Iterator[tuple[str, Seen]]:
        async def entries() -> list[tuple[str, Metadata]]:
            found = await self._operator.to_async_operator().list(f"{prefix}/", recursive=True)
            return [(entry.path, entry.metadata) async for entry in found if not entry.path.endswith("/")]

        # The blocking list holds the interpreter's lock while it waits for the storage.
        with translated():
            listed = asyncio.run(entries())
        for key, found in sorted(listed):
            yield key, _seen(found)

    def marks(self, prefix: str) -> Iterator[tuple[str, str]]:
        raise TypeError("on a remote storage the rows say which files there are")

    def read_all(self, keys: Iterable[str]) -> Iterator[tuple[str, bytes, str]]:
        raise TypeError("on a remote storage the rows say where the bytes are")

    def path(self, key: str) -> str | None:
        return None

    def kept(self, name: str) -> str | None:
        found = self.read(f"{AUDIT}/{name}")
        return found[0].decode("utf-8", "replace") if found else None

    def keep(self, name: str, number: int, text: str) -> None:
        before = (self.kept(name) or "").partition(" ")[0]
        if not before.isdigit() or int(before) < number:
            with translated():
                self._operator.write(f"{AUDIT}/{name}", text.encode())

    def tidy(self, before: int) -> None:
        """What is left over is a version that nothing needs, and swept as such."""

    def check(self) -> str:
        with translated():
            self._operator.check()
        return self._url.partition("?")[0]

    def _copy(self, source: str, target: str) -> None:
        if self._operator.capability().copy:
            self._operator.copy(source, target)
        else:
            self._operator.write(target, bytes(self._operator.read(source)))

    @cached_property
    def _operator(self) -> Operator:
        try:
            from opendal import Operator, exceptions
            from opendal.layers import RetryLayer, TimeoutLayer
        except ImportError:
            raise Unsupported("Books on a remote storage need an extra.", hint="quire extras add remote") from None
        scheme, options = options_of(self._url)
        retry = RetryLayer(RETRIES, factor=2.0, jitter=False, min_delay=FIRST_WAIT, max_delay=LAST_WAIT)
        try:
            with translated():
                operator = Operator(scheme, **options)
        except exceptions.Unsupported:
            raise InvalidInput(f"A storage in 'shelves' is of a kind that is not known: '{scheme}'.") from None
        return operator.layer(TimeoutLayer(TIMEOUT, TIMEOUT)).layer(retry)


@contextmanager
def absent() -> Iterator[None]:
    """Leaves quietly where there is no such object; an open file says so in an OSError of its own."""
    from opendal import exceptions

    try:
        yield
    except exceptions.NotFound:
        pass
    except OSError as error:
        if not str(error).startswith("NotFound "):
            raise


def options_of(url: str) -> tuple[str, dict[str, str]]:
    """The kind of storage and the options that a URL names."""
    parts = urlsplit(url)
    options = dict(parse_qsl(parts.query))
    if "@" in parts.netloc or (parts.scheme in HOSTS and not parts.netloc):
        raise InvalidInput("A storage in 'shelves' must be of the form s3://bucket/prefix?endpoint=...&region=...")
    if parts.scheme == "s3" and (unknown := sorted(options.keys() - set(OPTIONS))):
        raise InvalidInput(
            f"A storage in 'shelves' cannot have the option '{unknown[0]}'.",
            hint=f"It knows {', '.join(OPTIONS)}; credentials belong into the environment.",
        )
    host = {HOSTS[parts.scheme]: parts.netloc} if parts.scheme in HOSTS else {}
    return parts.scheme, {"root": parts.path or "/", **host, **options}


def _key(book_id: str, ref: str) -> str:
    return f"{VERSIONS}/{book_id}/{ref[:2]}/{ref}"


def _seen(found: Metadata) -> Seen:
    """Where a storage tells no time, a file is as new as can be, and so never swept."""
    modified = int((found.last_modified or datetime.now(UTC)).timestamp() * 1_000_000)
    return Seen(found.content_length, modified, found.etag or f"{found.last_modified}:{found.content_length}")
