"""HTTP as an engine needs it that drives somebody else's service: one request, one answer, no redirect followed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Protocol

MOST_BYTES = 50 * 2**20


class NotSent(Exception):
    """Nobody was reached, so nothing can have been done."""


class AnswerLost(Exception):
    """The request may have been read, and no answer came, or not all of it."""


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """`seconds` are those for the whole answer; `most` is how many bytes of it are taken."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    content: bytes | AsyncIterator[bytes] | None = field(default=None, repr=False)
    seconds: float = 30.0
    most: int = MOST_BYTES


@dataclass(frozen=True, slots=True)
class HttpHead:
    """How an answer begins. Names of headers are in lower case; cookies come one by one."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    set_cookies: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    head: HttpHead
    body: bytes = field(repr=False)


class HttpStream(Protocol):
    @property
    def head(self) -> HttpHead: ...

    def chunks(self) -> AsyncIterator[bytes]:
        """The body as it comes; AnswerLost where it breaks off, TooLarge where it is more than was agreed."""
        ...


class Http(Protocol):
    """Connections are kept and shared. NotSent and AnswerLost tell what became of a request that failed."""

    async def answer(self, request: HttpRequest) -> HttpAnswer:
        """The whole answer."""
        ...

    def stream(self, request: HttpRequest) -> AbstractAsyncContextManager[HttpStream]: ...

    async def close(self) -> None: ...
