"""Every declared capability is in the table of what Google does, and goes as the table says."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from at_google import at_google
from quire.api.capability import Declared
from quire.api.library import Library
from quire.domain.errors import Unsupported
from quire.domain.files import Upload
from quire.entry.bootstrap import engine_of, offered
from quire.entry.cli.program import Program
from quire.entry.two_engines import ALWAYS_LOCAL
from quire.notebooklm.engine import engine
from quire.notebooklm.engine.coverage import DONE_BY, NOT_DONE, OTHERWISE
from quire.notebooklm.methods import BY_NAME
from quire.notebooklm.stream import METHOD

SOURCES = {path.stem: path.read_text(encoding="utf-8") for path in Path(inspect.getfile(engine)).parent.glob("*.py")}


def declared() -> Iterator[tuple[str, Declared]]:
    for noun, kind in Library.nouns.items():
        for method in vars(kind).values():
            found = getattr(method, "declared", None)
            if isinstance(found, Declared) and noun not in ALWAYS_LOCAL:
                yield noun, found


DECLARED = {found.facts.tool: (noun, found) for noun, found in declared()}


def test_the_table_holds_every_declared_capability_once() -> None:
    assert set(DONE_BY) | set(NOT_DONE) == set(DECLARED)
    assert not set(DONE_BY) & set(NOT_DONE)
    assert set(OTHERWISE) <= set(DONE_BY)


def test_what_google_does_has_a_method_of_the_engine_that_calls_the_wires() -> None:
    nouns = engine_of("notebooklm").nouns
    has = {tool for tool, (noun, found) in DECLARED.items() if hasattr(nouns.get(noun), found.name)}
    assert has == set(DONE_BY)
    code = "".join(text for name, text in SOURCES.items() if name != "coverage")
    named = {name for methods in DONE_BY.values() for name in methods}
    assert named - set(BY_NAME) == {METHOD}
    assert {name for name in named & set(BY_NAME) if f'"{name}"' not in code} == set()


def test_what_google_does_not_do_is_offered_by_no_door() -> None:
    tools = {one.tool: one for one in offered("notebooklm")}
    assert not set(tools) & set(NOT_DONE)
    program = Program(list(tools.values()))
    with program.make_context("quire", ["note"], resilient_parsing=True) as context:
        notes: Any = program.get_command(context, "note")
        assert notes.get_command(context, "list") is not None
        assert notes.get_command(context, "watch") is None


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    with at_google(tmp_path) as (made, _):
        async with made:
            yield made


@pytest.mark.anyio
async def test_what_google_does_not_do_is_unsupported_when_it_is_called(library: Library) -> None:
    for tool in NOT_DONE:
        noun, found = DECLARED[tool]
        method = getattr(getattr(library, noun), found.name)
        needed = [
            parameter
            for parameter in inspect.signature(found.method).parameters.values()
            if parameter.name != "self" and parameter.default is parameter.empty
        ]
        given = {
            one.name: Upload.of(b"", "a.md") if found.hints[one.name] is Upload else "a@b.example" for one in needed
        }
        with pytest.raises(Unsupported):
            await ended(method(**given))


async def ended(result: Any) -> None:
    if inspect.isawaitable(result):
        await result
    else:
        async for _ in result:
            pass
