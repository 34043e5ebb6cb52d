"""A capability that tells parts of its value on the way: one declaration, two ways to call it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from functools import cached_property
from typing import Any, ClassVar

import pytest
from pydantic import BaseModel

from quire.adapters.machine import SystemClock
from quire.api.capability import capability, events_of
from quire.api.context import Context
from quire.api.library import Library
from quire.api.noun import Noun
from quire.domain.errors import InvalidInput, TimedOut
from quire.entry.bootstrap import make_parts
from quire.entry.settings import load
from quire.local.engine import LocalEngine
from quire.local.scope import Scope

pytestmark = pytest.mark.anyio


class Step(BaseModel):
    number: int


class Walk(BaseModel):
    steps: int


class Walks(Noun):
    noun = "walk"
    toolset = "walks"

    @capability("go_walking", "read", timeout=0.2)
    async def go(self, steps: int, stumble: bool = False) -> Walk:
        """Go for a walk."""

    go_stepwise = events_of(go, Step)


class DoneWalks:
    ended = 0

    async def go(self, scope: Scope, steps: int, stumble: bool) -> AsyncIterator[Step | Walk]:
        try:
            for number in range(steps):
                yield Step(number=number)
            if stumble:
                await asyncio.Event().wait()
            yield Walk(steps=steps)
        finally:
            self.ended += 1


class WalkEngine(LocalEngine):
    nouns: ClassVar[Mapping[str, type]] = {**LocalEngine.nouns, "walks": DoneWalks}

    def _made(self) -> dict[str, Any]:
        return {**super()._made(), "walks": DoneWalks()}


class WalkLibrary(Library):
    nouns: ClassVar[Mapping[str, type[Noun]]] = {**Library.nouns, "walks": Walks}

    @cached_property
    def walks(self) -> Walks:
        return self._noun("walks", Walks)


@pytest.fixture
async def library() -> AsyncIterator[WalkLibrary]:
    async with WalkLibrary(WalkEngine(make_parts(load({"store": "memory"}, {}), SystemClock()))) as made:
        yield made


async def test_it_is_one_capability(library: WalkLibrary) -> None:
    (one,) = [one for one in library.capabilities if one.service == "walks"]
    assert (one.tool, one.method, one.declared.shape) == ("go_walking", "go", "value")
    assert one.declared.events == (Step, Walk)
    assert one.output_schema["properties"].keys() == {"steps"}


async def test_the_value_is_awaited_and_its_parts_are_reported(library: WalkLibrary) -> None:
    heard = []

    async def report(done: float, total: float | None, message: str) -> None:
        heard.append((done, message))

    assert await library.walks.go(2) == Walk(steps=2)
    assert await library.within(Context(report=report)).walks.go(2) == Walk(steps=2)
    assert heard == [(1, '{"number":0}'), (2, '{"number":1}')]


async def test_the_same_call_as_a_stream(library: WalkLibrary) -> None:
    told = [event async for event in library.walks.go_stepwise(2)]
    assert told == [Step(number=0), Step(number=1), Walk(steps=2)]


async def test_both_ways_pass_the_guard_and_end_what_they_began(library: WalkLibrary) -> None:
    with pytest.raises(InvalidInput, match="steps: must be a whole number"):
        await library.walks.go("2")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="steps: must be a whole number"):
        [event async for event in library.walks.go_stepwise("2")]  # type: ignore[arg-type]
    with pytest.raises(TimedOut):
        await library.walks.go(1, stumble=True)
    with pytest.raises(TimedOut):
        [event async for event in library.walks.go_stepwise(1, stumble=True)]
    assert library.engine.done_by("walks").ended == 2
