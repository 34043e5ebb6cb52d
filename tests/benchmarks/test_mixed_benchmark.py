"""The benchmark of calls beside other work runs, and tells everything it should. How fast anything was is not asked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "mixed.py"
NAMES = ["ask", "search", "get_note", "a small file, read"]


@pytest.mark.long
def test_the_benchmark_prints_a_table_and_writes_the_same_as_json(tmp_path: Path) -> None:
    file = tmp_path / "mixed.json"
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--small", "--json", str(file)], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    head, *lines = done.stdout.splitlines()
    assert head.split() == ["idle", "95", "%", "busy", "95", "%", "ratio", "goal", "95", "%", "goal"]
    rows = json.loads(file.read_text(encoding="utf-8"))["rows"]
    assert [row["name"] for row in rows] == NAMES
    assert [(row["goal"], row["goal_p95"]) for row in rows] == [(2.0, 4.0)] * 3 + [(4.0, None)]
    for row, line in zip(rows, lines, strict=True):
        assert 0 < row["idle"] <= row["idle_p95"]
        assert 0 < row["busy"] <= row["busy_p95"]
        assert line.startswith(row["name"])
        assert f"{row['ratio']:.2f}" in line
        assert line.endswith("✓" if row["met"] else "✗")
