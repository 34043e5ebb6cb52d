"""Folders and control groups of sandboxes: whose they are, and what is done with those of a server that was killed."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from quire.adapters.cells import places
from quire.adapters.cells.control_group import ControlGroup, delegated
from quire.adapters.cells.places import Place

KILLED = """
import os, subprocess, sys
from quire.adapters.cells.places import Place

place = Place.make({"a": "{shared}"}, None)
left = subprocess.Popen(["sleep", "3600"], start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
place.occupied_by(left.pid)
print(place.folder, left.pid, flush=True)
os.kill(os.getpid(), 9)
"""


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def ended(pid: int) -> bool:
    """Whether a process is gone, or waits only for its parent to look at how it ended."""
    try:
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_what_a_killed_server_left_is_ended_and_removed_and_what_others_have_is_not(tmp_path: Path) -> None:
    mine = Place.make({"b": "x {shared}"}, None)
    assert (mine.shared / "b").read_text() == f"x {mine.shared}"
    sources = str(Path(places.__file__).parents[3])
    environment = {"PYTHONPATH": sources, "TMPDIR": str(tmp_path)}
    died = subprocess.run([sys.executable, "-c", KILLED], capture_output=True, text=True, env=environment, timeout=60)
    folder, pid = died.stdout.split()
    unlocked = tmp_path / f"{places.PREFIX}half-made"
    unlocked.mkdir()
    assert Path(folder).is_dir()
    os.kill(int(pid), 0)
    assert places.sweep() == 1
    assert not Path(folder).exists()
    while not ended(int(pid)):
        time.sleep(0.01)
    assert mine.folder.is_dir()
    assert unlocked.is_dir()
    os.utime(unlocked, (0, 0))
    assert places.sweep() == 1
    assert not unlocked.exists()
    mine.remove()
    assert places.sweep() == 0


def test_a_folder_that_is_a_link_or_tells_of_another_process_harms_nobody(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / f"{places.PREFIX}link").symlink_to(elsewhere)
    wrong = tmp_path / f"{places.PREFIX}wrong"
    wrong.mkdir()
    (wrong / places.OWNER).write_text(f'{{"pid": {os.getpid()}, "born": "1"}}')
    assert places.sweep() == 1
    assert elsewhere.is_dir()


def pretended(tmp_path: Path, controllers: str) -> Path:
    """A process and a tree of control groups, as far as files can pretend."""
    tree = tmp_path / "cgroup"
    own = tree / "user.slice" / "app.slice" / "quire.service"
    own.mkdir(parents=True)
    for group in (tree, tree / "user.slice", own.parent, own):
        (group / "cgroup.procs").touch()
        (group / "cgroup.subtree_control").write_text("" if group == own else controllers)
    process = tmp_path / "process"
    process.mkdir()
    (process / "cgroup").write_text("1:name=systemd:/\n0::/user.slice/app.slice/quire.service\n")
    (process / "mountinfo").write_text(f"30 23 0:26 / {tree} rw,nosuid shared:4 - cgroup2 cgroup2 rw\n")
    return process


def test_a_control_group_is_made_beside_that_of_the_server_where_it_divides_memory(tmp_path: Path) -> None:
    parent = delegated(pretended(tmp_path, "cpu memory pids"))
    assert parent == tmp_path / "cgroup" / "user.slice" / "app.slice"


@pytest.mark.parametrize("controllers", ["", "memory", "pids cpu"])
def test_where_no_group_divides_both_there_is_none(tmp_path: Path, controllers: str) -> None:
    assert delegated(pretended(tmp_path, controllers)) is None


def test_a_machine_without_control_groups_has_none(tmp_path: Path) -> None:
    assert delegated(tmp_path) is None


def test_a_group_that_cannot_be_limited_is_given_up(tmp_path: Path) -> None:
    assert ControlGroup.make(1, 1, tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def test_a_group_is_limited_told_of_and_removed(tmp_path: Path) -> None:
    if delegated() is None:
        pytest.skip("this machine lends no control group")
    group = ControlGroup.make(64 * 1024 * 1024, 20)
    assert group is not None
    assert (group.folder / "memory.max").read_text() == "67108864\n"
    assert (group.folder / "pids.max").read_text() == "20\n"
    assert not group.exceeded()
    group.remove()
    assert not group.folder.exists()
