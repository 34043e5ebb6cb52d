"""Lists with fixed and with sparse places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from quire.notebooklm.wire.nodes import Constant, Drift, Get, Known, Node, Slot, json_type


def node(part: Any) -> Node:
    """A part of a template as a node: lists that hold nodes are read, all other values are constants."""
    if isinstance(part, Node):
        return part
    if isinstance(part, list):
        nodes = [node(item) for item in part]
        if any(not isinstance(item, Constant) for item in nodes):
            return Listed(dict(enumerate(nodes)), trimmed=False)
    return Constant(part)


class Listed(Node):
    """A list with a node at each place that means something."""

    def __init__(self, places: Mapping[int, Any], *, trimmed: bool, loose: bool = False) -> None:
        self.places = {index: node(part) for index, part in sorted(places.items())}
        self.length = max(self.places, default=-1) + 1
        self.trimmed = trimmed
        self.loose = loose
        # Slots are read here and not by themselves: most of what is read is slots, and a call each is half the cost.
        self.slots = [
            (index, part.name, part.kind.exact, part.kind.read, part.loose, part.needed)
            for index, part in self.places.items()
            if type(part) is Slot
        ]
        self.reads = [
            (index, part.read, part.needed)
            for index, part in self.places.items()
            if type(part) not in (Slot, Constant, Known)
        ]
        self.needed = not loose and any(part.needed for part in self.places.values())
        self.named = any(part.named for part in self.places.values())
        self.tail = min((index for index, part in self.places.items() if isinstance(part, Maybe)), default=self.length)

    def read(self, value: Any, names: dict[str, Any]) -> None:
        if self.loose:
            try:
                self._read(value, names)
            except Drift:
                return
        else:
            self._read(value, names)

    def _read(self, value: Any, names: dict[str, Any]) -> None:
        if type(value) is not list:
            if value is None and not self.needed:
                return
            raise Drift("a list", value)
        size = len(value)
        if size and type(value[-1]) is dict:
            value, size = spread(value)
        index = 0
        try:
            for index, name, exact, read, loose, needed in self.slots:
                item = value[index] if index < size else None
                if type(item) is exact:
                    names[name] = item
                elif item is None:
                    if needed:
                        self.places[index].read(None, names)
                else:
                    try:
                        names[name] = read(item)
                    except Drift:
                        if not loose:
                            raise
            for index, part_read, needed in self.reads:
                item = value[index] if index < size else None
                if item is not None or needed:
                    part_read(item, names)
        except Drift as drift:
            drift.path.append(index)
            raise

    def write(self, get: Get) -> Any:
        written: list[Any] = [None] * self.length
        filled = False
        for index, part in self.places.items():
            written[index] = part.write(get)
            filled = filled or (part.named and written[index] is not None)
        if self.named and not filled and not self.needed:
            return None
        end = self.length
        first = 0 if self.trimmed else self.tail
        while end > first and written[end - 1] is None:
            end -= 1
        return written[:end]

    def unread(self, value: Any, path: str) -> Iterator[str]:
        if type(value) is not list:
            if self.loose and value is not None:
                yield f"{path}: expected a list, found {json_type(value)}"
            return
        if value and type(value[-1]) is dict:
            value, _ = spread(value)
        for index, item in enumerate(value):
            if index in self.places:
                yield from self.places[index].unread(item, f"{path}[{index}]")
            elif item is not None and item != []:
                yield f"{path}[{index}]: {json_type(item)}"


class At(Listed):
    """Sparse places; what lies between them is empty or unknown."""

    def __init__(self, places: Mapping[int, Any], *, loose: bool = False) -> None:
        super().__init__(places, trimmed=True, loose=loose)


SPREAD_LIMIT = 256


def spread(value: list[Any]) -> tuple[list[Any], int]:
    """A list whose last item is an object that holds high places by their number, counted from one."""
    sparse: dict[str, Any] = value[-1]
    if not all(key.isascii() and key.isdigit() and int(key) <= SPREAD_LIMIT for key in sparse):
        return value, len(value)
    placed = {int(key) - 1: item for key, item in sparse.items()}
    size = max([len(value) - 2, *placed]) + 1
    wide = [*value[:-1], *[None] * (size - len(value) + 1)]
    for index, item in placed.items():
        if index >= 0:
            wide[index] = item
    return wide, len(wide)


class Maybe(Node):
    """The end of a list, left out when empty."""

    def __init__(self, part: Any) -> None:
        self.part = node(part)
        self.named = self.part.named

    def read(self, value: Any, names: dict[str, Any]) -> None:
        if value is not None:
            self.part.read(value, names)

    def write(self, get: Get) -> Any:
        return self.part.write(get)

    def unread(self, value: Any, path: str) -> Iterator[str]:
        return self.part.unread(value, path)
