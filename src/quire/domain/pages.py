"""One page of a longer list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from pydantic import BaseModel

Item = TypeVar("Item")


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
