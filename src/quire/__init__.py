"""Quire: an open notebook for people and their agents."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

__all__ = ["Library", "QuireError", "__version__", "open", "open_sync"]

if TYPE_CHECKING:
    from quire.domain.errors import QuireError
    from quire.entry.sync import SyncLibrary
    from quire.services.library import Library


class _Opening:
    """What `open` returns: awaitable, and an async context manager that closes at its end."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._settings = settings
        self._library: Library | None = None

    async def _open(self) -> Library:
        from quire.entry.bootstrap import build
        from quire.entry.settings import load

        self._library = build(load(self._settings))
        return self._library

    def __await__(self) -> Generator[Any, None, Library]:
        return self._open().__await__()

    async def __aenter__(self) -> Library:
        return await self._open()

    async def __aexit__(self, *exception: object) -> None:
        if self._library:
            await self._library.close()


def open(home: str | Path | None = None, store: str | None = None, **settings: Any) -> _Opening:
    """Open the library at `home` (default: QUIRE_HOME or ~/.quire) as its local owner.

    `async with quire.open() as library:` or `library = await quire.open()`.
    `store` is a PostgreSQL URL or "memory"; other settings as in quire.toml.
    """
    return _Opening({"home": home, "store": store, **settings})


def open_sync(home: str | Path | None = None, store: str | None = None, **settings: Any) -> SyncLibrary:
    """The same for code without `await`; works inside Jupyter too."""
    from quire.entry.sync import SyncLibrary

    return SyncLibrary({"home": home, "store": store, **settings})


def __getattr__(name: str) -> Any:
    if name == "Library":
        from quire.services.library import Library

        return Library
    if name == "QuireError":
        from quire.domain.errors import QuireError

        return QuireError
    raise AttributeError(name)
