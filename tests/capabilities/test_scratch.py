"""Scratch notebooks: made, edited, limited, kept apart, let go."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from quire.adapters.memory import FixedClock
from quire.api.library import Library
from quire.api.scratch import Scratch
from quire.domain.cells import MOST_CELLS
from quire.domain.errors import Conflict, InvalidInput, LimitReached, NotFound, Unsupported
from quire.domain.scratch import PATTERNS, ScratchNotebook
from quire.domain.sharing import Actor
from quire.entry.bootstrap import build
from quire.entry.settings import Settings
from quire.local.people import add_person
from quire.local.scratch.life_cycle import MOST_NOTEBOOKS
from quire.local.scratch.rows import LEASE

pytestmark = pytest.mark.anyio

HALF_AN_HOUR = 30 * 60 * 1_000_000


async def sources(library: Library, notebook: ScratchNotebook) -> list[str]:
    return [cell.source for cell in (await library.scratch.view(notebook.id)).sheet.cells]


async def test_cells_are_added_changed_moved_and_deleted(library: Library) -> None:
    notebook = await library.scratch.create(title=" Thoughts ")
    assert (notebook.title, notebook.cell_count, notebook.revision) == ("Thoughts", 1, 1)
    assert notebook.uri == f"notebook://{notebook.session_id}/{notebook.id}"
    first = await library.scratch.add_cell(notebook.id, "code", "1")
    assert (first.cell.language, first.cell.filename, first.index, first.revision) == ("python", "cell-2.py", 1, 2)
    second = await library.scratch.add_cell(notebook.id, "code", "2", filename="two.ts", index=1)
    assert (second.cell.language, second.index) == ("typescript", 1)
    await library.scratch.add_cell(notebook.id, "markdown", "text\r\nmore")
    assert await sources(library, notebook) == ["Thoughts", "2", "1", "text\nmore"]

    moved = await library.scratch.move_cell(notebook.id, first.cell.id, 0)
    assert moved.index == 0
    await library.scratch.move_cell(notebook.id, first.cell.id, 200)
    assert await sources(library, notebook) == ["Thoughts", "2", "text\nmore", "1"]

    changed = await library.scratch.update_cell(notebook.id, second.cell.id, source="two", filename="two.js")
    assert (changed.cell.source, changed.cell.language) == ("two", "javascript")
    gone = await library.scratch.delete_cell(notebook.id, second.cell.id)
    assert gone.cell.source == "two"
    fresh = await library.scratch.add_cell(notebook.id, "raw", "r")
    assert fresh.cell.id == "cell-5"
    shown = await library.scratch.get(notebook.id)
    assert [cell.id for cell in shown.cells] == ["cell-1", "cell-4", "cell-2", "cell-5"]
    assert shown.revision == fresh.revision == 9


async def test_a_title_cell_names_the_notebook(library: Library) -> None:
    notebook = await library.scratch.create(title="Before")
    await library.scratch.update_cell(notebook.id, "cell-1", source="After")
    assert (await library.scratch.get(notebook.id)).title == "After"


async def test_a_revision_that_is_given_must_be_the_notebooks(library: Library) -> None:
    notebook = await library.scratch.create()
    await library.scratch.add_cell(notebook.id, "markdown", "a", revision=1)
    for call in (
        library.scratch.add_cell(notebook.id, "markdown", "b", revision=1),
        library.scratch.update_cell(notebook.id, "cell-2", source="b", revision=3),
        library.scratch.move_cell(notebook.id, "cell-2", 0, revision=1),
        library.scratch.delete_cell(notebook.id, "cell-2", revision=1),
    ):
        with pytest.raises(Conflict) as conflict:
            await call
        assert conflict.value.details["revision"] == 2
    assert await sources(library, notebook) == ["Scratch", "a"]


async def test_what_two_cells_cannot_both_be_is_refused(library: Library) -> None:
    notebook = await library.scratch.create()
    await library.scratch.add_cell(notebook.id, "code", "a", filename="a.js")
    for kind, name in (("code", "a.js"), ("code", "../a.js"), ("code", "package.json"), ("title", None)):
        with pytest.raises(InvalidInput):
            await library.scratch.add_cell(notebook.id, kind, "x", filename=name)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="file name says"):
        await library.scratch.update_cell(notebook.id, "cell-2", language="python")
    with pytest.raises(InvalidInput, match="At least one"):
        await library.scratch.update_cell(notebook.id, "cell-2")
    with pytest.raises(InvalidInput, match="Only a code cell"):
        await library.scratch.update_cell(notebook.id, "cell-1", filename="b.js")
    with pytest.raises(NotFound):
        await library.scratch.update_cell(notebook.id, "cell-9", source="x")


async def test_limits_hold(library: Library) -> None:
    cells = [{"type": "markdown", "source": str(number)} for number in range(MOST_CELLS)]
    notebook = await library.scratch.import_("json", text=written(cells))
    assert notebook.cell_count == MOST_CELLS
    with pytest.raises(LimitReached):
        await library.scratch.add_cell(notebook.id, "markdown", "one too many")
    with pytest.raises(InvalidInput, match="at most 200"):
        await library.scratch.import_("json", text=written([*cells, cells[0]]))


def written(cells: list[dict[str, str]]) -> str:
    return json.dumps({"cells": cells})


async def test_a_notebook_is_its_makers_alone(library: Library, guest: Library, tmp_path: Path) -> None:
    mine = await library.scratch.create(title="mine")
    await library.scratch.add_cell(mine.id, "code", "1")
    await library.scratch.export(mine.id, "json")
    scratch = guest.scratch
    calls = {
        "get_scratch": lambda: scratch.get(mine.id),
        "delete_scratch": lambda: scratch.delete(mine.id),
        "add_cell": lambda: scratch.add_cell(mine.id, "markdown", "x"),
        "update_cell": lambda: scratch.update_cell(mine.id, "cell-2", source="x"),
        "move_cell": lambda: scratch.move_cell(mine.id, "cell-2", 0),
        "delete_cell": lambda: scratch.delete_cell(mine.id, "cell-2"),
        "run_cell": lambda: anext(scratch.run_cell(mine.id, "cell-2")),
        "run_all": lambda: anext(scratch.run_all(mine.id)),
        "interrupt_scratch": lambda: scratch.interrupt(mine.id),
        "restart_scratch": lambda: scratch.restart(mine.id),
        "export_scratch": lambda: scratch.export(mine.id),
        "save_scratch": lambda: scratch.save(mine.id),
        "view_scratch": lambda: scratch.view(mine.id),
        "view_scratch_text": lambda: scratch.view_text(mine.id),
        "view_cell": lambda: scratch.view_cell(mine.id, "cell-2"),
        "view_execution": lambda: scratch.view_execution(mine.id, "exec-1"),
        "list_executions": lambda: scratch.executions(mine.id),
        "list_exports": lambda: scratch.exports(mine.session_id),
        "read_export": lambda: scratch.exported(mine.session_id, "notebook.json"),
    }
    declared = [method.declared for method in vars(Scratch).values() if hasattr(method, "declared")]
    assert {one.facts.tool for one in declared if one.facts.of} == set(calls)
    assert (await library.scratch.view(mine.id)).notebook.title == "mine"
    for call in calls.values():
        with pytest.raises(NotFound) as refused:
            await call()
        assert "mine" not in str(refused.value.body())
    assert len(await guest.scratch.list()) == 0
    with pytest.raises(NotFound):
        await guest.scratch.current()
    assert (await library.scratch.get(mine.id)).revision == 2


async def test_a_notebook_is_read_again_only_when_something_was_committed(library: Library) -> None:
    mine = await library.scratch.create(title="mine")
    seen = await library.scratch.view(mine.id, mine.session_id)
    if library.engine.parts.store.version() is not None:
        assert await library.scratch.view(mine.id) is seen
    with pytest.raises(NotFound):
        await library.scratch.view(mine.id, "session-of-another")
    await library.scratch.add_cell(mine.id, "markdown", "new")
    assert [cell.source for cell in (await library.scratch.view(mine.id)).sheet.cells] == ["mine", "new"]
    await library.scratch.delete(mine.id)
    with pytest.raises(NotFound):
        await library.scratch.view(mine.id)


async def test_what_nobody_uses_for_half_an_hour_is_gone_and_swept(timed: Library, clock: FixedClock) -> None:
    old = await timed.scratch.create(title="old")
    await timed.scratch.export(old.id, "json")
    clock.microseconds += HALF_AN_HOUR - 1_000_000
    young = await timed.scratch.create(title="young")
    assert (await timed.scratch.get(old.id)).title == "old"
    clock.microseconds += HALF_AN_HOUR - 1_000_000
    assert (await timed.scratch.get(young.id)).title == "young"
    assert (await timed.scratch.get(old.id)).title == "old"
    clock.microseconds += HALF_AN_HOUR
    await timed.scratch.get(old.id)
    clock.microseconds += 2_000_000
    assert [one.title for one in await timed.scratch.list()] == ["old"]
    with pytest.raises(NotFound):
        await timed.scratch.get(young.id)
    assert await timed.engine.idle_scratch.sweep() == 1
    clock.microseconds += HALF_AN_HOUR + 1
    assert await timed.engine.idle_scratch.sweep() == 1
    assert timed.engine.parts.scratch.exports.sessions() == []
    rows = await timed.engine.system.read(lambda tx: tx.all("scratch_ids"))
    assert rows == []


async def test_a_cell_whose_server_is_gone_does_not_run_any_more(timed: Library, clock: FixedClock) -> None:
    notebook = await timed.scratch.create()
    cells = [(await timed.scratch.add_cell(notebook.id, "code", str(number))).cell for number in range(3)]
    now = timed.engine.parts.clock.now()
    # One that runs, one that did when its server was killed, one of a clock that has jumped.
    for cell, until in zip(cells, (now + LEASE, now - 1, now + 1_000 * LEASE), strict=True):
        begun = {"status": "running", "execution_count": None, "outputs": "[]", "running_until": until}
        words = {"scratch_id": notebook.id, "id": cell.id, **begun}
        await timed.engine.system.write(lambda tx, words=words: tx.run("run_scratch_cell", **words))

    async def states() -> list[str]:
        return [cell.status for cell in (await timed.scratch.get(notebook.id)).cells[1:]]

    assert await states() == ["running", "failed", "failed"]
    seen = (await timed.scratch.view(notebook.id)).sheet.cells[2]
    assert [output.error_name for output in seen.outputs] == ["Interrupted"]
    await timed.engine.idle_scratch.sweep()
    kept = await timed.engine.system.read(lambda tx: tx.all("cells_of_scratch", scratch_id=notebook.id))
    assert [(row["status"], row["running_until"]) for row in kept[1:]] == [
        ("running", now + LEASE),
        ("failed", None),
        ("failed", None),
    ]
    clock.microseconds += LEASE + 1
    assert await states() == ["failed", "failed", "failed"]


async def test_notebooks_that_are_not_kept_end_with_their_process(settings: Settings, store: str) -> None:
    if store == "memory":
        pytest.skip("nothing in memory outlives its process")
    async with build(settings.model_copy(update={"scratch_keep": False})) as library:
        passing = await library.scratch.create(title="passing")
        assert (await library.scratch.current()).id == passing.id
    async with build(settings) as library:
        lasting = await library.scratch.create(title="lasting")
    async with build(settings) as library:
        assert [one.id for one in await library.scratch.list()] == [lasting.id]
        with pytest.raises(NotFound):
            await library.scratch.get(passing.id)


async def test_an_operator_may_list_everyones(settings: Settings, store: str) -> None:
    async with build(settings.model_copy(update={"scratch_all": True})) as library:
        now = library.engine.parts.clock.now()
        await library.engine.system.write(lambda tx: add_person(tx, "guest", "A guest", None, now))
        guest = library.as_actor(Actor(id="guest"))
        theirs = await guest.scratch.create(title="theirs")
        assert [(one.id, one.owner) for one in await library.scratch.list()] == [(theirs.id, "guest")]
        await library.scratch.create(title="mine")
        assert [one.title for one in await guest.scratch.list()] == ["theirs"]


async def test_formats_come_in_and_go_out(library: Library, tmp_path: Path) -> None:
    text = '<!-- srcbook:{"language":"javascript"} -->\n\n# T\n\ntext\n\n###### a.js\n\n```javascript\n1\n```\n'
    notebook = await library.scratch.import_("srcmd", text=text)
    assert (notebook.title, notebook.language) == ("T", "javascript")
    out = await library.scratch.export(notebook.id)
    assert out.text == text
    assert out.uri == f"file:///notebooks/{notebook.session_id}/notebook.src.md"
    assert f"file:///notebooks/{notebook.session_id}/cells/cell-3.js" in out.files
    assert await library.scratch.exported(notebook.session_id, "cells/cell-3.js") == "1"
    if out.path:
        assert Path(out.path).read_text() == text
    for format in ("ipynb", "json"):
        other = await library.scratch.export(notebook.id, format)  # type: ignore[arg-type]
        again = await library.scratch.import_(format, text=other.text)  # type: ignore[arg-type]
        assert await sources(library, again) == ["T", "text", "1"]
    file = tmp_path / "book.src.md"
    file.write_text(text)
    assert (await library.scratch.import_("srcmd", path=str(file))).title == "T"
    for wrong in ({}, {"text": "x", "path": "y"}, {"path": str(tmp_path / "none")}):
        with pytest.raises(InvalidInput):
            await library.scratch.import_("srcmd", **wrong)
    assert await sources(library, notebook) == ["T", "text", "1"]


async def test_a_path_is_nothing_to_a_caller_from_elsewhere(library: Library, tmp_path: Path) -> None:
    far = library.within(replace(library.context, local=False, door="http"))
    with pytest.raises(InvalidInput, match="runs on your machine"):
        await far.scratch.import_("json", path=str(tmp_path))
    notebook = await far.scratch.create()
    await far.scratch.add_cell(notebook.id, "code", "1")
    assert (await far.scratch.export(notebook.id)).path is None
    with pytest.raises(Unsupported, match="is off"):
        await anext(far.scratch.run_cell(notebook.id, "cell-2"))


async def test_every_pattern_is_a_notebook_to_start_from(library: Library) -> None:
    for pattern in PATTERNS:
        notebook = await library.scratch.create(pattern)
        assert notebook.pattern == pattern
        assert notebook.cell_count >= 5
        await library.scratch.delete(notebook.id)
    with pytest.raises(NotFound):
        await library.scratch.create("no_such_pattern")


async def test_a_notebook_is_kept_as_a_source_that_answers_cite(library: Library) -> None:
    target = await library.notebooks.create("Bees")
    notebook = await library.scratch.create(title="Counting")
    await library.scratch.add_cell(notebook.id, "markdown", "A strong hive holds 50,000 bees in summer.")
    saved = await library.scratch.save(notebook.id, into=target.id)
    assert (saved.kind, saved.notebook_id, saved.title) == ("source", target.id, "Counting")
    answer = await library.chat.ask(target.id, "How many bees does a strong hive hold?")
    assert [citation.source_id for citation in answer.citations][:1] == [saved.id]
    note = await library.scratch.save(notebook.id, "note")
    assert "50,000 bees" in (await library.notes.get(None, note.id)).content
    with pytest.raises(NotFound):
        await library.scratch.save(notebook.id, into="nowhere")


async def test_there_are_only_so_many(library: Library) -> None:
    for _ in range(MOST_NOTEBOOKS):
        await library.scratch.create()
    with pytest.raises(LimitReached):
        await library.scratch.create()
