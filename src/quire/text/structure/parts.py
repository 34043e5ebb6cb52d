"""The parts of a text, as exact spans of it. Offsets count characters of the whole text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from quire.text.sentences import Span


@dataclass(frozen=True)
class Section:
    """A heading and what it stands under; `start` to `end` is the heading's own line, empty where it is not at hand."""

    title: str
    start: int
    end: int
    level: int
    above: Section | None = None

    def path(self) -> Iterator[Section]:
        """This heading and those above it, the innermost first."""
        section: Section | None = self
        while section is not None:
            yield section
            section = section.above


class Item(NamedTuple):
    """An item of a list with what is nested in it; `number` is what it is counted by, if it is."""

    start: int
    end: int
    text: Span
    depth: int
    number: int | None


class Row(NamedTuple):
    """A line of a table; `cells` are its columns, trimmed, and may be empty."""

    start: int
    end: int
    cells: tuple[Span, ...]


@dataclass(frozen=True)
class Part:
    """`lead` is the sentence or title that introduces it, where there is one."""

    start: int
    end: int
    section: Section | None
    lead: Span | None = None


@dataclass(frozen=True)
class Prose(Part):
    """A paragraph, or a line by itself."""


@dataclass(frozen=True)
class Code(Part):
    """A fenced block."""


@dataclass(frozen=True)
class ItemList(Part):
    items: tuple[Item, ...] = ()

    @property
    def numbered(self) -> bool:
        return sum(item.number is not None for item in self.items if item.depth == self.items[0].depth) > 1


@dataclass(frozen=True)
class Table(Part):
    """`head` names the columns; `rows` are all lines but the head and the rule under it."""

    head: Row | None = None
    rows: tuple[Row, ...] = ()


class Field(NamedTuple):
    """A label and what stands for it, on a line, in an item or in a row; `start` to `end` is all of that."""

    start: int
    end: int
    label: Span
    value: Span


class Question(NamedTuple):
    """A question that a text puts, and its answer."""

    question: Span
    answer: Span
