"""The house as docs/how-it-is-built.md describes it, checked on the source itself."""

from __future__ import annotations

import ast
import inspect
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from functools import cache
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
    "text": ({"domain", "ports", "text"}, {"pydantic", "pydantic_core", "snowballstemmer"}),
    "api": ({"domain", "ports", "api"}, {"pydantic", "pydantic_core"}),
    "studio": ({"domain", "ports", "text", "studio"}, {"pydantic", "pydantic_core"}),
    "local": ({"domain", "ports", "text", "studio", "api", "local"}, {"pydantic", "pydantic_core"}),
    "adapters": ({"domain", "ports", "text", "adapters"}, None),
    "notebooklm": ({"domain", "ports", "api", "notebooklm"}, {"pydantic", "pydantic_core", "h11", "cryptography"}),
    "entry": ({"domain", "ports", "api", "notebooklm", "entry"}, None),
}
# The files that know which engine there is, and which adapter fills which port.
BOOTSTRAP = {"adapters", "local", "text"}
BOOTSTRAP_FILES = {"bootstrap.py", "bootstrap_models.py", "bootstrap_google.py"}
FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "base", "core", "impl", "misc"}
MOST_LINES = 400
MOST_ANCESTORS = 3
MOST_BROAD_EXCEPTS = 9


@cache
def nodes_of(file: Path) -> tuple[ast.AST, ...]:
    """The syntax tree of a file, the whole first and its parts after it."""
    return tuple(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))


def ring_of(file: Path) -> str:
    first = file.relative_to(PACKAGE).parts[0]
    return first if first in RINGS else "entry"


def imported(file: Path) -> Iterator[str]:
    """Every module that a file imports, late imports and those for type checkers included."""
    for node in nodes_of(file):
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
                room = rest.split(".")[0]
                known_by_bootstrap = file.name in BOOTSTRAP_FILES and room in BOOTSTRAP
                allowed = room in ours or known_by_bootstrap or rest in ("", "__version__")
            else:
                allowed = first in STDLIB or foreign is None or first in foreign
            if not allowed:
                wrong.append(f"{file.relative_to(PACKAGE)} imports {module}")
    assert wrong == []


def test_every_folder_of_the_package_is_a_ring() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == set(RINGS)


def module_of(file: Path) -> str:
    return ".".join(["quire", *file.relative_to(PACKAGE).with_suffix("").parts]).removesuffix(".__init__")


def test_no_modules_import_each_other_not_even_late() -> None:
    """Imports for type checkers alone are no dependency; those inside functions are."""
    modules = {module_of(file): file for file in FILES}
    graph = {name: imports_when_run(file) & (modules.keys() - {name}) for name, file in modules.items()}
    while leaves := [name for name, needs in graph.items() if not needs]:
        for name in leaves:
            del graph[name]
        graph = {name: needs.difference(leaves) for name, needs in graph.items()}
    # What is left is a cycle, or leads to one.
    used = set().union(*graph.values())
    assert sorted(graph.keys() & used) == []


def imports_when_run(file: Path) -> set[str]:
    """The modules of ours that a file imports, at once or late."""
    found: set[str] = set()
    waiting: list[ast.AST] = [nodes_of(file)[0]]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{name.name}" for name in node.names}
            modules = {one for one in inner if (PACKAGE.parent / one.replace(".", "/")).with_suffix(".py").exists()}
            packages = {one for one in inner if (PACKAGE.parent / one.replace(".", "/") / "__init__.py").exists()}
            found |= modules | packages if len(modules | packages) == len(inner) else modules | packages | {node.module}
        waiting += ast.iter_child_nodes(node)
    return found


def test_classes_are_made_of_parts_rather_than_of_ancestors() -> None:
    bases: dict[str, list[str]] = {}
    for file in FILES:
        for node in nodes_of(file):
            if isinstance(node, ast.ClassDef):
                bases[node.name] = [ast.unparse(base).partition("[")[0].split(".")[-1] for base in node.bases]

    def ancestors(name: str) -> set[str]:
        found: set[str] = set()
        waiting = [name]
        while waiting:
            own = {base for base in bases[waiting.pop()] if base in bases} - found - {name}
            found |= own
            waiting += own
        return found

    # Errors are told apart by their classes.
    many = {name: sorted(ancestors(name)) for name in bases if len(ancestors(name)) > MOST_ANCESTORS}
    assert {name: found for name, found in many.items() if "QuireError" not in found} == {}


