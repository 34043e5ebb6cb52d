"""Cells that run: state, outputs, interrupt, restart, Node, and refusing where there is no sandbox."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from quire.adapters.cells import sandbox
from quire.adapters.cells.kernels import BEGAN_AFRESH, SandboxedKernels
from quire.adapters.cells.messages import TOO_MUCH, UNREADABLE
from quire.adapters.cells.sandbox import UNHEEDED
from quire.adapters.cells.srcmd import decode, encode
from quire.adapters.memory import FixedClock
from quire.api.library import Library
from quire.domain.cells import CUT, OUTPUT_LIMIT
from quire.domain.errors import InvalidInput
from quire.domain.scratch import PATTERNS, CellOutput, Execution, ScratchRun
from quire.entry.bootstrap import build
from quire.entry.settings import load
from quire.local.scratch.templates import source, template
from quire.ports.cells import Ended, Work

pytestmark = pytest.mark.anyio


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    async with build(load({"home": tmp_path, "embedder": "none"}, {})) as library:
        yield library


async def run(library: Library, id: str, source: str, timeout: float = 60.0, **more: Any) -> Execution:
    cell = (await library.scratch.add_cell(id, "code", source, **more)).cell
    last = [event async for event in library.scratch.run_cell(id, cell.id, timeout)][-1]
    assert isinstance(last, Execution)
    return last


def text(execution: Execution) -> str:
    return "".join(output.text or output.data.get("text/plain", "") for output in execution.outputs)


async def test_python_keeps_its_state_and_what_it_put_out(library: Library) -> None:
    id = (await library.scratch.create()).id
    assert (await run(library, id, "x = 20")).outputs == []
    failed = await run(library, id, "import sys\nprint(x)\nprint('oh', file=sys.stderr)\n1 / 0")
    assert failed.status == "failed"
    assert [(one.kind, one.name, one.text) for one in failed.outputs[:2]] == [
        ("stream", "stdout", "20\n"),
        ("stream", "stderr", "oh\n"),
    ]
    assert failed.outputs[2].error_name == "ZeroDivisionError"
    rich = "from IPython.display import Image, HTML, display\nimport base64\n"
    rich += "display(Image(base64.b64decode('iVBORw0KGgo='), format='png'))\nHTML('<i>x</i><img src=y onerror=z()>')"
    shown = await run(library, id, rich)
    assert shown.outputs[0].data["image/png"].startswith("iVBOR")
    assert shown.outputs[1].data["text/html"] == '<i>x</i><img src="y">'
    long = await run(library, id, "print('x' * 3_000_000)")
    assert (long.status, long.outputs[-1].cut) == ("ok", True)
    assert text(long).endswith(CUT)
    assert len(text(long)) == OUTPUT_LIMIT + len(CUT)
    with pytest.raises(InvalidInput, match="does not run"):
        await anext(library.scratch.run_cell(id, "cell-1"))
    await library.scratch.restart(id)
    assert (await run(library, id, "x")).outputs[0].error_name == "NameError"


async def test_outputs_come_as_they_do_and_an_interrupt_keeps_the_state(library: Library) -> None:
    id = (await library.scratch.create()).id
    await run(library, id, "kept = 1")
    source = "import time\nprint('first', flush=True)\ntime.sleep(100)"
    cell = (await library.scratch.add_cell(id, "code", source)).cell
    seen: list[Any] = []
    async for event in library.scratch.run_cell(id, cell.id):
        seen.append(event)
        if isinstance(event, CellOutput) and event.output.text == "first\n":
            notebook = await library.scratch.get(id)
            assert {one.id: one.status for one in notebook.cells}[cell.id] == "running"
            await library.scratch.interrupt(id)
    assert seen[-1].status == "interrupted"
    assert text(await run(library, id, "kept")) == "1"
    late = await run(library, id, "time.sleep(100)", timeout=0.5)
    assert (late.status, late.message) == ("timed_out", "It took longer than 0.5 seconds.")
    assert text(await run(library, id, "kept")) == "1"


async def test_a_run_whose_caller_leaves_is_stopped(library: Library) -> None:
    id = (await library.scratch.create()).id
    source = "import time\nprint('first', flush=True)\ntime.sleep(100)"
    cell = (await library.scratch.add_cell(id, "code", source)).cell
    events = library.scratch.run_cell(id, cell.id)
    await anext(events)
    await events.aclose()  # type: ignore[attr-defined]
    notebook = await library.scratch.get(id)
    assert notebook.cells[1].status == "failed"
    assert text(await run(library, id, "print('next')")) == "next\n"


@pytest.mark.parametrize(("name", "source"), [("a.py", "while True: pass"), ("a.js", "while (true) {}")])
async def test_a_notebook_that_is_deleted_takes_its_run_with_it(library: Library, name: str, source: str) -> None:
    notebook = await library.scratch.create()
    running = asyncio.create_task(run(library, notebook.id, source, filename=name))
    while not library.engine.parts.scratch.kernels.alive():
        assert not running.done()
        await asyncio.sleep(0.01)
    await library.scratch.delete(notebook.id)
    assert (await running).status == "died"
    assert library.engine.parts.scratch.kernels.alive() == set()


async def test_javascript_and_typescript_run_by_node(library: Library) -> None:
    id = (await library.scratch.create()).id
    first = await run(library, id, "const x = 20;\nconsole.log('hi', x);\nx + 1", filename="a.js")
    assert text(first) == "hi 20\n21"
    assert text(await run(library, id, "const x = await Promise.resolve(2); [x]", filename="b.js")) == "[ 2 ]"
    typed = "import { join } from 'node:path';\nconst n: number = 3;\njoin('a', String(n + x))"
    assert text(await run(library, id, typed, filename="c.ts")) == "'a/5'"
    await library.scratch.add_cell(id, "code", "export const twice = (n) => 2 * n;", filename="lib.js")
    assert text(await run(library, id, "import { twice } from './lib.js';\ntwice(21)", filename="d.js")) == "42"
    wrong = await run(library, id, "console.error('oh'); throw new TypeError('no')", filename="e.js")
    assert (wrong.status, wrong.outputs[0].name, wrong.outputs[1].error_name) == ("failed", "stderr", "TypeError")
    waiting = await run(library, id, "await new Promise(() => {})", timeout=0.5, filename="f.js")
    assert waiting.status == "timed_out"
    assert text(await run(library, id, "x", filename="g.js")) == "2"
    types = "enum Colour { Red = 3, Green }\nnamespace Bees { export const legs = 6 }\n"
    types += "class Hive { constructor(private readonly size: number) {} get(): number { return this.size } }\n"
    typed = types + "[Colour.Green, Colour[3], Bees.legs, new Hive(7).get()]"
    assert text(await run(library, id, typed, filename="h.ts")) == "[ 4, 'Red', 6, 7 ]"
    await library.scratch.add_cell(id, "code", types.replace("enum Colour", "export enum Shade"), filename="types.ts")
    assert text(await run(library, id, "import { Shade } from './types.ts';\nShade.Red", filename="i.js")) == "3"
    half = await run(library, id, "console.log('\\ud800'); '\\u{1f41d}'", filename="j.js")
    assert text(half) == "?\n'\U0001f41d'"


# Busy at once, after a wait, in a callback, in what it awaits, where no script can catch it, in the engine, outside it;
# waiting for ever; and waiting for something after which it would be busy.
BUSY = {
    "loop": "console.log('go'); while (true) {}",
    "after a wait": "await new Promise((done) => setTimeout(done, 10)); console.log('go'); while (true) {}",
    "in a callback": "setTimeout(() => { console.log('go'); while (true) {} }, 1); await new Promise(() => {})",
    "in promises": "console.log('go'); while (true) await null",
    "again and again": "console.log('go'); while (true) { try { while (true) {} } finally { while (true) {} } }",
    "matching": "console.log('go'); /(a+)+$/.test('a'.repeat(60) + 'b')",
    "another program": "console.log('go'); require('node:child_process').execSync('sleep 1000')",
    "never": "console.log('go'); await new Promise(() => {})",
    "before it is": "console.log('go'); await new Promise((done) => setTimeout(done, 20)); while (true) {}",
}


async def test_javascript_that_is_busy_is_interrupted_and_its_state_is_kept(library: Library) -> None:
    id = (await library.scratch.create()).id
    await run(library, id, "const kept = 42", filename="kept.js")
    for number, (name, busy) in enumerate(BUSY.items()):
        added = await library.scratch.add_cell(id, "code", busy, filename=f"{number}.js")
        async with asyncio.timeout(60):
            async for event in library.scratch.run_cell(id, added.cell.id):
                if isinstance(event, CellOutput):
                    await library.scratch.interrupt(id)
        assert isinstance(event, Execution), name
        assert (event.status, event.message) == ("interrupted", ""), name
        assert text(await run(library, id, "kept", filename=f"after-{number}.js")) == "42", name


async def test_what_does_not_stop_is_ended_and_says_that_its_state_is_gone(library: Library) -> None:
    id = (await library.scratch.create()).id
    # Python's own signals are what stops it.
    deaf = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"
    ended = await run(library, id, deaf, timeout=0.5)
    assert (ended.status, ended.message) == ("timed_out", UNHEEDED)
    assert "state is gone" in ended.message


async def test_what_cannot_be_read_ends_the_run_and_not_the_request(library: Library) -> None:
    id = (await library.scratch.create()).id
    deep = "deep = []\nfor _ in range(900): deep = [deep]\n"
    source = deep + "display({'application/json': deep}, raw=True)\nprint('after')"
    ended = await run(library, id, source)
    assert (ended.status, ended.message, text(ended)) == ("failed", UNREADABLE, "after\n")
    forged = "get_ipython().kernel.iopub_thread.send_multipart([b'x'] * 5)"
    assert (await run(library, id, forged)).message == UNREADABLE
    odd = "display({'text/html': 3, 'text/plain': '<3'}, raw=True)"
    assert (await run(library, id, odd)).outputs[0].data == {"text/html": "3", "text/plain": "<3"}
    large = "for _ in range(3): get_ipython().kernel.iopub_thread.send_multipart([bytes(10**7)] * 3)\nprint('sent')"
    flood = await run(library, id, large)
    assert (flood.status, flood.message, text(flood)) == ("ok", TOO_MUCH, "sent\n")
    assert text(await run(library, id, "len(deep)")) == "1"


async def test_a_run_that_waits_its_turn_ends_with_its_notebook(tmp_path: Path) -> None:
    before = ours()
    kernels = SandboxedKernels(tmp_path)
    first = kernels.run(Work("nb", "javascript", "console.log('go'); while (true) {}", "a.js", 60))
    await anext(first)

    async def waits() -> list[Any]:
        return [event async for event in kernels.run(Work("nb", "javascript", "1", "b.js", 60))]

    second = asyncio.create_task(waits())
    await asyncio.sleep(0)
    await kernels.stop("nb")
    assert [event.status async for event in first if isinstance(event, Ended)] == ["died"]
    assert [event.status for event in await second] == ["interrupted"]
    assert kernels.alive() == set()
    assert ours() - before == set()


async def test_whoever_leaves_or_stops_a_run_while_its_kernel_begins_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = ours()
    # Short, since a socket's path may not be long.
    monkeypatch.setattr(tempfile, "tempdir", tempfile.mkdtemp(prefix="q-"))
    kernels = SandboxedKernels(tmp_path)

    async def runs() -> list[Any]:
        return [event async for event in kernels.run(Work("nb", "javascript", "while (true) {}", "a.js", 60))]

    async def begun() -> asyncio.Task[list[Any]]:
        task = asyncio.create_task(runs())
        while ours() == before:
            assert not task.done()
            await asyncio.sleep(0.001)
        return task

    leaving = await begun()
    leaving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaving
    for _ in range(2_000):
        if ours() == before:
            break
        await asyncio.sleep(0.01)
    assert ours() - before == set()
    stopped = await begun()
    assert await kernels.interrupt("nb")
    assert [event.status for event in await stopped] == ["interrupted"]
    await kernels.close()
    assert ours() - before == set()
    Path(tempfile.gettempdir()).rmdir()


async def test_a_run_says_that_the_kernel_before_it_had_died(tmp_path: Path) -> None:
    kernels = SandboxedKernels(tmp_path)

    async def last(source: str) -> Ended:
        events = [event async for event in kernels.run(Work("nb", "javascript", source, "a.js", 60))]
        assert isinstance(events[-1], Ended)
        return events[-1]

    before = ours()
    await last("1")
    for pid in ours() - before:
        # The end of one may have been the end of another.
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    while kernels._notebooks["nb"].kernels["node"].alive:
        await asyncio.sleep(0.01)
    assert await last("1") == Ended("ok", 1, BEGAN_AFRESH)
    assert await last("1") == Ended("ok", 2, "")
    await kernels.close()


@pytest.mark.long
@pytest.mark.parametrize("name", ["a.js", "a.ts"])
async def test_two_hundred_runs_lose_nothing_that_they_print(library: Library, name: str) -> None:
    id = (await library.scratch.create()).id
    cell = (await library.scratch.add_cell(id, "code", "console.log('printed')", filename=name)).cell
    for number in range(200):
        events = [event async for event in library.scratch.run_cell(id, cell.id)]
        assert isinstance(events[-1], Execution)
        assert (events[-1].status, text(events[-1])) == ("ok", "printed\n"), number


async def test_a_template_runs_from_top_to_bottom(library: Library) -> None:
    notebook = await library.scratch.create("mcts")
    last = [event async for event in library.scratch.run_all(notebook.id)][-1]
    assert isinstance(last, ScratchRun)
    assert last.status == "ok"
    assert "as theory plays it" in text(last.executions[-1])


@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_template_does_what_it_says(pattern: str, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = template(pattern)
    assert decode(source(pattern)) == sheet
    assert encode(sheet) == source(pattern)
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in sheet.cells:
        if cell.type == "code":
            exec(compile(cell.source, str(cell.filename), "exec", dont_inherit=True), names)
    assert "check.py" in [cell.filename for cell in sheet.cells]
    assert len(capsys.readouterr().out.splitlines()) > 2


REFUSED = """
import asyncio, ctypes, sys
from pathlib import Path
from quire.adapters.cells.kernels import SandboxedKernels
from quire.domain.errors import Unsupported
from quire.ports.cells import Work

