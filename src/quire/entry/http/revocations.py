"""What runs on behalf of a token ends with it: a stream that is open does not outlive who may read it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import aclosing
from datetime import UTC, datetime
from typing import Any

from quire.api.library import Library
from quire.domain.errors import NotSignedIn, QuireError
from quire.domain.sharing import SignedIn

SOON = 0.2
ENDED = ("token.revoked", "person.removed")


class Revocations:
    """Follows events from the first call by a token on; tokens are looked up again when one may have ended."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._running: dict[str, set[asyncio.Task[Any]]] = {}
        self._following: asyncio.Task[None] | None = None

    async def run(self, signed_in: SignedIn | None, work: Awaitable[None]) -> None:
        """Does work for as long as the token holds by which it was asked for; NotSignedIn once it does not."""
        if signed_in is None:
            await work
            return
        await self._follow()
        task = asyncio.ensure_future(work)
        running = self._running.setdefault(signed_in.token_id, set())
        running.add(task)
        left = None
        if signed_in.expires_at is not None:
            left = max(0.0, (signed_in.expires_at - datetime.now(UTC)).total_seconds())
        try:
            # Most calls are over by then. It may have ended before this was heard of.
            done, _ = await asyncio.wait({task}, timeout=SOON)
            if not done and await self._library.engine.people.by_token_id(signed_in.token_id) is not None:
                await asyncio.wait({task}, timeout=left)
            if task.done() and not task.cancelled():
                task.result()
                return
            task.cancel()
            await asyncio.wait({task})
            raise NotSignedIn("The token has ended.")
        finally:
            running.discard(task)
            if not running:
                self._running.pop(signed_in.token_id, None)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def close(self) -> None:
        if self._following is not None:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)

    async def _follow(self) -> None:
        if self._following is None or self._following.done():
            last = await self._library.engine.events.last()
            # Of several who waited for the same answer, the first begins.
            if self._following is None or self._following.done():
                self._following = asyncio.create_task(self._end_after(last))

    async def _end_after(self, last: int) -> None:
        events = self._library.engine.events.after(last)
        try:
            async with aclosing(events) as batches:  # type: ignore[type-var]
                async for batch in batches:
                    if any(event.kind in ENDED for event in batch):
                        await self._end_those_that_do_not_hold()
        except QuireError:
            # With nothing to be heard, nothing goes on that is not asked for anew.
            for task in [task for running in self._running.values() for task in running]:
                task.cancel()

    async def _end_those_that_do_not_hold(self) -> None:
        for token_id in list(self._running):
            if await self._library.engine.people.by_token_id(token_id) is None:
                for task in list(self._running.get(token_id, ())):
                    task.cancel()
