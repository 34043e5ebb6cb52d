"""The benchmark of what an answer costs runs, and tells everything it should. How fast anything was is not asked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import answer_cost

SCRIPT = Path(answer_cost.__file__)


def test_answers_without_a_model_call_count_in_no_ratio() -> None:
    rows = [answer_cost.Row("fact", 130.0, 100.0, 13), answer_cost.Row("overview", 40.0, 0.0, 0)]
    found = answer_cost.together(rows)
    assert (found["ask"], found["model"], found["ratio"], found["met"]) == (130.0, 100.0, 1.3, True)


@pytest.mark.long
def test_the_benchmark_prints_a_table_and_writes_the_same_as_json(tmp_path: Path) -> None:
    file = tmp_path / "cost.json"
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--small", "--json", str(file)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    head, *lines, last = done.stdout.splitlines()
    assert head.split() == ["ask", "model", "texts", "ratio"]
    found = json.loads(file.read_text(encoding="utf-8"))
    assert [line.split()[0] for line in lines] == [row["name"] for row in found["rows"]]
    assert {row["name"] for row in found["rows"] if not row["model"]} <= {"overview"}
    assert last.split()[0] == "together"
