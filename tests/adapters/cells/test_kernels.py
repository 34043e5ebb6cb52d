"""Cells that run: state, outputs, interrupt, restart, Node, and refusing where there is no sandbox."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from quire.adapters.cells import sandbox
from quire.adapters.cells.kernels import SandboxedKernels
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
    stuck = await run(library, id, "while (true) {}", timeout=0.5, filename="h.js")
    assert stuck.status == "timed_out"
    assert (await run(library, id, "x", filename="i.js")).outputs[0].error_name == "ReferenceError"


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
