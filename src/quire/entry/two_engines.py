"""An engine made of two: one for the nouns that it has, the local one for the rest.

Books and scratch notebooks are always this machine's own.
"""

from __future__ import annotations

from collections.abc import Mapping
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
    """`nouns` are set by whoever puts the two together, since they are known before there is an engine."""

    name: ClassVar[str]
    nouns: ClassVar[Mapping[str, type]]

    def __init__(self, first: Engine, local: Engine, rates: Rates) -> None:
        """`rates` are those of the tools whose contract has some; other calls keep their own engine's."""
        self._first = first
        self._local = local
        self.rates = rates

    @property
    def signer(self) -> Signer:
        return self._local.signer

    @property
    def events(self) -> Events:
        return self._local.events

    @property
    def people(self) -> People:
        return self._local.people

    def seat(self, noun: str) -> Engine:
        return self._local if noun in ALWAYS_LOCAL else self._first

    def done_by(self, noun: str) -> Any:
        return self.seat(noun).done_by(noun)

    def scope(self, context: Context, subject: Subject | None, needs: Role) -> Scope:
        return self._first.scope(context, subject, needs)

    async def linked(self, token: str) -> Download:
        return await self._local.linked(token)

    def upload(self, token: str, request_id: str) -> PiecewiseUpload:
        return self._local.upload(token, request_id)

    def serve(self, workers: int) -> None:
        self._local.serve(workers)

    async def stop_serving(self) -> None:
        await self._local.stop_serving()

    async def check(self) -> None:
        await self._local.check()

    async def examine(self) -> list[Check]:
        return [*await self._first.examine(), *await self._local.examine()]

    async def close(self) -> None:
        try:
            await self._first.close()
        finally:
            await self._local.close()
