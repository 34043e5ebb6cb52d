"""Fetching pages from the web, and nothing else: every address is checked before a byte is sent to it.

A name is looked up once, all of its addresses must be public, and the connection is made to the
address that was checked, so that a name cannot point elsewhere a moment later. The same holds for
each redirect.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from collections.abc import AsyncIterator, Sequence
from email.message import Message
from urllib.parse import unquote, urljoin, urlsplit

import httpcore2

from quire.domain.errors import InvalidInput, TooLarge, Upstream
from quire.domain.files import Upload
from quire.services.ports import FetchedPage

REDIRECTS = 8
SECONDS = 30.0
TOTAL_SECONDS = 120.0
BYTES = 200 * 1024 * 1024
AGENT = "Mozilla/5.0 (compatible; Quire)"

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Web:
    """`allowed` are networks or names that may be fetched although they are not public."""

    def __init__(self, allowed: Sequence[str] = (), limit: int = BYTES) -> None:
        self._limit = limit
        self._networks: list[Network] = []
        self._names: set[str] = set()
        for entry in allowed:
            try:
                self._networks.append(ipaddress.ip_network(entry, strict=False))
            except ValueError:
                self._names.add(entry.casefold())

    async def fetch(self, url: str) -> FetchedPage:
        """The page behind a URL, redirects followed; what it must not reach is refused with a reason."""
        try:
            async with asyncio.timeout(TOTAL_SECONDS):
                return await self._follow(url)
        except TimeoutError:
            raise Upstream("url: the page took too long.", reason="unreachable") from None

    async def _follow(self, url: str) -> FetchedPage:
        for _ in range(REDIRECTS + 1):
            status, headers, body = await self._get(url)
            if status in (301, 302, 303, 307, 308) and "location" in headers:
                url = urljoin(url, headers["location"])
                continue
            if status >= 400:
                raise InvalidInput(f"url: the server answered {status}.", field="url", reason="unreachable")
            media_type = headers.get("content-type", "application/octet-stream")
            return FetchedPage(url, media_type, Upload(_name(url, headers), _once(body), len(body)))
        raise InvalidInput("url: it redirects too often.", field="url", reason="unreachable")

    async def _get(self, url: str) -> tuple[int, dict[str, str], bytes]:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https"):
            raise InvalidInput("url: only http and https are fetched.", field="url", reason="unsupported_url")
        if not parts.hostname or parts.username is not None or parts.password is not None:
            raise InvalidInput("url: is not an address to fetch.", field="url", reason="invalid_url")
        try:
            port = parts.port
            host = parts.hostname.encode("idna").decode() if not _is_address(parts.hostname) else parts.hostname
        except (ValueError, UnicodeError):
            raise InvalidInput("url: is not an address to fetch.", field="url", reason="invalid_url") from None
        address = await self._checked(host)
        port = port or (443 if parts.scheme == "https" else 80)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        wire = httpcore2.URL(
            scheme=parts.scheme.encode(), host=str(address).encode(), port=port, target=_ascii(target).encode()
        )
        shown_host = f"[{host}]" if ":" in host else host
        host_header = shown_host if port in (80, 443) else f"{shown_host}:{port}"
        request = httpcore2.Request(
            "GET",
            wire,
            headers=[
                (b"Host", host_header.encode()),
                (b"User-Agent", AGENT.encode()),
                (b"Accept", b"text/html,application/xhtml+xml,application/pdf,text/*;q=0.9,*/*;q=0.5"),
                (b"Accept-Encoding", b"identity"),
            ],
            extensions={
                "timeout": {"connect": SECONDS, "read": SECONDS, "write": SECONDS, "pool": SECONDS},
                "sni_hostname": host,
            },
        )
        try:
            async with httpcore2.AsyncConnectionPool(max_connections=1) as pool:
                response = await pool.handle_async_request(request)
                try:
                    headers = {k.decode("latin-1").lower(): v.decode("latin-1") for k, v in response.headers}
                    redirected = response.status in (301, 302, 303, 307, 308)
                    body = b"" if redirected else await self._body(response, headers)
                    return response.status, headers, body
                finally:
                    await response.aclose()
        except (httpcore2.NetworkError, httpcore2.TimeoutException, httpcore2.ProtocolError, OSError) as error:
            kind = type(error).__name__
            raise InvalidInput(
                f"url: the page cannot be reached ({kind}).", field="url", reason="unreachable"
            ) from None

    async def _body(self, response: httpcore2.Response, headers: dict[str, str]) -> bytes:
        if int(headers.get("content-length") or 0) > self._limit:
            raise TooLarge(f"url: the page is larger than {self._limit:,} bytes.", field="url")
        body = bytearray()
        async for chunk in response.aiter_stream():
            body += chunk
            if len(body) > self._limit:
                raise TooLarge(f"url: the page is larger than {self._limit:,} bytes.", field="url")
        return bytes(body)

    async def _checked(self, host: str) -> Address:
        """The address to connect to; all that the name stands for must be allowed."""
        try:
            found = [ipaddress.ip_address(host.strip("[]"))]
        except ValueError:
            try:
                infos = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
            except (OSError, UnicodeError):
                raise InvalidInput(
                    "url: there is no such host.", field="url", reason="unreachable"
                ) from None
            found = [ipaddress.ip_address(info[4][0]) for info in infos]
        for address in found:
            if host.casefold() not in self._names and not self._may_reach(address):
                raise InvalidInput(
                    "url: private, loopback and link-local addresses are not fetched.",
                    field="url",
                    reason="unsupported_url",
                    hint="The setting fetch_allow lists exceptions.",
                )
        return found[0]

    def _may_reach(self, address: Address) -> bool:
        if any(address.version == network.version and address in network for network in self._networks):
            return True
        inner = getattr(address, "ipv4_mapped", None) or getattr(address, "sixtofour", None)
        if inner is not None and not inner.is_global:
            return False
        return address.is_global and not address.is_multicast


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def _ascii(target: str) -> str:
    """A target as it may stand in a request line: nothing that could begin another header."""
    if re.search(r"[\x00-\x20\x7f]", target):
        target = re.sub(r"[\x00-\x20\x7f]", lambda match: f"%{ord(match[0]):02X}", target)
    return "".join(c if ord(c) < 128 else "".join(f"%{byte:02X}" for byte in c.encode()) for c in target)


def _name(url: str, headers: dict[str, str]) -> str:
    """What the server calls the file, or the last part of its path, with an ending that says what it is."""
    message = Message()
    message["Content-Disposition"] = headers.get("content-disposition", "")
    name = message.get_filename() or unquote(urlsplit(url).path.rstrip("/").rpartition("/")[2]) or "page"
    name = re.sub(r"[\x00-\x1f/\\]", "_", name)[:200]
    if "html" in headers.get("content-type", "text/html") and not name.lower().endswith((".html", ".htm")):
        name += ".html"
    return name


def _once(body: bytes):  # type: ignore[no-untyped-def]
    async def chunks() -> AsyncIterator[bytes]:
        yield body

    return chunks
