"""What the machine gives: the time, and a secret of its own to sign with."""

from __future__ import annotations

import base64
import contextlib
import hmac
import json
import os
import secrets
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from quire.adapters.disk import on_disk
from quire.domain.errors import NotAllowed, Unsupported
from quire.ports.machine import Clock

SECRET_BYTES = 32


class SystemClock:
    def now(self) -> int:
        return time.time_ns() // 1000


class HmacSigner:
    """Tokens of claims and an expiry, signed with a secret that is read when first needed."""

    def __init__(self, secret: bytes | Path, clock: Clock) -> None:
        self._source = secret
        self._clock = clock
        self._key: bytes | None = secret if isinstance(secret, bytes) else None

    @property
    def key(self) -> bytes:
        if self._key is None:
            assert isinstance(self._source, Path)
            self._key = read_secret(self._source)
        return self._key

    def sign(self, claims: Mapping[str, Any], seconds: int) -> str:
        expires = self._clock.now() + seconds * 1_000_000
        head = _encode(json.dumps([expires, dict(claims)], separators=(",", ":")).encode())
        return f"{head}.{self._mac(head)}"

    def verify(self, token: str) -> dict[str, Any]:
        """The claims, or NotAllowed when the token is not ours or has expired."""
        head, _, mac = token.partition(".")
        if not hmac.compare_digest(mac.encode(errors="replace"), self._mac(head).encode()):
            raise NotAllowed("This link is not valid.")
        expires, claims = json.loads(_decode(head))
        if expires < self._clock.now():
            raise NotAllowed("This link has expired.")
        return dict(claims)

    def _mac(self, head: str) -> str:
        return _encode(hmac.digest(self.key, head.encode(errors="replace"), "sha256"))


def read_secret(path: Path) -> bytes:
    """The installation's secret, made with mode 0600 by whoever comes first."""
    with on_disk():
        if not path.exists():
            _make_secret(path)
        secret = path.read_bytes()
    if len(secret) < SECRET_BYTES:
        raise Unsupported(f"{path} is damaged.", hint="Delete it; links to files that were given out end with it.")
    return secret


def _make_secret(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(descriptor, secrets.token_bytes(SECRET_BYTES))
        os.fsync(descriptor)
        with contextlib.suppress(FileExistsError):
            os.link(temporary, path)
    finally:
        os.close(descriptor)
        os.unlink(temporary)


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
