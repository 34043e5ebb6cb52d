"""What the machine gives: the time, and a secret of its own to sign with."""

from __future__ import annotations

import base64
import binascii
import contextlib
import hashlib
import hmac
import json
import os
import secrets
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from quire.domain.errors import NotAllowed

SECRET_BYTES = 32


class SystemClock:
    def now(self) -> int:
        return time.time_ns() // 1000


class HmacSigner:
    """Tokens of claims and an expiry, signed with a secret that is read when first needed."""

    def __init__(self, secret: bytes | Path) -> None:
        self._source = secret
        self._key: bytes | None = secret if isinstance(secret, bytes) else None

    @property
    def key(self) -> bytes:
        if self._key is None:
            assert isinstance(self._source, Path)
            self._key = read_secret(self._source)
        return self._key

    def sign(self, claims: Mapping[str, Any], seconds: int) -> str:
        body = json.dumps([int(time.time()) + seconds, dict(claims)], separators=(",", ":")).encode()
        return f"{_encode(body)}.{_encode(self._mac(body))}"

    def verify(self, token: str) -> dict[str, Any]:
        """The claims, or NotAllowed when the token is not ours or has expired."""
        head, _, tail = token.partition(".")
        try:
            body, mac = _decode(head), _decode(tail)
        except (binascii.Error, ValueError):
            raise NotAllowed("This link is not valid.") from None
        if not hmac.compare_digest(mac, self._mac(body)):
            raise NotAllowed("This link is not valid.")
        expires, claims = json.loads(body)
        if expires < time.time():
            raise NotAllowed("This link has expired.")
        return dict(claims)

    def _mac(self, body: bytes) -> bytes:
        return hmac.new(self.key, body, hashlib.sha256).digest()


def read_secret(path: Path) -> bytes:
    """The installation's secret, made with mode 0600 by whoever comes first."""
    if path.exists():
        return path.read_bytes()
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
    return path.read_bytes()


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
