"""A desk with a book on it: the same wires, in both shapes of arguments that contract 3 knows."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Any

import pytest

from contracts.desk import WIRES, Answer, Desk, wires

SHAPES = {"text_2025": "flat", "text_2026": "params", "stdio_2025": "params", "stdio_2026": "flat"}

# For one test of each tool: that it works over every wire.
shelf_on_every_wire = pytest.mark.parametrize("shelf", WIRES, indirect=True)
# For long tables: one era and wire for each shape, in place of all four.
each_shape = pytest.mark.parametrize("shelf", wires("text_2026", "text_2025"), indirect=True)


class BookDesk:
    """Calls tools on a book of its own; `book_id` is filled in where a call does not name one."""

    def __init__(self, desk: Desk, shape: str) -> None:
        self.desk = desk
        self.shape = shape
        self.book_id = f"book-{secrets.token_hex(4)}"
        self._open = False

    @property
    def root(self) -> Path:
        return self.desk.home / "shelf/books" / self.book_id

    async def open(self) -> None:
        """Makes the book, which the first call does by itself."""
        if not self._open:
            self._open = True
            await self.ok("create_book", title="A book")

    async def call(self, tool: str, /, **arguments: Any) -> Answer:
        await self.open()
        given = {"book_id": self.book_id} | arguments if tool != "list_books" else arguments
        wrapped = {"params": given} if self.shape == "params" else given
        return await self.desk.call(tool, **wrapped)

    async def ok(self, tool: str, /, **arguments: Any) -> Any:
        """The JSON of a call that goes well: the text, which the structured content says again."""
        answer = await self.call(tool, **arguments)
        assert not answer.is_error, answer.text
        data = json.loads(answer.text)
        assert answer.data == data if isinstance(data, dict) else answer.data["items"] == data
        return data

    async def error(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The JSON of a call that does not."""
        answer = await self.call(tool, **arguments)
        assert answer.is_error, answer.text
        data: dict[str, Any] = json.loads(answer.text)
        assert answer.data == data
        assert set(data) >= {"error", "message"}
        return data

    def stored(self, path: str) -> str:
        return f"books/{self.book_id}/{path}"
