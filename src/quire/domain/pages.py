"""One page of a longer list."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from quire.domain.errors import InvalidInput

Item = TypeVar("Item")

LAST = 2**62
CURSOR = re.compile(r"[0-9a-f]{1,15}")


class Page(BaseModel, Generic[Item]):
    """A page reads like the list it is a part of; `cursor` asks for the next one."""

    items: list[Item]
    total: int
    truncated: bool = False
    cursor: str | None = None

    def __iter__(self) -> Iterator[Item]:  # type: ignore[override]
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: int) -> Item:
        return self.items[index]


def position(cursor: str | None, first: int = LAST) -> int:
    """Where a page goes on: before this number in a list whose newest comes first, after it in another."""
    if cursor is None:
        return first
    if not CURSOR.fullmatch(cursor):
        raise InvalidInput("cursor: is not one that this list gave out.", field="cursor")
    return int(cursor, 16)


def cursor_at(number: int) -> str:
    """The cursor of the page after this number; ours alone to read."""
    return f"{number:x}"


def page(rows: Sequence[Any], limit: int, total: int, item: Callable[[Any], Item], number: str = "seq") -> Page[Item]:
    """The page of rows, of which one more than `limit` was asked for; `number` is the column of a row's number."""
    shown = rows[:limit]
    more = len(rows) > limit
    cursor = cursor_at(shown[-1][number]) if more else None
    return Page(items=[item(row) for row in shown], total=total, truncated=more, cursor=cursor)


def page_of_all(rows: Sequence[Any], limit: int, cursor: str | None, item: Callable[[Any], Item]) -> Page[Item]:
    """The page of a list that is all there; the number of a row is its place."""
    first = position(cursor, 0)
    more = first + limit < len(rows)
    items = [item(row) for row in rows[first : first + limit]]
    return Page(items=items, total=len(rows), truncated=more, cursor=cursor_at(first + limit) if more else None)