async def main():
    kernels = SandboxedKernels(Path(sys.argv[1]))
    for _ in range(2):
        try:
            kernels.check()
            await anext(kernels.run(Work("nb", "python", "1", "a.py", 5)))
        except Unsupported as error:
            print(error.message)
    await kernels.close()

# Nothing that this process starts may make namespaces of its own.
assert ctypes.CDLL(None).unshare(0x10000000) == 0
Path("/proc/self/setgroups").write_text("deny")
Path("/proc/sys/user/max_user_namespaces").write_text("0")
for kind in ("mnt", "pid", "net"):
    Path(f"/proc/sys/user/max_{kind}_namespaces").write_text("0")
asyncio.run(main())
"""


def test_where_no_sandbox_can_be_made_nothing_runs(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", REFUSED, str(tmp_path)], capture_output=True, text=True, timeout=100)
    lines = done.stdout.splitlines()
    assert len(lines) == 2, done.stderr
    for line in lines:
        assert line.startswith("Cells cannot be run here: no sandbox can be made for them")


async def test_an_owner_may_want_cells_without_a_sandbox(tmp_path: Path) -> None:
    kernels = SandboxedKernels(tmp_path, unsafe=True)
    assert kernels.check() == "without a sandbox"
    events = [event async for event in kernels.run(Work("nb", "python", "import os\nprint(os.getpid())", "a.py", 60))]
    assert isinstance(events[-1], Ended)
    assert events[-1].status == "ok"
    pid = int(events[0].text)  # type: ignore[union-attr, arg-type]
    os.kill(pid, 0)
    await kernels.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_a_kernel_ends_with_a_notebook_that_nobody_uses(tmp_path: Path) -> None:
    clock = FixedClock()
    async with build(load({"home": tmp_path, "embedder": "none"}, {}), clock) as library:
        kernels = library.engine.parts.scratch.kernels
        library.engine.kernel_reaper.every = 0.05
        idle, used = (await library.scratch.create()).id, (await library.scratch.create()).id
        for id in (idle, used):
            await run(library, id, "1", filename="a.js")
        clock.microseconds += 29 * 60 * 1_000_000
        await library.scratch.get(used)
        clock.microseconds += 2 * 60 * 1_000_000
        for _ in range(1_000):
            if kernels.alive() == {used}:
                break
            await asyncio.sleep(0.01)
        assert kernels.alive() == {used}


def ours() -> set[int]:
    """The sandboxes that this process has."""
    return set(sandbox.descendants(os.getpid()))


@pytest.mark.long
async def test_a_hundred_notebooks_leave_nothing_behind(tmp_path: Path) -> None:
    clock = FixedClock()
    before, folders = ours(), set(Path(tempfile.gettempdir()).glob("quire-cells-*"))
    async with build(load({"home": tmp_path, "embedder": "none"}, {}), clock) as library:
        for _ in range(10):
            made = [await library.scratch.create() for _ in range(10)]
            await asyncio.gather(*(run(library, one.id, "1", filename="a.js") for one in made))
            await library.scratch.export(made[0].id, "json")
            assert len(library.engine.parts.scratch.kernels.alive()) == 10
            clock.microseconds += 31 * 60 * 1_000_000
            assert await library.engine.idle_scratch.sweep() == 10
            assert library.engine.parts.scratch.kernels.alive() == set()
        assert library.engine.parts.scratch.exports.sessions() == []
        assert ours() - before == set()
    assert set(Path(tempfile.gettempdir()).glob("quire-cells-*")) - folders == set()
