"""The benchmark runs and tells everything it should. How fast anything was is not asked here."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "mcp_overhead.py"
NAMES = [
    "cold start to initialize",
    "get_note over stdio, 2025-11-25",
    "get_note over stdio, 2026-07-28",
    "get_note over HTTP, 2025-11-25",
    "get_note over HTTP, 2026-07-28",
    "list 200 of 300 notes",
    "search 300 notes, 9 found",
    "search 300 notes, 150 found",
    "search 300 notes, 0 found",
]
GOALS = [1.2, *[1.3] * 4, *[2.0] * 4]


@pytest.mark.long
def test_the_benchmark_prints_a_table_and_writes_the_same_as_json(tmp_path: Path) -> None:
    file = tmp_path / "overhead.json"
    counts = ["--starts", "1", "--rounds", "1", "--calls", "3", "--notes", "300"]
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *counts, "--json", str(file)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    head, *lines = done.stdout.splitlines()
    assert head.split() == ["Quire", "bare", "ratio", "goal"]
    told = json.loads(file.read_text(encoding="utf-8"))
    assert (told["starts"], told["rounds"], told["calls"], told["notes"]) == (1, 1, 3, 300)
    assert [row["name"] for row in told["rows"]] == NAMES
    assert [row["goal"] for row in told["rows"]] == GOALS
    for row, line in zip(told["rows"], lines, strict=True):
        assert row["quire"] > 0
        assert row["bare"] > 0
        assert row["met"] == (row["ratio"] <= row["goal"])
        form = rf"{re.escape(row['name'])} +[\d.]+ ms +[\d.]+ ms +{row['ratio']:.2f} +{row['goal']:.2f} [✓✗]"
        assert re.fullmatch(form, line)
        assert line.endswith("✓") == row["met"]
