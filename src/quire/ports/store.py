"""Where rows are kept: transactions over named queries."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, Protocol, TypeVar

Result = TypeVar("Result")


class Row(Protocol):
    """A row of a result, read by column name."""

    def __getitem__(self, column: str, /) -> Any: ...


class Tx(Protocol):
    """One transaction. Queries are named; their text is the adapter's."""

    def one(self, query: str, /, **parameters: Any) -> Row | None: ...

    def all(self, query: str, /, **parameters: Any) -> list[Row]: ...

    def count(self, query: str, /, **parameters: Any) -> int:
        """The number that a query counts as `total`."""
        ...

    def run(self, query: str, /, **parameters: Any) -> int:
        """Runs a query for its effect and returns the number of rows it touched."""
        ...

    def afterwards(self, work: Callable[[], None]) -> None:
        """Has `work` done on the same thread once this transaction is committed; it must be brief and not fail."""
        ...


class Read(Protocol):
    """Runs work in a transaction that reads: the store's own, or a caller's, whose role is checked first."""

    async def __call__(self, work: Callable[[Tx], Result], /) -> Result: ...


class Store(Protocol):
    """Transactions run on a thread; `work` is synchronous, so none is ever held across an await."""

    async def read(self, work: Callable[[Tx], Result]) -> Result: ...

    async def look_up(self, work: Callable[[Tx], Result]) -> Result:
        """As `read`, for a few rows by their keys. A store at hand does it where it is called, without a thread.

        What takes longer after all is begun again on one, so `work` only reads.
        """
        ...

    async def write(self, work: Callable[[Tx], Result]) -> Result: ...

    def version(self) -> int | None:
        """A number that changes with every commit of anyone, if that can be told without waiting.

        Called on the event loop's own thread.
        """
        ...

    def clock_ahead(self) -> int:
        """By how many microseconds the store's own clock is ahead of this machine's; none where it has none."""
        ...

    def changes(self) -> AsyncIterator[None]:
        """Yields whenever someone may have committed, in this process or another."""
        ...

    async def check(self) -> str: ...

    async def examine(self) -> str:
        """As `check`, and takes as long as it takes to look for damage."""
        ...

    async def close(self) -> None: ...
