"""Records, lists of rows, and the several layouts that one thing may have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from quire.notebooklm.wire.lists import Listed, node
from quire.notebooklm.wire.nodes import Drift, Get, Node, Slot, getter, json_type


class Record(Node):
    """A list that stands for an object of ours, or for a mapping of names."""

    named = True
    needed = True

    def __init__(self, into: Callable[..., Any], layout: Any, **fixed: Any) -> None:
        self.into = into
        self.fixed = fixed
        self.layout = node(layout)

    def value(self, value: Any) -> Any:
        names: dict[str, Any] = dict(self.fixed)
        self.layout.read(value, names)
        return self.into(**names)

    def read(self, value: Any, names: dict[str, Any]) -> None:
        self.layout.read(value, names)

    def wire(self, value: Any) -> Any:
        written = self.layout.write(getter(value))
        return [] if written is None else written

    def write(self, get: Get) -> Any:
        return self.layout.write(get)

    def unread(self, value: Any, path: str) -> Iterator[str]:
        return self.layout.unread(value, path)


class Part(Node):
    """A named place that holds a record."""

    named = True

    def __init__(self, name: str, record: Node, *, needed: bool = False, loose: bool = False) -> None:
        self.name = name
        self.record = record
        self.needed = needed
        self.loose = loose

    def read(self, value: Any, names: dict[str, Any]) -> None:
        if value is None and not self.needed:
            return
        try:
            names[self.name] = self.record.value(value)
        except Drift:
            if not self.loose:
                raise

    def write(self, get: Get) -> Any:
        value = get(self.name)
        return None if value is None else self.record.wire(value)

    def unread(self, value: Any, path: str) -> Iterator[str]:
        if value is None:
            return
        try:
            self.record.value(value)
        except Drift as drift:
            yield f"{path}{drift.place()[1:]}: expected {drift.expected}, found {drift.found}"
        else:
            yield from self.record.unread(value, path)


def wrappings(row: Node) -> int | None:
    """How many lists are around the one unnamed text of a row; None for a row of another kind."""
    depth = 0
    while type(row) is Listed and list(row.places) == [0]:
        row, depth = row.places[0], depth + 1
    return depth if type(row) is Slot and row.name == "" and row.kind.exact is str else None


def unwrapped(rows: list[Any], depth: int) -> tuple[Any, ...] | None:
    """The texts of rows that all look as they should, such as `[["a"], ["b"]]`; lists of ids are long."""
    texts = rows
    for _ in range(depth):
        texts = [row[0] for row in texts if type(row) is list and row]
    return tuple(texts) if len(texts) == len(rows) and all(type(text) is str for text in texts) else None


class Each(Node):
    """A named list of rows. Empty and absent are the same. `loose` passes over rows that do not fit."""

    named = True

    def __init__(self, name: str, row: Any, *, needed: bool = False, loose: bool = False, empty: Any = None) -> None:
        self.name = name
        self.row = node(row)
        self.needed = needed
        self.loose = loose
        self.empty = empty
        self.wrappings = wrappings(self.row)

    def read(self, value: Any, names: dict[str, Any]) -> None:
        if value is None and not self.needed:
            return
        if type(value) is not list:
            if self.loose:
                return
            raise Drift("a list", value)
        if self.wrappings is not None:
            texts = unwrapped(value, self.wrappings)
            if texts is not None:
                names[self.name] = texts
                return
        row_value = self.row.value
        if self.loose:
            names[self.name] = tuple(self._fitting(value))
            return
        index = 0
        rows = []
        try:
            for index, item in enumerate(value):  # noqa: B007
                rows.append(row_value(item))
        except Drift as drift:
            drift.path.append(index)
            raise
        names[self.name] = tuple(rows)

    def _fitting(self, rows: list[Any]) -> Iterator[Any]:
        for row in rows:
            try:
                yield self.row.value(row)
            except Drift:
                continue

    def write(self, get: Get) -> Any:
        rows = get(self.name)
        if not rows:
            return [] if self.needed else self.empty
        return [self.row.wire(row) for row in rows]

    def unread(self, value: Any, path: str) -> Iterator[str]:
        if type(value) is not list:
            if value is not None:
                yield f"{path}: expected a list, found {json_type(value)}"
            return
        for index, row in enumerate(value):
            try:
                self.row.value(row)
            except Drift as drift:
                yield f"{path}[{index}]{drift.place()[1:]}: expected {drift.expected}, found {drift.found}"
            else:
                yield from self.row.unread(row, f"{path}[*]")


class Either(Node):
    """One thing in several layouts: read by the first that fits, written by the first; nothing at all by the last."""

    def __init__(self, *layouts: Any) -> None:
        self.layouts = [node(layout) for layout in layouts]
        self.named = self.layouts[0].named
        self.needed = self.layouts[0].needed

    def _fitting(self, value: Any) -> tuple[Node, dict[str, Any]]:
        first: Drift | None = None
        for layout in self.layouts:
            names: dict[str, Any] = {}
            try:
                layout.read(value, names)
            except Drift as drift:
                first = first or drift
            else:
                return layout, names
        assert first is not None
        raise first

    def read(self, value: Any, names: dict[str, Any]) -> None:
        names.update(self._fitting(value)[1])

    def value(self, value: Any) -> Any:
        first: Drift | None = None
        for layout in self.layouts:
            try:
                return layout.value(value)
            except Drift as drift:
                first = first or drift
        assert first is not None
        raise first

    def wire(self, value: Any) -> Any:
        return self.layouts[-1 if value is None else 0].wire(value)

    def write(self, get: Get) -> Any:
        return self.layouts[0].write(get)

    def unread(self, value: Any, path: str) -> Iterator[str]:
        return self._fitting(value)[0].unread(value, path)


class Sole(Node):
    """A layout around one unnamed thing; `default` where it is empty."""

    named = True

    def __init__(self, layout: Any, default: Any = None) -> None:
        self.layout = node(layout)
        self.default = default

    def value(self, value: Any) -> Any:
        names: dict[str, Any] = {}
        self.layout.read(value, names)
        return names.get("", self.default)

    def wire(self, value: Any) -> Any:
        written = self.layout.write(lambda name: value)
        return [] if written is None else written

    def read(self, value: Any, names: dict[str, Any]) -> None:
        self.layout.read(value, names)

    def write(self, get: Get) -> Any:
        return self.layout.write(get)

    def unread(self, value: Any, path: str) -> Iterator[str]:
        return self.layout.unread(value, path)


class Nothing(Node):
    """An empty answer: nothing, or a list that holds nothing."""

    def value(self, value: Any) -> Any:
        self.read(value, {})
        return None

    def read(self, value: Any, names: dict[str, Any]) -> None:
        if value is not None and not (type(value) is list and all(item is None for item in value)):
            raise Drift("an empty answer", value)

    def wire(self, value: Any) -> Any:
        return []

    def write(self, get: Get) -> Any:
        return []


class Done(Node):
    """An answer whose content does not matter; it is listed as unread."""

    def value(self, value: Any) -> Any:
        return None

    def wire(self, value: Any) -> Any:
        return []

    def unread(self, value: Any, path: str) -> Iterator[str]:
        if value is not None and value != []:
            yield f"{path}: {json_type(value)}"
