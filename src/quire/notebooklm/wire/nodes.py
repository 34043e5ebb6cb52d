"""The parts of a template that stand for a single value, and what all parts can do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

Get = Callable[[str], Any]


class Drift(Exception):
    """A value that does not fit; `path` is collected on the way out, innermost place first."""

    def __init__(self, expected: str, found: Any) -> None:
        super().__init__(expected)
        self.expected = expected
        self.found = json_type(found)
        self.path: list[int] = []

    def place(self) -> str:
        return "$" + "".join(f"[{index}]" for index in reversed(self.path))


def json_type(value: Any) -> str:
    """What a value is, in a word; never the value itself, which may be private."""
    if value is None:
        return "nothing"
    names = {bool: "a boolean", int: "an integer", float: "a number", str: "text", list: "a list", dict: "an object"}
    return names.get(type(value), type(value).__name__)


class Kind:
    """How a single value is read and written."""

    __slots__ = ("exact", "name", "read", "write")

    def __init__(
        self,
        name: str,
        read: Callable[[Any], Any],
        write: Callable[[Any], Any] | None = None,
        *,
        exact: type | None = None,
    ) -> None:
        """`exact` is a type whose values need no reading."""
        self.name = name
        self.read = read
        self.write = write or _as_is
        self.exact = exact


def _as_is(value: Any) -> Any:
    return value


class Node:
    """A part of a template. `needed`: it holds something that must be there."""

    needed = False
    named = False

    def read(self, value: Any, names: dict[str, Any]) -> None:
        """Puts what the value holds under its names."""

    def write(self, get: Get) -> Any:
        """The wire's form of what `get` knows; None when it knows nothing of it."""

    def unread(self, value: Any, path: str) -> Iterator[str]:
        """The places of a value that reading passes over."""
        return iter(())

    def value(self, value: Any) -> Any:
        """A value on its own: the unnamed slot's, else all by name."""
        names: dict[str, Any] = {}
        self.read(value, names)
        return names.get("", names)

    def wire(self, value: Any) -> Any:
        """The wire's form of a value on its own."""
        return self.write(getter(value))


def getter(value: Any) -> Get:
    """Looks names up in a mapping, in an object, or (for the unnamed) is the value."""
    if isinstance(value, Mapping):
        return value.get
    return lambda name: value if name == "" else getattr(value, name, None)


class Constant(Node):
    """Written as it is, and never compared."""

    def __init__(self, constant: Any) -> None:
        self.constant = constant

    def write(self, get: Get) -> Any:
        return self.constant


class Known(Node):
    """A place that we know and leave alone: it says again what another place says."""


class Mark(Node):
    """A constant that must match, where it tells one thing from another."""

    needed = True

    def __init__(self, constant: Any) -> None:
        self.constant = constant

    def read(self, value: Any, names: dict[str, Any]) -> None:
        if value != self.constant:
            raise Drift(f"the mark {self.constant!r}", value)

    def write(self, get: Get) -> Any:
        return self.constant


class Slot(Node):
    """A named place. `needed`: it must be filled; `loose`: what does not fit is passed over."""

    named = True

    def __init__(self, name: str, kind: Kind, *, needed: bool = False, loose: bool = False, empty: Any = None) -> None:
        self.name = name
        self.kind = kind
        self.needed = needed
        self.loose = loose
        self.empty = empty

    def read(self, value: Any, names: dict[str, Any]) -> None:
        if value is None:
            if self.needed:
                raise Drift(self.kind.name, None)
            return
        try:
            names[self.name] = self.kind.read(value)
        except Drift:
            if not self.loose:
                raise

    def write(self, get: Get) -> Any:
        value = get(self.name)
        return self.empty if value is None else self.kind.write(value)

    def unread(self, value: Any, path: str) -> Iterator[str]:
        if self.loose and value is not None:
            try:
                self.kind.read(value)
            except Drift as drift:
                yield f"{path}: expected {drift.expected}, found {drift.found}"
