"""The command line as a process of its own: pipes, signals, a terminal, and what it loads."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from command_line import quire_here

from quire.entry.bootstrap import offered
from warm_start import warm_python

PATIENCE = 60
COLD = (sys.executable,)


def quire(
    home: Path, *arguments: str, input: bytes | None = None, python: tuple[str, ...] = (), **environment: str
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*(python or warm_python()), "-m", "quire", *arguments],
        input=b"" if input is None else input,
        capture_output=True,
        env=surroundings(home, **environment),
        timeout=PATIENCE,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def surroundings(home: Path, **environment: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("QUIRE_")}
    return kept | {"QUIRE_HOME": str(home)} | environment


@contextmanager
def started(home: Path, *arguments: str, **streams: Any) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [*warm_python(), "-m", "quire", *arguments],
        env=surroundings(home),
        **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "bufsize": 0} | streams,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(PATIENCE)
        for stream in (process.stdout, process.stderr):
            if stream:
                stream.close()


def next_line(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert process.stdout is not None
    assert select.select([process.stdout], [], [], PATIENCE)[0], "nothing came"
    line: dict[str, Any] = json.loads(process.stdout.readline())
    return line


def here(home: Path, *arguments: str) -> Any:
    """The result of a command beside the one that is tested."""
    return json.loads(quire_here(home, *arguments, "--json").stdout)


def test_the_main_path_from_first_note_to_last(tmp_path: Path) -> None:
    added = quire(tmp_path, "note", "add", "Roadmap", "What comes next", "--json", python=COLD)
    assert (added.returncode, added.stderr) == (0, "")
    id = json.loads(added.stdout)["short_id"]
    assert id in quire(tmp_path, "note", "list", python=COLD).stdout
    assert b"**comes**" in quire_here(tmp_path, "note", "search", "comes").stdout
    assert quire_here(tmp_path, "note", "update", id, "--content", "New").returncode == 0
    assert quire_here(tmp_path, "note", "get", id).stdout.splitlines()[-1] == b"New"
    assert quire(tmp_path, "note", "delete", id, "--yes").returncode == 0
    assert quire(tmp_path, "note", "get", id).returncode == 4


def test_a_text_is_read_from_standard_input_byte_for_byte(tmp_path: Path) -> None:
    text = "  first\r\nzweite Zeile 📝\n\n"
    for arguments in (("Title", "-"), ("Title", "--content", "-")):
        done = quire(tmp_path, "note", "add", *arguments, "--json", input=text.encode())
        assert json.loads(done.stdout)["content"] == text


def test_a_file_and_the_arguments_can_come_from_standard_input(tmp_path: Path) -> None:
    done = quire(tmp_path, "note", "import", "-", "--json", input=b"# One\n\n# Two\n")
    assert json.loads(done.stdout)["result"] == {"notes": 2}
    done = quire(tmp_path, "note", "list", "--input", "-", "--json", input=b'{"limit": 1}')
    assert len(json.loads(done.stdout)["items"]) == 1
    both = quire(tmp_path, "note", "add", "Title", "-", "--input", "-", input=b"{}")
    assert both.returncode == 2
    assert "Only one thing" in both.stderr


def test_standard_input_that_is_no_text_is_refused(tmp_path: Path) -> None:
    for input in (b"\xff\xfe", b"a\0b"):
        done = quire(tmp_path, "note", "add", "Title", "-", input=input)
        assert (done.returncode, done.stdout) == (2, "")


def test_json_is_utf8_in_any_locale(tmp_path: Path) -> None:
    old = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "latin-1"}
    here(tmp_path, "note", "add", "📝")
    assert json.loads(quire(tmp_path, "note", "list", "--json", python=COLD, **old).stdout)["items"][0]["title"] == "📝"
    assert quire(tmp_path, "note", "list", python=COLD, **old).returncode == 0


def test_a_setting_that_is_no_good_is_named_with_its_origin(tmp_path: Path) -> None:
    done = quire(tmp_path, "note", "list", QUIRE_PORT="eight")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Setting 'port' (environment) is not valid" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_a_terminal_nothing_is_destroyed_unless_told(tmp_path: Path) -> None:
    id = here(tmp_path, "note", "add", "x")["short_id"]
    done = quire(tmp_path, "note", "delete", id, input=b"y\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--yes" in done.stderr
    assert here(tmp_path, "note", "get", id)["short_id"] == id


@pytest.mark.parametrize(("answer", "code", "left"), [(b"y\n", 0, 0), (b"n\n", 1, 1), (b"\n", 1, 1), (b"\x04", 1, 1)])
def test_on_a_terminal_destroying_asks_first(tmp_path: Path, answer: bytes, code: int, left: int) -> None:
    id = here(tmp_path, "note", "add", "x")["short_id"]
    master, slave = pty.openpty()
    try:
        with started(tmp_path, "note", "delete", id, "--json", stdin=slave, stderr=slave) as process:
            shown = b""
            while b"[y/N]" not in shown:
                assert select.select([master], [], [], PATIENCE)[0], "it did not ask"
                shown += os.read(master, 1000)
            os.write(master, answer)
            assert process.stdout is not None
            out = process.stdout.read()
            assert process.wait(PATIENCE) == code
    finally:
        os.close(master)
        os.close(slave)
    assert f"Delete note {id}?".encode() in shown
    assert bool(out) == (code == 0)
    assert here(tmp_path, "note", "list")["total"] == left


def test_progress_is_drawn_on_a_terminal_and_the_result_stays_clean(tmp_path: Path) -> None:
    file = tmp_path / "many.md"
    file.write_text("".join(f"# Note {number}\n\ntext\n\n" for number in range(300)))
    master, slave = pty.openpty()
    try:
        with started(tmp_path, "note", "import", str(file), "--json", stderr=slave) as process:
            assert process.stdout is not None
            out = process.stdout.read()
            assert process.wait(PATIENCE) == 0
        drawn = os.read(master, 100_000)
    finally:
        os.close(master)
        os.close(slave)
    assert "━".encode() in drawn
    assert json.loads(out)["result"] == {"notes": 300}


def test_watch_follows_other_processes_until_ctrl_c(tmp_path: Path) -> None:
    here(tmp_path, "note", "add", "First")
    with started(tmp_path, "note", "watch", "--after", "0", "--json") as process:
        assert next_line(process)["note"]["title"] == "First"
        quire(tmp_path, "note", "add", "Second")
        line = next_line(process)
        assert (line["change"], line["note"]["title"]) == ("created", "Second")
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_watch_ends_when_its_reader_leaves_even_if_nothing_happens(tmp_path: Path) -> None:
    here(tmp_path, "note", "add", "First")
    with started(tmp_path, "note", "watch", "--after", "0", "--json") as process:
        next_line(process)
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(PATIENCE) == 0
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "many.md"
    file.write_text("".join(f"# Note {number}\n\n{'text ' * 200}\n\n" for number in range(500)))
    here(tmp_path, "note", "import", str(file))
    with started(tmp_path, "note", "list", "--limit", "500", "--json") as process:
        assert process.stdout is not None
        assert process.stdout.read(1) == b"{"
        process.stdout.close()
        assert process.wait(PATIENCE) == 0
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_ctrl_c_cancels_the_job_that_is_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "many.md"
    file.write_text("".join(f"# Note {number}\n\n{'text ' * 100}\n\n" for number in range(20_000)))
    with started(tmp_path, "note", "import", str(file)) as process:
        wait_for(lambda: job(tmp_path)["done"] > 0)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        assert process.stdout is not None
        assert process.stdout.read() == b""
    ended = job(tmp_path)
    assert ended["state"] == "cancelled"
    assert 0 < ended["done"] < 20_000
    assert here(tmp_path, "note", "list", "--limit", "1")["total"] == ended["done"]


def wait_for(condition: Any) -> None:
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.02)


def job(home: Path) -> dict[str, Any]:
    """The only job, as the database has it."""
    try:
        with closing(sqlite3.connect(f"file:{home}/quire.db?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            row = connection.execute("SELECT * FROM job").fetchone()
            return dict(row) if row else {"done": 0}
    except sqlite3.OperationalError:
        return {"done": 0}


HEAVY = {"mcp", "uvicorn", "starlette", "psycopg", "numpy", "opendal", "jinja2"}


@pytest.mark.parametrize(
    ("line", "more"),
    [("--help", {"rich", "sqlite3"}), ("note --help", {"rich"}), ("note list", set()), ("note list --json", {"rich"})],
)
def test_a_command_loads_only_what_it_needs(tmp_path: Path, line: str, more: set[str]) -> None:
    program = (
        "import sys; from quire.__main__ import main; code = main();"
        f"print(sorted({HEAVY | more!r} & set(sys.modules)), file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *line.split()],
        capture_output=True,
        text=True,
        env=surroundings(tmp_path),
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stderr) == (0, "[]\n")


def test_mcp_is_dispatched_before_click_is_loaded(tmp_path: Path) -> None:
    program = (
        "import sys; from quire.__main__ import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(sorted({'click', 'rich', 'sqlite3', 'psycopg'} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "mcp", "--help"],
        capture_output=True,
        text=True,
        env=surroundings(tmp_path),
        timeout=PATIENCE,
    )
    assert done.stderr == "[]\n"
    assert "quire mcp" in done.stdout
    toolsets = {capability.toolset for capability in offered()}
    assert toolsets <= set(re.findall(r"\w+", done.stdout.partition("Toolsets:")[2]))


def test_options_before_mcp_are_passed_on(tmp_path: Path) -> None:
    done = quire(tmp_path, "--store", "memory", "mcp", "--toolsets", "nonsense")
    assert done.returncode == 2
    assert "nonsense" in done.stderr
