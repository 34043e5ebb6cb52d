"""Fetching pages from the web, and nothing else: every address is checked before a byte is sent to it.

A name is looked up once, all of its addresses must be allowed, and the connection is made to one
that was checked, so that a name cannot point elsewhere a moment later. The same holds for each
redirect. Proxies of the environment are not used: behind one, nothing could be checked.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
import ssl
import tempfile
import time
import weakref
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urljoin

from quire.adapters.addresses import Address, Allowed
from quire.adapters.page_names import charset_of, in_utf8, name_of
from quire.adapters.readers.sniffing import HEAD
from quire.adapters.web_places import Place, place_of
from quire.domain.errors import InvalidInput, QuireError, TooLarge, Upstream
from quire.domain.files import CHUNK, Upload
from quire.ports.documents import FetchedPage, Unreadable, Validators, readable

if TYPE_CHECKING:
    import httpcore2

# Names that are slow to look up hold no threads that others need.
LOOK_UPS = ThreadPoolExecutor(8, "quire-names")
REDIRECTS = 8
ADDRESSES = 4
IN_MEMORY = 1024 * 1024
# Larger texts keep the encoding that they came in.
RECODED = 16 * 1024 * 1024
AGENT = "Mozilla/5.0 (compatible; Quire; reads single pages that a person asked for)"
ACCEPT = "text/html,application/xhtml+xml,application/pdf,text/*;q=0.9,*/*;q=0.5"
MOVED = (301, 302, 303, 307, 308)
PASSING = (408, 425, 429, 500, 502, 503, 504)

HEADER = re.compile(r"[\x20-\x7e]{1,500}")
NO_HEADERS: Mapping[str, str] = {}

Resolve = Callable[[str], Awaitable[Sequence[str]]]


@dataclass(frozen=True)
class Patience:
    """Seconds for a connection, for the next bytes, and for a page with all of its redirects.

    A server that was too slow is not asked again for `rest`.
    """

    connect: float = 10.0
    silence: float = 30.0
    total: float = 120.0
    rest: float = 60.0


class Web:
    """`allowed` are networks, addresses or names that may be fetched although they are not public."""

    def __init__(
        self,
        allowed: Sequence[str] = (),
        limit: int = 200 * 1024 * 1024,
        patience: Patience | None = None,
        resolve: Resolve | None = None,
        tls: ssl.SSLContext | None = None,
        agent: str = AGENT,
    ) -> None:
        self._agent = agent
        self._allowed = Allowed(allowed)
        self._limit = limit
        self._patience = patience or Patience()
        self._resolve = resolve or resolved
        self._own_tls = tls
        self._slow: dict[str, float] = {}

    async def fetch(self, url: str, unreadable: Unreadable = readable) -> FetchedPage:
        """The page behind a URL, redirects followed; what must not be reached is refused with a reason.

        So is what `unreadable` has a reason against, once the beginning of it has come.
        """
        return await self.request(url, unreadable=unreadable)

    async def fetch_changed(self, url: str, known: Validators, unreadable: Unreadable = readable) -> FetchedPage | None:
        """The same; None where the server says that nothing has changed since it gave these validators."""
        headers = {"If-None-Match": known.etag, "If-Modified-Since": known.last_modified}
        asked = {name: value for name, value in headers.items() if value}
        try:
            return await self.request(url, headers=asked, unreadable=unreadable)
        except _Unchanged:
            return None

    async def request(
        self,
        url: str,
        content: bytes | None = None,
        headers: Mapping[str, str] = NO_HEADERS,
        unreadable: Unreadable = readable,
    ) -> FetchedPage:
        """The same with headers of one's own, which no other host gets to see.

        What is sent is not sent on to where a redirect points.
        """
        first = place_of(url).authority
        self._refuse_slow(first)
        with ExitStack() as failing:
            file = failing.enter_context(tempfile.SpooledTemporaryFile(IN_MEMORY))
            try:
                async with asyncio.timeout(self._patience.total):
                    url, answered = await self._follow(url, content, headers, file, unreadable)
            except (TimeoutError, _TooSlow) as error:
                self._slow[first] = time.monotonic() + self._patience.rest
                raise _unreachable(str(error) or "the page took too long to come") from None
            await asyncio.to_thread(_recode, file, answered.get("content-type", ""))
            size = file.seek(0, 2)
            failing.pop_all()
        upload = Upload(name_of(url, answered), lambda: _chunks(file), size)
        weakref.finalize(upload, file.close)
        return FetchedPage(url, _media_type(answered), upload, _validators(answered))

    def _refuse_slow(self, authority: str) -> None:
        now = time.monotonic()
        self._slow = {name: until for name, until in self._slow.items() if until > now}
        if authority in self._slow:
            raise _unreachable("the server did not answer in time a moment ago")

    async def _follow(
        self, url: str, content: bytes | None, headers: Mapping[str, str], file: IO[bytes], unreadable: Unreadable
    ) -> tuple[str, dict[str, str]]:
        first = place_of(url).authority
        for _ in range(REDIRECTS + 1):
            place = place_of(url)
            own = headers if place.authority == first else NO_HEADERS
            async with self._answer(place, content, own) as (status, answered, response):
                if status in MOVED and "location" in answered and content is None:
                    url = _joined(url, answered["location"])
                    continue
                if status == 304 and own:
                    raise _Unchanged
                if status != 200:
                    raise _refused(status)
                refuse = partial(_refuse_unreadable, unreadable, name_of(url, answered), answered)
                await self._receive(response, answered, file, refuse)
                return url, answered
        raise InvalidInput("url: it redirects too often.", field="url", reason="unreachable")

    @asynccontextmanager
    async def _answer(
        self, place: Place, content: bytes | None, headers: Mapping[str, str]
    ) -> AsyncIterator[tuple[int, dict[str, str], httpcore2.Response]]:
        """What a server answers, with the body still to come. Of a name's addresses the first that connects is used."""
        import httpcore2

        addresses = await self._addresses(place)
        for number, address in enumerate(addresses, 1):
            async with httpcore2.AsyncConnectionPool(max_connections=1, ssl_context=self._tls) as pool:
                try:
                    response = await pool.handle_async_request(self._made(place, address, content, headers))
                except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                    if number < len(addresses):
                        continue
                    raise _failed(error) from None
                except (httpcore2.NetworkError, httpcore2.TimeoutException, httpcore2.ProtocolError) as error:
                    raise _failed(error) from None
                try:
                    answered = {name.decode("latin-1").lower(): _text(value) for name, value in response.headers}
                    yield response.status, answered, response
                finally:
                    await response.aclose()
                return

    def _made(self, place: Place, address: Address, content: bytes | None, own: Mapping[str, str]) -> httpcore2.Request:
        import httpcore2

        patience = self._patience
        headers = {
            **own,
            "Host": place.authority,
            "User-Agent": self._agent,
            "Accept": ACCEPT,
            "Accept-Encoding": "gzip",
            "Connection": "close",
        }
        if content is not None:
            headers["Content-Length"] = str(len(content))
        return httpcore2.Request(
            "GET" if content is None else "POST",
            httpcore2.URL(
                scheme=place.parts.scheme.encode(),
                host=str(address).encode(),
                port=place.port,
                target=place.target.encode(),
            ),
            headers=[(name.encode(), value.encode()) for name, value in headers.items()],
            content=content,
            extensions={
                "timeout": {"connect": patience.connect, "read": patience.silence, "write": patience.silence},
                "sni_hostname": place.host,
            },
        )

    async def _receive(
        self, response: httpcore2.Response, headers: dict[str, str], file: IO[bytes], refuse: Callable[[bytes], None]
    ) -> None:
        import httpcore2

        if int(headers.get("content-length") or 0) > self._limit:
            raise self._too_large()
        unpacked = _Unpacked(headers.get("content-encoding", ""))
        received = size = 0
        head: bytes | None = b""
        try:
            async for chunk in response.aiter_stream():
                received += len(chunk)
                if received > self._limit:
                    raise self._too_large()
                for part in unpacked.parts(chunk):
                    size += len(part)
                    if size > self._limit:
                        raise self._too_large()
                    if head is not None:
                        head += part
                        if len(head) >= HEAD:
                            refuse(head)
                            head = None
                    if size <= IN_MEMORY:
                        file.write(part)
                    else:
                        await asyncio.to_thread(file.write, part)
        except (httpcore2.NetworkError, httpcore2.TimeoutException, httpcore2.ProtocolError) as error:
            raise _failed(error) from None
        except zlib.error:
            raise _unreachable("the page is damaged") from None
        if head is not None:
            refuse(head)

    def _too_large(self) -> TooLarge:
        return TooLarge(f"url: the page is larger than {self._limit:,} bytes.", field="url", limit=self._limit)

    async def _addresses(self, place: Place) -> list[Address]:
        """Where to connect to. All that the name stands for must be allowed: which one is taken is not ours to say."""
        try:
            found: list[Address] = [ipaddress.ip_address(place.host)]
        except ValueError:
            try:
                named = await self._resolve(place.host)
                found = [ipaddress.ip_address(one) for one in dict.fromkeys(named)]
            except (OSError, UnicodeError, ValueError):
                found = []
        if not found:
            raise InvalidInput("url: there is no such host.", field="url", reason="unreachable")
        for address in found:
            if not self._allowed.may_reach(place.host, address, place.port):
                raise InvalidInput(
                    "url: only public addresses are fetched, on ports of the web.",
                    hint="The setting fetch_allow lists exceptions.",
                    field="url",
                    reason="unsupported_url",
                )
        return found[:ADDRESSES]

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        import httpcore2

        return self._own_tls or httpcore2.default_ssl_context()


