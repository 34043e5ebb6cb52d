"""The same library with other parts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from quire.api.library import Library

AnyLibrary = TypeVar("AnyLibrary", bound=Library)


def with_parts(library: AnyLibrary, lease: float | None = None, **changes: Any) -> AnyLibrary:
    """An engine of the same kind, with some parts of its own and with workers of its own."""
    parts = replace_parts(library, **changes)
    engine = type(library.engine)(parts) if lease is None else type(library.engine)(parts, lease)
    return type(library)(engine, library.context)


def replace_parts(library: Library, **changes: Any) -> Any:
    return replace(library.engine.parts, **changes)
