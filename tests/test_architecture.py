"""The house as docs/how-it-is-built.md describes it, checked on the source itself."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src/quire"
FILES = sorted(PACKAGE.rglob("*.py"))
STDLIB = sys.stdlib_module_names

# Which of our own rings, and which foreign packages (None: any), each ring may import.
RINGS: dict[str, tuple[set[str], set[str] | None]] = {
    "domain": ({"domain"}, {"pydantic", "pydantic_core"}),
    "ports": ({"domain", "ports"}, set()),
    # A stemmer is a function from words to words.
    "text": ({"domain", "ports", "text", "local"}, {"pydantic", "pydantic_core", "snowballstemmer"}),
    "api": ({"domain", "ports", "api", "local"}, {"pydantic", "pydantic_core"}),
    "local": ({"domain", "ports", "text", "api", "local"}, {"pydantic", "pydantic_core"}),
    "adapters": ({"domain", "ports", "text", "local", "adapters"}, None),
    "notebooklm": (
        {"domain", "ports", "api", "notebooklm"},
        {"pydantic", "pydantic_core", "h11", "cryptography"},
    ),
    "entry": ({"domain", "ports", "text", "api", "local", "notebooklm", "entry"}, None),
}
FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "base", "core", "impl", "misc"}
MOST_LINES = 450
MOST_BROAD_EXCEPTS = 9


def ring_of(file: Path) -> str:
    first = file.relative_to(PACKAGE).parts[0]
    return first if first in RINGS else "entry"


def imported(file: Path) -> Iterator[str]:
    """Every module that a file imports, late imports and those for type checkers included."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: relative import"
            yield node.module or ""
            if node.module == "quire":
                yield from (f"quire.{name.name}" for name in node.names)


@pytest.mark.parametrize("ring", RINGS)
def test_imports_point_inwards(ring: str) -> None:
    ours, foreign = RINGS[ring]
    wrong = []
    for file in (file for file in FILES if ring_of(file) == ring):
        for module in imported(file):
            first, _, rest = module.partition(".")
            if first == "quire":
                known_by_bootstrap = file.name == "bootstrap.py" and rest.startswith("adapters")
                allowed = rest.split(".")[0] in ours or known_by_bootstrap or rest in ("", "__version__")
            else:
                allowed = first in STDLIB or foreign is None or first in foreign
            if not allowed:
                wrong.append(f"{file.relative_to(PACKAGE)} imports {module}")
    assert wrong == []


def test_every_folder_of_the_package_is_a_ring() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == set(RINGS)


def test_names_say_what_things_are() -> None:
    paths = [path for path in PACKAGE.rglob("*") if "__pycache__" not in path.parts]
    assert [path for path in paths if path.stem.lower() in FORBIDDEN_NAMES] == []


def test_files_stay_short() -> None:
    lengths = {file.name: file.read_text(encoding="utf-8").count("\n") for file in FILES}
    assert {name: lines for name, lines in lengths.items() if lines > MOST_LINES} == {}


def test_nothing_is_left_for_later() -> None:
    words = re.compile(r"\b(TODO|FIXME|XXX|HACK|NotImplementedError)\b")
    files = [*FILES, *PACKAGE.rglob("*.sql"), *PACKAGE.rglob("*.html"), *PACKAGE.rglob("*.js")]
    assert [file for file in files if words.search(file.read_text(encoding="utf-8"))] == []


def test_broad_excepts_are_few() -> None:
    found = []
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ExceptHandler):
                caught = ast.unparse(node.type) if node.type else ""
                if caught in ("", "Exception", "BaseException"):
                    found.append(f"{file.relative_to(PACKAGE)}:{node.lineno}")
    assert len(found) <= MOST_BROAD_EXCEPTS, found
    assert [place for place in found if place.startswith("domain")] == []


def test_only_ways_in_print() -> None:
    found = []
    for file in (file for file in FILES if ring_of(file) != "entry"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("print", "sys.stdout.write"):
                found.append(f"{file.relative_to(PACKAGE)}:{node.lineno}")
    assert found == []


def test_the_mcp_door_loads_only_what_it_needs_to_answer() -> None:
    """`initialize` waits for these imports, so drivers, the CLI and the page come later."""
    late = {"sqlite3", "psycopg", "click", "rich", "numpy", "jinja2", "quire.adapters", "quire.entry.cli"}
    program = f"import sys, quire.entry.mcp; print(sorted({late!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[]\n"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", made, ROOT]
    subprocess.run([*pip, "--disable-pip-version-check"], check=True, capture_output=True, timeout=120)
    (file,) = made.glob("*.whl")
    return file


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("quire/")}
    files = [path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert inside == {f"quire/{path.relative_to(PACKAGE)}" for path in files}
    suffixes = {Path(name).suffix for name in inside}
    assert {".py", ".pyi", ".sql", ".typed", ".html", ".css"} <= suffixes


@pytest.mark.long
def test_the_wheel_works_on_its_own(wheel: Path, tmp_path: Path) -> None:
    """A fresh environment with the wheel and its declared dependencies: every door that needs no server answers."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True, timeout=120)
    python = tmp_path / "venv/bin/python"
    install = ["-m", "pip", "-qq", "install", "--disable-pip-version-check", "-c", ROOT / "constraints.txt", wheel]
    subprocess.run([python, *install], check=True, timeout=600)
    quire = [tmp_path / "venv/bin/quire"]
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "QUIRE_HOME": str(tmp_path / "home")}

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [*quire, *arguments], capture_output=True, text=True, env=environment, cwd=tmp_path, timeout=60
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "Roadmap" in run("note", "add", "--title", "Roadmap", "--content", "From the wheel", "--json")
    assert "From the wheel" in run("note", "list", "--json")
    assert "SQLite" in run("doctor")
