"""The benchmark of claims runs, and the set it measures is large and cut in two. The figures are not asked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import verifying

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "verifying.py"


def test_the_benchmark_tells_its_figures_beside_word_overlap(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--half", "tuning", "--passages", "2", "--json", str(file)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    figures = json.loads(file.read_text(encoding="utf-8"))
    assert json.loads(done.stdout) == figures
    for checker in ("quire", "word overlap"):
        assert 0 <= figures[checker]["false_passed"] <= 1
        assert 0 <= figures[checker]["true_passed"] <= 1
    assert 0 < figures["true"] < figures["claims"]


def test_no_passage_is_in_both_halves() -> None:
    halves = [{one.text.id for one in verifying.claims(half)} for half in ("tuning", "apart")]
    assert all(halves)
    assert not halves[0] & halves[1]
    assert len(verifying.claims()) >= 400
    assert {"de", "fr", "es", "ru", "zh"} <= {one.text.language for one in verifying.claims()}