async def resolved(host: str) -> list[str]:
    """All addresses of a name, as this machine knows it."""
    look_up = partial(socket.getaddrinfo, host, None, type=socket.SOCK_STREAM)
    infos = await asyncio.get_running_loop().run_in_executor(LOOK_UPS, look_up)
    return [str(info[4][0]) for info in infos]


def _unreachable(why: str) -> Upstream:
    return Upstream(f"url: the page cannot be fetched: {why}.", field="url", reason="unreachable")


def _refused(status: int) -> QuireError:
    """Some answers may be others a moment later."""
    kind = Upstream if status in PASSING else InvalidInput
    return kind(f"url: the server answered {status}.", field="url", reason="unreachable", answered=status)


class _Unchanged(Exception):
    """The page is the one that is known."""


class _TooSlow(Exception):
    """A server kept us waiting."""


def _failed(error: Exception) -> Exception:
    import httpcore2

    if isinstance(error, httpcore2.TimeoutException):
        return _TooSlow("the server does not answer in time")
    return _unreachable(_cause(error))


def _cause(error: Exception) -> str:
    import httpcore2

    if isinstance(error, httpcore2.ProtocolError):
        return "the server does not answer as web servers do"
    if "CERTIFICATE" in str(error).upper():
        return "the server's certificate is not valid"
    return "the server cannot be reached"


