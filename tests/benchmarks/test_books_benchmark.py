"""The benchmark of books runs, finds what ripgrep finds, and tells everything. How fast anything was is not asked."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "books.py"


@pytest.mark.long
@pytest.mark.skipif(not (shutil.which("rg") and shutil.which("zip")), reason="ripgrep and zip are not installed")
def test_the_benchmark_prints_a_table_and_writes_the_same_as_json(tmp_path: Path) -> None:
    file = tmp_path / "books.json"
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--small", "--json", str(file)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    head, *lines = done.stdout.splitlines()
    assert head.split() == ["Quire", "bare", "ratio", "goal"]
    rows = json.loads(file.read_text(encoding="utf-8"))["rows"]
    assert len(rows) == len(lines) == 24
    for row, line in zip(rows, lines, strict=True):
        assert line.startswith(row["name"])
        assert row["quire"] > 0
        assert row["bare"] > 0
        assert row["met"] == (row["ratio"] <= row["goal"]) == line.endswith("✓")
