"""A language model behind HTTP, streamed.

What an endpoint says about an error is never passed on: it may repeat the key.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import math
import re
import ssl
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

import httpx2

from quire.adapters.models.dialects import Dialect
from quire.domain.errors import InvalidInput, LimitReached, QuireError, Unsupported, Upstream

PASSING = (408, 429, 500, 502, 503, 504, 529)
LONGEST_ANSWER = 1024 * 1024


@dataclass(frozen=True)
class Patience:
    """Seconds for a connection, for the next bytes and for the whole; how long to rest before each further try."""

    connect: float = 10.0
    silence: float = 60.0
    total: float = 100.0
    rests: tuple[float, ...] = (0.5, 2.0)
    longest_rest: float = 10.0


class _Passing(Exception):
    """An error that may be gone a moment later, and when."""

    def __init__(self, error: QuireError, wait: float = 0.0) -> None:
        self.error = error
        self.wait = wait


class Endpoint:
    """`url` ends where the dialect's paths begin. The key goes into a header and nowhere else.

    `key_needed` tells where to put it, for an endpoint that answers nobody without one.
    """

    def __init__(
        self,
        dialect: Dialect,
        url: str,
        model: str,
        key: str = "",
        *,
        name: str = "",
        key_needed: str = "",
        patience: Patience | None = None,
    ) -> None:
        host = checked_url(url)
        if not re.fullmatch(r"[\x21-\x7e]*", key):
            raise InvalidInput("The setting 'model_key' holds characters that no key has.")
        self.name = name or model or host
        self._dialect = dialect
        self._url = url.rstrip("/")
        self._model = model
        self._key = key
        self._key_needed = key_needed
        self._patience = patience or Patience()
        # A proxy for the world is none for this machine.
        self._through_proxies = not is_loopback(host)

    async def generate(self, system: str, prompt: str, max_tokens: int) -> AsyncIterator[str]:
        """The answer in pieces. As long as there is none, a failure that may pass is tried again."""
        self._need_key()
        body = self._dialect.body(self._model, system, prompt, max_tokens)
        end = asyncio.get_running_loop().time() + self._patience.total
        rests = iter(self._patience.rests)
        while True:
            try:
                async with aclosing(self._pieces(body, end)) as pieces:
                    async for piece in pieces:
                        yield piece
                return
            except _Passing as passing:
                rest = max(next(rests, math.inf), passing.wait)
                if rest > self._patience.longest_rest:
                    raise passing.error from None
            await asyncio.sleep(rest)

    async def check(self) -> str:
        """The model's name, if endpoint, key and model are good as far as can be told without asking it."""
        self._need_key()
        path = self._dialect.check_path(self._model)
        try:
            async with self._client() as client:
                answer = await client.get(
                    self._url + path, headers=self._dialect.headers(self._key), timeout=self._patience.connect
                )
        except httpx2.HTTPError:
            raise self._unreachable() from None
        if answer.status_code >= 400 and not (answer.status_code in (404, 405) and path == "/models"):
            raise self._refused(answer.status_code)
        return self.name

    async def _pieces(self, body: dict[str, Any], end: float) -> AsyncGenerator[str, None]:
        address = self._url + self._dialect.path(self._model)
        try:
            async with (
                self._client() as client,
                client.stream("POST", address, json=body, headers=self._dialect.headers(self._key)) as response,
            ):
                status = response.status_code
                if status in PASSING:
                    raise _Passing(self._refused(status), _seconds(response.headers.get("retry-after", "")))
                if status != 200:
                    raise self._refused(status)
                if "event-stream" not in response.headers.get("content-type", ""):
                    yield await self._whole(response, end)
                    return
                async for data in _events(response, end):
                    if data == "[DONE]":
                        return
                    piece = self._understood(self._dialect.piece, data)
                    if piece.text:
                        yield piece.text
                    if piece.last:
                        return
                raise Upstream("The language model's endpoint broke off in the middle.")
        except httpx2.ConnectError:
            raise _Passing(self._unreachable()) from None
        except httpx2.TimeoutException:
            raise _too_slow() from None
        except httpx2.HTTPError:
            raise Upstream("The language model's endpoint broke off in the middle.") from None

    async def _whole(self, response: httpx2.Response, end: float) -> str:
        """From a server that does not stream."""
        data = b""
        async for chunk in response.aiter_bytes():
            data += chunk
            _within(data, end)
        return str(self._understood(self._dialect.whole, data))

    def _understood(self, read: Any, data: str | bytes) -> Any:
        try:
            return read(json.loads(data))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise Upstream("The language model's endpoint answered in an unknown form.", hint=HINT) from None

    def _client(self) -> httpx2.AsyncClient:
        patience = self._patience
        timeout = httpx2.Timeout(patience.silence, connect=patience.connect)
        return httpx2.AsyncClient(verify=self._tls, timeout=timeout, trust_env=self._through_proxies)

    @cached_property
    def _tls(self) -> ssl.SSLContext | bool:
        """Made once: it reads every certificate that this machine trusts. Plain HTTP needs none."""
        return httpx2.create_ssl_context() if self._url.startswith("https:") else False

    def _need_key(self) -> None:
        if self._key_needed and not self._key:
            raise Unsupported("The language model needs a key.", hint=self._key_needed)

    def _unreachable(self) -> QuireError:
        return Upstream("The language model's endpoint cannot be reached.", hint=HINT)

    def _refused(self, status: int) -> QuireError:
        if status in (401, 403):
            hint = self._key_needed or "See the setting model_key."
            return Upstream("The language model's endpoint refused the key.", hint=hint, status=status)
        if status == 404:
            return Upstream("The language model's endpoint knows no such model.", hint=HINT, status=status)
        if status == 413:
            return Upstream("The language model's endpoint finds the passages too long.", status=status)
        if status == 429:
            return LimitReached("The language model's endpoint is asked too often, or its quota is used up.")
        return Upstream(f"The language model's endpoint answered {status}.", hint=HINT, status=status)


HINT = "See the settings model and model_url."


def checked_url(url: str, setting: str = "model_url") -> str:
    """The host of an endpoint's address; InvalidInput where it is none."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host or parts.scheme not in ("http", "https"):
        raise InvalidInput(f"The setting '{setting}' must begin with http:// or https://.")
    if "@" in parts.netloc:
        raise InvalidInput(f"The setting '{setting}' must hold no password; a key has a setting of its own.")
    return host


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def _events(response: httpx2.Response, end: float) -> AsyncIterator[str]:
    """The data of server-sent events. Lines are cut here: the client's own reader takes lines of any length."""
    rest = b""
    size = 0
    async for chunk in response.aiter_bytes():
        *lines, rest = (rest + chunk).split(b"\n")
        size += len(chunk)
        _within(rest, end)
        if size > 32 * LONGEST_ANSWER:
            raise _too_long()
        for line in lines:
            if line.startswith(b"data:"):
                yield line.removeprefix(b"data:").strip().decode("utf-8", "replace")


def _within(data: bytes, end: float) -> None:
    if len(data) > LONGEST_ANSWER:
        raise _too_long()
    if asyncio.get_running_loop().time() > end:
        raise _too_slow()


def _too_long() -> Upstream:
    return Upstream("The language model's endpoint does not come to an end.")


def _too_slow() -> Upstream:
    return Upstream("The language model took too long.")


def _seconds(text: str) -> float:
    """What a Retry-After header asks for, where it is a number."""
    return float(text) if re.fullmatch(r"\d{1,6}(\.\d+)?", text) else 0.0
