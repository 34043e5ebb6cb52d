"""Vectors from a server: OpenAI's `/embeddings`, which many speak."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx2

from quire.adapters.arithmetic import arithmetic
from quire.adapters.embedders import Kind, of_length_one
from quire.adapters.models.endpoint import PASSING, checked_url, is_loopback
from quire.adapters.turns import GiveWay
from quire.domain.errors import InvalidInput, QuireError, Unsupported, Upstream
from quire.ports.background import in_background

if TYPE_CHECKING:
    from quire.adapters.embedders import Vectors

OWN_URL = "https://api.openai.com/v1"
OWN_KEY = "OPENAI_API_KEY"
HINT = "See the settings embedder and embedder_url."


class EmbeddingEndpoint:
    """`url` ends before `/embeddings`; vectors of one address and model never mix with those of another.

    A question waits for less than a job does, and for a while not at all after a failure.
    """

    languages: frozenset[str] | None = None
    calibrated = False
    local = False
    weight = 0.5
    BATCH = 64
    LARGEST_ANSWER = 64 * 1024 * 1024

    def __init__(
        self,
        url: str,
        model: str,
        key: str = "",
        *,
        key_needed: str = "",
        seconds: Mapping[Kind, float] | None = None,
        rest: float = 30.0,
    ) -> None:
        host = checked_url(url, "embedder_url")
        if not key.isascii() or not key.isprintable():
            raise InvalidInput("The setting 'embedder_key' holds characters that no key has.")
        self.name = f"{model}@{hashlib.sha256(url.rstrip('/').encode()).hexdigest()[:8]}"
        self.dimensions = 0
        self._url = url.rstrip("/") + "/embeddings"
        self._model = model
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._key_needed = key_needed
        self._seconds = seconds or {"query": 10.0, "passage": 60.0}
        self._rest = rest
        self._resting_until = 0.0
        self._order = GiveWay()
        self._through_proxies = not is_loopback(host)

    def embed(self, texts: list[str], kind: Kind = "passage") -> Vectors:
        if kind == "query" and time.monotonic() < self._resting_until:
            raise Upstream("The embedder failed a moment ago.", hint=HINT)
        try:
            if in_background():
                vectors = self._embedded(texts, self._seconds[kind])
            else:
                with self._order.for_a_caller():
                    vectors = self._embedded(texts, self._seconds[kind])
        except QuireError:
            self._resting_until = time.monotonic() + self._rest
            raise
        self._resting_until = 0.0
        return vectors

    def check(self) -> str:
        self._embedded(["?"], self._seconds["query"])
        return self.name

    def _embedded(self, texts: list[str], seconds: float) -> Vectors:
        if self._key_needed and not self._headers:
            raise Unsupported("The embedder needs a key.", hint=self._key_needed)
        numpy = arithmetic()
        rows: list[Any] = []
        plain = self._url.startswith("http:")
        with httpx2.Client(timeout=seconds, trust_env=self._through_proxies, verify=not plain) as client:
            for start in range(0, len(texts), self.BATCH):
                if in_background():
                    self._order.let_callers_pass()
                rows += self._rows(client, texts[start : start + self.BATCH])
        try:
            with numpy.errstate(over="ignore"):
                found: Vectors = numpy.array(rows, dtype=numpy.float32)
        except (ValueError, TypeError):
            raise _strange() from None
        if found.ndim != 2 or found.shape[1] == 0 or not numpy.isfinite(found).all():
            raise _strange()
        if found.shape[1] != (self.dimensions or found.shape[1]):
            raise Upstream("The embedder gives vectors of another length than before.", hint=HINT)
        self.dimensions = found.shape[1]
        return of_length_one(found)

    def _rows(self, client: httpx2.Client, texts: list[str]) -> list[Any]:
        try:
            try:
                body = self._answer(client, texts)
            except (httpx2.RemoteProtocolError, httpx2.ReadError, httpx2.WriteError):
                # The server closed a connection that was kept; what was asked twice does no harm.
                body = self._answer(client, texts)
        except httpx2.TimeoutException:
            raise Upstream("The embedder took too long.") from None
        except httpx2.HTTPError:
            raise Upstream("The embedder cannot be reached.", hint=HINT) from None
        try:
            data = json.loads(body)["data"]
            rows = [row["embedding"] for row in sorted(data, key=lambda row: row.get("index", 0))]
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise _strange() from None
        if len(rows) != len(texts):
            raise _strange()
        return rows

    def _answer(self, client: httpx2.Client, texts: list[str]) -> bytearray:
        body = bytearray()
        asked = {"model": self._model, "input": texts}
        with client.stream("POST", self._url, json=asked, headers=self._headers) as answer:
            if answer.status_code != 200:
                raise _refused(answer.status_code)
            for chunk in answer.iter_bytes():
                body += chunk
                if len(body) > self.LARGEST_ANSWER:
                    raise _strange()
        return body


def endpoint_of(model: str, url: str, key: str, environment: Mapping[str, str] = os.environ) -> EmbeddingEndpoint:
    """`openai:NAME`, or a name at an address. A key of the environment goes to its maker's own address only."""
    if url and model == "auto":
        raise InvalidInput("The setting 'embedder' must name the model at embedder_url.")
    if url:
        return EmbeddingEndpoint(url, model.removeprefix("openai:"), key)
    if not model.startswith("openai:"):
        raise InvalidInput(
            "The setting 'embedder' must be auto, minilm, none, or openai:NAME.",
            hint="Another model needs embedder_url as well.",
        )
    key = key or environment.get(OWN_KEY, "").strip()
    return EmbeddingEndpoint(OWN_URL, model.removeprefix("openai:"), key, key_needed=f"Set embedder_key or {OWN_KEY}.")


def _refused(status: int) -> QuireError:
    """What the server says about it is not passed on: it may repeat the key."""
    if status in (401, 403):
        return Unsupported("The embedder refused the key.", hint="See the setting embedder_key.", status=status)
    kind = Upstream if status in PASSING else Unsupported
    return kind(f"The embedder answered {status}.", hint=HINT, status=status)


def _strange() -> Upstream:
    return Upstream("The embedder answered in an unknown form.", hint=HINT)
