"""CONTRIBUTING's recipes, each applied to a copy of the source; the relevant part of the suite runs on the copy."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCK = re.compile(r'^```\w+ file=(\S+)(?: (before|instead)="((?:[^"\\]|\\.)*)")?\n(.*?)^```$', re.M | re.S)
COPIED = ("src", "tests", "docs", "scripts", "benchmarks")
SECONDS = 300
GENERATED = ("src/quire/entry/sync_types.pyi", "docs/reference.md")

# The tests that a change of this kind can break, and what of them.
RELEVANT = {
    "A capability": [
        "tests/capabilities/test_stale_notes.py",
        "tests/capabilities/test_roles.py",
        "tests/test_architecture.py::test_the_engine_does_what_is_declared_in_the_scope_of_the_call",
        "tests/docs/test_reference.py",
        "tests/adapters/test_named_queries.py",
        "tests/entry/test_cli.py::test_every_command_teaches_itself[list_stale_notes]",
        "tests/entry/test_cli.py::test_every_capability_runs_as_a_command_and_answers_programs_in_json[list_stale_notes]",
        "tests/entry/test_cli.py::test_every_capability_shows_people_something_readable[list_stale_notes]",
    ],
    "A reader of files": [
        "tests/adapters/readers/test_reading_contacts.py",
        "tests/adapters/readers/test_reading_kinds.py",
        "tests/domain/test_source_kinds.py",
    ],
    "A method of NotebookLM's": [
        "tests/notebooklm/test_counting_notes.py",
        "tests/notebooklm/test_methods.py",
    ],
    "A method of an engine": ["tests/entry/test_second_engine.py"],
}


def derives(files: set[str]) -> bool:
    """Whether something is derived from these files."""
    return any(file.startswith("src/quire/api/") for file in files)


def section(title: str) -> str:
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def applied(title: str, folder: Path) -> set[str]:
    """A recipe's blocks put in their places; returns the files that they are for."""
    files = set()
    for file, how, anchor, text in BLOCK.findall(section(title)):
        files.add(file)
        path = folder / file
        if not path.exists():
            path.write_text(text, encoding="utf-8")
            continue
        old, anchor = path.read_text(encoding="utf-8"), anchor.replace('\\"', '"').replace("\\n", "\n")
        if how:
            assert old.count(anchor) == 1, f"{file} has {old.count(anchor)} times {anchor!r}"
            new = text if how == "before" else text.removesuffix("\n")
            path.write_text(old.replace(anchor, new + anchor if how == "before" else new), encoding="utf-8")
        else:
            path.write_text(f"{old}{text}" if path.suffix == ".sql" else f"{old}\n{text}", encoding="utf-8")
    return files


def run(folder: Path, *command: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "PYTEST_ADDOPTS": ""}
    for name in [name for name in environment if name.startswith(("QUIRE_", "PYTEST_XDIST"))]:
        del environment[name]
    done = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, env=environment, cwd=folder, timeout=SECONDS
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-6_000:]
    return done.stdout


def copied(folder: Path) -> Path:
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "results"))
    for name in ("pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "constraints.txt"):
        shutil.copy(ROOT / name, folder / name)
    return folder


def generate(folder: Path) -> None:
    run(folder, "scripts/make_stub.py")
    run(folder, "-m", "quire.entry.reference")


def run_relevant(folder: Path, *titles: str) -> None:
    tests = [test for title in titles for test in RELEVANT[title]]
    missing = [test for test in tests if not (folder / test.partition("::")[0]).exists()]
    assert missing == []
    # What holds on both databases holds on the one that needs no server; queries are compared without either.
    chosen = ["-m", "not long", "-k", "not postgres or named_queries"]
    told = run(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen, *tests)
    assert " passed" in told


@pytest.mark.parametrize("title", RELEVANT)
def test_a_recipe_names_every_file_that_it_takes(title: str, tmp_path: Path) -> None:
    for file, _, _, _ in BLOCK.findall(section(title)):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / file).exists():
            shutil.copy(ROOT / file, tmp_path / file)
    files = applied(title, tmp_path)
    assert files
    if derives(files):
        files.update(GENERATED)
    listed = {
        name for row in re.findall(r"^\| (`[^|]+) \|", section(title), re.M) for name in re.findall(r"`(\S+?)`", row)
    }
    assert files <= listed, "the table must name every file"


@pytest.mark.timeout(2 * SECONDS)
def test_the_recipes_work_as_they_stand(tmp_path: Path) -> None:
    """All on one copy: none of them changes what another one is about."""
    copied(tmp_path)
    for title in RELEVANT:
        applied(title, tmp_path)
    generate(tmp_path)
    run_relevant(tmp_path, *RELEVANT)


@pytest.mark.long
@pytest.mark.parametrize("title", RELEVANT)
def test_a_recipe_works_by_itself(title: str, tmp_path: Path) -> None:
    copied(tmp_path)
    if derives(applied(title, tmp_path)):
        generate(tmp_path)
    run_relevant(tmp_path, title)
