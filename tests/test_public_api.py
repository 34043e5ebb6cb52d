"""What `import quire` promises."""

from __future__ import annotations

import asyncio
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import quire
from quire.domain import errors
from quire.entry.bootstrap import offered


def test_the_public_names_are_listed_in_order() -> None:
    assert quire.__all__ == sorted(quire.__all__)
    assert len(set(quire.__all__)) == len(quire.__all__)
    assert set(quire.__all__) <= set(dir(quire))


@pytest.mark.parametrize("name", quire.__all__)
def test_each_public_name_is_there_under_its_own_name(name: str) -> None:
    thing = getattr(quire, name)
    assert getattr(thing, "__name__", name) == name


def test_nothing_is_public_that_is_not_listed() -> None:
    made_here = {
        name
        for name, thing in vars(quire).items()
        if not name.startswith("_") and getattr(thing, "__module__", "") == "quire"
    }
    assert made_here == {"open", "open_sync"}
    with pytest.raises(AttributeError, match="'quire' has no attribute 'nothing'"):
        _ = quire.nothing


def test_every_error_is_public() -> None:
    classes = {name for name, thing in vars(errors).items() if inspect.isclass(thing) and issubclass(thing, Exception)}
    assert classes <= set(quire.__all__)


def test_every_type_in_a_signature_is_public() -> None:
    """Whatever a capability takes or returns of ours can be imported from `quire`."""
    named: set[str] = set()

    def collect(hint: object) -> None:
        for part in getattr(hint, "__args__", ()):
            collect(part)
        generic = getattr(hint, "__pydantic_generic_metadata__", None)
        if generic and generic["origin"]:
            named.add(generic["origin"].__name__)
            for part in generic["args"]:
                collect(part)
        elif str(getattr(hint, "__module__", "")).startswith("quire."):
            named.add(hint.__name__)

    for capability in offered():
        for hint in capability.declared.hints.values():
            collect(hint)
    assert {"Note", "Page", "Job", "Upload", "Download"} <= named
    assert named <= set(quire.__all__)


def test_importing_quire_loads_nothing_heavy() -> None:
    heavy = {"mcp", "pydantic", "asyncio", "sqlite3", "click", "rich"}
    program = f"import sys, quire; print(sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[]\n"


def test_a_library_opens_with_await_and_with_async_with(tmp_path: Path) -> None:
    async def use() -> list[str]:
        library = await quire.open(home=tmp_path)
        await library.notes.create(title="kept")
        await library.close()
        async with quire.open(home=tmp_path) as again:
            return [note.title for note in await again.notes.list()]

    assert asyncio.run(use()) == ["kept"]


def test_a_library_in_memory_leaves_no_file(tmp_path: Path) -> None:
    async def use() -> int:
        async with quire.open(home=tmp_path / "home", store="memory") as library:
            await library.notes.create(title="gone")
            return (await library.notes.list()).total

    assert asyncio.run(use()) == 1
    assert not (tmp_path / "home").exists()
