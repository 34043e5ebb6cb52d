"""A part of a notebook that is moved: how its rows are read, and how they are written elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from quire.domain.notebook_file.rows import FileRow
from quire.ports.search import Index
from quire.ports.store import Row, Tx

R = TypeVar("R", bound=FileRow)

PAGE = 200


@dataclass(frozen=True)
class Whose:
    """What is read: a notebook, with the conversations and collections of one person."""

    notebook_id: str
    person_id: str


@dataclass(frozen=True)
class Into:
    """What is written to: a notebook that nobody sees yet, which will be one person's.

    Where `fresh`, every id is another than in the file. `titles` of sources and `languages` of those that can be
    searched come from the rows, as these are turned into steps.
    """

    notebook_id: str
    person_id: str
    fresh: bool
    now: int
    index: Index
    titles: dict[str, str] = field(default_factory=dict)
    languages: dict[str, str | None] = field(default_factory=dict)


@dataclass(frozen=True)
class Step:
    """What one transaction does at least; several light ones share one."""

    weight: int
    work: Callable[[Tx], None]


@dataclass(frozen=True)
class Part(Generic[R]):
    """A new noun is one more of these in the table.

    `rows` reads all of a notebook's in one transaction, in an order that is always the same. `steps` writes one that
    was read, with its ids mapped. `text` is the attribute that is a file of its own, and that file's name. `listed`
    has it in the index for people: under which heading, and each row's title and file. A part that is not `copied`
    belongs to a person and stays behind when a notebook is copied. `sound` refuses what the row itself cannot tell.
    """

    name: str
    model: type[R]
    rows: Callable[[Tx, Whose], Iterable[R]]
    steps: Callable[[R, Into], Iterable[Step]]
    text: tuple[str, Callable[[R], str]] | None = None
    listed: tuple[str, Callable[[R], tuple[str, str | None]]] | None = None
    copied: bool = True
    sound: Callable[[R], None] | None = None


def paged(tx: Tx, query: str, **where: Any) -> Iterator[Row]:
    """All rows of a query by their `seq`, so many at a time."""
    after = 0
    while rows := tx.all(query, after=after, limit=PAGE, **where):
        yield from rows
        after = rows[-1]["seq"]


def one_step(work: Callable[[Tx], None], weight: int = 1) -> list[Step]:
    return [Step(weight, work)]
