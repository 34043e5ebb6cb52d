"""Readers in processes of their own: stopped by time and memory, with all that they started, and never believed."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from quire.adapters.readers import KINDS, Kind, Limits, read
from quire.adapters.readers.process import read_apart
from quire.domain.documents import Document
from quire.domain.errors import InvalidInput, NotFound, TooLarge, Unsupported

QUICK = Limits(seconds=4, heavy_seconds=4, long_seconds=60, memory=300 * 1024 * 1024, heavy_memory=300 * 1024 * 1024)
PATIENT = Limits(seconds=60, long_seconds=60)
FOUND_WITHIN = 20.0


@pytest.fixture(autouse=True)
def _children_find_the_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "file.bin"
    path.write_bytes(b"x")
    return path


def kind_of(reader: str, **facts: object) -> Kind:
    return Kind("a test file", (), (), reader=f"misbehaving_readers:{reader}", **facts)  # type: ignore[arg-type]


def run(reader: str, path: Path, limits: Limits = PATIENT, **facts: object) -> Document:
    return asyncio.run(read_apart(kind_of(reader, **facts), path, limits))


def is_held(path: Path) -> bool:
    """Whether a reader, or what it has started, still lives: inside, processes have other numbers."""
    with path.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def ends(path: Path) -> bool:
    """Waits, within bounds, for a process to be gone."""
    until = time.monotonic() + FOUND_WITHIN
    while is_held(path) and time.monotonic() < until:
        time.sleep(0.02)
    return not is_held(path)


async def begun(path: Path) -> Path:
    """Waits, within bounds, for a reader to hold its file."""
    until = time.monotonic() + FOUND_WITHIN
    while time.monotonic() < until:
        if path.exists() and path.read_text():
            return path
        await asyncio.sleep(0.02)
    raise AssertionError("the reader never began")


def test_readers_that_never_end_are_stopped_with_all_that_they_started(tmp_path: Path) -> None:
    """One that hangs, one that has started another process, and one that only says that it is getting on."""

    async def use() -> list[Document | BaseException]:
        readers = [kind_of("sleeps"), kind_of("sleeps_with_help"), kind_of("only_chatters", takes=("progress",))]
        return await asyncio.gather(
            *(read_apart(kind, tmp_path / f"{number}.bin", QUICK) for number, kind in enumerate(readers)),
            return_exceptions=True,
        )

    for stopped in asyncio.run(use()):
        assert isinstance(stopped, InvalidInput)
        assert "took longer than 4 seconds" in stopped.message
    for number in range(2):
        assert ends(tmp_path / f"{number}.held")


def test_a_reader_that_takes_all_memory_is_stopped(file: Path) -> None:
    with pytest.raises(TooLarge, match="more memory than one file may have"):
        run("allocates", file, QUICK._replace(seconds=60))


def test_a_reader_that_takes_all_time_of_the_machine_is_stopped_even_if_nobody_waits(file: Path) -> None:
    """The limit of the process itself, for a parent that is no longer there to look at the clock."""
    job = (
        '{"reader":"misbehaving_readers:spins","takes":[],"heavy":false,"beside":false,'
        '"path":"x","limits":{"seconds":1},"options":{}}'
    )
    paths = os.pathsep.join([str(Path(__file__).parent), str(Path(sys.modules["quire"].__file__ or "").parents[1])])
    command = [sys.executable, "-m", "quire.adapters.readers.child"]
    environment = {"PYTHONPATH": paths}
    child = subprocess.run(command, input=job.encode() + b"\n", env=environment, capture_output=True, timeout=60)
    assert child.returncode == -signal.SIGXCPU


def test_progress_gives_more_time_to_those_who_may_take_long(file: Path) -> None:
    limits = QUICK._replace(seconds=1, heavy_seconds=20)
    told: list[tuple[int, int | None]] = []

    async def use() -> Document:
        kind = kind_of("works_slowly", takes=("progress",))
        return await read_apart(kind, file, limits, progress=lambda done, total: told.append((done, total)))

    assert asyncio.run(use()).text == "done at last"
    assert told[-1] == (8, 8)


def test_what_libraries_print_disturbs_nothing_and_is_not_shown(file: Path) -> None:
    assert run("prints", file).text == "what was read"


def test_a_reader_that_crashes_gives_a_plain_reason(file: Path) -> None:
    with pytest.raises(InvalidInput, match="damaged, or reading it takes more memory"):
        run("crashes", file)


def test_a_fault_in_a_reader_is_not_shown(file: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        run("has_a_fault", file)
    assert caught.value.message == "The file could not be read; it may be damaged."
    assert caught.value.__cause__ is None


def test_a_missing_library_names_the_extra_to_install(file: Path) -> None:
    with pytest.raises(Unsupported) as caught:
        run("misses_a_library", file, extra="speech")
    assert caught.value.message == "Reading a test file needs an extra: quire extras add speech"


def test_a_refusal_comes_back_as_it_was(file: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        run("refuses", file)
    assert caught.value.body() == InvalidInput("The file is not to my taste.", hint="Try another.", page=3).body()


def test_marks_beyond_the_text_are_not_believed(file: Path) -> None:
    with pytest.raises(InvalidInput, match="could not be read"):
        run("lies", file)


def test_more_than_a_document_may_be_is_not_taken(file: Path) -> None:
    with pytest.raises(TooLarge, match="characters of text"):
        run("floods", file, PATIENT._replace(text_chars=1000))


def test_the_child_knows_no_secrets_of_ours(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIRE_TOKEN", "secret")
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    names = run("knows_the_environment", file).text
    assert "PATH" in names
    assert "TOKEN" not in names
    assert "KEY" not in names


def test_cancelling_stops_the_child(file: Path) -> None:
    async def use() -> Path:
        task = asyncio.create_task(read_apart(kind_of("sleeps"), file, PATIENT))
        held = await begun(file.with_suffix(".held"))
        assert is_held(held)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return held

    assert ends(asyncio.run(use()))


def test_the_child_dies_with_its_parent_even_while_it_holds_its_interpreter(file: Path) -> None:
    program = (
        "import asyncio, pathlib\n"
        "from quire.adapters.readers import Kind, Limits\n"
        "from quire.adapters.readers.process import read_apart\n"
        "busy = Kind('x', (), (), reader='misbehaving_readers:never_yields')\n"
        f"asyncio.run(read_apart(busy, pathlib.Path({str(file)!r}), Limits()))"
    )
    paths = os.pathsep.join([str(Path(__file__).parent), str(Path(sys.modules["quire"].__file__ or "").parents[1])])
    parent = subprocess.Popen([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": paths})
    try:
        held = asyncio.run(begun(file.with_suffix(".held")))
        assert is_held(held)
    finally:
        parent.kill()
        parent.wait()
    assert ends(held)


def test_the_child_has_namespaces_of_its_own_where_they_may_be_had(file: Path) -> None:
    names = ("net", "ipc", "uts", "pid", "mnt")
    probe = subprocess.run(["unshare", "--net", "--map-current-user", "true"], capture_output=True)
    if probe.returncode != 0:
        pytest.skip("no namespaces may be made here")
    inside = json.loads(run("looks_around", file).text)
    assert {name for name in names if inside[name] == os.readlink(f"/proc/self/ns/{name}")} == set()
    assert inside["interfaces"] == ["lo"]
    assert inside["processes"] == ["1", "2"]


def test_files_are_read_at_the_same_time_in_processes_of_their_own(tmp_path: Path) -> None:
    async def use() -> list[str]:
        paths = []
        for number in range(3):
            path = tmp_path / f"{number}.csv"
            path.write_text(f"name,value\nrow,{number}")
            paths.append(path)
        return [document.text for document in await asyncio.gather(*(read(path, "csv") for path in paths))]

    assert [text.rpartition("\n")[2] for text in asyncio.run(use())] == [f"| row | {number} |" for number in range(3)]


def test_a_kind_that_nobody_reads_says_why(file: Path) -> None:
    with pytest.raises(InvalidInput, match="Unpack it"):
        asyncio.run(read(file, "archive"))
    with pytest.raises(Unsupported, match="no reader for the kind 'spoon'"):
        asyncio.run(read(file, "spoon"))
    with pytest.raises(NotFound):
        asyncio.run(read(file.with_name("gone"), "text"))


def test_a_gigabyte_of_text_is_refused_by_its_size(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    with path.open("wb") as sparse:
        sparse.truncate(1024**3)
    with pytest.raises(TooLarge, match="a text file may have 80,000,000 bytes"):
        asyncio.run(read(path, "text"))


def test_a_long_text_is_read_apart_and_gives_the_same(tmp_path: Path) -> None:
    path = tmp_path / "long.md"
    path.write_text("# Top\n\n" + "Some words that repeat. " * 250_000)
    document = asyncio.run(read(path, "markdown"))
    assert document.text == path.read_text().strip(" ")
    assert document.title == "Top"
    assert KINDS["markdown"].textual
