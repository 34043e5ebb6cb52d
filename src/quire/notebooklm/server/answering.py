"""The answers that are being made in this process, each of which can be given up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import TypeVar

from quire.domain.errors import Conflict

Part = TypeVar("Part")


class Answering:
    """By their conversations, each of which belongs to one person."""

    def __init__(self) -> None:
        self._made: dict[str, set[asyncio.Task[None]]] = {}

    def busy(self, conversation_id: str) -> bool:
        return conversation_id in self._made

    def give_up(self, conversation_id: str) -> None:
        for task in self._made.get(conversation_id, ()):
            task.cancel()

    async def parts(self, conversation_id: str, made: AsyncIterator[Part]) -> AsyncIterator[Part]:
        """What is made, as it comes; Conflict once it was given up.

        A task of its own makes it, so that it can end without the answer to the request that it is for.
        """
        coming: asyncio.Queue[Part] = asyncio.Queue(1)

        async def make() -> None:
            async with aclosing(made) as parts:  # type: ignore[type-var]
                async for part in parts:
                    await coming.put(part)

        task = asyncio.create_task(make())
        tasks = self._made.setdefault(conversation_id, set())
        tasks.add(task)
        try:
            while True:
                if coming.empty() and not task.done():
                    getting = asyncio.ensure_future(coming.get())
                    await asyncio.wait({getting, task}, return_when=asyncio.FIRST_COMPLETED)
                    if getting.done():
                        yield getting.result()
                    getting.cancel()
                elif not coming.empty():
                    yield coming.get_nowait()
                else:
                    break
            if task.cancelled():
                raise Conflict("The answer was given up.")
            task.result()
        finally:
            tasks.discard(task)
            if not tasks:
                del self._made[conversation_id]
            task.cancel()
            await asyncio.wait({task})
