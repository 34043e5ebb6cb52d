"""The benchmark of the engine runs both sides against one server, and compares like with like."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
OTHER = ROOT / ".tools/notebooklm-py/bin/python"


@pytest.fixture(scope="module")
def engine() -> ModuleType:
    spec = importlib.util.spec_from_file_location("engine_benchmark", ROOT / "benchmarks/engine.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_ratio_is_the_median_of_the_rounds_own(engine: ModuleType) -> None:
    row = engine.row("list", [(1.0, 2.0), (30.0, 30.0), (1.0, 4.0)])
    assert (row["quire_ms"], row["other_ms"], row["ratio"]) == (1_000, 4_000, 0.5)


def test_the_two_take_turns_in_being_first(engine: ModuleType) -> None:
    order: list[str] = []

    def side(name: str, seconds: float) -> float:
        order.append(name)
        return seconds

    took = [engine.taken(number, lambda: side("us", 1), lambda: side("them", 2)) for number in range(2)]
    assert took == [(1, 2), (1, 2)]
    assert order == ["us", "them", "them", "us"]


@pytest.mark.long
@pytest.mark.skipif(not OTHER.exists(), reason="scripts/setup test did not run")
def test_both_sides_make_every_call(tmp_path: Path) -> None:
    command = [sys.executable, ROOT / "benchmarks/engine.py", "--rounds", "1", "--starts", "1"]
    done = subprocess.run([*command, "--json", tmp_path / "rows.json"], capture_output=True, text=True, timeout=300)
    assert "goal" in done.stdout, done.stderr
    rows = json.loads((tmp_path / "rows.json").read_text())
    assert [row["call"] for row in rows] == ["list", "get", "add text", "ask", "20 at once", "start and list"]
    assert all(row["quire_ms"] > 0 < row["other_ms"] for row in rows)
