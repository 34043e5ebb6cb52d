"""Files by their hash."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Protocol

Known = Callable[[str, int], Awaitable[object]]


class Blobs(Protocol):
    """Bytes by their sha256."""

    async def put(self, chunks: AsyncIterator[bytes], limit: int, known: Known) -> tuple[str, int]:
        """Stores a stream and returns its hash and size; more than `limit` bytes raise TooLarge.

        `known` is told both before the bytes are put in their place.
        """
        ...

    def get(self, sha256: str, start: int = 0) -> AsyncIterator[bytes]:
        """The bytes from `start` on. Such as are not what their hash says are never given as a whole: Unsupported."""
        ...

    async def verify(self, sha256: str) -> None:
        """Makes sure of the bytes at `path`, where there is one: Unsupported if they are damaged."""
        ...

    def delete(self, sha256: str) -> None:
        """Called on a thread, inside the transaction that lets go of the bytes."""
        ...

    def path(self, sha256: str) -> str | None:
        """Where the bytes lie on this machine, if they do."""
        ...

    async def tidy(self, before: int) -> None:
        """Removes what writes that never ended have left, if it is older than `before`."""
        ...

    async def room(self) -> int | None:
        """How many more bytes there is room for, where that is known."""
        ...

    async def check(self) -> str: ...
