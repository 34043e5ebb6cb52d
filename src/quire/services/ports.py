"""What the services need from the outside, as protocols. Adapters provide them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from quire.domain.documents import Document
from quire.domain.files import Upload

Result = TypeVar("Result")
ReadingProgress = Callable[[int, int], Any]
Known = Callable[[str, int], Awaitable[object]]


class Row(Protocol):
    """A row of a result, read by column name."""

    def __getitem__(self, column: str, /) -> Any: ...


class Tx(Protocol):
    """One transaction. Queries are named; their text is the adapter's."""

    def one(self, query: str, /, **parameters: Any) -> Row | None: ...

    def all(self, query: str, /, **parameters: Any) -> list[Row]: ...

    def run(self, query: str, /, **parameters: Any) -> int:
        """Runs a query for its effect and returns the number of rows it touched."""
        ...


class Store(Protocol):
    """Transactions run on a thread; `work` is synchronous, so none is ever held across an await."""

    async def read(self, work: Callable[[Tx], Result]) -> Result: ...

    async def write(self, work: Callable[[Tx], Result]) -> Result: ...

    def changes(self) -> AsyncIterator[None]:
        """Yields whenever someone may have committed, in this process or another."""
        ...

    async def check(self) -> str: ...

    async def close(self) -> None: ...


class Blobs(Protocol):
    """Bytes by their sha256."""

    async def put(self, chunks: AsyncIterator[bytes], limit: int, known: Known) -> tuple[str, int]:
        """Stores a stream and returns its hash and size; more than `limit` bytes raise TooLarge.

        `known` is told both before the bytes are put in their place.
        """
        ...

    def get(self, sha256: str) -> AsyncIterator[bytes]: ...

    def delete(self, sha256: str) -> None:
        """Called on a thread, inside the transaction that lets go of the bytes."""
        ...

    def path(self, sha256: str) -> str | None:
        """Where the bytes lie on this machine, if they do."""
        ...

    async def tidy(self, before: int) -> None:
        """Removes what writes that never ended have left, if it is older than `before`."""
        ...

    async def check(self) -> str: ...


class Clock(Protocol):
    def now(self) -> int:
        """Microseconds since 1970, UTC."""
        ...


class Sampler(Protocol):
    """The language model of whoever called, where the caller offers one."""

    async def sample(self, prompt: str, *, system: str | None = None, max_tokens: int = 1000) -> str: ...


class Signer(Protocol):
    """Makes and checks tokens that only this installation can make."""

    @property
    def key(self) -> bytes: ...

    def sign(self, claims: Mapping[str, Any], seconds: int) -> str: ...

    def verify(self, token: str) -> dict[str, Any]: ...


@dataclass(frozen=True)
class FetchedPage:
    """What a URL led to: where it ended, and the file."""

    url: str
    media_type: str
    file: Upload


class WebPages(Protocol):
    """Pages from the web; refuses what is not public."""

    async def fetch(self, url: str) -> FetchedPage: ...


class Reader(Protocol):
    """Files into text, safely."""

    async def read(
        self, file: Upload, *, url: str | None = None, progress: ReadingProgress | None = None
    ) -> tuple[Document, str]:
        """The document and its kind; what cannot be read raises with a reason."""
        ...
