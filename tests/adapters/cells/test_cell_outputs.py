"""What cells show: commands, what is cleared, updated and drawn; live, and in what is kept."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from quire.api.library import Library
from quire.domain.cells import Output
from quire.domain.scratch import CellOutput, Execution
from quire.entry.bootstrap import build
from quire.entry.settings import load
from quire.local.scratch import running
from quire.local.scratch.outputs import MESSAGE_COST, cost_of
from quire.ports.cells import Cleared, Updated

pytestmark = pytest.mark.anyio

SVG_NAMES = "http://www.w3.org/2000/svg"
SHOW = "from IPython.display import clear_output, display, update_display, SVG\n"


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    async with build(load({"home": tmp_path, "embedder": "none"}, {})) as library:
        yield library


async def events_of(library: Library, id: str, source: str) -> list[Any]:
    cell = (await library.scratch.add_cell(id, "code", source)).cell
    return [event async for event in library.scratch.run_cell(id, cell.id, 60)]


async def run(library: Library, id: str, source: str) -> Execution:
    last = (await events_of(library, id, source))[-1]
    assert isinstance(last, Execution)
    return last


def text(execution: Execution) -> str:
    return "".join(output.text or output.data.get("text/plain", "") for output in execution.outputs)


async def test_commands_run_without_a_terminal(library: Library) -> None:
    id = (await library.scratch.create()).id
    command = "word = 'bees'\n!echo {word} $((6 * 7)); echo oh >&2; printf '\\303\\274'; exit 3\nprint(_exit_code)"
    said = await run(library, id, command)
    assert (said.status, text(said)) == ("ok", "bees 42\noh\nü3\n")
    assert text(await run(library, id, "lines = !echo one; echo two\nlist(lines)")) == "['one', 'two']"
    refused = await run(library, id, "%pip install quire-notebook")
    assert "cells have no network" in text(refused)
    assert text(await run(library, id, "!sleep 1000 & echo left")) == "left\n"


@pytest.mark.long
async def test_a_command_that_does_not_heed_an_interrupt_is_killed(library: Library) -> None:
    id = (await library.scratch.create()).id
    cell = (await library.scratch.add_cell(id, "code", "!trap '' INT; echo deaf; sleep 1000; sleep 1000")).cell
    async for event in library.scratch.run_cell(id, cell.id):
        if isinstance(event, CellOutput) and event.output.text == "deaf\n":
            await library.scratch.interrupt(id)
    assert isinstance(event, Execution)
    assert event.status == "interrupted"
    assert text(await run(library, id, "print('next')")) == "next\n"


@pytest.mark.long
async def test_pip_lists_what_is_there_and_installs_nothing(library: Library) -> None:
    id = (await library.scratch.create()).id
    assert "ipykernel" in text(await run(library, id, "%pip list"))
    assert "Could not find a version" in text(await run(library, id, "!python -m pip install nothing-there"))


async def test_what_is_cleared_is_gone_live_and_in_what_is_kept(library: Library) -> None:
    id = (await library.scratch.create()).id
    source = "print('one', flush=True)\nclear_output()\nprint('two', flush=True)\nclear_output(wait=True)\n"
    *events, end = await events_of(library, id, SHOW + source + "display('three')\nclear_output(wait=True)")
    told = [event.output.text or "shown" if isinstance(event, CellOutput) else "cleared" for event in events]
    assert told == ["one\n", "cleared", "two\n", "cleared", "shown"]
    assert [output.data["text/plain"] for output in end.outputs] == ["'three'"]
    assert (await library.scratch.view(id)).sheet.cells[-1].outputs == end.outputs
    # Of what is cleared again and again nobody is told.
    events = await events_of(library, id, SHOW + "for _ in range(300): clear_output()\nprint('after')")
    assert [type(event) for event in events] == [CellOutput, Execution]


def test_what_puts_nothing_out_costs_something() -> None:
    shown = Output(kind="display", display_id="d")
    assert min(cost_of(event) for event in (Cleared(True), Cleared(False), Updated(shown), shown)) == MESSAGE_COST


@pytest.mark.long
@pytest.mark.parametrize(
    "flood", ["clear_output()", "display(1); clear_output(wait=True)", "update_display(1, display_id='d')"]
)
async def test_a_cell_that_floods_is_stopped(library: Library, monkeypatch: pytest.MonkeyPatch, flood: str) -> None:
    monkeypatch.setattr(running, "MOST_OUTPUT", 50_000)
    id = (await library.scratch.create()).id
    *_, end = await events_of(library, id, f"{SHOW}while True: {flood}")
    assert (end.status, end.message) == ("interrupted", "It put out more than a cell may; it was stopped.")


async def test_a_display_is_updated_wherever_it_is_shown(library: Library) -> None:
    id = (await library.scratch.create()).id
    first = await events_of(library, id, SHOW + "display('a', display_id='d')\ndisplay('other')")
    assert first[0].output.display_id == "d"
    *events, end = await events_of(library, id, "display('b', display_id='d')\nupdate_display('c', display_id='d')")
    assert [(event.output.data["text/plain"], event.updated) for event in events] == [("'b'", False), ("'c'", True)]
    assert [output.data["text/plain"] for output in end.outputs] == ["'c'"]
    cells = (await library.scratch.view(id)).sheet.cells
    assert [output.data["text/plain"] for output in cells[1].outputs] == ["'c'", "'other'"]
    *_, unknown = await events_of(library, id, "update_display('x', display_id='nowhere')")
    assert (unknown.status, unknown.outputs) == ("ok", [])


async def test_pictures_are_kept_clean(library: Library) -> None:
    id = (await library.scratch.create()).id
    picture = f"<svg xmlns='{SVG_NAMES}' onload='x()'><script>x()</script><rect width='9'/></svg>"
    *_, end = await events_of(library, id, SHOW + f'SVG("""{picture}""")')
    assert "<rect width=" in end.outputs[0].data["image/svg+xml"]
    assert not {"script", "onload"} & set(end.outputs[0].data["image/svg+xml"].replace("=", " ").split())
