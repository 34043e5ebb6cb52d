"""The benchmark of cells runs and tells everything. How fast anything was is not asked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "cells.py"


@pytest.mark.long
def test_the_benchmark_prints_a_table_and_writes_the_same_as_json(tmp_path: Path) -> None:
    file = tmp_path / "cells.json"
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--small", "--json", str(file)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    head, *lines = done.stdout.splitlines()
    assert head.split() == ["Quire", "other", "ratio", "goal"]
    rows = json.loads(file.read_text(encoding="utf-8"))["rows"]
    assert len(rows) == len(lines) == 2
    for row, line in zip(rows, lines, strict=True):
        assert line.startswith(row["name"])
        assert row["quire"] > 0
        assert row["other"] > 0
        assert row["met"] == (row["ratio"] <= row["goal"]) == line.endswith("✓")
