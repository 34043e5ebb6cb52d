"""The benchmark of searches runs, and tells everything it should. How fast anything was is not asked here."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "search.py"
NAMES = [
    "one notebook of 3, beside FTS5 and numpy",
    "one notebook of 20, beside FTS5 and numpy",
    "one notebook of 20, beside one of 3",
    "across 20 notebooks, beside tantivy and numpy",
][: 4 if importlib.util.find_spec("tantivy") else 3]


@pytest.mark.long
def test_the_benchmark_prints_a_table_and_writes_the_same_as_json(tmp_path: Path) -> None:
    file = tmp_path / "search.json"
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--small", "--json", str(file)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    head, *lines = done.stdout.splitlines()
    assert head.split() == ["Quire", "bare", "ratio", "goal"]
    rows = json.loads(file.read_text(encoding="utf-8"))["rows"]
    assert [row["name"] for row in rows] == NAMES
    assert [row["goal"] for row in rows] == [2.0, 2.0, 1.3, 1.0][: len(NAMES)]
    for row, line in zip(rows, lines, strict=True):
        assert row["quire"] > 0
        assert row["bare"] > 0
        assert row["met"] == (row["ratio"] <= row["goal"])
        form = rf"{re.escape(row['name'])} +[\d.]+ ms +[\d.]+ ms +{row['ratio']:.2f} +{row['goal']:.2f} [✓✗]"
        assert re.fullmatch(form, line)
