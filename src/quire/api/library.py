"""Library: the whole Python API."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any, Self

from quire.api.context import Context
from quire.domain.sharing import Actor
from quire.local.books import Books
from quire.local.chat import Chat
from quire.local.health import Health
from quire.local.jobs import Jobs
from quire.local.notebooks import Notebooks
from quire.local.notes import Notes
from quire.local.scratch import Scratches
from quire.local.service import Parts, Service
from quire.local.source_jobs import SourceJobs
from quire.local.sources import Sources
from quire.ports.store import Tx


class Library:
    """Everything one can do, on behalf of one actor. `quire.open()` makes one."""

    def __init__(self, parts: Parts, context: Context | None = None) -> None:
        self.parts = parts
        self.context = context or Context()

    @cached_property
    def notebooks(self) -> Notebooks:
        return Notebooks(self.parts, self.context)

    @cached_property
    def notes(self) -> Notes:
        return Notes(self.parts, self.context)

    @cached_property
    def books(self) -> Books:
        return Books(self.parts, self.context)

    @cached_property
    def scratch(self) -> Scratches:
        return Scratches(self.parts, self.context)

    @cached_property
    def sources(self) -> Sources:
        return Sources(self.parts, self.context)

    @cached_property
    def source_jobs(self) -> SourceJobs:
        return SourceJobs(self.parts, self.context)

    @cached_property
    def chat(self) -> Chat:
        return Chat(self.parts, self.context)

    @cached_property
    def health(self) -> Health:
        return Health(self.parts, self.context)

    @cached_property
    def jobs(self) -> Jobs:
        return Jobs(self.parts, self.context)

    @classmethod
    def services(cls) -> dict[str, type[Service]]:
        """The services by their attribute's name."""
        return {
            "health": Health,
            "notebooks": Notebooks,
            "sources": Sources,
            "source_jobs": SourceJobs,
            "chat": Chat,
            "notes": Notes,
            "books": Books,
            "scratch": Scratches,
            "jobs": Jobs,
        }

    def as_actor(self, actor: Actor) -> Self:
        """The same library for someone else."""
        return self.within(replace(self.context, actor=actor))

    def within(self, context: Context) -> Self:
        """The same library in another context: a door makes one for each call."""
        return type(self)(self.parts, context)

    async def read(self, work: Callable[[Tx], Any]) -> Any:
        """A read without a role check, for doors that look up who is calling."""
        return await self.parts.store.read(work)

    async def close(self) -> None:
        """Ends the workers and closes the store; what was acknowledged is kept."""
        try:
            await self.parts.hub.close()
            await self.parts.workers.stop()
        finally:
            await self.parts.bench.reaper.stop()
            await self.parts.bench.kernels.close()
            await asyncio.to_thread(self.parts.shelves.texts.close)
            await self.parts.store.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()
