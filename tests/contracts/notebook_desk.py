"""A desk with a notebook on it, for contract 1: results are JSON, and so are errors."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from contracts.desk import Desk, joined
from quire.api.library import Library
from quire.entry.bootstrap import build
from quire.entry.settings import load
from variants import with_parts

BEES = """# Bees

Bees make honey from nectar. A strong hive holds 50,000 bees in summer.

# Wasps

Wasps build their nests of paper. The German wasp lives in the ground."""


class NotebookDesk:
    """Calls tools of contract 1; `notebook_id` is filled in where a call takes one and does not name it."""

    def __init__(self, desk: Desk, notebook_id: str = "") -> None:
        self.desk = desk
        self.notebook_id = notebook_id

    async def ok(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The JSON of a call that goes well: the text, which the structured content says again."""
        answer = await self.desk.call(tool, **self._given(tool, arguments))
        assert not answer.is_error, answer.text
        data: dict[str, Any] = json.loads(answer.text)
        assert answer.data == data
        return data

    async def error(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The error of a call that does not, in the contract's shape."""
        answer = await self.desk.call(tool, **self._given(tool, arguments))
        assert answer.is_error, answer.text
        body: dict[str, Any] = json.loads(answer.text)
        assert answer.data == body
        assert list(body) == ["error"]
        error: dict[str, Any] = body["error"]
        assert list(error) == ["code", "message", "details", "recoverable"]
        assert error["message"]
        assert isinstance(error["details"], dict)
        assert isinstance(error["recoverable"], bool)
        return error

    async def code(self, tool: str, /, **arguments: Any) -> str:
        code: str = (await self.error(tool, **arguments))["code"]
        return code

    async def add(self, text: str = BEES, **more: Any) -> str:
        """Adds a text, and returns its id."""
        id: str = (await self.ok("add_source", source_type="text", text=text, **more))["source_id"]
        return id

    def _given(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        free = tool in ("health_check", "list_notebooks", "create_notebook")
        return arguments if free else {"notebook_id": self.notebook_id} | arguments


async def opened(desk: Desk, title: str = "Insects") -> NotebookDesk:
    """A desk on a new, empty notebook."""
    made = await desk.call("create_notebook", title=title)
    return NotebookDesk(desk, made.data["id"])


def library_of(home: Path, **settings: Any) -> Library:
    return build(load({"home": home, **settings}, {}))


@asynccontextmanager
async def notebook_at(
    home: Path, era: str = "2026", timeout: float = 0, **settings: Any
) -> AsyncIterator[NotebookDesk]:
    """A new notebook in a library with these settings, in this process and by the machine's own clock."""
    async with library_of(home, **settings) as library, joined(library, era, timeout, "notebooks") as client:
        yield await opened(Desk(client, lambda now: None, home))


@asynccontextmanager
async def desk_with(
    home: Path, kind: type[Library] = Library, era: str = "2026", timeout: float = 0, **parts: Any
) -> AsyncIterator[Desk]:
    """A desk on a library of another kind, or with other parts."""
    async with library_of(home) as library:
        changed = with_parts(library, **parts)
        async with joined(kind(changed.engine, library.context), era, timeout, "notebooks") as client:
            yield Desk(client, lambda now: None, home)