def _joined(url: str, location: str) -> str:
    try:
        return urljoin(url, location)
    except ValueError:
        raise InvalidInput("url: it redirects to no address.", field="url", reason="unreachable") from None


def _text(value: bytes) -> str:
    """Headers are Latin-1 by the book, and UTF-8 in fact."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


class _Unpacked:
    """Takes the compression off, a bounded piece at a time."""

    def __init__(self, encoding: str) -> None:
        kind = encoding.strip().lower()
        if kind not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise _unreachable("the page is packed in an unknown way")
        self._unpack = None if kind in ("", "identity") else zlib.decompressobj(47 if "gzip" in kind else 15)

    def parts(self, chunk: bytes) -> Any:
        if self._unpack is None:
            yield chunk
            return
        while chunk and not self._unpack.eof:
            yield self._unpack.decompress(chunk, CHUNK)
            chunk = self._unpack.unconsumed_tail


def _media_type(headers: Mapping[str, str]) -> str:
    return headers.get("content-type", "application/octet-stream")


def _validators(headers: Mapping[str, str]) -> Validators:
    """What a later request may send back; nothing that could not stand in a header."""
    etag, modified = headers.get("etag", ""), headers.get("last-modified", "")
    return Validators(*(text if HEADER.fullmatch(text) else None for text in (etag, modified)))


def _refuse_unreadable(unreadable: Unreadable, name: str, headers: Mapping[str, str], head: bytes) -> None:
    recoded = in_utf8(head[:HEAD], headers.get("content-type", ""), ended=False)
    if why := unreadable(name, _media_type(headers), recoded or head[:HEAD]):
        raise InvalidInput(f"url: it leads to nothing that can be read. {why}", field="url", reason="unsupported_url")


def _recode(file: IO[bytes], content_type: str) -> None:
    if charset_of(content_type) is None or file.tell() > RECODED:
        return
    file.seek(0)
    if recoded := in_utf8(file.read(), content_type, ended=True):
        file.seek(0)
        file.truncate()
        file.write(recoded)


async def _chunks(file: IO[bytes]) -> AsyncIterator[bytes]:
    file.seek(0)
    while chunk := await asyncio.to_thread(file.read, CHUNK):
        yield chunk
