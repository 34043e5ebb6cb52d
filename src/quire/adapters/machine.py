"""What the machine gives: the time, and a secret of its own to sign with."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import time
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quire.adapters.disk import on_disk
from quire.domain.errors import NotAllowed, Unsupported
from quire.ports.machine import Clock, Purpose

if TYPE_CHECKING:
    from itsdangerous import URLSafeSerializer

SECRET_BYTES = 32
SHA256: dict[str, Any] = {"key_derivation": "hmac", "digest_method": hashlib.sha256}


class SystemClock:
    def now(self) -> int:
        return time.time_ns() // 1000


class HmacSigner:
    """Tokens of claims and an expiry, signed with a secret that is read when first needed."""

    def __init__(self, secret: bytes | Path, clock: Clock) -> None:
        self._source = secret
        self._clock = clock

    def sign(self, purpose: Purpose, claims: Mapping[str, Any], seconds: int) -> str:
        until = self._clock.now() + seconds * 1_000_000
        return self._serializer(purpose).dumps([until, dict(claims)])

    def verify(self, purpose: Purpose, token: str) -> dict[str, Any]:
        """The claims, or NotAllowed when this is no token for the purpose or has expired."""
        from itsdangerous import BadData

        serializer = self._serializer(purpose)
        try:
            until, claims = serializer.loads(token)
            head, _, signature = token.rpartition(".")
            # Base64 is read leniently: a good signature could be written in other ways too.
            if signature.encode() != serializer.make_signer().get_signature(head):
                raise BadData("not as it was written")
        except (BadData, UnicodeEncodeError):
            raise NotAllowed("This link is not valid.") from None
        if until < self._clock.now():
            raise NotAllowed("This link has expired.")
        return dict(claims)

    def derived(self, purpose: Purpose) -> bytes:
        from itsdangerous import Signer

        return Signer(self._secret, f"key: {purpose}", **SHA256).derive_key()

    def _serializer(self, purpose: Purpose) -> URLSafeSerializer:
        from itsdangerous import URLSafeSerializer

        return URLSafeSerializer(self._secret, f"token: {purpose}", signer_kwargs=SHA256)

    @cached_property
    def _secret(self) -> bytes:
        return self._source if isinstance(self._source, bytes) else read_secret(self._source)


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
