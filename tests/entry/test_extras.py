"""quire extras: what can be added, and adding it; and where Quire does not run."""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

import quire
import quire.__main__
from quire.adapters.readers.child import Allowance
from quire.adapters.readers.limits import Limits
from quire.entry import extras
from quire.entry.cli import main

PACKAGE = Path(quire.__file__).parent


def test_every_hint_names_an_extra_that_there_is() -> None:
    hints = [
        name
        for file in PACKAGE.rglob("*.py")
        for name in re.findall(r"quire extras add (\w+)", file.read_text(encoding="utf-8"))
    ]
    assert len(hints) > 5
    assert set(hints) <= set(extras.EXTRAS)


def test_no_text_tells_to_install_the_package_that_is_somebody_elses() -> None:
    texts = [*PACKAGE.rglob("*.py"), *(PACKAGE.parents[1] / "docs").glob("*.md"), PACKAGE.parents[1] / "README.md"]
    for file in texts:
        assert not re.search(r"pip install '?\"?quire(\[|\b(?!-notebook))", file.read_text(encoding="utf-8")), file


def test_the_list_tells_what_is_there(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(extras.EXTRAS, "speech", extras.Extra("recordings", ("no_such_package",)))
    monkeypatch.setitem(extras.EXTRAS, "ocr", extras.Extra("pictures", ("json",)))
    assert main(["extras", "list", "--json"]) == 0
    told = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert (told["speech"]["installed"], told["ocr"]["installed"]) == (False, True)
    assert main(["extras", "list"]) == 0
    assert "recordings" in capsys.readouterr().out


def test_adding_has_pip_add_what_is_missing_to_this_environment(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(extras.EXTRAS, "speech", extras.Extra("recordings", ("arrives_now",)))
    monkeypatch.setitem(extras.EXTRAS, "ocr", extras.Extra("pictures", ("json",)))
    commands: list[list[str]] = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        commands.append(command)
        (tmp_path / "arrives_now.py").touch()
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", run)
    assert main(["extras", "add", "ocr", "speech"]) == 0
    assert main(["extras", "add", "ocr"]) == 0
    (command,) = commands
    assert command[:3] == [sys.executable, "-m", "pip"]
    assert command[-1] == f"quire-notebook[speech]=={quire.__version__}"
    assert "constraints.txt" in " ".join(command)


@pytest.mark.parametrize(
    ("code", "said"), [(1, "The installer did not succeed"), (0, "not all of this is there: speech")]
)
def test_what_was_not_installed_is_a_failure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, code: int, said: str
) -> None:
    monkeypatch.setitem(extras.EXTRAS, "speech", extras.Extra("recordings", ("no_such_package",)))
    monkeypatch.setattr(subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, code))
    assert main(["extras", "add", "speech"]) != 0
    assert said in capsys.readouterr().err


def test_without_pip_it_says_what_to_run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(extras.EXTRAS, "speech", extras.Extra("recordings", ("no_such_package",)))
    monkeypatch.setattr(extras.importlib.util, "find_spec", lambda name: None)
    assert main(["extras", "add", "speech"]) != 0
    assert "uv pip install --python" in capsys.readouterr().err


def test_on_windows_it_says_where_it_runs(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as there:
        there.setattr(sys, "platform", "win32")
        assert quire.__main__.main() == 1
    assert "WSL" in capsys.readouterr().err


def test_a_machine_that_sets_no_limit_of_memory_reads_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def refuse(which: int, limits: tuple[int, int]) -> None:
        asked.append(which)
        if which == resource.RLIMIT_AS:
            raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr(resource, "setrlimit", refuse)
    Allowance(Limits(), heavy=False)
    assert {resource.RLIMIT_AS, resource.RLIMIT_CPU} <= set(asked)
