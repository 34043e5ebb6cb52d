"""An engine made of two: one for the nouns that it has, the local one for the rest.

Books and scratch notebooks are always this machine's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, ClassVar

from quire.api.context import Context
from quire.api.engine import Engine, Events, People, PiecewiseUpload, Scope, Subject
from quire.api.rates import Rates
from quire.domain.files import Download
from quire.domain.health import Check
from quire.domain.sharing import Role
from quire.ports.machine import Signer

ALWAYS_LOCAL = ("books", "scratch", "jobs")


class TwoEngines:
    """`nouns` are set by whoever puts the two together, since they are known before there is an engine.

    The local one is made when it is first needed: most of what it is made of, work at Google never uses.
    """

    name: ClassVar[str]
    nouns: ClassVar[Mapping[str, type]]

    def __init__(self, first: Engine, local: Callable[[], Engine], rates: Rates) -> None:
        """`rates` are those of the tools whose contract has some; other calls keep their own engine's."""
        self._first = first
        self._make_local = local
        self.rates = rates

    @cached_property
    def local(self) -> Engine:
        return self._make_local()

    @property
    def signer(self) -> Signer:
        return self._first.signer

    @property
    def events(self) -> Events:
        return self.local.events

    @property
    def people(self) -> People:
        return self.local.people

    def seat(self, noun: str) -> Engine:
        return self.local if noun in ALWAYS_LOCAL else self._first

    def done_by(self, noun: str) -> Any:
        return self.seat(noun).done_by(noun)

    def scope(self, context: Context, subject: Subject | None, needs: Role) -> Scope:
        return self._first.scope(context, subject, needs)

    async def linked(self, token: str) -> Download:
        return await self.local.linked(token)

    def upload(self, token: str, request_id: str) -> PiecewiseUpload:
        return self.local.upload(token, request_id)

    def serve(self, workers: int) -> None:
        self.local.serve(workers)

    async def stop_serving(self) -> None:
        if "local" in self.__dict__:
            await self.local.stop_serving()

    async def check(self) -> None:
        await self.local.check()

    async def examine(self) -> list[Check]:
        return [*await self._first.examine(), *await self.local.examine()]

    async def close(self) -> None:
        try:
            await self._first.close()
        finally:
            if "local" in self.__dict__:
                await self.local.close()
