"""HTTP/2 and HTTP/1.1 over connections that are kept, by httpx2."""

from __future__ import annotations

import asyncio
import logging
import ssl
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cached_property

import httpx2

from quire.domain.errors import TooLarge
from quire.ports.http import AnswerLost, HttpAnswer, HttpHead, HttpRequest, HttpStream, NotSent

# These write addresses and headers into logs, and with them cookies and tokens, for whoever logs everything.
for name in ("httpx2", "httpcore2", "hpack", "h2"):
    logging.getLogger(name).setLevel(logging.WARNING)

CONNECT_SECONDS = 15.0
MOST_CONNECTIONS = 20
# What fails before a byte of the request can have been read.
UNSENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.InvalidURL, httpx2.PoolTimeout, httpx2.ProxyError)


class HttpClient:
    """`proxy` and `authorities`, a file of certificates, are for who reaches the service through another program."""

    def __init__(self, proxy: str | None = None, authorities: str | None = None) -> None:
        self._proxy = proxy or None
        self._authorities = authorities or None

    async def answer(self, request: HttpRequest) -> HttpAnswer:
        async with self.stream(request) as stream:
            return HttpAnswer(stream.head, b"".join([chunk async for chunk in stream.chunks()]))

    @asynccontextmanager
    async def stream(self, request: HttpRequest) -> AsyncIterator[HttpStream]:
        patience = httpx2.Timeout(request.seconds, connect=min(CONNECT_SECONDS, request.seconds))
        try:
            async with (
                asyncio.timeout(request.seconds),
                self._client.stream(
                    request.method,
                    request.url,
                    headers={**request.headers, "Accept-Encoding": "gzip"},
                    content=request.content,
                    timeout=patience,
                ) as response,
            ):
                yield _Stream(response, request.most)
        except UNSENT as error:
            raise NotSent(type(error).__name__) from None
        except (httpx2.HTTPError, TimeoutError) as error:
            raise AnswerLost(type(error).__name__) from None

    async def close(self) -> None:
        if "_client" in self.__dict__:
            await self._client.aclose()
            del self.__dict__["_client"]

    @cached_property
    def _client(self) -> httpx2.AsyncClient:
        """Made with the first request: it reads every certificate that this machine trusts."""
        tls: ssl.SSLContext | bool = ssl.create_default_context(cafile=self._authorities) if self._authorities else True
        limits = httpx2.Limits(max_connections=MOST_CONNECTIONS, max_keepalive_connections=MOST_CONNECTIONS)
        return httpx2.AsyncClient(
            http2=True, verify=tls, proxy=self._proxy, limits=limits, follow_redirects=False, trust_env=False
        )


class _Stream:
    def __init__(self, response: httpx2.Response, most: int) -> None:
        self._response = response
        self._most = most
        headers = {name.lower(): value for name, value in response.headers.items()}
        self.head = HttpHead(response.status_code, headers, tuple(response.headers.get_list("set-cookie")))

    async def chunks(self) -> AsyncIterator[bytes]:
        """Unpacked here, and no more of it than is taken: a few bytes can stand for a great many."""
        told = self.head.headers.get("content-length", "")
        if told.isdigit() and int(told[:20]) > self._most:
            raise self._too_large()
        unpack, is_whole = self._unpacking()
        size = 0
        async for packed in self._response.aiter_raw():
            chunk = unpack(packed, self._most - size + 1)
            size += len(chunk)
            if size > self._most:
                raise self._too_large()
            yield chunk
        if not is_whole():
            raise AnswerLost("a packing that breaks off")

    def _unpacking(self) -> tuple[Callable[[bytes, int], bytes], Callable[[], bool]]:
        """What unpacks a piece, and what says at the end whether that was all."""
        packing = self.head.headers.get("content-encoding", "identity").strip().lower()
        if packing == "identity":
            return lambda data, most: data, lambda: True
        if packing != "gzip":
            raise AnswerLost("an unknown packing")
        unpacking = zlib.decompressobj(zlib.MAX_WBITS | 16)
        begun = False

        def unpack(data: bytes, most: int) -> bytes:
            nonlocal begun
            begun = True
            try:
                return unpacking.decompress(data, most)
            except zlib.error:
                raise AnswerLost("a broken packing") from None

        return unpack, lambda: unpacking.eof or not begun

    def _too_large(self) -> TooLarge:
        return TooLarge(f"The answer is larger than {self._most:,} bytes.")
