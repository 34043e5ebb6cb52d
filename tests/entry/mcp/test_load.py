"""Many calls at once over HTTP."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_serving import over_http, serving

from quire.api.library import Library
from quire.domain.notes import Note

pytestmark = pytest.mark.anyio


async def ok(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return dict(result.structured_content)


async def everything(library: Library) -> list[Note]:
    notes: list[Note] = []
    cursor = None
    while True:
        page = await library.notes.list(limit=1000, cursor=cursor)
        notes += page
        cursor = page.cursor
        if cursor is None:
            return notes


@pytest.mark.parametrize("calls", [200, pytest.param(2000, marks=pytest.mark.long)])
async def test_many_mixed_calls_at_once_lose_nothing(home: Path, calls: int) -> None:
    async with serving(home) as (url, library), AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(over_http(url, era)) for era in ("2025", "2026") * 2]
        seed = [(await ok(clients[0], "add_note", title=f"Seed {n}", content="seed"))["id"] for n in range(40)]

        def call(number: int) -> Any:
            client, id = clients[number % 4], seed[number % 40]
            match number % 5:
                case 0 | 1:
                    return ok(client, "add_note", title=f"Note {number}", content=f"Content {number}")
                case 2:
                    return ok(client, "get_note", id=id)
                case 3:
                    return ok(client, "search_notes", query="seed")
                case _:
                    return ok(client, "update_note", id=id, content=f"seed, changed by {number}")

        results = await asyncio.gather(*(call(number) for number in range(calls)))

        added = {results[number]["id"]: f"Note {number}" for number in range(calls) if number % 5 < 2}
        assert len(added) == calls * 2 // 5
        listed = await everything(library)
        assert {note.short_id: note.title for note in listed if note.short_id not in seed} == added
        changed = {number % 40: number for number in range(calls) if number % 5 == 4}
        contents = {note.short_id: note.content for note in listed}
        for index in changed:
            assert contents[seed[index]].startswith("seed, changed by ")
        assert all(results[number]["total"] >= 40 for number in range(calls) if number % 5 == 3)