def test_only_scopes_reach_the_store() -> None:
    """What a call may see or change is checked in its scope; so no other file of the engine holds a store."""
    allowed = {"scope.py", "engine.py", "parts.py"}
    found = []
    for file in (PACKAGE / "local").rglob("*.py"):
        if file.name in allowed and file.parent.name == "local":
            continue
        for node in nodes_of(file):
            if isinstance(node, ast.ImportFrom) and node.module == "quire.ports.store":
                found += [f"{file.name} imports Store" for name in node.names if name.name == "Store"]
            if isinstance(node, ast.Attribute) and node.attr in ("store", "_store", "parts"):
                found.append(f"{file.name}:{node.lineno} uses .{node.attr}")
            if isinstance(node, ast.Name) and node.id == "Parts":
                found.append(f"{file.name}:{node.lineno} names Parts")
    assert found == []


def test_the_engine_does_what_is_declared_in_the_scope_of_the_call() -> None:
    """Each method takes the scope, and then the declared arguments, without the notebook that the scope resolved."""
    from quire.api.capability import Declared
    from quire.api.library import Library
    from quire.entry.bootstrap import build
    from quire.entry.settings import load

    engine = build(load({"store": "memory"}, {})).engine
    wrong = []
    for name, noun in Library.nouns.items():
        declared = {one.name: one for one in (getattr(m, "declared", None) for m in vars(noun).values()) if one}
        for one in declared.values():
            assert isinstance(one, Declared)
            method = getattr(engine.done_by(name), one.name, None)
            if method is None:
                wrong.append(f"{name}.{one.name} is missing")
                continue
            resolved = {"notebook_id"} if one.facts.of else set()
            # Where an argument has that name, the scope goes by another, and by its place alone.
            first = "call" if "scope" in one.parameters else "scope"
            wanted = [first, *(parameter for parameter in one.parameters if parameter not in resolved)]
            taken = list(inspect.signature(method).parameters)
            if taken != wanted:
                wrong.append(f"{name}.{one.name} takes {taken}, not {wanted}")
    assert wrong == []


def test_callers_are_not_taken_for_local_unless_a_door_says_so() -> None:
    from quire.api.context import Context

    assert Context().local is False
    saying = {
        str(file.relative_to(PACKAGE))
        for file in FILES
        for node in nodes_of(file)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Context"
        for keyword in node.keywords
        if keyword.arg == "local"
    }
    assert {file for file in saying if not file.startswith("entry/")} == set()


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
        for node in nodes_of(file):
            if isinstance(node, ast.ExceptHandler):
                caught = ast.unparse(node.type) if node.type else ""
                if caught in ("", "Exception", "BaseException"):
                    found.append(f"{file.relative_to(PACKAGE)}:{node.lineno}")
    assert len(found) <= MOST_BROAD_EXCEPTS, found
    assert [place for place in found if place.startswith("domain")] == []


def test_the_text_engine_only_hands_a_transaction_on() -> None:
    used = []
    for file in (file for file in FILES if ring_of(file) == "text"):
        for node in nodes_of(file):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "tx":
                used.append(f"{file.relative_to(PACKAGE)}:{node.lineno}")
    assert used == []


def test_only_ways_in_print() -> None:
    found = []
    for file in (file for file in FILES if ring_of(file) != "entry"):
        for node in nodes_of(file):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("print", "sys.stdout.write"):
                found.append(f"{file.relative_to(PACKAGE)}:{node.lineno}")
    assert found == []


def test_the_mcp_door_loads_only_what_it_needs_to_answer(tmp_path: Path) -> None:
    """`initialize` waits for these imports, so declarations, the engine, the CLI and the page come later."""
    late = {"quire.api.library", "quire.local.engine", "quire.entry.mcp.offer", "quire.entry.cli"}
    late |= {"psycopg", "rich", "numpy", "jinja2", "yaml", "markdown_it"}
    program = (
        "import sys; from quire.entry.mcp import main; main(['--home', sys.argv[1]]);"
        f"print(sorted({late!r} & set(sys.modules)), file=sys.stderr)"
    )
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    asked = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
    command = [sys.executable, "-c", program, tmp_path / "home"]
    done = subprocess.run(command, input=asked + "\n", capture_output=True, text=True, check=True, timeout=60)
    assert json.loads(done.stdout)["result"]["serverInfo"]["name"] == "quire"
    assert done.stderr == "[]\n"


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
