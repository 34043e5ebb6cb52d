"""The library without `await`."""

from __future__ import annotations

import asyncio
import inspect
import runpy
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from mypy import api as mypy

import quire
from quire.entry.bootstrap import offered

ROOT = Path(__file__).parents[2]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[quire.SyncLibrary]:
    with quire.open_sync(home=tmp_path) as library:
        yield library


def test_a_call_waits_and_returns_its_value(library: quire.SyncLibrary) -> None:
    note = library.notes.create(title="Roadmap", content="Discuss Q4")
    assert library.notes.get(None, note.short_id) == note
    assert [one.id for one in library.notes.list()] == [note.id]
    assert library.notes.search(None, "q4")[0].excerpt == "Discuss **Q4**"


def test_errors_come_through_as_they_are(library: quire.SyncLibrary) -> None:
    with pytest.raises(quire.NotFound) as caught:
        library.notes.get(None, "12345678")
    assert caught.value.details == {"noun": "note", "id": "12345678"}


def test_a_stream_is_an_ordinary_iterator(library: quire.SyncLibrary) -> None:
    first = library.notes.create(title="one")
    library.notes.update(None, first.id, content="more")
    events = list(library.notes.watch(after=0, limit=2))
    assert [event.change for event in events if isinstance(event, quire.NoteChange)] == ["created", "updated"]
    assert isinstance(events[-1], quire.Watched)


def test_closing_an_iterator_closes_the_stream_behind_it(library: quire.SyncLibrary) -> None:
    ended = threading.Event()

    async def count() -> AsyncIterator[int]:
        try:
            for number in range(100):
                yield number
        finally:
            ended.set()

    numbers = library.each(count())
    assert next(numbers) == 0
    assert not ended.is_set()
    numbers.close()
    assert ended.is_set()
    assert list(numbers) == []


def test_an_iterator_that_is_forgotten_closes_its_stream(library: quire.SyncLibrary) -> None:
    ended = threading.Event()

    async def count() -> AsyncIterator[int]:
        try:
            yield 1
        finally:
            ended.set()

    for _ in library.each(count()):
        break
    assert ended.is_set()


def test_files_can_be_sent_and_read(library: quire.SyncLibrary, tmp_path: Path) -> None:
    job = library.notes.import_(None, quire.Upload.of("# One\n\nfirst\n\n# Two\n\nsecond\n", "two.md"))
    assert job.result == {"notes": 2}
    made = library.notes.export()
    assert made.file is not None
    text = library.wait(made.file.read()).decode()
    assert "# One\n\nfirst" in text
    saved = library.wait(library.jobs.file(made.id).save(tmp_path / "notes.md"))
    assert saved.read_text() == text
    assert b"".join(library.each(made.file.chunks())).decode() == text


def test_it_works_where_a_loop_already_runs(library: quire.SyncLibrary) -> None:
    async def cell() -> str:
        return library.notes.create(title="from a notebook cell").title

    assert asyncio.run(cell()) == "from a notebook cell"


def test_several_threads_may_call_at_once(library: quire.SyncLibrary) -> None:
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda number: library.notes.create(title=f"note {number}").id, range(40)))
    assert sorted(made) == sorted(note.id for note in library.notes.list())


def test_another_actor_sees_its_own_notebooks_only(library: quire.SyncLibrary) -> None:
    note = library.notes.create(title="mine")
    stranger = library.as_actor(quire.Actor(id="stranger"))
    with pytest.raises(quire.NotFound):
        stranger.notes.get(None, note.id)


def test_waiting_on_the_librarys_own_thread_is_refused(library: quire.SyncLibrary) -> None:
    async def inside() -> None:
        library.notes.create(title="never")

    with pytest.raises(RuntimeError, match="own thread"):
        library.wait(inside())


def test_close_may_be_repeated_and_leaves_no_threads(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    library = quire.open_sync(home=tmp_path)
    library.notes.create(title="kept")
    changes = library.notes.watch(after=0)
    assert isinstance(next(changes), quire.NoteChange)
    library.close()
    library.close()
    assert set(threading.enumerate()) == before
    with pytest.raises(quire.QuireError, match="closed"):
        library.notes.list()
    with pytest.raises(quire.QuireError, match="closed"):
        next(changes)
    with quire.open_sync(home=tmp_path) as again:
        assert [note.title for note in again.notes.list()] == ["kept"]


def test_close_ends_calls_that_wait_in_other_threads(tmp_path: Path) -> None:
    library = quire.open_sync(home=tmp_path)
    waiting = threading.Event()

    async def forever() -> None:
        waiting.set()
        await asyncio.Event().wait()

    with ThreadPoolExecutor(1) as threads:
        call = threads.submit(library.wait, forever())
        assert waiting.wait(30)
        library.close()
        with pytest.raises(quire.QuireError, match="closed"):
            call.result(30)


def test_settings_that_are_wrong_leave_no_thread_behind() -> None:
    before = set(threading.enumerate())
    with pytest.raises(quire.InvalidInput, match="port"):
        quire.open_sync(port=-1)
    assert set(threading.enumerate()) == before


INTERRUPTED = """
import asyncio, os, signal, sys
import quire

async def long():
    os.kill(os.getpid(), signal.SIGINT)
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        print("cancelled", flush=True)
        raise

with quire.open_sync(home=sys.argv[1]) as library:
    try:
        library.wait(long())
    except KeyboardInterrupt:
        print("interrupted", library.notes.create(title="still here").title, flush=True)
"""


def test_ctrl_c_cancels_the_call_and_the_library_goes_on(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", INTERRUPTED, tmp_path], capture_output=True, text=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("cancelled\ninterrupted still here\n", "")


def test_a_program_that_forgets_to_close_ends_quietly(tmp_path: Path) -> None:
    program = "import quire, sys; print(quire.open_sync(home=sys.argv[1]).notes.create(title='x').title)"
    done = subprocess.run([sys.executable, "-c", program, tmp_path], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "x\n", "")


def test_every_capability_is_there_with_its_signature(library: quire.SyncLibrary) -> None:
    for capability in offered():
        here = getattr(getattr(library, capability.service), capability.method)
        there = inspect.signature(capability.declared.method).parameters
        assert list(inspect.signature(here).parameters) == [name for name in there if name != "self"]
        assert here.__doc__ == capability.declared.method.__doc__


def test_the_types_are_those_that_the_script_writes() -> None:
    script = runpy.run_path(str(ROOT / "scripts/make_stub.py"))
    assert script["generate"]() == script["STUB"].read_text(encoding="utf-8"), "run scripts/make_stub.py"


TYPED = """
import quire

with quire.open_sync() as library:
    note: quire.Note = library.notes.create(title="typed")
    titles: list[str] = [one.title for one in library.notes.list()]
    for change in library.notes.watch(limit=1):
        reveal_type(change)
    library.notes.create(title=3)
    library.notes.no_such_call()
"""


@pytest.mark.long
def test_a_type_checker_sees_calls_without_await(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(TYPED)
    found, problems, status = mypy.run([str(program), "--config-file", str(ROOT / "pyproject.toml"), "--no-color"])
    lines = [line.partition("program.py:")[2] for line in found.splitlines() if "program.py:" in line]
    assert (status, problems) == (1, "")
    assert lines == [
        '8: note: Revealed type is "quire.domain.notes.NoteChange | quire.domain.notes.Watched"',
        '9: error: Argument "title" to "create" of "Notes" has incompatible type "int"; expected "str"  [arg-type]',
        '10: error: "Notes" has no attribute "no_such_call"  [attr-defined]',
    ]
