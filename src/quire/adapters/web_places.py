"""Where a URL leads, as far as its text tells."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

import idna

from quire.domain.errors import InvalidInput

UNSAFE = re.compile(r"[\x00-\x20\x7f-\U0010ffff]")


@dataclass(frozen=True)
class Place:
    """A URL that may be fetched, as far as its text tells."""

    parts: SplitResult
    host: str
    port: int

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = 443 if self.parts.scheme == "https" else 80
        return host if self.port == usual else f"{host}:{self.port}"

    @property
    def target(self) -> str:
        """Path and query as they may stand in a request line: nothing that could begin another."""
        target = (self.parts.path or "/") + (f"?{self.parts.query}" if self.parts.query else "")
        return UNSAFE.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), target)


def place_of(url: str) -> Place:
    """A URL taken apart, or InvalidInput; nothing is looked up."""
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        raise _invalid() from None
    if parts.scheme not in ("http", "https"):
        if not parts.scheme or not re.fullmatch(r"[a-z][a-z0-9+.-]*", parts.scheme):
            raise _invalid()
        raise InvalidInput("url: only http and https are fetched.", field="url", reason="unsupported_url")
    if not host:
        raise _invalid()
    if "@" in parts.netloc:
        raise InvalidInput("url: must not hold a name or a password.", field="url", reason="unsupported_url")
    usual = 443 if parts.scheme == "https" else 80
    return Place(parts, _ascii_host(host), usual if port is None else port)


def _ascii_host(host: str) -> str:
    if not host.isascii():
        try:
            host = idna.encode(host, uts46=True).decode()
        except idna.IDNAError:
            raise _invalid() from None
    if not re.fullmatch(r"[0-9a-z._-]{1,253}|[0-9a-f:.]+", host):
        raise _invalid()
    return host


def _invalid() -> InvalidInput:
    return InvalidInput("url: must be a full http or https address.", field="url", reason="invalid_url")
