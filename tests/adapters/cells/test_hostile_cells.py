"""Hostile cells, as root and as an ordinary user: each is stopped or denied, and others go on."""

from __future__ import annotations

import ast
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

import quire

HERE = Path(__file__).parent
NOBODY = 65534
SECRET = "a-secret-of-the-server"


@pytest.fixture(scope="module")
def rounds() -> Iterator[dict[str, subprocess.Popen[str]]]:
    """Both at once, since most cells are waited for."""
    with ExitStack() as ending:
        users = ["root", "user"] if os.geteuid() == 0 else ["user"]
        yield {user: ending.enter_context(hostile_round(user)) for user in users}


@contextmanager
def hostile_round(user: str) -> Iterator[subprocess.Popen[str]]:
    place = Path(tempfile.mkdtemp(prefix="quire-hostile-"))
    (place / "tmp").mkdir()
    argv = [sys.executable, str(HERE / "hostile_cells.py"), str(place / "home"), SECRET]
    if user == "user" and os.geteuid() == 0:
        for path in (place, place / "tmp"):
            os.chown(path, NOBODY, NOBODY)
        argv = as_nobody(argv)
    environment = {"PATH": os.environ["PATH"], "HOSTILE_SECRET": SECRET, "TMPDIR": str(place / "tmp"), "HOME": "/"}
    environment["PYTHONPATH"] = str(Path(quire.__file__).parents[1])
    with subprocess.Popen(
        argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, cwd="/"
    ) as process:
        yield process
        process.kill()
    shutil.rmtree(place)


@pytest.fixture(scope="module", params=["root", "user"])
def told(request: pytest.FixtureRequest, rounds: dict[str, subprocess.Popen[str]]) -> dict[str, Any]:
    """What became of every hostile cell."""
    if request.param not in rounds:
        pytest.skip("only root can become somebody else")
    output, errors = rounds[request.param].communicate(timeout=500)
    assert rounds[request.param].returncode == 0, errors
    found: dict[str, Any] = json.loads(output)
    return found


def as_nobody(argv: list[str]) -> list[str]:
    """The command as a user without rights. Where Python lies in a closed folder, that user is shown it alone."""
    needed = {Path(sys.base_prefix), Path(sys.prefix), HERE.parents[2]}
    steps = []
    for closed in {folder for path in needed for folder in path.parents if not folder.stat().st_mode & 0o001}:
        inside = [path for path in needed if path.is_relative_to(closed)]
        aside = tempfile.mkdtemp(prefix="quire-aside-")
        for number, path in enumerate(inside):
            steps.append(f"mkdir -p {aside}/{number} && mount --bind {shlex.quote(str(path))} {aside}/{number}")
        steps.append(f"mount -t tmpfs -o mode=755 closed {closed}")
        for number, path in enumerate(inside):
            steps.append(f"mkdir -p {shlex.quote(str(path))} && mount --move {aside}/{number} {shlex.quote(str(path))}")
        steps.append(f"rm -r {aside}")
    drop = f"setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups {shlex.join(argv)}"
    return ["unshare", "--mount", "sh", "-ec", "\n".join([*steps, "cd /", f"exec {drop}"])]


EXPECTED = {
    "loop": "timed_out",
    "stubborn loop": "timed_out",
    "memory": "failed",
    "shared memory": "failed",
    "kill": "ok",
    "reading": "ok",
    "writing": "ok",
    "network": "ok",
    "power": "ok",
    "keys": "ok",
    "nested": "ok",
    "seen": "ok",
    "exit": "died",
}


def test_each_is_stopped_or_denied(told: dict[str, Any]) -> None:
    assert {name: told[name]["status"] for name in EXPECTED} == EXPECTED, told
    assert told["fork bomb"]["status"] in ("timed_out", "died")
    for name in ("memory", "shared memory"):
        assert "got it" not in told[name]["text"]
    for name in ("reading", "network", "power", "keys", "nested", "seen"):
        assert ast.literal_eval(told[name]["text"]) == [], name
    assert told["writing"]["text"].startswith("[] [")
    assert "still here" in told["kill"]["text"]


def test_output_without_end_is_cut(told: dict[str, Any]) -> None:
    for name in ("long output", "one long output"):
        assert told[name]["status"] in ("ok", "failed")
        assert 0 < told[name]["length"] < 300_000


def test_others_keep_their_state_and_nothing_is_left(told: dict[str, Any]) -> None:
    assert told["harmless"] == {"status": "ok", "text": "42\n", "length": 0, "say": ""}
    assert told["fresh"]["text"] == "False\n"
    assert told["left"] == []
