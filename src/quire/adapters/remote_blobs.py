"""Blobs in an S3 bucket, through OpenDAL (the extra `remote`)."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from quire.adapters.blobs import Part, damaged, key_of, threaded, tidy
from quire.domain.errors import InvalidInput, LimitReached, NotFound, QuireError, Unsupported, Upstream
from quire.domain.files import CHUNK
from quire.ports.blobs import Known

if TYPE_CHECKING:
    from opendal import AsyncOperator

PART_BYTES = 8 * 1024 * 1024
RETRIES = 3
FIRST_WAIT, LAST_WAIT = 0.1, 0.4
TIMEOUT, BRIEF = 30.0, 5.0
OPTIONS = ("endpoint", "region", "enable_virtual_host_style", "server_side_encryption")


class RemoteBlobs:
    """`url` is `s3://bucket/prefix?endpoint=…&region=…`; credentials come from the usual places of S3 tools.

    What comes in waits in `spool` until its hash is known, so memory stays small and a failed upload can be repeated.
    """

    def __init__(self, url: str, spool: Path) -> None:
        self._url = url
        self._spool = spool

    async def put(self, chunks: AsyncIterator[bytes], limit: int, known: Known) -> tuple[str, int]:
        part = Part(self._spool)
        try:
            await threaded(part.open)
            async for chunk in chunks:
                part.refuse_more_than(limit, chunk)
                await threaded(part.write, chunk)
            sha256 = part.digest.hexdigest()
            await known(sha256, part.size)
            await self._upload(part.path, key_of(sha256))
            return sha256, part.size
        finally:
            part.close()

    async def get(self, sha256: str, start: int = 0) -> AsyncIterator[bytes]:
        """What has come is given out one chunk later, so that the last one of a damaged file never is."""
        key = key_of(sha256)
        digest = hashlib.sha256()
        waiting = b""
        with translated():
            if not await self._operator.exists(key):
                raise NotFound("file", sha256)
            file = await self._operator.open(key, "rb")
            if start:
                await file.seek(start)
        while True:
            with translated():
                chunk = bytes(await file.read(CHUNK))
            digest.update(chunk)
            if not chunk and not start and digest.hexdigest() != sha256:
                raise damaged(sha256)
            if waiting:
                yield waiting
            if not chunk:
                return
            waiting = chunk

    async def verify(self, sha256: str) -> None:
        """They lie nowhere on this machine."""

    def delete(self, sha256: str) -> None:
        # A transaction waits for this, so it is tried once and briefly.
        with translated():
            self._connected(BRIEF).to_operator().delete(key_of(sha256))

    def path(self, sha256: str) -> str | None:
        return None

    async def tidy(self, before: int) -> None:
        await threaded(tidy, self._spool, before)

    async def room(self) -> int | None:
        return None

    async def check(self) -> str:
        with translated():
            await self._operator.check()
        return f"files at {self._url.partition('?')[0]}"

    async def _upload(self, path: Path, key: str) -> None:
        with translated():
            target = await self._operator.open(key, "wb", chunk=PART_BYTES)
            with path.open("rb") as source:
                while chunk := await asyncio.to_thread(source.read, CHUNK):
                    await target.write(chunk)
            # Only a whole file is closed: one that is left open never becomes an object.
            await target.close()

    @cached_property
    def _operator(self) -> AsyncOperator:
        operator = self._connected(TIMEOUT)
        from opendal.layers import RetryLayer

        return operator.layer(RetryLayer(RETRIES, factor=2.0, jitter=False, min_delay=FIRST_WAIT, max_delay=LAST_WAIT))

    def _connected(self, timeout: float) -> AsyncOperator:
        try:
            from opendal import AsyncOperator
            from opendal.layers import TimeoutLayer
        except ImportError:
            raise Unsupported("Files in a bucket need an extra.", hint="quire extras add remote") from None
        return AsyncOperator("s3", **options_of(self._url)).layer(TimeoutLayer(timeout, timeout))


def options_of(url: str) -> dict[str, str]:
    """The bucket, the prefix and the options that a URL names."""
    parts = urlsplit(url)
    options = dict(parse_qsl(parts.query))
    if parts.scheme != "s3" or not parts.netloc or "@" in parts.netloc:
        raise InvalidInput("The setting 'blobs' must be of the form s3://bucket/prefix?endpoint=...&region=...")
    if unknown := sorted(options.keys() - set(OPTIONS)):
        raise InvalidInput(
            f"The setting 'blobs' cannot have the option '{unknown[0]}'.",
            hint=f"It knows {', '.join(OPTIONS)}; credentials belong into the environment.",
        )
    return {"bucket": parts.netloc, "root": parts.path or "/", **options}


FOREIGN: dict[str, tuple[type[QuireError], str]] = {
    "ConfigInvalid": (Unsupported, "The bucket for files is not there, or the setting 'blobs' is not right."),
    "PermissionDenied": (Unsupported, "The bucket for files refuses Quire's credentials."),
    "RateLimited": (LimitReached, "The bucket for files wants fewer calls; wait a moment."),
    "Unexpected": (Upstream, "The bucket for files could not be reached."),
    "ConditionNotMatch": (Upstream, "The bucket for files was changed meanwhile."),
    "Conflict": (Upstream, "The bucket for files was changed meanwhile."),
    "Error": (Upstream, "The bucket for files could not be reached."),
    "NotFound": (Unsupported, "The bucket for files has lost a file."),
}


@contextmanager
def translated() -> Iterator[None]:
    """Turns OpenDAL's exceptions into ours; one that is not in the table stays a bug.

    They have no class in common, and an open file raises OSError with the kind as its first word.
    """
    try:
        yield
    except QuireError:
        raise
    except foreign() as error:
        kind = str(error).split(" ", 1)[0] if type(error) is OSError else type(error).__name__
        if kind not in FOREIGN:
            raise
        ours, message = FOREIGN[kind]
        raise ours(message) from error


def foreign() -> tuple[type[Exception], ...]:
    from opendal import exceptions

    kinds = [kind for kind in vars(exceptions).values() if isinstance(kind, type)]
    return (OSError, *kinds)
